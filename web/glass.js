// Geometry of Tic-Tac-Two's board: where the cells and the grid are, where pieces and the
// grid can move according to the server, and how that is shown. two.js handles input.

import { boxOf, drawOutline } from "./draw.js";

export class GridGeometry {
  constructor(board) {
    this.board = board;
  }

  isActive() {
    return Boolean(this.gridElement);
  }

  get gridElement() {
    return this.board.root.querySelector("svg.two .glass");
  }

  get choices() {
    return this.board.controller.game?.choices?.moves ?? [];
  }

  /** The button of the cell at a column and row. */
  cellAt(col, row) {
    const selector = `.cell[data-col="${col}"][data-row="${row}"]`;
    return this.board.root.querySelector(selector);
  }

  columnRow(name) {
    const { col, row } = this.board.cell(name).dataset;
    return [Number(col), Number(row)];
  }

  get center() {
    return this.gridElement.dataset.centre;
  }

  /** The distance between neighboring cells, horizontally and vertically. */
  get cellPitch() {
    const [a, b] = [this.cellAt(0, 0), this.cellAt(1, 1)].map(boxOf);
    return [b.x - a.x, b.y - a.y];
  }

  /** The cells inside the grid. */
  cellsInGrid() {
    const pane = boxOf(this.gridElement.querySelector("rect"));
    return this.board.cells.filter((cell) => {
      const { cx, cy } = boxOf(cell);
      return Math.abs(cx - pane.cx) < pane.width / 2 && Math.abs(cy - pane.cy) < pane.height / 2;
    });
  }

  isOwnPiece(name) {
    return this.board.cell(name)?.dataset.piece === this.board.svg.dataset.side;
  }

  /** Is a point on the grid, or close enough to its frame? */
  isOnGrid(point) {
    const pane = boxOf(this.gridElement.querySelector("rect"));
    const margin = 0.16 * this.cellPitch[0];
    return (
      Math.abs(point.x - pane.cx) < pane.width / 2 + margin &&
      Math.abs(point.y - pane.cy) < pane.height / 2 + margin
    );
  }

  /** Is a point so far off the board that dropping there cancels? */
  isOffBoard(point) {
    const { width, height } = this.board.svg.viewBox.baseVal;
    const [across, down] = this.cellPitch;
    return point.x < -across || point.y < -down || point.x > width + across || point.y > height + down;
  }

  /** The text of a piece's move to a cell, from another cell or (`from` empty) from the reserve. */
  moveText(from, to) {
    return from ? `${from}-${to}` : to;
  }

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

  /** Previews the lines that a move would complete, of both sides. */
  previewLines(move) {
    for (const line of this.board.controller.findChoice(move)?.lines ?? []) this.board.previewLine(line);
  }

  /** Outlines the piece that is picked up (no name: one from the reserve) and the cells it can
   * move to. */
  showPickedUp(name) {
    const outlineCell = (cell, className) =>
      this.board.previewLayer.append(drawOutline(boxOf(this.board.cell(cell)), className));
    if (name) outlineCell(name, "held");
    for (const { from, to, kind } of this.choices) {
      if (name ? from === name : kind === "place") outlineCell(to, "drop");
    }
  }

  /** Outlines the grid as if it were centered on another cell. */
  outlineGrid(name, className) {
    const pane = boxOf(this.gridElement.querySelector("rect"));
    const [[col, row], [c, r]] = [this.columnRow(this.center), this.columnRow(name)];
    const [across, down] = this.cellPitch;
    const moved = { ...pane, x: pane.x + (c - col) * across, y: pane.y + (r - row) * down };
    this.board.previewLayer.append(drawOutline(moved, className));
  }
}
