// Cards drawn in SVG. A face is made once for each size class and used as the background of card elements.

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const INK = { C: "#14171f", S: "#14171f", D: "#c3112d", H: "#c3112d" };

// Seats are told apart by their number; the colours only help. Light and dark ones take turns.
const SEAT_COLOURS = [
  "#f2b134", "#2f6fd0", "#f4f1e8", "#b23a8e", "#58c4dd", "#a2431f",
  "#c6e377", "#5b3fa8", "#ff9d8a", "#1d7f86", "#d9b8f2", "#4a4f5c",
];
const seatColour = (seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length];
const isLight = (colour) => {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16);
  return 0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5) > 150;
};
const inkOn = (colour) => (isLight(colour) ? "#14171f" : "#ffffff");

// Each suit in a box of 100 by 100.
const SUIT_SHAPES = {
  H: '<path d="M50 92C24 69 6 51 6 31C6 17 16 8 28 8C38 8 46 14 50 23C54 14 62 8 72 8C84 8 94 17 94 31C94 51 76 69 50 92Z"/>',
  D: '<path d="M50 4C60 21 73 37 87 50C73 63 60 79 50 96C40 79 27 63 13 50C27 37 40 21 50 4Z"/>',
  S: '<path d="M50 5C58 24 94 40 94 65C94 78 84 85 74 85C66 85 59 81 54 74C56 84 60 90 68 95L32 95C40 90 44 84 46 74C41 81 34 85 26 85C16 85 6 78 6 65C6 40 42 24 50 5Z"/>',
  C: '<path d="M50 5A21 21 0 0 1 66 40A21 21 0 1 1 55 69C57 82 61 90 68 95L32 95C39 90 43 82 45 69A21 21 0 1 1 34 40A21 21 0 0 1 50 5Z"/>',
};

// Crown, tiara and cap, in a box of 60 by 36.
const HEADS = {
  K: '<path d="M4 34L2 8L17 20L30 2L43 20L58 8L56 34Z"/><path d="M4 30H56" stroke="#fff" stroke-width="2.5"/>',
  Q: '<path d="M6 34C4 24 6 14 10 8L20 20L30 4L40 20L50 8C54 14 56 24 54 34Z"/><circle cx="10" cy="6" r="4"/>' +
    '<circle cx="30" cy="4" r="4"/><circle cx="50" cy="6" r="4"/>',
  J: '<path d="M6 34C6 20 16 12 32 12C46 12 54 22 54 34Z"/><path d="M36 14C40 2 50 0 58 4C56 12 48 16 38 17Z"/>',
};

// Where the pips of 2 to 10 lie: columns at 25, 50 and 75, heights from the top to the bottom of the field.
const PIPS = {
  2: [[50, 50], [50, 122]],
  3: [[50, 50], [50, 86], [50, 122]],
  4: [[29, 52], [71, 52], [29, 120], [71, 120]],
  5: [[29, 52], [71, 52], [50, 86], [29, 120], [71, 120]],
  6: [[29, 52], [71, 52], [29, 86], [71, 86], [29, 120], [71, 120]],
  7: [[29, 52], [71, 52], [50, 69], [29, 86], [71, 86], [29, 120], [71, 120]],
  8: [[29, 52], [71, 52], [50, 69], [29, 86], [71, 86], [50, 103], [29, 120], [71, 120]],
  9: [[25, 48], [75, 48], [25, 73], [75, 73], [50, 86], [25, 98], [75, 98], [25, 123], [75, 123]],
  10: [[25, 48], [75, 48], [50, 60], [25, 73], [75, 73], [25, 98], [75, 98], [50, 111], [25, 123], [75, 123]],
};

const FONT = "font-family=\"'Helvetica Neue',Arial,'Liberation Sans',sans-serif\" font-weight=\"700\"";

