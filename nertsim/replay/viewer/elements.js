// Elements of the page: making them, and changing what has changed.

function element(kind, className, parent, text) {
  const made = document.createElement(kind);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

// Sets a style only where it changes: most cards lie still in most frames.
function setStyle(node, name, value) {
  const known = node.known || (node.known = {});
  if (known[name] === value) return;
  known[name] = value;
  node.style[name] = value;
}

// The number of a seat in its colour.
function badge(seat, parent) {
  const node = element("span", "badge", parent, String(seat));
  node.style.backgroundColor = seatColour(seat);
  node.style.color = inkOn(seatColour(seat));
  return node;
}

function boxTo(node, box) {
  setStyle(node, "transform", `translate(${box.x}px, ${box.y}px)`);
  setStyle(node, "width", `${box.width}px`);
  setStyle(node, "height", `${box.height}px`);
}

function slotTo(node, place) {
  boxTo(node, { x: place.x, y: place.y, width: place.card, height: place.card * RATIO });
}

const signed = (number) => String(number).replace("-", "−");
