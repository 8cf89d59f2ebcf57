// @ts-check
// Zooming into boards inside boards that are too deep to be shown at once: by wheel, pinch, tap (a
// double tap counts as one) and keys, and by following the play. The server draws the
// view; this file only decides which board is shown (`path`) and animates the change.

import { closest, find } from "./dom.js";
import { depthOf, isInside, neighborOf, outerPath, pathOf } from "./navigation.js";
import { announce } from "./parts.js";
import { boundingBox, boxOf } from "./svg.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** Taps within this many milliseconds after a change of view were meant for the previous view. */
const SETTLE_TIME = 350;

export class Zoom {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.path = "";
    /** @type {Map<number, PointerEvent>} */
    this.touches = new Map();
    /** The distance of two fingers when they touched the board.
     * @type {number | null} */
    this.pinchStart = null;
    this.changedAt = -SETTLE_TIME;
    this.wheeledAt = -SETTLE_TIME;
    /** Where the focus goes once the view has changed.
     * @type {Path | null} */
    this.focusTarget = null;
    /** @type {Box | null} */
    this.transitionFrame = null;
    this.skipAnnouncement = false;
    const { root } = board;
    root.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.onTouchStart(event));
    root.addEventListener("pointermove", (event) => this.onPinch(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      root.addEventListener(name, (event) => this.touches.delete(event.pointerId));
    }
  }

  /** Can the board be zoomed into? */
  isDeep() {
    return this.board.svg.dataset.path != null;
  }

  /** The most levels of a path: a view shows two levels. */
  get maxDepth() {
    return Math.max(0, this.board.levels.length - 2);
  }

  isSettling() {
    return this.isDeep() && performance.now() - this.changedAt < SETTLE_TIME;
  }

  // ---- navigation ----

  /** Shows the board at a path, and focuses `focus` in it. Returns false if it is shown already.
   * @param {Path} target
   * @param {Path | null} [focus] */
  goTo(target, focus) {
    const path = outerPath(target, this.maxDepth);
    if (path === this.path) return false;
    const focused = find(":focus-visible", this.board.root);
    this.focusTarget = focus ?? (focused ? path : null);
    this.skipAnnouncement = false;
    this.transitionFrame = this.frameOf(path);
    this.board.controller.viewPath(path);
    return true;
  }

  /**
   * @param {HTMLElement | null | undefined} cell
   * @param {boolean} focus
   */
  zoomIn(cell, focus = false) {
    if (!cell) return false;
    const path = pathOf(cell);
    return this.goTo(outerPath(path, depthOf(this.path) + 1), focus ? path : null);
  }

  zoomOut(focus = false) {
    return this.path !== "" && this.goTo(outerPath(this.path, depthOf(this.path) - 1), focus ? this.path : null);
  }

  /** The cursor moves past the edge of the view: the view moves along.
   * @param {Path} path
   * @param {number} right
   * @param {number} down */
  moveCursorPast(path, right, down) {
    const next = this.isDeep() ? neighborOf(path, this.board.levels, right, down) : null;
    if (next != null) this.goTo(outerPath(next, depthOf(this.path)), next);
  }

  /** Goes to the board where the next move must go. Set `skipAnnouncement` after a move,
   * since the status text is announced then. */
  followPlay(skipAnnouncement = false) {
    const { follow } = this.board.svg.dataset;
    const isMoving = this.isDeep() && follow != null && this.goTo(follow);
    if (isMoving) this.skipAnnouncement = skipAnnouncement;
    return isMoving;
  }

  // ---- display ----

  /** The part of the current view that the board at `path` takes up.
   * @param {Path} path */
  frameOf(path) {
    const inside = this.board.cellsIn(path);
    return isInside(path, this.path) && inside.length ? boundingBox(inside.map(boxOf)) : null;
  }

  /** Called after the board was redrawn: animates a change of view. */
  onRedraw() {
    const { svg, root } = this.board;
    if (!this.isDeep()) return;
    const previous = this.path;
    this.path = svg.dataset.path ?? "";
    // Two fingers zoom the board, one scrolls the page.
    if (this.isDeep()) root.style.touchAction = "pan-x pan-y";
    if (this.path === previous) return;
    this.changedAt = performance.now();
    if (!this.skipAnnouncement) announce(svg.getAttribute("aria-label"));
    this.skipAnnouncement = false;
    const frame = this.transitionFrame ?? (isInside(previous, this.path) ? this.frameOf(previous) : null);
    if (!reducedMotion.matches) this.animate(svg, frame, depthOf(this.path) > depthOf(previous));
    this.transitionFrame = null;
    const path = this.focusTarget;
    this.focusTarget = null;
    if (path == null) return;
    this.board.focus(this.board.button(path) ?? this.board.bestOf(this.board.cellsIn(path)) ?? this.board.cursorCell());
  }

  /**
   * @param {SVGSVGElement} svg
   * @param {Box | null} frame
   * @param {boolean} isZoomIn
   */
  animate(svg, frame, isZoomIn) {
    const whole = svg.viewBox.baseVal;
    let firstTransform = "scale(0.96)";
    if (frame) {
      const scale = svg.clientWidth / whole.width;
      const part = frame.width / whole.width;
      const [x, y] = [(frame.x - whole.x) * scale, (frame.y - whole.y) * scale];
      firstTransform = isZoomIn
        ? `translate(${x}px, ${y}px) scale(${part})`
        : `scale(${1 / part}) translate(${-x}px, ${-y}px)`;
    }
    svg.style.transformOrigin = "0 0";
    // While moving it must not cover what is around it.
    svg.classList.add("moving");
    const keyframes = [{ transform: firstTransform, opacity: 0.3 }, { transform: "none", opacity: 1 }];
    const animation = svg.animate(keyframes, { duration: 200, easing: "ease-out" });
    animation.finished.catch(() => {}).then(() => svg.classList.remove("moving"));
  }

  // ---- pointers and keys ----

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!this.isDeep() || event.shiftKey) return;
    const isZoomIn = event.deltaY < 0;
    // At either end of the zoom the page scrolls as usual.
    if (isZoomIn ? depthOf(this.path) >= this.maxDepth : this.path === "") return;
    event.preventDefault();
    if (performance.now() - this.wheeledAt < SETTLE_TIME) return;
    this.wheeledAt = performance.now();
    if (isZoomIn) this.zoomIn(closest(event.target, ".cell"));
    else this.zoomOut();
  }

  /** @param {PointerEvent} event */
  onTouchStart(event) {
    if (event.pointerType !== "touch" || !this.isDeep()) return;
    this.touches.set(event.pointerId, event);
    if (this.touches.size === 2) {
      this.pinchStart = this.distance();
      this.changedAt = performance.now();
    }
  }

  distance() {
    const [a, b] = [...this.touches.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }

  /** @param {PointerEvent} event */
  onPinch(event) {
    if (!this.touches.has(event.pointerId)) return;
    this.touches.set(event.pointerId, event);
    if (this.touches.size !== 2 || !this.pinchStart) return;
    const ratio = this.distance() / this.pinchStart;
    if (ratio > 0.75 && ratio < 1.35) return;
    const [a, b] = [...this.touches.values()];
    const [x, y] = [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    this.pinchStart = null;
    this.changedAt = performance.now();
    if (ratio > 1) this.zoomIn(closest(document.elementFromPoint(x, y), ".cell"));
    else this.zoomOut();
  }

  /** @param {string} key */
  handleKey(key) {
    if (!this.isDeep()) return false;
    if (key === "Home") return this.followPlay();
    if (key === "Escape") {
      if (this.board.typedPath != null) return false;
      return this.zoomOut(true) || (this.board.controller.canMove() && this.followPlay());
    }
    if (["z", "+", "="].includes(key)) this.zoomIn(this.board.cursorCell(), true);
    else if (["Z", "-"].includes(key)) this.zoomOut(true);
    else return false;
    return true;
  }
}
