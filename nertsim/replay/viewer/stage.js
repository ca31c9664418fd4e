// A table on the screen: panels, piles and the cards that lie on them.

const SHOWN_FOR = 0.9 * US;  // how long a tie or a rejection is marked
const RING_FOR = 0.45 * US;  // how long a card that has landed is marked

const calm = window.matchMedia("(prefers-reduced-motion: reduce)"); // then cards do not fly

class Stage {
  constructor(root, deal, shape) {
    this.deal = deal;
    this.root = root;
    this.shape = shape;
    this.cards = new Map();
    this.flags = [];
    this.panels = deal.seats.map((one, seat) => this.makePanel(one, seat));
    this.centre = element("div", "centre", root);
    this.cells = Array.from({ length: this.shape.foundations }, () => element("div", "cell", root));
  }

  makePanel(one, seat) {
    const panel = element("div", "panel", this.root);
    const head = element("div", "head", panel);
    badge(seat, head);
    const name = element("span", "name", head, one.bot);
    name.title = one.bot;
    const hands = one.hands === 2 ? ["a", "b"].map((hand) => element("span", "hand", head, hand)) : [];
    element("span", "cry", head, "Nerts!");
    const score = element("span", "score", head);
    const count = element("div", "count", this.root);
    const number = element("b", "", count);
    element("span", "", count, "nerts");
    const slots = ["nerts", "stock", "waste", ...Array.from({ length: this.deal.rules.work_piles }, (_, pile) => `work${pile}`)]
      .map((pile) => ({ pile, node: element("div", "slot", this.root) }));
    return { panel, head, score, count, number, hands, slots };
  }

  // Lays everything out anew for a space in px.
  fit(space, followed) {
    this.place = arrange(space, this.shape, followed);
    setStyle(this.root, "height", `${this.place.height}px`);
    this.place.seats.forEach((box, seat) => this.fitPanel(box, this.panels[seat], seat === followed));
    boxTo(this.centre, this.place.foundations);
    this.cells.forEach((cell, number) => slotTo(cell, foundationSpot(this.place, number)));
    this.drawnFor = null;
  }

  fitPanel(box, parts, isFollowed) {
    boxTo(parts.panel, box);
    setStyle(parts.head, "height", `${box.header}px`);
    parts.panel.classList.toggle("followed", isFollowed);
    parts.panel.classList.toggle("small", box.small);
    for (const { pile, node } of parts.slots) slotTo(node, spot(this.place, box.seat, pile, 0, 0));
    const nerts = spot(this.place, box.seat, "nerts", 0, 1);
    boxTo(parts.count, { x: nerts.x + box.card * 1.08, y: nerts.y, width: box.card * 1.45, height: box.card * RATIO });
    setStyle(parts.count, "fontSize", `${Math.max(8, Math.min(13, box.card * 0.25))}px`);
    setStyle(parts.number, "fontSize", `${Math.max(15, Math.min(34, box.card * 0.62))}px`);
  }

  // Shows the table as it is at an instant, `speed` times as fast as it was.
  show(time, speed) {
    const flying = inTheAir(this.deal, time);
    const count = countAt(this.deal, time);
    const recent = this.recent(count, time, speed);
    const key = `${count} ${flying.map((action) => action.index)} ${recent.key}`;
    if (key !== this.drawnFor) {
      this.drawnFor = key;
      this.racing = new Set(this.deal.races.filter((race) => race.from <= time && time < race.until).map((race) => race.foundation));
      this.settle(this.deal.states[count], flying, recent);
    }
    if (!calm.matches) for (const one of this.flights) fly(one, time);
  }

  // The last actions, as long as they are marked.
  recent(count, time, speed) {
    const marked = [], landed = [];
    for (let index = count - 1; index >= 0; index--) {
      const action = this.deal.actions[index], age = (time - action.t) / Math.max(1, speed);
      if (age > SHOWN_FOR) break;
      if (action.result === "tie" || action.result === "rejected") marked.push(action);
      if (age <= RING_FOR && isDone(action) && action.card) landed.push(action);
    }
    return { marked, landed, key: `${marked.map((one) => one.index)} ${landed.map((one) => one.index)}` };
  }

  // Puts every card that lies still where it lies, and makes the flights of the others ready.
  settle(state, flying, recent) {
    this.seen = new Set();
    const airborne = calm.matches ? [] : flying;
    const ringed = new Set(recent.landed.flatMap((action) => cardsOf(this.deal, action).map((card) => `${action.seat} ${card}`)));
    state.seats.forEach((layout, seat) => this.settleSeat(state, layout, seat, airborne.filter((one) => one.seat === seat), ringed));
    this.settleFoundations(state, ringed);
    this.flights = airborne.flatMap((action) => flightsOf(this, action));
    for (const one of this.flights) this.seen.add(one.node.key);
    for (const [key, node] of this.cards) if (!this.seen.has(key)) setStyle(node, "display", "none");
    this.showFlags(recent.marked);
  }

