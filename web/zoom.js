// Nested boards that are too deep to be seen at once: closer and farther by wheel,
// pinch, tap (a double one is the same as one) and keys, and a view that follows the
// play. The server draws what is seen; here is only which board one looks at (`path`),
// and the short way there.

import { around, box } from "./draw.js";
import { tell } from "./parts.js";
import { beside, common, letter, nameOf } from "./ways.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Taps so soon after a change of view were meant for the view before. */
const SETTLE = 350;

export class Zoom {
  constructor(board) {
    this.board = board;
    this.path = "";
    this.fingers = new Map();
    const { root } = board;
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.finger(event));
    root.addEventListener("pointermove", (event) => this.pinch(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      root.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
  }

  is() {
    return this.board.svg?.classList.contains("nested");
  }

  /** How many levels there are: a game's name says so where they are not two. */
  get depth() {
    return Number(/depth=(\d)/.exec(this.board.svg.dataset.variant)?.[1] ?? 2);
  }

  deep() {
    return this.is() && this.depth > 2;
  }

  get closest() {
    return this.depth - 2;
  }

  enters(cell) {
    return cell.classList.contains("whole");
  }

  isBusy() {
    return this.deep() && performance.now() - (this.came ?? -SETTLE) < SETTLE;
  }

  // ---- going ----

  go(path, focus) {
    path = path.slice(0, this.closest);
    if (path === this.path) return false;
    const focused = this.board.root.querySelector(":focus-visible");
    this.wanted = focus || (focused ? path : null);
    this.led = false;
    this.from = this.frame(path);
    this.board.table.look(path);
    return true;
  }

  closer(cell, focus) {
    const name = cell ? nameOf(cell) : "";
    return this.go(name.slice(0, this.path.length + 1), focus && name);
  }

  farther(focus) {
    return this.path !== "" && this.go(this.path.slice(0, -1), focus && this.path);
  }

  /** The cursor leaves the window: the window goes along. */
  over(name, right, down) {
    const next = this.deep() && name ? beside(name, right, down) : null;
    if (next) this.go(next.slice(0, this.path.length), next);
  }

  /** To the board where the next move goes; after a move (`led`) its sentence tells it. */
  follow(led = false) {
    const { follow } = this.board.svg.dataset;
    const goes = this.deep() && follow != null && this.go(follow);
    if (goes) this.led = led;
    return goes;
  }

  // ---- what is seen of it ----

  /** Which part of the present view the next one is. */
  frame(path) {
    const { cells } = this.board;
    const inside = cells.filter((cell) =>
      nameOf(cell).startsWith(path),
    );
    return path.startsWith(this.path) && inside.length ? around(inside.map(box)) : null;
  }

  /** The board was drawn anew: if from elsewhere, one sees the way there. */
  fresh() {
    const { svg, root } = this.board;
    if (!this.is()) return;
    const before = this.path;
    this.path = svg.dataset.path ?? "";
    // Two fingers are for the board here, one scrolls the page.
    if (this.deep()) root.style.touchAction = "pan-x pan-y";
    if (this.path === before) return;
    this.came = performance.now();
    if (!this.led) tell(svg.getAttribute("aria-label"));
    this.led = false;
    const frame = this.from ?? (before.startsWith(this.path) ? this.frame(before) : null);
    if (!still.matches) this.animate(svg, frame, this.path.length > before.length);
    this.from = null;
    const name = this.wanted;
    this.wanted = null;
    if (name == null) return;
    const near = this.board.cells.filter((cell) => nameOf(cell).startsWith(name));
    this.board.focus(near.find((cell) => cell.tabIndex === 0) ?? near[0] ?? this.board.at());
  }

  animate(svg, frame, inwards) {
    const whole = svg.viewBox.baseVal;
    let first = "scale(0.96)";
    if (frame) {
      const scale = svg.clientWidth / whole.width;
      const part = frame.width / whole.width;
      const [x, y] = [(frame.x - whole.x) * scale, (frame.y - whole.y) * scale];
      first = inwards
        ? `translate(${x}px, ${y}px) scale(${part})`
        : `scale(${1 / part}) translate(${-x}px, ${-y}px)`;
    }
    svg.style.transformOrigin = "0 0";
    // On its way it covers nothing around it.
    svg.classList.add("moving");
    const way = [{ transform: first, opacity: 0.3 }, { transform: "none", opacity: 1 }];
    const moving = svg.animate(way, { duration: 200, easing: "ease-out" });
    moving.finished.catch(() => {}).then(() => svg.classList.remove("moving"));
  }

  // ---- pointers and keys ----

  wheel(event) {
    if (!this.deep() || event.shiftKey) return;
    const inwards = event.deltaY < 0;
    // At either end the page scrolls as it always does.
    if (inwards ? this.path.length >= this.closest : this.path === "") return;
    event.preventDefault();
    if (performance.now() - (this.turned ?? -SETTLE) < SETTLE) return;
    this.turned = performance.now();
    if (inwards) this.closer(event.target.closest(".cell"));
    else this.farther();
  }

  finger(event) {
    if (event.pointerType !== "touch" || !this.deep()) return;
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 2) {
      this.spread = this.distance();
      this.came = performance.now();
    }
  }

  distance() {
    const [a, b] = [...this.fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }

  pinch(event) {
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size !== 2 || !this.spread) return;
    const by = this.distance() / this.spread;
    if (by > 0.75 && by < 1.35) return;
    const [a, b] = [...this.fingers.values()];
    const [x, y] = [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    this.spread = null;
    this.came = performance.now();
    if (by > 1) this.closer(document.elementFromPoint(x, y)?.closest(".cell"));
    else this.farther();
  }

  key(key) {
    if (!this.deep()) return false;
    switch (key) {
      case "z":
      case "+":
      case "=":
        this.closer(this.board.at(), true);
        return true;
      case "Z":
      case "-":
        this.farther(true);
        return true;
      case "Escape":
        if (this.board.typed != null) return false;
        return this.farther(true) || (this.board.table.may() && this.follow());
      case "Home":
        return this.follow();
      default:
        return false;
    }
  }

  /** A digit names the cell of the board one is sent to; with a free choice, first the
   * boards from the outermost that can be chosen. */
  digit(col, row) {
    const { board, depth } = this;
    const open = board.table.game?.choices?.open ?? [];
    const typed = (board.typed ?? common(open)) + letter(col, row);
    if (typed.length >= depth) return board.play(typed);
    if (!open.some((path) => path.startsWith(typed) || typed.startsWith(path))) {
      return board.table.notice(`Board ${typed} is not open to this move.`);
    }
    const next = typed.length + 1 === depth ? "cell" : "board";
    board.clear();
    if (this.go(typed)) this.led = true;
    else board.point(typed);
    board.typed = typed;
    board.table.notice(`Board ${typed}: a digit chooses the ${next} in it, Esc cancels.`);
  }
}