function suitAt(suit, x, y, size, turned) {
  const turn = turned ? " rotate(180 50 50)" : "";
  const place = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})${turn}`;
  return `<g transform="${place}">${SUIT_SHAPES[suit]}</g>`;
}

// The jack is drawn, since in some fonts its letter reaches below the line, where a covered card does not show it.
function letterAt(rank, size, suit, more) {
  if (rank !== "J") return textAt(rank, 6, 5 + size * 0.73, size, more);
  return `<path transform="translate(7 5) scale(${size / 100})" d="M41 2V51Q41 66 25 66Q9 66 8 50" fill="none" ` +
    `stroke="${INK[suit]}" stroke-width="14"/>`;
}

function textAt(text, x, y, size, more) {
  return `<text x="${x}" y="${y}" font-size="${size}" ${FONT} ${more || ""}>${text}</text>`;
}

// Rank and suit along the top edge, which is what a covered card shows.
function indexOf(rank, suit, size) {
  const narrow = rank === "10" ? ` textLength="${size * 0.96}" lengthAdjust="spacingAndGlyphs"` : "";
  const wide = rank === "10" ? size * 0.96 : size * 0.74;
  return letterAt(rank, size, suit, narrow) + suitAt(suit, 9 + wide + size * 0.36, 5 + size * 0.37, size * 0.7);
}

function courtOf(rank, suit) {
  return '<rect x="17" y="40" width="66" height="92" rx="7" fill-opacity="0.08" stroke-width="2" ' +
    `stroke="${INK[suit]}"/><g transform="translate(26 47) scale(0.8)">${HEADS[rank]}</g>` +
    suitAt(suit, 50, 102, 46);
}

function fullFace(rank, suit) {
  const middle = rank === "A" ? suitAt(suit, 50, 86, 58)
    : PIPS[rank] ? PIPS[rank].map(([x, y]) => suitAt(suit, x, y, rank > 8 ? 21 : 24, y > 90)).join("")
      : courtOf(rank, suit);
  return indexOf(rank, suit, 32) + middle;
}

function smallFace(rank, suit) {
  return indexOf(rank, suit, 50) + suitAt(suit, 50, 94, 66);
}

function jokerFace(small) {
  const star = "M50 8L61 38L93 39L67 58L77 89L50 71L23 89L33 58L7 39L39 38Z";
  const name = small ? textAt("JK", 6, 46, 52) : textAt("JOKER", 8, 27, 24);
  return `<g fill="#5b2aa0">${name}<g transform="translate(${small ? "17 60" : "18 50"}) scale(${small ? 0.66 : 0.64})">` +
    `<path d="${star}"/></g></g>`;
}

// A joker that stands for a card: that card's rank and suit, and the star that tells it from a real one.
function declaredFace(rank, suit, small) {
  const star = "M50 8L61 38L93 39L67 58L77 89L50 71L23 89L33 58L7 39L39 38Z";
  return indexOf(rank, suit, small ? 50 : 32) +
    `<g fill="#5b2aa0" transform="translate(${small ? "17 62" : "18 52"}) scale(${small ? 0.66 : 0.64})"><path d="${star}"/></g>`;
}

function svgUrl(inside, background, edge) {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" preserveAspectRatio="none">' +
    `<rect x="1" y="1" width="98" height="138" rx="10" fill="${background}" stroke="${edge}" stroke-width="2"/>` +
    `${inside}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

const drawn = new Map();

function once(key, draw) {
  if (!drawn.has(key)) drawn.set(key, draw());
  return drawn.get(key);
}

// The image of a card's face: `card` as in the trace, `stands` what a joker stands for, or nothing.
function faceImage(card, stands, small) {
  return once(`${card} ${stands || ""} ${small}`, () => {
    const isJoker = card.startsWith("JK");
    const shown = isJoker ? stands : card;
    if (!shown) return svgUrl(jokerFace(small), "#fdfcf7", "#6d6a75");
    const rank = shown.slice(0, -1), suit = shown.slice(-1);
    const draw = isJoker ? declaredFace : small ? smallFace : fullFace;
    return svgUrl(`<g fill="${INK[suit]}">${draw(rank, suit, small)}</g>`, isJoker ? "#f3ecfb" : "#fdfcf7", "#6d6a75");
  });
}

// The back of a seat's deck: its colour and its number.
function backImage(seat) {
  return once(`back ${seat}`, () => {
    const colour = seatColour(seat), ink = inkOn(colour);
    const size = seat > 9 ? 40 : 48;
    const frame = `<rect x="10" y="10" width="80" height="120" rx="6" fill="none" stroke="${ink}" stroke-opacity="0.55" stroke-width="3"/>`;
    const lattice = Array.from({ length: 6 }, (_, row) => `<path d="M10 ${22 + row * 20}L90 ${10 + row * 24}M90 ${22 + row * 20}L10 ${10 + row * 24}" ` +
      `stroke="${ink}" stroke-opacity="0.18" stroke-width="2"/>`).join("");
    const number = `<circle cx="50" cy="70" r="31" fill="${colour}" stroke="${ink}" stroke-opacity="0.55" stroke-width="3"/>` +
      textAt(seat, 50, 70 + size * 0.36, size, `text-anchor="middle" fill="${ink}"`);
    return svgUrl(lattice + frame + number, colour, isLight(colour) ? "#55585f" : "#e8e6df");
  });
}
