// The page: one table, or two side by side, the bar below them, and the keys.

const page = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const deals = page.deals.map((_, number) => readDeal(page, number));
const player = new Player(deals, showAll);
const PHONE = 760; // px; below this the lists stand under the tables
let followed = page.follow;

find("title").textContent = page.title;
document.body.classList.toggle("two", deals.length === 2);
const views = deals.map(makeView);

function makeView(deal) {
  const view = element("section", "view", find("views"));
  const head = deals.length === 2 ? element("h2", "", view, viewName(deal)) : find("top");
  const result = element("span", "result", null, `${endWords(deal.score)} (${seconds(deal.score.t)})`);
  head.insertBefore(result, deals.length === 2 ? null : find("part"));
  const felt = element("div", "felt", view), side = element("div", "side", view);
  const one = { deal, felt, result, stage: new Stage(element("div", "stage", felt), deal, shapeOf(deals)), side: null };
  one.side = new Side(side, deal, page.points, (time) => { player.pause(); player.seek(time); });
  if (page.part) one.side.markPart(page.part.t);
  return one;
}

// What is special about one of two deals: the bots that differ.
function viewName(deal) {
  const other = deals[1 - deal.number];
  const differing = deal.seats.map((one, seat) => seat).filter((seat) => deal.seats[seat].bot !== other.seats[seat].bot);
  return (differing.length ? differing : [0]).map((seat) => `${deal.seats[seat].bot} in seat ${seat}`).join(", ");
}

function showAll(time, speed, playing) {
  for (const { deal, stage, side, result } of views) {
    stage.show(time, speed);
    side.show(time);
    result.classList.toggle("shown", time >= deal.score.t);
  }
  const seek = find("seek");
  seek.value = time;
  seek.setAttribute("aria-valuetext", seconds(time));
  seek.style.setProperty("--share", `${(100 * time) / player.end}%`);
  setText(find("clock"), `${seconds(time)} / ${seconds(player.end)}`);
  find("play").classList.toggle("playing", playing);
  find("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  find("speed").value = String(speed);
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// The space that a table may take, in px.
function spaceFor(felt) {
  const style = getComputedStyle(felt);
  const width = felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const rest = window.innerHeight - find("top").offsetHeight - find("bar").offsetHeight;
  const phone = window.innerWidth < PHONE;
  const beside = deals.length === 1 ? 34 : phone ? 60 : 34 + 190 + 56; // what else stands above and below a table
  // On a phone a table may be taller than the screen, so that its cards can be read.
  const share = deals.length === 1 ? (phone ? 1.3 : 1) : phone ? 0.9 : 1;
  return { width, height: Math.max(200, rest * share - beside) };
}

function fitAll() {
  const fit = () => { for (const { stage, felt } of views) stage.fit(spaceFor(felt), followed); };
  const width = document.body.clientWidth;
  fit();
  if (document.body.clientWidth !== width) fit(); // a scroll bar came or went
  player.tell();
}

function follow(seat) {
  followed = seat;
  find("follow").value = seat === null ? "" : String(seat);
  for (const { side } of views) side.follow(seat);
  fitAll();
}

function fillChoices() {
  for (const speed of SPEEDS) element("option", "", find("speed"), `${speed}×`).value = String(speed);
  element("option", "", find("follow"), "all seats").value = "";
  deals[0].seats.forEach((one, seat) => { element("option", "", find("follow"), `${seat}: ${one.bot}`).value = String(seat); });
}

// Marks on the time line: races, the end, and where two deals part.
function markLine() {
  const line = find("marks");
  const mark = (time, kind, title) => {
    const node = element("i", kind, line);
    node.style.left = `${(100 * time) / player.end}%`;
    node.title = title;
  };
  for (const { actions, score } of deals) {
    for (const action of actions) {
      if (action.result === "tie" || (action.result === "rejected" && action.action === "play")) mark(action.t, action.result, action.words);
    }
    mark(score.t, "over", endWords(score));
  }
  if (page.part) mark(page.part.t, "part", "Here the two part");
}

function setUpPart() {
  if (deals.length < 2) return;
  const button = find("part");
  button.hidden = false;
  button.disabled = !page.part;
  button.textContent = page.part ? `They part at ${seconds(page.part.t)}` : "They never part";
  button.addEventListener("click", () => { player.pause(); player.seek(page.part.t); });
}

// Steps, and tells those who hear the page what happened.
function step(direction) {
  player.step(direction);
  setText(find("told"), views.map(({ side }) => side.told()).join(" "));
}

// A choice that was made by pointing gives the keys back.
function choose(event, take) {
  take(event.target.value);
  if (!event.target.matches(":focus-visible")) event.target.blur();
}

const toggle = () => (player.playing ? player.pause() : player.play());
const toEdge = (time) => { player.pause(); player.seek(time); };

const KEYS = {
  " ": toggle, k: toggle,
  ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  Home: () => toEdge(0), End: () => toEdge(player.end),
  ArrowUp: () => player.faster(1), ArrowDown: () => player.faster(-1), "+": () => player.faster(1), "-": () => player.faster(-1),
  f: () => follow(nextSeat()),
  p: () => { if (page.part) toEdge(page.part.t); },
  "?": () => { find("help").hidden = !find("help").hidden; },
  Escape: () => { find("help").hidden = true; },
};
const nextSeat = () => (followed === null ? 0 : followed + 1 < deals[0].seats.length ? followed + 1 : null);

function onKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[key]) return;
  // A list of choices and a list of events keep the keys that they use themselves; a button keeps the space bar.
  if (target.tagName === "SELECT" || (target.tagName === "BUTTON" && key === " ")) return;
  if (target.className === "events" && /^(ArrowUp|ArrowDown|Home|End)/.test(key)) return;
  event.preventDefault();
  KEYS[key]();
}

function start() {
  fillChoices();
  markLine();
  setUpPart();
  find("seek").max = player.end;
  find("play").addEventListener("click", toggle);
  find("back").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("first").addEventListener("click", () => toEdge(0));
  find("last").addEventListener("click", () => toEdge(player.end));
  find("seek").addEventListener("input", () => player.seek(Number(find("seek").value)));
  find("speed").addEventListener("change", (event) => choose(event, (value) => player.setSpeed(Number(value))));
  find("follow").addEventListener("change", (event) => choose(event, (value) => follow(value === "" ? null : Number(value))));
  find("keys").addEventListener("click", KEYS["?"]);
  find("close").addEventListener("click", KEYS.Escape);
  document.addEventListener("keydown", onKey);
  calm.addEventListener("change", fitAll);
  window.addEventListener("resize", fitAll);
  follow(page.follow);
}

// For the console, and for tests: the clock, what is on the screen, and the table at an instant in µs.
window.nertsim = { player, deals, views, stateAt: (number, time) => deals[number].states[countAt(deals[number], time)] };
start();
