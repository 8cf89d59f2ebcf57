// @ts-check
// Geometry of Tic-Tac-Two's board: where the cells and the grid are, where pieces and the
// grid can move according to the server, and how that is shown. tic-tac-two.js handles input.

import { find } from "./dom.js";
import { placeOf } from "./navigation.js";
import { boxOf, drawOutline } from "./svg.js";

export class GridGeometry {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  isActive() {
    return Boolean(this.gridElement);
  }

  get gridElement() {
    return find("svg.tic-tac-two .grid", this.board.root);
  }

  /** The box of the grid's pane. */
  get pane() {
    return boxOf(/** @type {Element} */ (find(".grid-pane", this.board.root)));
  }

  get choices() {
    return this.board.controller.game?.choices.moves ?? [];
  }

  /** @param {string} name */
  columnRow(name) {
    return placeOf(/** @type {Element} */ (this.board.cell(name)));
  }

  get center() {
    return this.gridElement?.dataset.center ?? "";
  }

  /** The distance between neighboring cells, horizontally and vertically. */
  get cellPitch() {
    const [a, b] = [0, 1].map((n) => boxOf(/** @type {Element} */ (this.board.cellAt(n, n))));
    return [b.x - a.x, b.y - a.y];
  }

  /** The cells inside the grid. */
  cellsInGrid() {
    return this.board.cells.filter((cell) => {
      const { cx: x, cy: y } = boxOf(cell);
      return this.distanceFromGrid({ x, y }) < 0;
    });
  }

  /** @param {string | undefined} name */
  isOwnPiece(name) {
    return name != null && this.board.cell(name)?.dataset.piece === this.board.side;
  }

  /** How far a point is outside the grid's pane, along an axis; negative if it is inside.
   * @param {Point} point */
  distanceFromGrid({ x, y }) {
    const { cx, cy, width, height } = this.pane;
    return Math.max(Math.abs(x - cx) - width / 2, Math.abs(y - cy) - height / 2);
  }

  /** Is a point on the grid, or close enough to its frame?
   * @param {Point} point */
  isOnGrid(point) {
    return this.distanceFromGrid(point) < 0.16 * this.cellPitch[0];
  }

  /** Is a point on the line around the grid?
   * @param {Point} point */
  isOnFrame(point) {
    return Math.abs(this.distanceFromGrid(point)) < 0.06 * this.cellPitch[0];
  }

  /** Is a point so far off the board that dropping there cancels?
   * @param {Point} point */
  isOffBoard(point) {
    const { width, height } = this.board.svg.viewBox.baseVal;
    const [across, down] = this.cellPitch;
    return point.x < -across || point.y < -down || point.x > width + across || point.y > height + down;
  }

  /** The text of a piece's move to a cell, from another cell or (`from` empty) from the reserve.
   * @param {string | undefined} from
   * @param {string} to */
  moveText(from, to) {
    return from ? `${from}-${to}` : to;
  }

  /** @param {Point} point */
  cellUnder({ x, y }) {
    return this.board.cells.find((cell) => {
      const b = boxOf(cell);
      return x >= b.x && y >= b.y && x < b.x + b.width && y < b.y + b.height;
    });
  }

  /** The grid's center now, and those it may move to. */
  gridPlaces() {
    const grid = this.choices.filter(({ kind }) => kind === "grid");
    return [this.center, ...grid.map(({ to }) => to)];
  }

  /** Previews the lines that a move would complete, of both sides.
   * @param {string} move */
  previewLines(move) {
    for (const line of this.board.controller.findChoice(move)?.lines ?? []) this.board.previewLine(line);
  }

  /** Outlines the piece that is picked up (no name: one from the reserve) and the cells it can
   * move to.
   * @param {string | undefined} name */
  showPickedUp(name) {
    const outlineCell = (/** @type {string} */ cell, /** @type {string} */ className) =>
      this.board.outlineCell(this.board.cell(cell), className);
    if (name) outlineCell(name, "held");
    for (const { from, to, kind } of this.choices) {
      if (name ? from === name : kind === "place") outlineCell(to, "drop");
    }
  }

  /** Outlines the grid as if it were centered on another cell.
   * @param {string} name
   * @param {string} className */
  outlineGrid(name, className) {
    const { pane } = this;
    const [[col, row], [c, r]] = [this.columnRow(this.center), this.columnRow(name)];
    const [across, down] = this.cellPitch;
    const moved = { ...pane, x: pane.x + (c - col) * across, y: pane.y + (r - row) * down };
    this.board.preview(drawOutline(moved, className));
  }
}
