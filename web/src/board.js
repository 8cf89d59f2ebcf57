// @ts-check
// A board with mouse, touch and keyboard input: activating cells, the cursor, and the
// preview of a move. taps.js puts moves together; `controller` makes them (game-controller.js,
// analysis-controller.js).

import { closest, find, findAll } from "./dom.js";
import {
  DIRECTIONS, OTHER_INPUT, columnRowOf, commonBoard, depthOf, digitIndex, hasDigits, isCentral, isInside, partOf, pathOf,
} from "./navigation.js";
import { boundingBox, boxOf, drawLine, drawOutline, drawPiece } from "./svg.js";
import { Taps } from "./taps.js";
import { Zoom } from "./zoom.js";

/** Two clicks at one place within this many milliseconds are a double click. */
const DOUBLE_CLICK_TIME = 400;
/** Clicks within this many pixels are at one place. */
const SAME_PLACE_DISTANCE = 24;

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {Controller} controller
   */
  constructor(root, controller) {
    this.root = root;
    this.controller = controller;
    /** The cell or board with the cursor.
     * @type {Path | null} */
    this.cursor = null;
    /** The path that was typed as digits so far.
     * @type {Path | null} */
    this.typedPath = null;
    /** @type {{ x: number, y: number, place: Path | null, timeStamp: number } | undefined} */
    this.lastClick = undefined;
    /** @type {string | undefined} */
    this.rev = undefined;
    /** The hint that was asked for in this state.
     * @type {Hint | null} */
    this.hint = null;
    this.taps = new Taps(this);
    this.zoom = new Zoom(this);
    root.addEventListener("click", (event) => {
      const cell = closest(event.target, ".cell");
      if (this.zoom.isSettling() || this.taps.hasDropped || this.isDoubleClick(event, cell)) return;
      if (cell) this.activate(cell);
      else this.taps.onClickOutside(event);
    });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.previewMove(closest(event.target, ".cell"));
    });
    root.addEventListener("pointerleave", () => this.previewMove(null));
    root.addEventListener("focusin", (event) => {
      const cell = closest(event.target, ".cell");
      if (cell) this.setCursor(cell);
      if (cell?.matches(":focus-visible")) this.previewMove(cell);
    });
    root.addEventListener("focusout", () => this.previewMove(null));
    this.onRedraw();
  }

  /** Is this the second click of a double click? It is ignored: on a deep board the first
   * one may have zoomed, so that another cell is under the pointer now.
   * @param {MouseEvent} event
   * @param {HTMLElement | null} cell */
  isDoubleClick({ clientX: x, clientY: y, timeStamp }, cell) {
    const place = cell && pathOf(cell);
    const previous = this.lastClick;
    this.lastClick = { x, y, place, timeStamp };
    if (!previous || timeStamp - previous.timeStamp > DOUBLE_CLICK_TIME) return false;
    const isNear = Math.hypot(x - previous.x, y - previous.y) < SAME_PLACE_DISTANCE;
    return isNear && (this.zoom.isDeep() || place === previous.place);
  }

  get svg() {
    return /** @type {SVGSVGElement} */ (this.root.querySelector("svg.board"));
  }

  /** The side to move. */
  get side() {
    return this.svg.dataset.side;
  }

  get cells() {
    return findAll(".cell", this.root);
  }

  /** Columns and rows of each level, the outermost first.
   * @returns {Size[]} */
  get levels() {
    const sizes = (this.svg.dataset.levels ?? "").split(" ").map((size) => size.split("x").map(Number));
    return sizes.map(([columns, rows]) => [columns, rows]);
  }

  /** The button of a cell.
   * @param {string} name */
  cell(name) {
    return find(`.cell[data-cell="${CSS.escape(name)}"]`, this.root);
  }

  /** The button of a cell, or of a board that can be zoomed into.
   * @param {Path} path */
  button(path) {
    return find(`[data-place="${path}"] > .cell`, this.root);
  }

  /** The button at a column and row.
   * @param {number} col
   * @param {number} row */
  cellAt(col, row) {
    return find(`[data-col="${col}"][data-row="${row}"] > .cell`, this.root);
  }

  /** The buttons inside a place.
   * @param {Path} path */
  cellsIn(path) {
    return this.cells.filter((cell) => isInside(pathOf(cell), path));
  }

  /** Called after the board was redrawn. */
  onRedraw() {
    const { rev } = this.controller;
    const isChanged = rev !== this.rev;
    if (isChanged) this.typedPath = this.hint = null;
    this.rev = rev;
    const cell = this.cursor == null ? null : this.button(this.cursor);
    if (cell) this.setCursor(cell);
    else this.cursor = null;
    if (isChanged && this.controller.canMove()) this.moveCursorToTarget();
    this.taps.onRedraw();
    this.zoom.onRedraw();
    this.activateTyped();
    // Its board may have been zoomed to.
    if (this.hint) this.showHint(this.hint);
  }

  /** Moves the cursor to where the next move must go, if it is elsewhere. */
  moveCursorToTarget() {
    const { cursor } = this;
    const open = this.controller.choices?.open ?? [""];
    if (cursor == null || open.some((path) => isInside(cursor, path) || isInside(path, cursor))) return;
    const next = this.bestOf(this.cells.filter((cell) => cell.hasAttribute("data-legal")));
    if (!next) return;
    if (this.root.contains(document.activeElement)) this.focus(next);
    else this.setCursor(next);
  }

  /** The cell to go to first: a legal one, in the middle of its board if possible.
   * @param {HTMLElement[]} cells
   * @returns {HTMLElement | undefined} */
  bestOf(cells) {
    const legal = cells.filter((cell) => cell.hasAttribute("data-legal"));
    const among = legal.length ? legal : cells;
    return among.find((cell) => isCentral(pathOf(cell), this.levels)) ?? among[0];
  }

  /** Puts the cursor on a cell, which makes it the board's only tab stop.
   * @param {HTMLElement} cell */
  setCursor(cell) {
    for (const other of findAll('.cell[tabindex="0"]', this.root)) other.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    this.cursor = pathOf(cell);
  }

  /** Puts the cursor and the focus on a cell.
   * @param {HTMLElement | null | undefined} cell */
  focus(cell) {
    if (!cell) return;
    this.setCursor(cell);
    cell.focus();
    this.previewMove(cell);
  }

  cursorCell() {
    return (this.cursor && this.button(this.cursor)) || find('[tabindex="0"]', this.root);
  }

  /** Handles a click, a tap or Enter on a cell: zooms in or makes a move.
   * @param {HTMLElement} cell */
  activate(cell) {
    this.setCursor(cell);
    if (cell.classList.contains("board-button")) this.zoom.zoomIn(cell);
    else this.tap(this.aim(cell));
  }

  /** The cell that a touch on this one stands for.
   * @param {HTMLElement} cell */
  aim(cell) {
    return cell.dataset.aim ?? cell.dataset.cell ?? "";
  }

  /** Handles a tap on a cell, by its name.
   * @param {string} name */
  tap(name) {
    this.typedPath = null;
    this.taps.tap(name);
  }

  /** Makes the move that is a cell's name, and shows it at once. The server explains why a move is illegal.
   * @param {string} move */
  play(move) {
    this.clearPreview();
    const cell = this.cell(move);
    if (cell?.hasAttribute("data-legal") && this.controller.canMove()) this.previewMark(cell, "pending");
    this.controller.play(move);
  }

  // ---- preview ----

  get previewLayer() {
    return find("svg.board .preview", this.root);
  }

  /** Adds a shape to the preview.
   * @param {Element} shape */
  preview(shape) {
    this.previewLayer?.append(shape);
  }

  clearPreview() {
    this.previewLayer?.replaceChildren();
  }

  /** Shows the only kind of piece on a cell.
   * @param {HTMLElement} cell
   * @param {string} className */
  previewMark(cell, className) {
    const [kind] = this.controller.choices?.pieces ?? [];
    const picture = this.pictureOf(kind);
    if (picture) this.preview(drawPiece(picture, boxOf(cell), className));
  }

  /** The pictures of all kinds of pieces. */
  get pictures() {
    return findAll("svg.board .kinds > g", this.root);
  }

  /** The picture of a kind of piece.
   * @param {PieceKind | undefined} kind */
  pictureOf(kind) {
    return this.pictures.find(
      ({ dataset }) => dataset.target === kind?.target && dataset.side === (kind?.side ?? undefined),
    );
  }

  /** Outlines a cell, or leaves out a margin that is a share of its size.
   * @param {HTMLElement | null | undefined} cell
   * @param {string} className
   * @param {number} margin
   */
  outlineCell(cell, className, margin = 0) {
    if (!cell) return;
    const { x, y, width } = boxOf(cell);
    const [inset, size] = [margin * width, (1 - 2 * margin) * width];
    this.preview(drawOutline({ x: x + inset, y: y + inset, width: size, height: size }, className));
  }

  /** Shows what a tap on this cell would do.
   * @param {HTMLElement | null} cell */
  previewMove(cell) {
    if (this.controller.isWaiting() || this.taps.drag) return;
    this.clearPreview();
    const name = cell && !cell.classList.contains("board-button") ? this.aim(cell) : undefined;
    if (!this.controller.canMove()) return;
    this.outlineAim(name);
    this.taps.previewTap(name);
    // Without listed moves, at least the piece can be shown.
    const isLegal = cell?.hasAttribute("data-legal") && name != null;
    if (cell && isLegal && !this.controller.choices?.moves) this.previewMark(cell, "ghost");
  }

  /** Highlights the cells that all stand for one, such as those of a column.
   * @param {string | undefined} name */
  outlineAim(name) {
    const cells = this.cells.filter((cell) => cell.hasAttribute("data-legal") && this.aim(cell) === name);
    if (cells.length > 1) this.preview(drawOutline(boundingBox(cells.map(boxOf)), "aim"));
  }

  /** Outlines a board.
   * @param {Path} path */
  outlineBoard(path) {
    const box = this.boxOfPlace(path);
    if (box) this.preview(drawOutline(box, "next-board"));
  }

  /** Draws a line that a move would complete.
   * @param {Line} line */
  previewLine({ side, places }) {
    const [from, to] = [places[0], places[places.length - 1]].map((path) => this.boxOfPlace(path));
    if (from && to && places.length > 1) this.preview(drawLine(from, to, `completed-line ${side}`));
  }

  /** The box of a place; null if nothing of it is shown.
   * @param {Path} path */
  boxOfPlace(path) {
    const inside = this.cellsIn(path);
    return inside.length ? boundingBox(inside.map(boxOf)) : null;
  }

  /** @param {Point} point */
  cellUnder({ x, y }) {
    return this.cells.find((cell) => {
      const b = boxOf(cell);
      return x >= b.x && y >= b.y && x < b.x + b.width && y < b.y + b.height;
    });
  }

  /** Outlines the move of a hint.
   * @param {Hint} hint */
  showHint(hint) {
    const { move, places } = hint;
    this.hint = hint;
    this.clearPreview();
    const { taps } = this.controller.findChoice(move) ?? { taps: [] };
    if (taps[0] === "@") this.taps.frame.outline(taps[1], "hint");
    else for (const path of places) this.outlineCell(this.button(path), "hint");
  }

  // ---- keys ----

  /** Handles a key press. Returns whether the key was used.
   * @param {KeyboardEvent} event
   * @returns {boolean} */
  handleKey({ key }) {
    const focused = this.root.contains(document.activeElement);
    if (this.taps.handleKey(key) || this.zoom.handleKey(key)) return true;
    if (DIRECTIONS[key]) {
      this.moveCursor(...DIRECTIONS[key]);
    } else if ((key === "Enter" || key === " ") && focused) {
      const cell = closest(document.activeElement, ".cell");
      if (!cell) return false;
      this.activate(cell);
    } else if ((key === "Home" || key === "End") && focused) {
      this.moveToRowEdge(key === "End");
    } else if (/^[1-9]$/.test(key)) {
      this.handleDigit(Number(key));
    } else if (key === "Escape" && this.typedPath != null) {
      this.typedPath = null;
      this.clearPreview();
    } else {
      return false;
    }
    return true;
  }

  /**
   * @param {number} right
   * @param {number} down
   */
  moveCursor(right, down) {
    const from = this.cursorCell();
    if (!from) return;
    // The first key press only focuses the cursor.
    if (!this.root.contains(document.activeElement)) return this.focus(from);
    const [col, row] = columnRowOf(from);
    const to = this.cellAt(col + right, row + down);
    if (to) this.focus(to);
    else this.zoom.moveCursorPast(pathOf(from), right, down);
  }

  /** @param {boolean} toEnd */
  moveToRowEdge(toEnd) {
    const cursor = this.cursorCell();
    if (!cursor) return;
    const [, row] = columnRowOf(cursor);
    this.focus(this.cells.filter((cell) => columnRowOf(cell)[1] === row).at(toEnd ? -1 : 0));
  }

  /** A digit selects a place as on a numeric keypad, one level per digit: inside the frame, if there is one. Where all
   * cells of a column stand for the same, it selects the column.
   * @param {number} digit */
  handleDigit(digit) {
    const { levels } = this;
    const frame = this.taps.frame.cellsInside();
    if (frame.length) return this.handleFrameDigit(frame, digit);
    if (this.hasColumns()) return this.focusAndActivate(this.cellAt(digit - 1, 0));
    if (!hasDigits(levels)) return this.controller.showNotice(`Digits don't work on this board. ${OTHER_INPUT}`);
    const board = this.typedPath ?? commonBoard(this.controller.choices?.open ?? []);
    const index = digitIndex(levels[depthOf(board)] ?? [0, 0], digit);
    if (index == null) return;
    this.typedPath = partOf(board, index);
    this.showTyped();
  }

  /**
   * @param {HTMLElement[]} cells
   * @param {number} digit */
  handleFrameDigit(cells, digit) {
    const places = cells.map(columnRowOf);
    const [first, last] = [Math.min, Math.max].map((edge) => [0, 1].map((axis) => edge(...places.map((at) => at[axis]))));
    /** @type {Size} */
    const size = [last[0] - first[0] + 1, last[1] - first[1] + 1];
    if (!hasDigits([size])) return this.controller.showNotice(`Digits don't work in this ${size.join("×")} area. ${OTHER_INPUT}`);
    const index = digitIndex(size, digit);
    if (index == null) return;
    this.focusAndActivate(this.cellAt(first[0] + (index % size[0]), first[1] + Math.floor(index / size[0])));
  }

  /** Do all cells of a column stand for the same one? */
  hasColumns() {
    const { cells } = this;
    const first = cells.map((cell) => this.cellAt(columnRowOf(cell)[0], 0));
    const isSame = cells.every((cell, i) => first[i] != null && this.aim(cell) === this.aim(first[i]));
    return isSame && cells.some((cell) => cell.dataset.aim != null);
  }

  /** @param {HTMLElement | null} cell */
  focusAndActivate(cell) {
    if (!cell) return;
    this.focus(cell);
    this.activate(cell);
  }

  /** Shows the board that was typed, or makes the move to the cell. */
  showTyped() {
    const path = this.typedPath ?? "";
    const open = this.controller.choices?.open;
    if (open && !open.some((board) => isInside(board, path) || isInside(path, board))) {
      this.typedPath = null;
      return this.controller.showNotice("You can't play there now.", true);
    }
    if (depthOf(path) === this.levels.length) {
      // Its board may have to be shown first.
      if (!this.button(path)) this.zoom.goTo(path);
      return this.activateTyped();
    }
    if (this.zoom.goTo(path, path)) return;
    const cell = this.bestOf(this.cellsIn(path));
    if (!cell) return;
    this.focus(cell);
    this.clearPreview();
    this.outlineBoard(path);
    // Nothing in it is legal: the server says why.
    if (!cell.hasAttribute("data-legal") && cell.dataset.cell) this.tap(this.aim(cell));
  }

  /** Makes the move to the cell that was typed, once it is shown. */
  activateTyped() {
    if (this.typedPath == null || depthOf(this.typedPath) < this.levels.length) return;
    const cell = this.button(this.typedPath);
    if (!cell) return;
    this.typedPath = null;
    this.focusAndActivate(cell);
  }
}
