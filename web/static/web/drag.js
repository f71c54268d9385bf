/**
 * Dragging a card with mouse, finger or pen: it follows the pointer, and its partners are lit.
 *
 * @module
 */

const SLACK_PX = 7;
/** So much of a partner has to be under the card that is dropped. */
const LEAST_OVERLAP = 0.2;

/**
 * @typedef {object} Hands
 * @property {(card: string) => boolean} canLift
 * @property {(card: string) => string[]} targetsOf the cards it can be dropped on to make a move
 * @property {(card: string) => HTMLElement} element
 * @property {(card: string, onto: string | null) => void} onDrop onto a card, or null for the bare table
 */

/** @typedef {{card: string, element: HTMLElement, pointerId: number, x: number, y: number, isMoving: boolean}} Lift */

export class Dragging {
  /** @type {Lift | null} */
  #lift = null;
  #root;
  #hands;
  #swallowsClick = false;

  /** @param {HTMLElement} root @param {Hands} hands */
  constructor(root, hands) {
    this.#root = root;
    this.#hands = hands;
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    root.addEventListener("pointercancel", () => this.#putBack());
    root.addEventListener("lostpointercapture", () => this.#putBack());
    // A board that changes under a held card takes it out of the hand.
    root.addEventListener("shown", () => this.#putBack());
    root.addEventListener("click", (event) => this.#click(event), { capture: true });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#putBack());
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#swallowsClick = false;
    if (this.#lift) return this.#putBack();
    if (!event.isPrimary || event.button !== 0) return;
    const element = /** @type {HTMLElement} */ (event.target).closest("[data-card]");
    const card = element instanceof HTMLElement ? element.dataset.card : undefined;
    if (!card || !this.#hands.canLift(card)) return;
    this.#settle();
    const { pointerId, clientX: x, clientY: y } = event;
    this.#lift = { card, element: /** @type {HTMLElement} */ (element), pointerId, x, y, isMoving: false };
  }

  /** Let cards that are on their way arrive: what somebody aims at stands still. */
  #settle() {
    for (const animation of this.#root.getAnimations({ subtree: true })) {
      if (animation instanceof CSSTransition && animation.transitionProperty === "translate") animation.finish();
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const lift = this.#lift;
    if (!lift || event.pointerId !== lift.pointerId) return;
    const [dx, dy] = [event.clientX - lift.x, event.clientY - lift.y];
    if (!lift.isMoving && Math.hypot(dx, dy) < SLACK_PX) return;
    if (!lift.isMoving) this.#start(lift);
    lift.element.style.setProperty("--dx", `${dx}px`);
    lift.element.style.setProperty("--dy", `${dy}px`);
    const over = this.#targetUnder(lift);
    for (const card of this.#hands.targetsOf(lift.card)) {
      this.#hands.element(card).classList.toggle("is-under-drop", card === over);
    }
  }

  /** @param {Lift} lift */
  #start(lift) {
    lift.isMoving = true;
    this.#swallowsClick = true;
    lift.element.setPointerCapture(lift.pointerId);
    this.#root.classList.add("is-dragging");
    lift.element.classList.add("is-dragged");
    for (const card of this.#hands.targetsOf(lift.card)) this.#hands.element(card).classList.add("is-target");
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const lift = this.#lift;
    if (!lift || event.pointerId !== lift.pointerId) return;
    const onto = lift.isMoving ? (this.#targetUnder(lift) ?? this.#cardAt(event, lift)) : null;
    const isFarAway = lift.isMoving && hasLeft(lift, event);
    this.#putBack();
    if (onto) this.#hands.onDrop(lift.card, onto);
    else if (isFarAway) this.#hands.onDrop(lift.card, null);
  }

  #putBack() {
    const lift = this.#lift;
    this.#lift = null;
    if (!lift?.isMoving) return;
    this.#root.classList.remove("is-dragging");
    lift.element.classList.remove("is-dragged");
    lift.element.style.removeProperty("--dx");
    lift.element.style.removeProperty("--dy");
    for (const target of this.#root.querySelectorAll(".is-target")) target.classList.remove("is-target", "is-under-drop");
  }

  /** The click that a browser makes of the end of a drag is no tap. @param {MouseEvent} event */
  #click(event) {
    if (!this.#swallowsClick || event.detail === 0) return;
    this.#swallowsClick = false;
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  /** The partner that the held card covers most of. @param {Lift} lift */
  #targetUnder(lift) {
    const held = lift.element.getBoundingClientRect();
    const overlaps = this.#hands
      .targetsOf(lift.card)
      .map((card) => ({ card, share: overlap(held, this.#hands.element(card).getBoundingClientRect()) }))
      .toSorted((one, other) => other.share - one.share);
    return overlaps[0]?.share >= LEAST_OVERLAP ? overlaps[0].card : null;
  }

  /** Any other card under the pointer. @param {PointerEvent} event @param {Lift} lift */
  #cardAt(event, lift) {
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const cards = under.map((element) => element.closest("[data-card]")).filter((element) => element !== null);
    const other = cards.find((element) => element !== lift.element && this.#root.contains(element));
    return other instanceof HTMLElement ? (other.dataset.card ?? null) : null;
  }
}

/** Whether the pointer has gone further than the card is wide. @param {Lift} lift @param {PointerEvent} event */
function hasLeft(lift, event) {
  return Math.hypot(event.clientX - lift.x, event.clientY - lift.y) > lift.element.offsetWidth;
}

/** The share of the second that the first lies on. @param {DOMRect} held @param {DOMRect} target */
function overlap(held, target) {
  const width = Math.min(held.right, target.right) - Math.max(held.left, target.left);
  const height = Math.min(held.bottom, target.bottom) - Math.max(held.top, target.top);
  return width > 0 && height > 0 ? (width * height) / (target.width * target.height) : 0;
}
