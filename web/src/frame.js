// @ts-check
// The movable frame of a board: where it is, where it can move, and how it is dragged or moved by keys. taps.js makes
// the moves.

import { closest, find } from "./dom.js";
import { DIAGONALS, columnRowOf, keypadPosition } from "./navigation.js";
import { boxOf, drawOutline, toBoardPoint } from "./svg.js";

export class Frame {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  get element() {
    return find("svg.board .grid[data-center]", this.board.root);
  }

  exists() {
    return this.element != null;
  }

  /** The name of the cell in its center. */
  get center() {
    return this.element?.dataset.center ?? "";
  }

  /** The box of its pane. */
  get pane() {
    return boxOf(/** @type {Element} */ (find(".grid-pane", this.board.root)));
  }

  /** The distance between neighboring cells, horizontally and vertically. */
  get cellPitch() {
    const [a, b] = [0, 1].map((n) => boxOf(/** @type {Element} */ (this.board.cellAt(n, n))));
    return [b.x - a.x, b.y - a.y];
  }

  /** @param {string} name */
  columnRow(name) {
    return columnRowOf(/** @type {Element} */ (this.board.cell(name)));
  }

  /** Its center now, and those it may move to.
   * @param {Choice[]} choices */
  places(choices) {
    const moves = choices.filter(({ taps }) => taps[0] === "@");
    return [this.center, ...moves.map(({ taps }) => taps[1])];
  }

  /** The cells inside; none without a frame. */
  cellsInside() {
    if (!this.exists()) return [];
    return this.board.cells.filter((cell) => {
      const { cx: x, cy: y } = boxOf(cell);
      return this.distance({ x, y }) < 0;
    });
  }

  /** How far a point is outside, along an axis; negative if it is inside.
   * @param {Point} point */
  distance({ x, y }) {
    const { cx, cy, width, height } = this.pane;
    return Math.max(Math.abs(x - cx) - width / 2, Math.abs(y - cy) - height / 2);
  }

  /** Is an event on it, or close enough?
   * @param {MouseEvent} event */
  isUnder(event) {
    const at = toBoardPoint(this.board.svg, event);
    return closest(event.target, ".drag-target") != null || this.distance(at) < 0.16 * this.cellPitch[0];
  }

  /** Does a drag that starts here take the frame? By its handle or its line it does, whatever is below. Otherwise by an
   * empty cell, but not by a piece. A finger that could move nothing scrolls the page.
   * @param {PointerEvent} event
   * @param {HTMLElement | null} cell
   * @param {boolean} canMovePiece
   * @param {Choice[]} choices */
  isTouched(event, cell, canMovePiece, choices) {
    if (!this.exists()) return false;
    const distance = this.distance(toBoardPoint(this.board.svg, event));
    const isByLine = closest(event.target, ".drag-target") || Math.abs(distance) < 0.06 * this.cellPitch[0];
    const isByPane = !canMovePiece && !cell?.dataset.piece && this.isUnder(event);
    return Boolean(isByLine || isByPane) && (this.places(choices).length > 1 || event.pointerType !== "touch");
  }

  /** Shows it dragged from one point to another: it snaps to the nearest legal place, with a little give beyond. Returns
   * the center where it would be dropped, legal or not.
   * @param {Point} from
   * @param {Point} at
   * @param {Choice[]} choices */
  dragTo(from, at, choices) {
    const [across, down] = this.cellPitch;
    const [col, row] = this.columnRow(this.center);
    const [dx, dy] = [at.x - from.x, at.y - from.y];
    const distance = (/** @type {string} */ name) => {
      const [c, r] = this.columnRow(name);
      return Math.hypot((c - col) * across - dx, (r - row) * down - dy);
    };
    // Off the board it returns to where it was.
    const isOff = this.isOffBoard(at);
    const to = isOff ? this.center : this.places(choices).sort((a, b) => distance(a) - distance(b))[0];
    const [c, r] = this.columnRow(to);
    const [x, y] = [(c - col) * across, (r - row) * down];
    /**
     * @param {number} by
     * @param {number} pitch
     */
    const resist = (by, pitch) => Math.max(-0.3, Math.min(0.3, (by / pitch) * 0.35)) * pitch;
    this.element?.classList.add("held");
    this.element?.setAttribute("transform", `translate(${x + resist(dx - x, across)} ${y + resist(dy - y, down)})`);
    if (isOff || to !== this.center) return to;
    const under = this.board.cellAt(col + Math.round(dx / across), row + Math.round(dy / down));
    return under?.dataset.cell ?? to;
  }

  /** Is a point so far off the board that dropping there cancels?
   * @param {Point} point */
  isOffBoard({ x, y }) {
    const { width, height } = this.board.svg.viewBox.baseVal;
    const [across, down] = this.cellPitch;
    return x < -across || y < -down || x > width + across || y > height + down;
  }

  /** Puts it back where it is. */
  release() {
    this.element?.classList.remove("held");
    this.element?.removeAttribute("transform");
  }

  /** Shows it as picked up, and its legal places.
   * @param {Choice[]} choices */
  redraw(choices) {
    this.element?.classList.add("held");
    for (const place of this.places(choices)) {
      const cell = this.board.cell(place);
      if (!cell || place === this.center) continue;
      const { cx, cy, width } = boxOf(cell);
      const spot = { x: cx - width / 6, y: cy - width / 6, width: width / 3, height: width / 3 };
      this.board.preview(drawOutline(spot, "drop"));
    }
  }

  /** Outlines it as if it were centered on another cell.
   * @param {string} name
   * @param {string} className */
  outline(name, className) {
    const { pane } = this;
    const [[col, row], [c, r]] = [this.columnRow(this.center), this.columnRow(name)];
    const [across, down] = this.cellPitch;
    const moved = { ...pane, x: pane.x + (c - col) * across, y: pane.y + (r - row) * down };
    this.board.preview(drawOutline(moved, className));
  }

  /** While it is picked up: diagonal keys and digits move the cursor to where its center goes, as direction keys do.
   * @param {string} key */
  handleKey(key) {
    const isDigit = /^[1-9]$/.test(key);
    if (!DIAGONALS[key] && !isDigit) return false;
    const [right, down] = DIAGONALS[key] ?? keypadPosition(Number(key)).map((at) => at - 1);
    this.board.moveCursor(right, down);
    return true;
  }
}
