// @ts-check
// Input for Tic-Tac-Two: the grid is dragged or moved by keys, pieces are dragged or picked
// up and put down. The legal moves, and the lines that each would complete, come with the
// state; any other move is sent all the same, and the server explains why it is illegal.

import { closest } from "./dom.js";
import { GridGeometry } from "./grid-geometry.js";
import { GRID_DIRECTIONS, OTHER_INPUT, keypadPosition } from "./navigation.js";
import { boundingBox, boxOf, drawMark, drawOutline, toBoardPoint } from "./svg.js";

/**
 * What a pointer drags: `kind` tells what, `name` the cell of the piece, `at` where the drag
 * started on the board, `to` where it would be dropped; `target` is the cell that the grid's
 * center is over, legal or not.
 * @typedef {{ kind: "grid" | "piece" | "reserve", name?: string, at: Point, x: number, y: number, id: number,
 *   moved: boolean, to?: string, target?: HTMLElement | null }} Drag
 */

/** A pointer that moves fewer pixels than this taps; beyond, it drags. */
const TAP_DISTANCE = 8;

export class TicTacTwoControls extends GridGeometry {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    super(board);
    /** A piece or the grid that was picked up by a click or key, and not put down yet.
     * @type {{ from?: string, grid?: string } | null} */
    this.partialMove = null;
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {PointerEvent | null} */
    this.lastPointerDown = null;
    /** @type {number | null} */
    this.canceledPointer = null;
    this.droppedAt = -1000;
    const { root } = board;
    root.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    // The reserve is outside the board, next to the player's name.
    document.addEventListener("pointerdown", (event) => this.dragFromReserve(event));
    document.addEventListener("pointermove", (event) => this.onPointerMove(event));
    document.addEventListener("pointerup", (event) => this.onPointerUp(event));
    document.addEventListener("pointercancel", ({ pointerId }) => {
      if (this.drag?.id === pointerId) this.reset();
    });
    // A finger that drags something doesn't scroll the page.
    const preventScroll = (/** @type {Event} */ event) => {
      if (this.drag && event.cancelable) event.preventDefault();
    };
    root.addEventListener("touchmove", preventScroll, { passive: false });
  }

  isHolding() {
    return Boolean(this.partialMove || this.drag?.moved);
  }

  /** Has a drag just ended? The click that follows it is ignored. */
  justDragged() {
    return performance.now() - this.droppedAt < 60;
  }

  onRedraw() {
    this.partialMove = null;
    this.drag = null;
  }

  // ---- pointers ----

  /** @param {PointerEvent} event */
  onPointerDown(event) {
    this.lastPointerDown = event;
    if (!this.isActive() || this.drag || event.button > 0 || !this.board.controller.canMove()) return;
    const cell = closest(event.target, ".cell");
    const name = cell?.dataset.cell;
    const at = toBoardPoint(this.board.svg, event);
    const handle = closest(event.target, ".drag-target");
    // A drag by the grid's handle or frame takes the grid, whatever is below it. Otherwise it
    // takes an own piece, or by an empty cell the grid, but not by an opponent's piece. A
    // finger that could move nothing scrolls the page.
    const isByFrame = handle || this.isOnFrame(at);
    const onGrid = isByFrame || (!cell?.dataset.piece && this.isOnGrid(at));
    const canDrag = this.gridPlaces().length > 1 || event.pointerType !== "touch";
    const kind = this.isOwnPiece(name) && !isByFrame ? "piece" : onGrid && canDrag ? "grid" : null;
    if (kind) this.startDrag(event, { kind, name, at });
  }

  /** Starts to drag a piece from the reserve of the side to move.
   * @param {PointerEvent} event */
  dragFromReserve(event) {
    if (!this.isActive() || this.drag || event.button > 0 || this.board.root.id !== "board") return;
    const reserve = closest(event.target, ".reserve:has(svg)");
    if (reserve?.dataset.side !== this.board.side || !this.board.controller.canMove()) return;
    // Otherwise the drag would select text.
    event.preventDefault();
    this.startDrag(event, { kind: "reserve", at: toBoardPoint(this.board.svg, event) });
  }

  /**
   * @param {PointerEvent} event
   * @param {Pick<Drag, "kind" | "name" | "at">} drag
   */
  startDrag({ clientX: x, clientY: y, pointerId: id }, drag) {
    this.drag = { ...drag, x, y, id, moved: false };
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_DISTANCE) return;
      drag.moved = true;
      this.partialMove = null;
      this.board.root.setPointerCapture(event.pointerId);
      this.board.svg.classList.add("holding");
    }
    const at = toBoardPoint(this.board.svg, event);
    if (drag.kind === "grid") this.dragGrid(drag, at);
    else this.dragPiece(drag, at);
  }

  /** Snaps the grid to the nearest legal place, with a little give beyond it.
   * @param {Drag} drag
   * @param {Point} at */
  dragGrid(drag, at) {
    const [across, down] = this.cellPitch;
    const [col, row] = this.columnRow(this.center);
    const [dx, dy] = [at.x - drag.at.x, at.y - drag.at.y];
    const distance = (/** @type {string} */ name) => {
      const [c, r] = this.columnRow(name);
      return Math.hypot((c - col) * across - dx, (r - row) * down - dy);
    };
    // Off the board the grid returns to where it was.
    const isOff = this.isOffBoard(at);
    const to = isOff ? this.center : this.gridPlaces().sort((a, b) => distance(a) - distance(b))[0];
    const [c, r] = this.columnRow(to);
    const [x, y] = [(c - col) * across, (r - row) * down];
    /**
     * @param {number} by
     * @param {number} pitch
     */
    const resist = (by, pitch) => Math.max(-0.3, Math.min(0.3, (by / pitch) * 0.35)) * pitch;
    const [px, py] = [x + resist(dx - x, across), y + resist(dy - y, down)];
    const [right, below] = [Math.round(dx / across), Math.round(dy / down)];
    drag.target = isOff ? null : this.board.cellAt(col + right, row + below);
    drag.to = to;
    this.gridElement?.classList.add("held");
    this.gridElement?.setAttribute("transform", `translate(${px} ${py})`);
    this.board.clearPreview();
    if (to !== this.center) this.previewLines(`@${to}`);
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  dragPiece(drag, at) {
    this.board.clearPreview();
    this.showPickedUp(drag.name);
    const cell = this.cellUnder(at);
    drag.to = cell?.dataset.cell;
    const move = this.moveText(drag.name, drag.to ?? "");
    if (this.board.controller.findChoice(move)) {
      this.board.outlineCell(cell, "hint");
      this.previewLines(move);
    }
    const dragged = { ...boxOf(this.board.cells[0]), cx: at.x, cy: at.y };
    this.board.preview(drawMark(this.board.side, dragged, "ghost"));
  }

  /** @param {PointerEvent} event */
  onPointerUp(event) {
    const { drag } = this;
    if (this.canceledPointer === event.pointerId) {
      this.canceledPointer = null;
      this.droppedAt = performance.now();
    }
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    if (!drag.moved) return;
    this.droppedAt = performance.now();
    this.reset();
    if (drag.kind === "grid") {
      const target = drag.target?.dataset.cell;
      if (drag.to !== this.center) this.submitMove(`@${drag.to}`);
      else if (target && target !== this.center) this.submitMove(`@${target}`);
    } else if (drag.to && drag.to !== drag.name) {
      this.submitMove(this.moveText(drag.name, drag.to));
    }
  }

  /** Esc during a drag: the pointer is still down, so its release has to be ignored.
   * @param {Drag} drag */
  cancelDrag(drag) {
    this.canceledPointer = drag.id;
    this.reset();
  }

  /** Cancels the drag or partial move, and clears its preview. */
  reset() {
    this.drag = null;
    this.partialMove = null;
    this.gridElement?.classList.remove("held");
    this.gridElement?.removeAttribute("transform");
    this.board.svg.classList.remove("holding");
    this.board.clearPreview();
  }

  // ---- moves ----

  /** Handles Enter, a click or a tap on a cell: places, picks up, puts down or puts back a
   * piece. The server rejects what is illegal, and what is picked up stays picked up.
   * @param {string} name */
  activate(name) {
    const { partialMove } = this;
    if (!this.board.controller.canMove()) return this.board.controller.play(name);
    const isPutBack = partialMove?.grid ? name === this.center : partialMove?.from === name;
    if (isPutBack) this.cancelPartialMove();
    else if (partialMove?.grid) this.completeMove(`@${name}`);
    else if (this.isOwnPiece(name)) this.pickUpPiece(name);
    else if (partialMove) this.completeMove(`${partialMove.from}-${name}`);
    else this.submitMove(name);
  }

  /** Completes a partial move.
   * @param {string} move */
  completeMove(move) {
    if (this.board.controller.findChoice(move)) this.submitMove(move);
    else this.board.controller.play(move);
  }

  cancelPartialMove() {
    this.reset();
    this.board.controller.clearNotice();
  }

  /** Handles a click or tap outside the cells: on the grid's handle or frame, picks up the
   * grid or puts it back.
   * @param {MouseEvent} event */
  activateGrid(event) {
    if (!this.isActive() || !this.board.controller.canMove()) return;
    // Pressed on one cell and released on another, the click's target is the board.
    const { clientX, clientY } = this.lastPointerDown ?? event;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > TAP_DISTANCE) return;
    if (!closest(event.target, ".drag-target") && !this.isOnGrid(toBoardPoint(this.board.svg, event))) return;
    if (this.partialMove?.grid) this.cancelPartialMove();
    else this.pickUpGrid();
  }

  /** @param {string} name */
  pickUpPiece(name) {
    this.reset();
    const canMove = this.choices.some(({ from }) => from === name);
    // The piece can't move: the server explains why.
    if (!canMove) return this.submitMove(`${name}-${name}`);
    this.partialMove = { from: name };
    this.showPickedUp(name);
    this.board.controller.showNotice(
      `Moving the piece on ${name}. Choose a cell for it, or press Esc or click the piece to cancel.`,
    );
  }

  /** Picks up the grid; directions move it, Enter makes the move. */
  pickUpGrid() {
    this.reset();
    if (this.gridPlaces().length < 2) return this.submitMove(`@${this.center}`);
    this.partialMove = { grid: this.center };
    this.gridElement?.classList.add("held");
    this.redrawPartialMove();
    this.board.controller.showNotice(
      "Moving the grid. Choose its new center, or press a direction key and then Enter. Press Esc or click its handle to cancel.",
    );
  }

  /** @param {string} name */
  shiftGrid(name) {
    if (!this.gridPlaces().includes(name)) return this.board.controller.play(`@${name}`);
    this.partialMove = { grid: name };
    this.redrawPartialMove();
    if (name === this.center) return;
    this.board.controller.showNotice(`Press Enter to move the grid to ${name}, or Esc to cancel.`);
  }

  /** Shows the partial move and nothing else. */
  redrawPartialMove() {
    this.board.clearPreview();
    const { grid, from } = this.partialMove ?? {};
    if (from) this.showPickedUp(from);
    if (!grid) return;
    for (const place of this.gridPlaces()) {
      const cell = this.board.cell(place);
      if (!cell || place === this.center) continue;
      const { cx, cy, width } = boxOf(cell);
      const spot = { x: cx - width / 6, y: cy - width / 6, width: width / 3, height: width / 3 };
      this.board.preview(drawOutline(spot, "drop"));
    }
    if (grid === this.center) return;
    this.outlineGrid(grid, "drop");
    this.previewLines(`@${grid}`);
  }

  /** @param {string} move */
  submitMove(move) {
    this.reset();
    const choice = this.board.controller.findChoice(move);
    const cell = choice && this.board.cell(choice.to);
    if (choice?.kind === "grid") this.outlineGrid(choice.to, "drop");
    else if (cell) this.board.previewMark(cell);
    this.board.controller.play(move);
  }

  // ---- keys ----

  /**
   * @param {string} key
   * @returns {boolean}
   */
  handleKey(key) {
    if (!this.isActive()) return false;
    const grid = this.partialMove?.grid;
    if (key === "Escape") {
      if (this.drag?.moved) this.cancelDrag(this.drag);
      else if (this.partialMove) this.cancelPartialMove();
      else return false;
    } else if (key === "g" && this.board.controller.canMove()) {
      if (grid) this.reset();
      else this.pickUpGrid();
    } else if (grid && key === "Enter") {
      if (grid === this.center) this.reset();
      else this.submitMove(`@${grid}`);
    } else if (grid && (GRID_DIRECTIONS[key] || /^[1-9]$/.test(key))) {
      const [right, down] = GRID_DIRECTIONS[key] ?? keypadPosition(Number(key)).map((at) => at - 1);
      const [col, row] = this.columnRow(grid);
      const to = this.board.cellAt(col + right, row + down)?.dataset.cell;
      if (to) this.shiftGrid(to);
    } else {
      return false;
    }
    return true;
  }

  /** Activates the cell in the grid at a place of a numeric keypad.
   * @param {number} right
   * @param {number} down */
  handleDigit(right, down) {
    const inside = this.cellsInGrid();
    if (inside.length !== 9) {
      this.board.controller.showNotice(`Digits only work with a 3×3 grid. ${OTHER_INPUT}`);
      return;
    }
    const corner = boundingBox(inside.map(boxOf));
    const [across, step] = this.cellPitch;
    const [x, y] = [corner.x + (right + 0.45) * across, corner.y + (down + 0.45) * step];
    const cell = this.cellUnder({ x, y });
    if (!cell) return;
    this.board.focus(cell);
    this.board.activate(cell);
  }
}
