// Where everything lies: seats in rows, the foundations between them, as large as the space allows.

const RATIO = 1.4;          // height of a card for a width of 1
const LARGEST_CARD = 96;    // px
const SMALLEST_CARD = 24;   // px; below this the page scrolls instead
const FULL_FACE = 44;       // px; narrower cards have a plain face with a large index
const SPACE = 8;            // px between panels
const PAD = 8;              // px inside a panel
const FAN = 0.36;           // of a card: how far the cards of the waste lie apart
const FANNED = 3;           // cards of the waste that are seen
const COLUMN = 1.1;         // of a card: from one pile to the next
const LEFT = 2 + 2 * FAN + 0.3; // of a card: nerts pile, stock and waste, left of the work piles
const FOUNDATION_COLUMN = 1.16, FOUNDATION_ROW = RATIO + 0.16;

const headerHeight = (card) => (card < FULL_FACE ? 22 : 28);

// What has to have room: of two deals side by side as much as either needs, so that both look alike.
function shapeOf(deals) {
  const most = (count) => Math.max(1, ...deals.map(count));
  return {
    seats: deals[0].seats.length, workPiles: deals[0].rules.work_piles,
    deepest: most((deal) => deal.deepest), foundations: most((deal) => deal.foundations),
  };
}

// Which seats sit in which row for so many columns; a followed seat has the last row alone, and larger cards.
function seatRows(seats, columns, followed) {
  const others = [];
  for (let seat = 0; seat < seats; seat++) if (seat !== followed) others.push(seat);
  const count = Math.ceil(others.length / columns), rows = [];
  for (let row = 0; row < count; row++) {
    const from = Math.round((row * others.length) / count), to = Math.round(((row + 1) * others.length) / count);
    rows.push({ seats: others.slice(from, to), scale: 1 });
  }
  if (followed !== null) rows.push({ seats: [followed], scale: 1.45 });
  return rows;
}

// Size of the cards of a layout, in cards: its width, and its height with work piles of `deepest` cards.
function layoutSize(workPiles, deepest, step) {
  const low = 2 * RATIO + 0.14;
  const wanted = RATIO + (deepest - 1) * step;
  return { width: LEFT + workPiles * COLUMN - (COLUMN - 1), height: Math.max(low, Math.min(wanted, RATIO + 8 * step)) };
}

// The largest cards with which so many columns fit into the space, and the arrangement that they make.
function tryColumns(columns, space, shape, followed, limit, step) {
  const rows = seatRows(shape.seats, columns, followed);
  const size = layoutSize(shape.workPiles, shape.deepest, step);
  const widest = Math.max(...rows.map((row) => row.seats.length * row.scale), 1);
  const across = Math.max(...rows.map((row) => row.seats.length));
  const byWidth = (space.width - SPACE * (across - 1) - 2 * PAD * across) / (widest * size.width);
  let card = Math.min(limit, byWidth);
  const heightAt = (width) => stageHeight(rows, size, width, space.width, shape.foundations);
  while (card > SMALLEST_CARD && heightAt(card) > space.height) card -= 0.5;
  return { columns, rows, size, card, step, height: heightAt(card) };
}

function foundationGrid(count, card, width) {
  const most = Math.max(1, Math.floor((width - 2 * PAD) / (card * FOUNDATION_COLUMN)));
  const rows = Math.max(1, Math.ceil(count / most));
  return { rows, columns: Math.max(1, Math.ceil(count / rows)), height: rows * card * FOUNDATION_ROW + 2 * PAD };
}

const rowHeight = (row, size, card) => headerHeight(card * row.scale) + size.height * card * row.scale + 2 * PAD;

function stageHeight(rows, size, card, width, foundations) {
  const seats = rows.reduce((sum, row) => sum + rowHeight(row, size, card) + SPACE, 0);
  return seats + foundationGrid(foundations, card, width).height;
}

