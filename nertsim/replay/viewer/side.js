// Beside a table: the scores, and the list of what happened.

const MANY = 1500; // rows, from which on only those in sight are laid out

class Side {
  constructor(root, deal, points, seek) {
    this.deal = deal;
    this.points = points;
    this.makeScores(element("table", "scores", element("div", "board", root)));
    const list = element("div", "events", root);
    list.tabIndex = 0;
    list.setAttribute("role", "list");
    list.setAttribute("aria-label", "What happened");
    this.list = list;
    list.classList.toggle("long", deal.actions.length > MANY);
    this.rows = deal.actions.map((action) => this.makeRow(action, seek));
    list.append(...this.rows);
    this.end = this.makeEnd(deal);
    list.insertBefore(this.end, this.rows[this.landedBefore] || null);
    this.current = null;
  }

  // The end of the deal; cards that were in the air then land after it.
  makeEnd(deal) {
    this.landedBefore = countAt(deal, deal.score.t);
    const end = element("div", "event end");
    end.setAttribute("role", "listitem");
    element("span", "time", end, seconds(deal.score.t));
    element("span", "words", end, endWords(deal.score));
    return end;
  }

  makeScores(table) {
    const names = ["seat", "bot", "out", "kings", "left", "score", ...(this.points ? ["total"] : [])];
    const full = {
      out: "own cards on the foundations", kings: "own kings on the foundations", left: "cards left in the nerts pile",
      total: "with the points at the start of the deal",
    };
    const head = element("tr", "", element("thead", "", table));
    for (const name of names) {
      const cell = element("th", `of-${name}`, head, name);
      cell.scope = "col";
      if (full[name]) cell.title = full[name];
    }
    const body = element("tbody", "", table);
    this.lines = this.deal.seats.map((one, seat) => {
      const row = element("tr", "", body);
      badge(seat, element("td", "of-seat", row));
      const bot = element("td", "of-bot", row, one.bot);
      bot.title = one.bot;
      return { row, cells: names.slice(2).map((name) => element("td", `of-${name}`, row)) };
    });
  }

  makeRow(action, seek) {
    const row = element("div", `event ${action.result} seat${action.seat}`);
    row.setAttribute("role", "listitem");
    element("span", "time", row, seconds(action.t));
    badge(action.seat, row);
    if (this.deal.seats[action.seat].hands === 2) element("span", "which", row, "ab"[action.hand]);
    element("span", "words", row, action.words);
    row.addEventListener("click", () => seek(action.t));
    return row;
  }

  follow(seat) {
    this.list.classList.toggle("following", seat !== null);
    this.rows.forEach((row, index) => row.classList.toggle("followed", this.deal.actions[index].seat === seat));
    this.lines.forEach(({ row }, number) => row.classList.toggle("followed", number === seat));
  }

  // Marks where two deals part.
  markPart(time) {
    const index = this.deal.actions.findIndex((action) => action.t >= time);
    const at = this.rows[index] || this.end;
    const mark = element("div", "parting", null, `Here the two part, at ${seconds(time)}`);
    at.before(mark);
  }

  show(time) {
    const count = countAt(this.deal, time);
    if (count === this.count && time >= this.deal.score.t === this.ended) return;
    this.count = count;
    this.ended = time >= this.deal.score.t;
    this.showScores(this.deal.states[count]);
    this.showCurrent(this.ended && count === this.landedBefore ? this.end : this.rows[count - 1]);
  }

  // The last event in words.
  told() {
    return this.current ? this.current.textContent : "";
  }

  showScores(state) {
    const lines = this.lines.map((_, seat) => scoreLine(state, seat, this.deal.rules));
    const best = Math.max(...lines.map((line) => line.score));
    lines.forEach((line, seat) => {
      const { row, cells } = this.lines[seat];
      const values = [line.foundation, line.kings, line.nerts_left, line.score];
      if (this.points) values.push(this.points[seat] + line.score);
      values.forEach((value, column) => { cells[column].textContent = signed(value); });
      row.classList.toggle("best", line.score === best);
    });
  }

  showCurrent(row) {
    if (this.current) this.current.classList.remove("current");
    this.current = row || null;
    if (!row) {
      this.list.scrollTop = 0;
      return;
    }
    row.classList.add("current");
    this.list.scrollTop = row.offsetTop - this.list.clientHeight * 0.55;
  }
}

// An instant in µs as a clock shows it: 0:07.3.
function seconds(time) {
  const tenths = Math.floor(time / 1e5);
  return `${Math.floor(tenths / 600)}:${String(Math.floor((tenths % 600) / 10)).padStart(2, "0")}.${tenths % 10}`;
}
