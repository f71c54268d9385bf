// Pyramid solitaire as the server judges it: the same rules, the same refusals in the same order and words.
// Cards are text, rank and suit ("TC"), and so are moves: "D" draw, "R" redeal, "U" undo, or the one or two cards
// removed ("KD", "TC3S"). Nothing here knows of a page.

/**
 * @typedef {object} Rules  A rule set, as the server writes it.
 * @property {string} slug
 * @property {number} version
 * @property {string} title
 * @property {string} summary
 * @property {number | null} passes  Trips through the stock, the first included; null for no limit.
 * @property {boolean} first_waste  The first card of the stock lies on the waste from the start.
 * @property {boolean} stock_top_in_play  The next stock card is face up and may be removed without drawing it.
 * @property {boolean} cover_pairs  A card may go together with its partner when that is all that covers it.
 * @property {"pyramid" | "all"} win  What has to be gone.
 * @property {number | null} undo_limit  How many of the last actions can be taken back; null for no limit.
 * @property {boolean} undo_gives_move_back  An undone action no longer counts as a move.
 * @property {number} points_per_pyramid_card
 * @property {number} points_per_pair
 * @property {number} points_per_king
 * @property {number} time_bonus_s  On a win each whole second left of these is worth a point.
 */

/**
 * What is left by place, how far the stock is drawn (a place), the pass and the points. Stock and waste never change
 * their order: what is left before the place drawn to is the waste, bottom first, and from it on the stock, next first.
 * @typedef {{ left: readonly boolean[], drawn: number, pass: number, points: number }} State
 */

/** @typedef {{ text: string, cards: string[], total: number }} Move */

/**
 * @typedef {"malformed" | "game_over" | "nothing_to_undo" | "stock_empty" | "stock_not_empty" | "nothing_to_redeal"
 *   | "no_passes_left" | "gone" | "buried" | "in_stock" | "covered" | "not_thirteen"} Code
 */

export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";
export const ROWS = 7;
export const PYRAMID_SIZE = 28;
const DECK_SIZE = 52;
const CARD = `[${RANKS}][${SUITS}]`;
const MOVE = new RegExp(`^(?:[DRU]|(${CARD})(?!\\1)(${CARD})?)$`);
const MALFORMED = "not a move; moves are D, R, U, one card such as KD, or two cards such as TC3S.";

/** The row of each place in the pyramid, 0 for the apex. */
export const ROW_OF = Array.from({ length: ROWS }, (_, row) => Array(row + 1).fill(row)).flat();

/** For each place the two places that cover it: none in the last row and outside the pyramid. */
const COVERS = Array.from({ length: DECK_SIZE }, (_, place) => {
  const below = place + ROW_OF[place] + 1;
  return ROW_OF[place] < ROWS - 1 ? [below, below + 1] : [];
});

/**
 * 1 for an ace to 13 for a king.
 * @param {string} card
 */
export function valueOf(card) {
  return RANKS.indexOf(card[0]) + 1;
}

/** The rules refuse a move; the board is as it was before it. */
export class IllegalMove extends Error {
  /**
   * @param {Code} code  Why, for programs.
   * @param {string} move  As it was given.
   * @param {string} reason  Why, as the end of a sentence for people.
   * @param {number | null} index  The move's place in its log, from 0.
   */
  constructor(code, move, reason, index = null) {
    super(`${index === null ? "" : `Move ${index}, `}${excerpt(move)}: ${reason}`);
    this.name = "IllegalMove";
    this.code = code;
    this.move = move;
    this.reason = reason;
    this.index = index;
  }

  /**
   * The same refusal, told with the move's place in its log.
   * @param {number} index
   */
  at(index) {
    return new IllegalMove(this.code, this.move, this.reason, index);
  }
}

/** A deal under a rule set, between the first move and the last. */
export class Board {
  /** @type {Map<string, number>} */
  #placeOf;
  /** @type {State} */
  #state;
  /** @type {State[]} */
  #history = [];
  #goal;
  #floor = 0;
  #undone = 0;
  /** @type {string[]} */
  #log = [];

