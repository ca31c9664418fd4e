// What flies: the cards of an action between its lift and its landing, and on their way back.

const TIE_SHIFT = 0.2; // of a card: how far a tied card peeks out beside the pile
const STAGGER = 0.2;   // of a draw: how much later each card of it leaves the stock

// The cards of an action that are in the air: where each comes from and goes to.
function flightsOf(stage, action) {
  const before = stage.deal.states[action.index], layout = before.seats[action.seat];
  if (action.action === "draw") return drawFlights(stage, action, layout);
  if (action.action === "recycle") return recycleFlights(stage, action, layout);
  if (action.action === "rotate") return rotateFlights(stage, action, layout);
  if (!action.card) return [];
  const cards = cardsOf(stage.deal, action), source = layout[action.from];
  return cards.map((card, number) => {
    const index = source.length - cards.length + number;
    const from = spot(stage.place, action.seat, action.from, index, source.length);
    const stands = action.action === "play" ? action.as : before.fixed[`${action.seat} ${card}`];
    const node = stage.card(action.seat, card, true, stands, from, 1000 + number);
    node.classList.add("flying");
    node.classList.toggle("out", action.action === "play");
    return { node, action, from, to: landingSpot(stage, action, layout, number), turns: 0, delay: 0 };
  });
}

// Where card `number` of an action would lie once it has landed.
function landingSpot(stage, action, layout, number) {
  if (action.action === "play") {
    const at = foundationSpot(stage.place, foundationOf(action.to));
    return action.result === "tie" ? tieSpot(at) : at;
  }
  const length = layout[action.to].length + (action.count ?? 1);
  const index = action.action === "slide" ? 0 : layout[action.to].length + number;
  return spot(stage.place, action.seat, action.to, index, length);
}

function drawFlights(stage, action, layout) {
  const { stock, waste } = layout;
  return Array.from({ length: action.count }, (_, number) => {
    const from = spot(stage.place, action.seat, "stock", 0, 1);
    const to = spot(stage.place, action.seat, "waste", waste.length + number, waste.length + action.count);
    return turning(stage, action, stock[stock.length - 1 - number], from, to, number, 1);
  });
}

function recycleFlights(stage, action, layout) {
  const cards = layout.waste.slice(-FANNED), first = layout.waste.length - cards.length;
  return cards.map((card, number) => {
    const from = spot(stage.place, action.seat, "waste", first + number, layout.waste.length);
    return turning(stage, action, card, from, spot(stage.place, action.seat, "stock", 0, 1), number, -1);
  });
}

// A card that is turned on its way: `turns` 1 to its face, -1 to its back.
function turning(stage, action, card, from, to, number, turns) {
  const node = stage.card(action.seat, card, turns < 0, null, from, 1000 + number);
  node.classList.add("flying");
  return { node, action, card, from, to, turns, delay: turns > 0 ? number * STAGGER : 0 };
}

// The top card of the stock goes round to its bottom.
function rotateFlights(stage, action, layout) {
  const at = spot(stage.place, action.seat, "stock", 0, 1);
  const node = stage.card(action.seat, topOf(layout.stock), false, null, at, 1000);
  node.classList.add("flying");
  return [{ node, action, from: at, to: at, turns: 0, delay: 0, round: true }];
}

// Moves a card in the air to where it is at an instant.
function fly(flight, time) {
  const { action, from, to, node, turns, delay } = flight;
  const isBack = time > action.t;
  const share = isBack ? 1 - (time - action.t) / (action.until - action.t) : (time - action.lifted) / action.motion;
  const most = 1 + STAGGER * Math.max(0, (action.count ?? 1) - 1);
  const gone = smooth(turns > 0 ? share * most - delay : share);
  const lift = Math.sin(Math.PI * gone);
  const aside = flight.round ? -from.card * 0.7 * Math.sin(Math.PI * share) : 0;
  const x = from.x + (to.x - from.x) * gone + aside;
  const y = from.y + (to.y - from.y) * gone - lift * from.card * (turns || flight.round ? 0.1 : 0.25);
  const size = (1 + (to.card / from.card - 1) * gone) * (1 + 0.07 * lift);
  let squeeze = 1;
  if (turns) {
    squeeze = Math.max(0.02, Math.abs(Math.cos(Math.PI * gone)));
    const up = gone > 0.5 === turns > 0;
    setStyle(node, "backgroundImage", up ? faceImage(flight.card, null, from.card < FULL_FACE) : backImage(action.seat));
  }
  const middle = (from.card * size * (1 - squeeze)) / 2;
  setStyle(node, "transform", `translate(${(x + middle).toFixed(2)}px, ${y.toFixed(2)}px) scale(${(size * squeeze).toFixed(3)}, ${size.toFixed(3)})`);
  node.classList.toggle("late", isBack);
}

const isKing = (one) => (one.as || one.card).startsWith("K");
const smooth = (share) => { const part = Math.max(0, Math.min(1, share)); return part * part * (3 - 2 * part); };
const tieSpot = (at) => ({ ...at, x: at.x + at.card * TIE_SHIFT, y: at.y - at.card * 0.1 });

// The cards that an action carries, the one nearest the base first.
function cardsOf(deal, action) {
  if (!action.count || action.count === 1) return [action.card];
  return deal.states[action.index].seats[action.seat][action.from].slice(-action.count);
}

// How many cards of a pile are in the air because of an action.
function takenFrom(action, pile, layout) {
  if (action.action === "draw") return pile === "stock" ? action.count : 0;
  if (action.action === "recycle") return pile === "waste" ? layout.waste.length : 0;
  if (action.action === "rotate") return pile === "stock" ? 1 : 0;
  return action.card && action.from === pile ? action.count ?? 1 : 0;
}