// The best arrangement for a space: {width, height, card, small, seats: […], foundations: {…}}.
function arrange(space, shape, followed) {
  const first = shape.seats === 1 ? null : followed;
  return bestOf(space, shape, first, LARGEST_CARD, 0.32, FULL_FACE) || bestOf(space, shape, first, FULL_FACE - 0.5, 0.46, 0);
}

function bestOf(space, shape, followed, limit, step, least) {
  const most = Math.max(1, Math.ceil((shape.seats - (followed === null ? 0 : 1)) / (followed === null ? 2 : 1)));
  let best = null;
  for (let columns = 1; columns <= most; columns++) {
    const one = tryColumns(columns, space, shape, followed, limit, step);
    const fits = one.height <= space.height;
    const better = !best || (fits && !best.fits) || (fits === best.fits && (fits ? one.card > best.card : one.height < best.height));
    if (one.card >= Math.min(SMALLEST_CARD - 4, limit) && better) best = { ...one, fits };
    if (!best && columns === 1) best = { ...one, fits };
  }
  return best.card >= least ? placed(best, space, shape) : null;
}

// The boxes of an arrangement, in px from the top left corner of the stage.
function placed(best, space, shape) {
  const { rows, size, card, step } = best, seats = [];
  const above = rows.length === 1 ? 0 : Math.floor(rows.length / 2);
  const grid = foundationGrid(shape.foundations, card, space.width);
  let y = 0, foundations = null;
  rows.forEach((row, number) => {
    if (number === above) {
      foundations = foundationBox(grid, card, y, space.width);
      y += grid.height + SPACE;
    }
    placeRow(row, y, best, space.width, shape, seats);
    y += rowHeight(row, size, card) + SPACE;
  });
  return { width: space.width, height: y - SPACE, card, step, seats, foundations };
}

function placeRow(row, y, best, width, shape, seats) {
  const card = best.card * row.scale, header = headerHeight(card);
  const inside = best.size.width * card;
  const most = Math.max(...best.rows.map((one) => one.seats.length));
  const widest = row.scale === 1 ? (width - SPACE * (most - 1)) / most : width;
  const box = Math.min(widest, Math.max(inside + 2 * PAD, Math.min(widest, inside * 1.15)));
  const between = row.seats.length > 1 ? Math.min(40, (width - box * row.seats.length) / (row.seats.length - 1)) : 0;
  const all = box * row.seats.length + between * (row.seats.length - 1);
  row.seats.forEach((seat, column) => {
    const x = (width - all) / 2 + column * (box + between);
    seats[seat] = {
      seat, x, y, width: box, height: rowHeight(row, best.size, best.card), header, card, step: best.step,
      left: x + (box - inside) / 2, top: y + header + PAD / 2, deep: best.size.height * card, small: card < FULL_FACE,
    };
  });
}

function foundationBox(grid, card, y, width) {
  const inside = grid.columns * card * FOUNDATION_COLUMN - card * (FOUNDATION_COLUMN - 1);
  return { x: 0, y, width, height: grid.height, columns: grid.columns, card, left: (width - inside) / 2, top: y + PAD };
}

// The place of a card: {x, y, card: its width}. `index` from the base of a pile of `length` cards.
function spot(arrangement, seat, pile, index, length) {
  const box = arrangement.seats[seat], { card, left, top } = box;
  switch (pile) {
    case "nerts": return { x: left, y: top, card };
    case "stock": return { x: left, y: top + card * (RATIO + 0.14), card };
    case "waste": {
      const seen = Math.max(0, Math.min(length, FANNED) - (length - index));
      return { x: left + card * (1.1 + seen * FAN), y: top + card * (RATIO + 0.14), card };
    }
  }
  const step = length > 1 ? Math.min(box.step * card, (box.deep - card * RATIO) / (length - 1)) : 0;
  return { x: left + card * (LEFT + Number(pile.slice(4)) * COLUMN), y: top + index * step, card };
}

function foundationSpot(arrangement, number) {
  const { left, top, columns, card } = arrangement.foundations;
  const column = number % columns, row = Math.floor(number / columns);
  return { x: left + column * card * FOUNDATION_COLUMN, y: top + row * card * FOUNDATION_ROW, card };
}
