// A board with mouse, touch and keyboard input: activating cells, the cursor, and the
// preview of a move. The server puts the effects of a move into the cells' attributes;
// `controller` makes the moves (game.js, line.js).

import { boundingBox, boxOf, drawLineThrough, drawMark, drawOutline } from "./draw.js";
import { TicTacTwoControls } from "./two.js";
import { DIRECTIONS, OTHER_INPUT, keypadPosition, targetOf } from "./ways.js";
import { Zoom } from "./zoom.js";

/** Two clicks at one place within this many milliseconds are a double click. */
const DOUBLE_CLICK_TIME = 400;
/** Clicks within this many pixels are at one place. */
const SAME_PLACE_DISTANCE = 24;

export class Board {
  constructor(root, controller) {
    this.root = root;
    this.controller = controller;
    this.cursor = null;
    this.typedPath = null;
    this.ticTacTwo = new TicTacTwoControls(this);
    this.zoom = new Zoom(this);
    root.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (this.zoom.isSettling() || this.ticTacTwo.justDragged() || this.isDoubleClick(event, cell)) return;
      if (cell) this.activate(cell);
      else this.ticTacTwo.activateGrid(event);
    });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.previewMove(event.target.closest(".cell"));
    });
    root.addEventListener("pointerleave", () => this.previewMove(null));
    root.addEventListener("focusin", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) this.setCursor(cell);
      if (cell?.matches(":focus-visible")) this.previewMove(cell);
    });
    root.addEventListener("focusout", () => this.previewMove(null));
    this.onRedraw();
  }

  /** Is this the second click of a double click? It is ignored: on a deep board the first
   * one may have zoomed, so that another cell is under the pointer now. */
  isDoubleClick({ clientX: x, clientY: y, timeStamp }, cell) {
    const name = cell && targetOf(cell);
    const previous = this.lastClick;
    this.lastClick = { x, y, name, timeStamp };
    if (!previous || timeStamp - previous.timeStamp > DOUBLE_CLICK_TIME) return false;
    const isNear = Math.hypot(x - previous.x, y - previous.y) < SAME_PLACE_DISTANCE;
    return isNear && (this.zoom.isDeep() || name === previous.name);
  }

  get svg() {
    return this.root.querySelector("svg.board");
  }

  get cells() {
    return [...this.root.querySelectorAll(".cell")];
  }

  /** The button of a cell, or of a board that can be zoomed into. */
  cell(name) {
    const selector = `="${CSS.escape(name)}"`;
    return this.root.querySelector(`.cell[data-cell${selector}], .whole[data-board${selector}]`);
  }

  get previewLayer() {
    return this.root.querySelector("svg.board .preview");
  }

  /** Called after the board was redrawn. */
  onRedraw() {
    const { rev } = this.controller;
    const isChanged = rev !== this.rev;
    if (isChanged) this.typedPath = null;
    this.rev = rev;
    const cell = this.cursor && this.cell(this.cursor);
    if (cell) this.setCursor(cell);
    else this.cursor = null;
    if (isChanged && this.zoom.isActive() && this.controller.canMove()) this.moveCursorToTarget();
    this.ticTacTwo.onRedraw();
    this.zoom.onRedraw();
  }

  /** Moves the cursor to the board where the next move must go. */
  moveCursorToTarget() {
    if (this.cursorCell()?.hasAttribute("data-legal")) return;
    const legal = this.cells.filter((cell) => cell.hasAttribute("data-legal"));
    const next = legal.find((cell) => targetOf(cell).endsWith("e")) ?? legal[0];
    if (!next) return;
    if (this.root.contains(document.activeElement)) this.focus(next);
    else this.setCursor(next);
  }

  /** Puts the cursor on a cell, which makes it the board's only tab stop. */
  setCursor(cell) {
    for (const other of this.root.querySelectorAll('.cell[tabindex="0"]')) {
      if (other !== cell) other.setAttribute("tabindex", "-1");
    }
    cell.setAttribute("tabindex", "0");
    this.cursor = targetOf(cell);
  }

  /** Puts the cursor and the focus on a cell. */
  focus(cell) {
    if (!cell) return;
    this.setCursor(cell);
    cell.focus();
    this.previewMove(cell);
  }

  cursorCell() {
    return (this.cursor && this.cell(this.cursor)) || this.root.querySelector('[tabindex="0"]');
  }

  /** Handles a click, a tap or Enter on a cell: zooms in or makes a move. */
  activate(cell) {
    this.setCursor(cell);
    const { cell: name, move } = cell.dataset;
    if (this.zoom.isBoardButton(cell)) this.zoom.zoomIn(cell);
    else if (this.ticTacTwo.isActive()) this.ticTacTwo.activate(name);
    else this.play(move ?? name);
  }

  /** Makes a move and shows it at once. The server explains why a move is illegal. */
  play(move, name = move) {
    this.typedPath = null;
    this.clearPreview();
    const cell = this.cell(name);
    const side = this.svg?.dataset.side;
    if (cell?.hasAttribute("data-legal") && this.controller.canMove()) {
      this.previewLayer.append(drawMark(side, boxOf(cell), "pending"));
    }
    this.controller.play(move);
  }

  // ---- preview ----

  clearPreview() {
    this.previewLayer?.replaceChildren();
  }

  /** Shows where a move at this cell would send the opponent, and the lines it would complete. */
  previewMove(cell) {
    if (this.controller.isWaiting() || this.ticTacTwo.isHolding()) return;
    this.clearPreview();
    if (!cell?.hasAttribute("data-legal") || !this.controller.canMove()) return;
    const { sends, move } = cell.dataset;
    if (sends != null) this.outlineBoard(sends);
    for (const line of this.controller.findChoice(move)?.lines ?? []) this.previewLine(line);
  }

  /** Outlines a board by its path. */
  outlineBoard(path) {
    const inside = this.cells.filter((cell) => targetOf(cell).startsWith(path));
    if (inside.length) this.previewLayer.append(drawOutline(boundingBox(inside.map(boxOf)), "sends"));
  }

  /** Draws a line that a move would complete. */
  previewLine({ side, cells }) {
    const boxes = cells.map((name) => this.cell(name)).filter(Boolean).map(boxOf);
    if (boxes.length > 1) this.previewLayer.append(drawLineThrough(boxes, `would ${side}`));
  }

  /** Outlines the move of a hint. */
  showHint(move) {
    const name = move.replace("@", "").split("-").pop();
    this.clearPreview();
    for (const part of move.startsWith("@") ? [] : move.split("-")) {
      const cell = this.cell(part);
      if (cell) this.previewLayer.append(drawOutline(boxOf(cell), "tip"));
    }
    if (move.startsWith("@")) this.ticTacTwo.outlineGrid(name, "tip");
  }

  // ---- keys ----

  /** Handles a key press. Returns whether the key was used. */
  handleKey(event) {
    const focused = this.root.contains(document.activeElement);
    const { key } = event;
    if (this.ticTacTwo.handleKey(key) || this.zoom.handleKey(key)) return true;
    if (DIRECTIONS[key]) {
      this.moveCursor(...DIRECTIONS[key]);
    } else if ((key === "Enter" || key === " ") && focused) {
      const cell = document.activeElement.closest(".cell");
      if (!cell) return false;
      this.activate(cell);
    } else if ((key === "Home" || key === "End") && focused) {
      this.moveToRowEdge(key === "End");
    } else if (/^[1-9]$/.test(key)) {
      this.handleDigit(Number(key));
    } else if (key === "Escape" && this.typedPath != null) {
      this.typedPath = null;
    } else {
      return false;
    }
    return true;
  }

  moveCursor(right, down) {
    const from = this.cursorCell();
    if (!from) return;
    // The first key press only focuses the cursor.
    if (!this.root.contains(document.activeElement)) return this.focus(from);
    const [col, row] = [Number(from.dataset.col) + right, Number(from.dataset.row) + down];
    const to = this.root.querySelector(`.cell[data-col="${col}"][data-row="${row}"]`);
    if (to) this.focus(to);
    else this.zoom.moveCursorPast(targetOf(from), right, down);
  }

  moveToRowEdge(toEnd) {
    const row = this.cursorCell()?.dataset.row;
    const cells = this.cells.filter((cell) => cell.dataset.row === row);
    cells.sort((a, b) => a.dataset.col - b.dataset.col);
    this.focus(cells.at(toEnd ? -1 : 0));
  }

  /** A digit selects a cell by its place on a numeric keypad; on nested boards, one level
   * per digit. */
  handleDigit(digit) {
    const [col, row] = keypadPosition(digit);
    if (this.ticTacTwo.isActive()) return this.ticTacTwo.handleDigit(col, row);
    if (this.zoom.isActive()) return this.zoom.handleDigit(col, row);
    const cells = this.cells;
    if (cells.some((cell) => cell.dataset.col > 2 || cell.dataset.row > 2)) {
      this.controller.showNotice(`Digits only work on boards up to 3×3. ${OTHER_INPUT}`);
      return;
    }
    const cell = cells.find((cell) => cell.dataset.col == col && cell.dataset.row == row);
    if (cell) {
      this.focus(cell);
      this.activate(cell);
    }
  }
}
