// What happened: the actions of a deal, and the table after each of them.
// States are never changed, and share the piles that an action leaves alone, so that any moment is there at once.

const US = 1e6; // µs in a second

// Where in a list, sorted by `key`, the first item above `value` stands.
function firstAbove(list, value, key) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The deal `number` of the page: {seats, actions, score, states, end, hands, …}.
function readDeal(page, number) {
  const source = page.deals[number];
  const actions = source.actions.map((row, index) => readAction(page.fields, row, index));
  const states = [dealtState(page)];
  for (const action of actions) states.push(happen(states[states.length - 1], action, page.rules));
  const deal = { number, rules: page.rules, seats: source.seats, score: source.score, actions, states };
  deal.hands = handsOf(actions);
  deal.races = racesOf(actions);
  deal.end = Math.max(source.score.t, ...actions.slice(-40).map((action) => action.until));
  deal.foundations = states[states.length - 1].foundations.length;
  deal.deepest = deepestWorkPile(states, page.rules.work_piles);
  return deal;
}

function readAction(fields, row, index) {
  const action = { index };
  fields.forEach((field, at) => { action[field] = row[at]; });
  action.lifted = action.t - action.motion;
  // What is rejected takes as long to go back.
  action.until = action.t + (action.result === "rejected" ? action.motion : 0);
  return action;
}

// The actions of each hand, in the order in which it did them.
function handsOf(actions) {
  const hands = new Map();
  for (const action of actions) {
    const key = `${action.seat} ${action.hand}`;
    if (!hands.has(key)) hands.set(key, []);
    hands.get(key).push(action);
  }
  return [...hands.values()];
}

// The races: {foundation, from, until}, while the card that comes later and one that comes before it are in the air.
function racesOf(actions) {
  const races = [];
  for (const late of actions) {
    if (late.action !== "play" || (late.result !== "rejected" && late.result !== "tie")) continue;
    for (let index = late.index - 1; index >= 0 && actions[index].t > late.lifted; index--) {
      const first = actions[index];
      if (first.action !== "play" || first.result !== "ok" || first.to !== late.to) continue;
      races.push({ foundation: foundationOf(late.to), from: Math.max(first.lifted, late.lifted), until: late.t });
    }
  }
  return races;
}

function deepestWorkPile(states, workPiles) {
  let deepest = 1;
  for (const state of states) {
    for (const layout of state.seats) {
      for (let pile = 0; pile < workPiles; pile++) deepest = Math.max(deepest, layout[`work${pile}`].length);
    }
  }
  return deepest;
}

// Piles of each seat with the top last, as in nertsim/replay/table.py; foundations by number; jokers that are fixed.
function dealtState(page) {
  const { rules, decks } = page;
  const seats = decks.map((deck, seat) => {
    const nerts = rules.nerts[seat], behind = nerts + rules.work_piles;
    const layout = { nerts: deck.slice(0, nerts), waste: [], stock: deck.slice(behind).reverse() };
    deck.slice(nerts, behind).forEach((card, pile) => { layout[`work${pile}`] = [card]; });
    return layout;
  });
  return { seats, foundations: [], fixed: {}, tally: decks.map(() => ({ foundation: 0, kings: 0 })), caller: null };
}

const topOf = (pile) => pile[pile.length - 1];
const isDone = (action) => action.result === "ok" || action.result === "tie";
const foundationOf = (pile) => Number(pile.slice("foundation".length));

// The state after an action has taken effect.
function happen(state, action, rules) {
  if (!isDone(action)) return state;
  if (action.action === "call") return { ...state, caller: state.caller ?? action.seat };
  const before = state.seats[action.seat];
  const after = { ...state, seats: [...state.seats] };
  after.seats[action.seat] = ownPiles(before, action);
  after.fixed = fixedJokers(state.fixed, action, before, after.seats[action.seat], rules);
  if (action.action === "play") playOn(after, action);
  return after;
}

// What an action does to the seat's own piles.
function ownPiles(layout, action) {
  const { stock, waste } = layout;
  switch (action.action) {
    case "draw":
      return { ...layout, stock: stock.slice(0, -action.count), waste: [...waste, ...stock.slice(-action.count).reverse()] };
    case "recycle":
      return { ...layout, stock: [...waste, ...[...stock].reverse()].reverse(), waste: [] };
    case "rotate":
      return { ...layout, stock: action.stock ? [...action.stock].reverse() : [...stock.slice(-1), ...stock.slice(0, -1)] };
  }
  const count = action.count ?? 1;
  const cards = layout[action.from].slice(-count);
  const after = { ...layout, [action.from]: layout[action.from].slice(0, -count) };
  if (action.action === "slide") after[action.to] = [...cards, ...layout[action.to]];
  else if (action.action !== "play") after[action.to] = [...layout[action.to], ...cards];
  return after;
}

// Which jokers in the layouts stand for what: "seat card" -> card.
function fixedJokers(fixed, action, before, after, rules) {
  const changes = {};
  if (action.as && action.action !== "play") {
    const joker = action.action === "slide" ? action.card : topOf(before[action.to]);
    changes[`${action.seat} ${joker}`] = action.as;
  }
  if (rules.joker_unfix && (action.from || "").startsWith("work")) {
    const uncovered = topOf(after[action.from]);
    if (uncovered) changes[`${action.seat} ${uncovered}`] = undefined;
  }
  return Object.keys(changes).length ? { ...fixed, ...changes } : fixed;
}

// A card lands on a foundation; of a tie it stays beside, and the pile does not grow.
function playOn(state, action) {
  const number = foundationOf(action.to);
  const old = state.foundations[number] || { cards: [], ties: [] };
  const one = { seat: action.seat, card: action.card, as: action.as };
  state.foundations = [...state.foundations];
  state.foundations[number] = action.result === "tie" ? { ...old, ties: [...old.ties, { ...one, at: old.cards.length }] }
    : { ...old, cards: [...old.cards, one] };
  const king = (action.as || action.card).startsWith("K");
  const tally = state.tally[action.seat];
  state.tally = [...state.tally];
  state.tally[action.seat] = { foundation: tally.foundation + 1, kings: tally.kings + (king ? 1 : 0) };
}

// The score line of a seat, as if the deal ended now.
function scoreLine(state, seat, rules) {
  const { foundation, kings } = state.tally[seat];
  const nerts_left = state.seats[seat].nerts.length;
  const call = state.caller === seat ? rules.call_bonus : 0;
  const score = foundation + call + kings * rules.king_bonus - nerts_left * rules.penalty;
  return { seat, foundation, kings, nerts_left, score };
}

// How many actions have taken effect at an instant.
const countAt = (deal, time) => firstAbove(deal.actions, time, (action) => action.t);

// The actions whose cards are in the air at an instant, or on their way back.
function inTheAir(deal, time) {
  const flying = [];
  for (const hand of deal.hands) {
    const action = hand[firstAbove(hand, time, (one) => one.until)];
    if (action && action.lifted <= time) flying.push(action);
  }
  return flying;
}

// How a deal ended, in words.
function endWords(score) {
  const how = { called: `Seat ${score.caller} called Nerts!`, stuck: "All seats are stuck.", time_limit: "The time limit is reached." };
  return how[score.ended];
}