  /**
   * @param {string} deck  52 cards with single spaces, in dealing order.
   * @param {Rules} rules
   */
  constructor(deck, rules) {
    this.deck = deck;
    this.rules = rules;
    /** @type {readonly string[]} */
    this.cards = deck.split(" ");
    this.#placeOf = new Map(this.cards.map((card, place) => [card, place]));
    this.#goal = rules.win === "all" ? DECK_SIZE : PYRAMID_SIZE;
    const drawn = PYRAMID_SIZE + Number(rules.first_waste);
    this.#state = { left: Array(DECK_SIZE).fill(true), drawn, pass: 1, points: 0 };
  }

  /**
   * Makes this move, an undo included, if the rules allow it; else throws IllegalMove and changes nothing.
   * @param {string} text
   */
  play(text) {
    const refusal = this.refusalOf(text);
    if (refusal) throw refusal;
    this.#make(/** @type {Move} */ (parse(text)));
    this.#log.push(text);
  }

  /**
   * What `play` would throw, null for a legal move.
   *
   * Where several things forbid a move it is the first of: malformed; game_over; nothing_to_undo; stock_empty;
   * stock_not_empty, nothing_to_redeal, no_passes_left; card by card as named gone, buried, in_stock; covered;
   * not_thirteen.
   * @param {string} text
   */
  refusalOf(text) {
    const move = parse(text);
    if (!move) return new IllegalMove("malformed", text, MALFORMED);
    const found = this.#obstacle(move);
    return found && new IllegalMove(found[0], text, found[1]);
  }

