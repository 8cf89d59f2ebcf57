// Tic-Tac-Two's board as it lies there: where the cells and the pane of glass are, where
// things can go as the server told, and how that is shown. What hands and keys do with
// it is in two.js.

import { box, outline } from "./draw.js";

export class Glass {
  constructor(board) {
    this.board = board;
  }

  is() {
    return Boolean(this.glass);
  }

  get glass() {
    return this.board.root.querySelector("svg.two .glass");
  }

  get choices() {
    return this.board.table.game?.choices?.moves ?? [];
  }

  /** The cell's button by column and row. */
  button(col, row) {
    const where = `.cell[data-col="${col}"][data-row="${row}"]`;
    return this.board.root.querySelector(where);
  }

  place(name) {
    const { col, row } = this.board.cell(name).dataset;
    return [Number(col), Number(row)];
  }

  get centre() {
    return this.glass.dataset.centre;
  }

  /** How far apart two cells are. */
  get pitch() {
    const [a, b] = [this.button(0, 0), this.button(1, 1)].map(box);
    return [b.x - a.x, b.y - a.y];
  }

  /** The cells below the glass. */
  inside() {
    const pane = box(this.glass.querySelector("rect"));
    return this.board.cells.filter((cell) => {
      const { cx, cy } = box(cell);
      return Math.abs(cx - pane.cx) < pane.width / 2 && Math.abs(cy - pane.cy) < pane.height / 2;
    });
  }

  mine(name) {
    return this.board.cell(name)?.dataset.piece === this.board.svg.dataset.side;
  }

  /** Is a point on the glass, or close enough to its frame? */
  isOnGlass(at) {
    const pane = box(this.glass.querySelector("rect"));
    const near = 0.16 * this.pitch[0];
    return (
      Math.abs(at.x - pane.cx) < pane.width / 2 + near &&
      Math.abs(at.y - pane.cy) < pane.height / 2 + near
    );
  }

  /** Is a point so far outside the board that nothing there can be meant? */
  isAway(at) {
    const { width, height } = this.board.svg.viewBox.baseVal;
    const [across, down] = this.pitch;
    return at.x < -across || at.y < -down || at.x > width + across || at.y > height + down;
  }

  /** The move of a piece to a cell: from another one, or from the hand. */
  moveTo(from, to) {
    return from ? `${from}-${to}` : to;
  }

  under({ x, y }) {
    return this.board.cells.find((cell) => {
      const b = box(cell);
      return x >= b.x && y >= b.y && x < b.x + b.width && y < b.y + b.height;
    });
  }

  /** Where the glass may be: where it is, and where it may go. */
  places() {
    const grid = this.choices.filter(({ kind }) => kind === "grid");
    return [this.centre, ...grid.map(({ to }) => to)];
  }

  /** The lines that a move would complete, both sides'. */
  lines(move) {
    for (const line of this.board.table.choice(move)?.lines ?? []) this.board.line(line);
  }

  /** What is in the hand (a piece, or one that is not on the board yet), and where it can go. */
  showHeld(name) {
    const show = (cell, kind) => this.board.over.append(outline(box(this.board.cell(cell)), kind));
    if (name) show(name, "held");
    for (const { from, to, kind } of this.choices) {
      if (name ? from === name : kind === "place") show(to, "drop");
    }
  }

  /** The frame of the glass at another place. */
  ghost(name, kind) {
    const pane = box(this.glass.querySelector("rect"));
    const [[col, row], [c, r]] = [this.place(this.centre), this.place(name)];
    const [across, down] = this.pitch;
    const moved = { ...pane, x: pane.x + (c - col) * across, y: pane.y + (r - row) * down };
    this.board.over.append(outline(moved, kind));
  }
}
