// A board under mouse, finger and keys: choosing cells, the cursor that goes from cell
// to cell, and what is shown of a move before it is made. What a move would do is told
// by the server in the cells' attributes; `table` is who makes moves (game.js, line.js).

import { around, box, mark, outline, through } from "./draw.js";
import { Two } from "./two.js";
import { OTHERWISE, STEPS, keypad, nameOf } from "./ways.js";
import { Zoom } from "./zoom.js";

/** Clicks at one place that follow each other sooner, in milliseconds, are a double one. */
const DOUBLE = 400;
/** What is one place to a finger, in pixels. */
const NEAR = 24;

export class Board {
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.cursor = null;
    this.typed = null;
    this.two = new Two(this);
    this.zoom = new Zoom(this);
    root.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (this.zoom.isBusy() || this.two.wasDragged() || this.isSecond(event, cell)) return;
      if (cell) this.choose(cell);
      else this.two.chooseFrame(event);
    });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.foresee(event.target.closest(".cell"));
    });
    root.addEventListener("pointerleave", () => this.foresee(null));
    root.addEventListener("focusin", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) this.put(cell);
      if (cell?.matches(":focus-visible")) this.foresee(cell);
    });
    root.addEventListener("focusout", () => this.foresee(null));
    this.fresh();
  }

  /** Is a click the second one of a double click, which means the same as the first? On a
   * deep board the view, and so the cell, may have changed below it. */
  isSecond({ clientX: x, clientY: y, timeStamp }, cell) {
    const name = cell && nameOf(cell);
    const before = this.clicked;
    this.clicked = { x, y, name, timeStamp };
    if (!before || timeStamp - before.timeStamp > DOUBLE) return false;
    const near = Math.hypot(x - before.x, y - before.y) < NEAR;
    return near && (this.zoom.deep() || name === before.name);
  }

  get svg() {
    return this.root.querySelector("svg.board");
  }

  get cells() {
    return [...this.root.querySelectorAll(".cell")];
  }

  /** The button of a cell, or of a board that can be entered. */
  cell(name) {
    const is = `="${CSS.escape(name)}"`;
    return this.root.querySelector(`.cell[data-cell${is}], .whole[data-board${is}]`);
  }

  get over() {
    return this.root.querySelector("svg.board .preview");
  }

  /** The board has been drawn anew. */
  fresh() {
    const { rev } = this.table;
    const went = rev !== this.rev;
    if (went) this.typed = null;
    this.rev = rev;
    const cell = this.cursor && this.cell(this.cursor);
    if (cell) this.put(cell);
    else this.cursor = null;
    if (went && this.zoom.is() && this.table.may()) this.enter();
    this.two.fresh();
    this.zoom.fresh();
  }

  /** The cursor goes along to the board that one is sent to. */
  enter() {
    if (this.at()?.hasAttribute("data-legal")) return;
    const legal = this.cells.filter((cell) => cell.hasAttribute("data-legal"));
    const next = legal.find((cell) => nameOf(cell).endsWith("e")) ?? legal[0];
    if (!next) return;
    if (this.root.contains(document.activeElement)) this.focus(next);
    else this.put(next);
  }

  /** The cursor is on this cell: the one that Tab comes to. */
  put(cell) {
    for (const other of this.root.querySelectorAll('.cell[tabindex="0"]')) {
      if (other !== cell) other.setAttribute("tabindex", "-1");
    }
    cell.setAttribute("tabindex", "0");
    this.cursor = nameOf(cell);
  }

  /** The same, and the focus with it. */
  focus(cell) {
    if (!cell) return;
    this.put(cell);
    cell.focus();
    this.foresee(cell);
  }

  at() {
    return (this.cursor && this.cell(this.cursor)) || this.root.querySelector('[tabindex="0"]');
  }

  /** A click, a tap, Enter: a closer look, or a move. */
  choose(cell) {
    this.put(cell);
    const { cell: name, move } = cell.dataset;
    if (this.zoom.enters(cell)) this.zoom.closer(cell);
    else if (this.two.is()) this.two.choose(name);
    else this.play(move ?? name);
  }

  /** Makes a move, shown at once. Why one is refused the server says. */
  play(move, name = move) {
    this.typed = null;
    this.clear();
    const cell = this.cell(name);
    const side = this.svg?.dataset.side;
    if (cell?.hasAttribute("data-legal") && this.table.may()) {
      this.over.append(mark(side, box(cell), "pending"));
    }
    this.table.play(move);
  }

  // ---- what would be ----

  clear() {
    this.over?.replaceChildren();
  }

  /** Shows where a move there would send, and the lines it would complete. */
  foresee(cell) {
    if (this.table.waits() || this.two.isHolding()) return;
    this.clear();
    if (!cell?.hasAttribute("data-legal") || !this.table.may()) return;
    const { sends, move } = cell.dataset;
    if (sends != null) this.point(sends);
    for (const line of this.table.choice(move)?.lines ?? []) this.line(line);
  }

  /** Outlines a board by its path. */
  point(path) {
    const inside = this.cells.filter((cell) => nameOf(cell).startsWith(path));
    if (inside.length) this.over.append(outline(around(inside.map(box)), "sends"));
  }

  /** A line that would be complete. */
  line({ side, cells }) {
    const boxes = cells.map((name) => this.cell(name)).filter(Boolean).map(box);
    if (boxes.length > 1) this.over.append(through(boxes, `would ${side}`));
  }

  /** Rings the cell of a tip. */
  tip(move) {
    const name = move.replace("@", "").split("-").pop();
    this.clear();
    for (const part of move.startsWith("@") ? [] : move.split("-")) {
      const cell = this.cell(part);
      if (cell) this.over.append(outline(box(cell), "tip"));
    }
    if (move.startsWith("@")) this.two.ghost(name, "tip");
  }

  // ---- keys ----

  /** A key for the board; false if it has no use for it. */
  key(event) {
    const focused = this.root.contains(document.activeElement);
    const { key } = event;
    if (this.two.key(key) || this.zoom.key(key)) return true;
    if (STEPS[key]) {
      this.step(...STEPS[key]);
    } else if ((key === "Enter" || key === " ") && focused) {
      const cell = document.activeElement.closest(".cell");
      if (!cell) return false;
      this.choose(cell);
    } else if ((key === "Home" || key === "End") && focused) {
      this.edge(key === "End");
    } else if (/^[1-9]$/.test(key)) {
      this.digit(Number(key));
    } else if (key === "Escape" && this.typed != null) {
      this.typed = null;
    } else {
      return false;
    }
    return true;
  }

  step(right, down) {
    const from = this.at();
    if (!from) return;
    // The first key only shows where the cursor is.
    if (!this.root.contains(document.activeElement)) return this.focus(from);
    const [col, row] = [Number(from.dataset.col) + right, Number(from.dataset.row) + down];
    const to = this.root.querySelector(`.cell[data-col="${col}"][data-row="${row}"]`);
    if (to) this.focus(to);
    else this.zoom.over(nameOf(from), right, down);
  }

  edge(last) {
    const row = this.at()?.dataset.row;
    const cells = this.cells.filter((cell) => cell.dataset.row === row);
    cells.sort((a, b) => a.dataset.col - b.dataset.col);
    this.focus(cells.at(last ? -1 : 0));
  }

  /** A digit names a cell as it lies on a keypad; in nested boards, one level. */
  digit(digit) {
    const [col, row] = keypad(digit);
    if (this.two.is()) return this.two.digit(col, row);
    if (this.zoom.is()) return this.zoom.digit(col, row);
    const cells = this.cells;
    if (cells.some((cell) => cell.dataset.col > 2 || cell.dataset.row > 2)) {
      this.table.notice(`Digits name the cells of boards up to 3 by 3; ${OTHERWISE}`);
      return;
    }
    const cell = cells.find((cell) => cell.dataset.col == col && cell.dataset.row == row);
    if (cell) {
      this.focus(cell);
      this.choose(cell);
    }
  }
}