  /** @param {Move} move @returns {[Code, string] | null} */
  #obstacle(move) {
    if (this.isWon) return ["game_over", "the run is already won."];
    if (move.cards.length) return this.#removalObstacle(move);
    if (move.text === "D") return this.#hasStock() ? null : ["stock_empty", "the stock is empty."];
    return move.text === "R" ? this.#redealObstacle() : this.#undoObstacle();
  }

  /** @param {Move} move @returns {[Code, string] | null} */
  #removalObstacle(move) {
    for (const card of move.cards) {
      const obstacle = this.#cardObstacle(card);
      if (obstacle) return obstacle;
    }
    const covered = this.#covered(move);
    if (covered) return ["covered", `${covered} is still covered by ${named(this.coversOf(covered))}.`];
    if (move.total === 13) return null;
    const make = move.cards.length === 2 ? "make" : "counts";
    return ["not_thirteen", `${named(move.cards)} ${make} ${move.total}, not 13.`];
  }

  /** @param {string} card @returns {[Code, string] | null} */
  #cardObstacle(card) {
    const place = this.#place(card);
    if (!this.#state.left[place]) return ["gone", `${card} is already gone.`];
    if (place < PYRAMID_SIZE || this.#tops().includes(place)) return null;
    if (place >= this.#state.drawn) return ["in_stock", `${card} is in the stock and not in play.`];
    return ["buried", `${card} lies in the waste under ${this.waste.at(-1)}.`];
  }

  /**
   * The covered card that forbids this removal. Of two it is the telling one, covered by something else than its
   * partner. Where cover pairs are allowed partners to 13 leave together, so neither covers the other.
   * @param {Move} move
   */
  #covered(move) {
    const byOthers = move.cards.find((card) => this.coversOf(card).some((cover) => !move.cards.includes(cover)));
    if (byOthers || (this.rules.cover_pairs && move.total === 13)) return byOthers;
    return move.cards.find((card) => this.coversOf(card).length);
  }

  /** @returns {[Code, string] | null} */
  #redealObstacle() {
    const { left, pass } = this.#state;
    const { length } = this.stock;
    if (length) return ["stock_not_empty", `the stock still holds ${length > 1 ? `${length} cards` : "a card"}.`];
    if (!left.includes(true, PYRAMID_SIZE)) return ["nothing_to_redeal", "stock and waste are both empty."];
    return pass === this.rules.passes ? ["no_passes_left", `this was pass ${pass} of ${pass}.`] : null;
  }

  /** @returns {[Code, string] | null} */
  #undoObstacle() {
    if (this.#history.length > this.#undoFloor()) return null;
    const limit = this.rules.undo_limit;
    const reach = limit === null ? "" : `; undo reaches back ${limit} actions`;
    return ["nothing_to_undo", `there is nothing to undo${reach}.`];
  }

  /** The length of history below which undo may not reach. */
  #undoFloor() {
    const limit = this.rules.undo_limit;
    return limit === null ? 0 : Math.max(this.#floor, this.#history.length - limit);
  }

  #undo() {
    this.#floor = this.#undoFloor();
    this.#undone += Number(!this.rules.undo_gives_move_back);
    this.#state = /** @type {State} */ (this.#history.pop());
  }

  /** @param {Move} move */
  #make(move) {
    if (move.text === "U") return this.#undo();
    this.#history.push(this.#state);
    this.#state = this.#after(move);
  }

  /** @param {Move} move @returns {State} */
  #after(move) {
    const state = this.#state;
    if (move.text === "D") return { ...state, drawn: this.#stockTop() + 1 };
    if (move.text === "R") return { ...state, drawn: PYRAMID_SIZE, pass: state.pass + 1 };
    return this.#without(move);
  }

  /** @param {Move} move @returns {State} */
  #without({ cards }) {
    const { rules } = this;
    const going = cards.map((card) => this.#place(card));
    const ofPyramid = going.filter((place) => place < PYRAMID_SIZE).length;
    const earned = cards.length === 2 ? rules.points_per_pair : rules.points_per_king;
    return {
      ...this.#state,
      left: this.#state.left.map((isLeft, place) => isLeft && !going.includes(place)),
      points: this.#state.points + earned + ofPyramid * rules.points_per_pyramid_card,
    };
  }

  /** The place of the next stock card; -1 for none. */
  #stockTop() {
    return this.#state.left.indexOf(true, this.#state.drawn);
  }

  #hasStock() {
    return this.#stockTop() >= 0;
  }

  /** The places in play outside the pyramid: the top of the waste, the top of the stock. */
  #tops() {
    const { left, drawn } = this.#state;
    const wasteTop = left.lastIndexOf(true, drawn - 1);
    const stockTop = this.rules.stock_top_in_play ? this.#stockTop() : -1;
    return [wasteTop, stockTop].filter((place) => place >= PYRAMID_SIZE);
  }

  /** @param {string} card */
  #place(card) {
    return this.#placeOf.get(card) ?? -1;
  }

  /** The moves made, as they were given, undos included. */
  get log() {
    return [...this.#log];
  }

  /** Every legal removal, draw and redeal: removals in dealing order, a pair named once and in it. */
  get legalMoves() {
    if (this.isWon) return [];
    const removals = this.#removals().map((places) => this.#cardsAt(places).join(""));
    return [...removals, ...["D", "R"].filter((move) => !this.refusalOf(move))];
  }

  /** @returns {number[][]} */
  #removals() {
    const exposed = this.#exposedPlaces();
    const inPlay = [...exposed, ...this.#tops()];
    const kings = inPlay.filter((place) => this.#value(place) === 13).map((place) => [place]);
    const pairs = inPlay.flatMap((first, i) => inPlay.slice(i + 1).map((second) => [first, second]));
    if (this.rules.cover_pairs) pairs.push(...this.#lastCovers());
    const thirteens = pairs.filter(([first, second]) => this.#value(first) + this.#value(second) === 13);
    return [...kings, ...thirteens].sort(([a, b = -1], [c, d = -1]) => a - c || b - d);
  }

  /** Each covered card with the exposed card that is all that covers it. */
  #lastCovers() {
    return this.#pyramidPlaces()
      .map((place) => [place, ...this.#coversLeft(place)])
      .filter((pair) => pair.length === 2 && !this.#coversLeft(pair[1]).length);
  }

  /** All is gone that the rules want gone; nothing may follow, undo included. */
  get isWon() {
    const first = this.#state.left.indexOf(true);
    return first < 0 || first >= this.#goal;
  }

  /** The run is not won and no removal, draw or redeal is legal, though undo may be. */
  get isStuck() {
    return !this.isWon && !this.canDraw && !this.canRedeal && !this.#removals().length;
  }

  get canDraw() {
    return !this.refusalOf("D");
  }

  get canRedeal() {
    return !this.refusalOf("R");
  }

  get canUndo() {
    return !this.refusalOf("U");
  }

  /** How many cards of the pyramid are gone, 0 to 28. */
  get cleared() {
    return PYRAMID_SIZE - this.#pyramidPlaces().length;
  }

  /** Removals, draws and redeals made; those undone count where the rules do not give the move back. */
  get moves() {
    return this.#history.length + this.#undone;
  }

  /** The trip through the stock that is under way, from 1. */
  get pass() {
    return this.#state.pass;
  }

  /** How many redeals the rules still allow; null for no limit. */
  get passesLeft() {
    return this.rules.passes === null ? null : this.rules.passes - this.pass;
  }

  /** The points earned by removals, without the bonus for time. */
  get points() {
    return this.#state.points;
  }

  /** The 28 places of the pyramid, row by row from the apex, null where the card is gone. */
  get pyramid() {
    const { left } = this.#state;
    return this.cards.slice(0, PYRAMID_SIZE).map((card, place) => (left[place] ? card : null));
  }

  /** The cards of the stock, next one first. */
  get stock() {
    const { left, drawn } = this.#state;
    return this.cards.filter((_, place) => left[place] && place >= drawn);
  }

  /** The cards of the waste, the one in play last. */
  get waste() {
    const { left, drawn } = this.#state;
    return this.cards.filter((_, place) => left[place] && place >= PYRAMID_SIZE && place < drawn);
  }

  /** The cards of the pyramid that nothing covers, in dealing order. */
  get exposed() {
    return this.#cardsAt(this.#exposedPlaces());
  }

  /** @param {string} card */
  isExposed(card) {
    return this.#exposedPlaces().includes(this.#place(card));
  }

  /**
   * Whether the card is exposed, the top of the waste, or the top of a stock that is in play.
   * @param {string} card
   */
  isInPlay(card) {
    return this.isExposed(card) || this.#tops().includes(this.#place(card));
  }

  /**
   * The cards that still cover this one: none for an exposed card and outside the pyramid.
   * @param {string} card
   */
  coversOf(card) {
    return this.#cardsAt(this.#coversLeft(this.#place(card)));
  }

  /**
   * The cards that may leave together with this one: from the top row down, left to right, then waste, then stock.
   * @param {string} card
   */
  partnersOf(card) {
    const place = this.#place(card);
    const pairs = this.#removals().filter((places) => places.length === 2 && places.includes(place));
    const partners = pairs.map(([first, second]) => (first === place ? second : first));
    return this.isWon ? [] : this.#cardsAt(partners.sort((a, b) => a - b));
  }

  #pyramidPlaces() {
    return [...ROW_OF.keys()].filter((place) => this.#state.left[place]);
  }

  #exposedPlaces() {
    return this.#pyramidPlaces().filter((place) => !this.#coversLeft(place).length);
  }

  /** @param {number} place */
  #coversLeft(place) {
    return (COVERS[place] ?? []).filter((cover) => this.#state.left[cover]);
  }

  /** @param {number} place */
  #value(place) {
    return valueOf(this.cards[place]);
  }

  /** @param {number[]} places */
  #cardsAt(places) {
    return places.map((place) => this.cards[place]);
  }
}

/**
 * The board after a log, undos included. Throws IllegalMove for the first move that is refused, with its index.
 * @param {string} deck
 * @param {Rules} rules
 * @param {string[]} log
 */
export function replay(deck, rules, log) {
  const board = new Board(deck, rules);
  log.forEach((move, index) => {
    const refusal = board.refusalOf(move);
    if (refusal) throw refusal.at(index);
    board.play(move);
  });
  return board;
}

/**
 * The points a run earns for its time, from 0 to `time_bonus_s`.
 * @param {Rules} rules
 * @param {boolean} isWon
 * @param {number} elapsedMs
 */
export function timeBonus(rules, isWon, elapsedMs) {
  return isWon ? Math.max(0, rules.time_bonus_s - Math.floor(elapsedMs / 1000)) : 0;
}

/** @param {unknown} text @returns {Move | null} */
function parse(text) {
  const match = typeof text === "string" ? MOVE.exec(text) : null;
  if (!match) return null;
  const cards = match.slice(1).filter(Boolean);
  return { text: match[0], cards, total: cards.reduce((total, card) => total + valueOf(card), 0) };
}

/** @param {string[]} cards */
function named(cards) {
  return cards.join(" and ");
}

/** @param {unknown} value */
function written(value) {
  return `'${JSON.stringify(String(value)).slice(1, -1)}'`;
}

/** @param {unknown} value */
function excerpt(value) {
  const text = typeof value === "string" && /^[0-9A-Za-z]+$/.test(value) ? value : written(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