  settleSeat(state, layout, seat, airborne, ringed) {
    const away = (pile) => airborne.reduce((sum, action) => sum + takenFrom(action, pile, layout), 0);
    const put = (card, pile, index, length, up) => {
      const node = this.card(seat, card, up, state.fixed[`${seat} ${card}`], spot(this.place, seat, pile, index, length), index);
      node.classList.toggle("landed", up && ringed.has(`${seat} ${card}`));
    };
    const { nerts, stock, waste } = layout;
    const nertsLeft = nerts.length - away("nerts"), wasteLeft = waste.length - away("waste");
    if (nertsLeft > 1) put(nerts[nertsLeft - 2], "nerts", nertsLeft - 2, nerts.length, false);
    // The next card is turned when the one that was on it has landed.
    if (nertsLeft > 0) put(nerts[nertsLeft - 1], "nerts", nertsLeft - 1, nerts.length, nertsLeft === nerts.length);
    const stockLeft = stock.length - away("stock");
    if (stockLeft > 0) put(stock[stockLeft - 1], "stock", stockLeft - 1, stock.length, false);
    for (let index = Math.max(0, waste.length - FANNED - 1); index < wasteLeft; index++) put(waste[index], "waste", index, waste.length, true);
    for (const { pile } of this.panels[seat].slots.slice(3)) {
      const left = layout[pile].length - away(pile);
      for (let index = 0; index < left; index++) put(layout[pile][index], pile, index, layout[pile].length, true);
    }
    this.panels[seat].slots[0].node.classList.toggle("thick", nertsLeft > 2);
    this.panels[seat].slots[1].node.classList.toggle("thick", stockLeft > 2);
    this.settleHead(state, seat, airborne);
  }

  settleHead(state, seat, airborne) {
    const { panel, score, number, hands } = this.panels[seat];
    const line = scoreLine(state, seat, this.deal.rules);
    score.textContent = signed(line.score);
    number.textContent = line.nerts_left;
    panel.classList.toggle("called", state.caller === seat);
    hands.forEach((node, hand) => node.classList.toggle("busy", airborne.some((action) => action.hand === hand)));
  }

  settleFoundations(state, ringed) {
    this.cells.forEach((cell, number) => {
      const pile = state.foundations[number];
      cell.classList.toggle("race", this.racing.has(number));
      cell.classList.toggle("complete", Boolean(pile) && isKing(topOf(pile.cards)));
      if (pile) this.settleFoundation(pile, number, ringed);
    });
  }

  settleFoundation(pile, number, ringed) {
    const at = foundationSpot(this.place, number);
    const put = (one, place, depth) => {
      const node = this.card(one.seat, one.card, true, one.as, place, depth);
      node.classList.add("out");
      node.classList.toggle("landed", ringed.has(`${one.seat} ${one.card}`));
      node.classList.toggle("finished", isKing(topOf(pile.cards)));
    };
    for (const one of pile.ties) if (one.at === pile.cards.length) put(one, tieSpot(at), 0);
    if (pile.cards.length > 1) put(pile.cards[pile.cards.length - 2], at, 1);
    put(topOf(pile.cards), at, 2);
  }

  // The element of a card, put to its place.
  card(seat, card, up, stands, place, depth) {
    const key = `${seat} ${card}`;
    let node = this.cards.get(key);
    if (!node) {
      node = element("div", "card", this.root);
      node.key = key;
      element("span", "owner", node, String(seat)).style.cssText = `background:${seatColour(seat)};color:${inkOn(seatColour(seat))}`;
      this.cards.set(key, node);
    }
    this.seen.add(key);
    if (node.className !== "card") node.className = "card";
    setStyle(node, "display", "block");
    setStyle(node, "width", `${place.card}px`);
    setStyle(node, "height", `${place.card * RATIO}px`);
    setStyle(node, "backgroundImage", up ? faceImage(card, stands, place.card < FULL_FACE) : backImage(seat));
    setStyle(node, "transform", `translate(${place.x}px, ${place.y}px)`);
    setStyle(node, "zIndex", String(depth + 1));
    setStyle(node, "fontSize", `${Math.max(9, Math.min(14, place.card * 0.27))}px`);
    return node;
  }

  // Words at the place of a tie or of a card that came too late.
  showFlags(marked) {
    while (this.flags.length < marked.length) this.flags.push(element("div", "flag", this.root));
    this.flags.forEach((flag, number) => {
      const action = marked[number];
      setStyle(flag, "display", action ? "block" : "none");
      if (!action) return;
      const layout = this.deal.states[action.index].seats[action.seat];
      const at = landingSpot(this, action, layout, 0);
      flag.className = `flag ${action.result}`;
      flag.textContent = action.result === "tie" ? "tie" : "late";
      setStyle(flag, "transform", `translate(${at.x + at.card / 2}px, ${at.y - 8}px) translate(-50%, -50%)`);
    });
  }
}
