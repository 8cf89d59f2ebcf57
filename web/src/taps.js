// @ts-check
// Moves by taps. A move is a short sequence of targets: cells, pieces (`=x`) and the frame (`@`). The legal sequences
// come with the state, so that nothing here knows how a game is played; the server explains all others. Dragging is
// a shortcut for two taps.

import { ApiError, requestJson } from "./api.js";
import { Chooser } from "./chooser.js";
import { closest, createButton, find, findAll } from "./dom.js";
import { Frame } from "./frame.js";
import { boxOf, drawPiece, toBoardPoint } from "./svg.js";

/**
 * What a pointer drags: `first` is its target, `at` where the drag started on the board, `to` the cell where it would
 * be dropped.
 * @typedef {{ first: string, at: Point, x: number, y: number, id: number, moved: boolean, to?: string }} Drag
 *
 * What a sequence of taps means: a move, or the targets that continue it and what to ask for.
 * @typedef {{ choice?: Choice, next: string[], prompt?: string }} Meaning
 */

/** A pointer that moves fewer pixels than this taps; beyond, it drags. */
const TAP_DISTANCE = 8;

/** @param {string} target */
const isPiece = (target) => target.startsWith("=");
/** @param {string} target */
const isCell = (target) => !isPiece(target) && target !== "@";

export class Taps {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.frame = new Frame(board);
    this.chooser = new Chooser(board);
    /** The targets that were touched so far, and those that continue the sequence.
     * @type {string[]} */
    this.taps = [];
    /** @type {string[]} */
    this.next = [];
    /** What to ask for next. */
    this.prompt = "";
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {PointerEvent | null} */
    this.lastPointerDown = null;
    /** @type {number | null} */
    this.canceledPointer = null;
    /** Has a drag just ended? The click that follows it is ignored. */
    this.hasDropped = false;
    const { root } = board;
    for (const next of ["pointerdown", "keydown"]) {
      document.addEventListener(next, () => (this.hasDropped = false), { capture: true });
    }
    root.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    this.listenToReserves();
    document.addEventListener("pointermove", (event) => this.onPointerMove(event));
    document.addEventListener("pointerup", (event) => this.onPointerUp(event));
    document.addEventListener("pointercancel", ({ pointerId }) => {
      if (this.drag?.id === pointerId) this.cancel();
    });
    // A finger that drags something doesn't scroll the page.
    const preventScroll = (/** @type {Event} */ event) => {
      if (this.drag && event.cancelable) event.preventDefault();
    };
    root.addEventListener("touchmove", preventScroll, { passive: false });
  }

  /** The pieces of the reserves are outside the board, next to the players' names or below the board. */
  listenToReserves() {
    const example = closest(this.board.root, ".example");
    /** @param {Event} event */
    const usableReserve = ({ target }) => {
      const button = closest(target, "button.reserve:enabled");
      const isOwn = button?.dataset.side === this.board.side && closest(button, ".example") === example;
      return isOwn ? button?.dataset.target : undefined;
    };
    document.addEventListener("pointerdown", (event) => {
      const first = usableReserve(event);
      if (first && this.canDrag(event)) this.startDrag(event, first);
    });
    document.addEventListener("click", (event) => {
      const target = usableReserve(event);
      if (!target || this.hasDropped) return;
      this.tap(target);
      // By keyboard: choose the cell next.
      if (!event.detail && this.taps.length) this.board.focus(this.board.cursorCell());
    });
  }

  /** The legal moves, if they are listed. */
  get choices() {
    return this.board.controller.choices?.moves ?? [];
  }

  isHolding() {
    return Boolean(this.taps.length || this.drag?.moved);
  }

  onRedraw() {
    this.reset();
  }

  // ---- sequences ----

  /** The taps of a move in the order in which they continue one that started with `first`: a piece from the reserve can
   * be touched first even if the move names it later, or not at all because there is only one kind.
   * @param {Choice} choice
   * @param {string} first */
  orderedTaps({ taps }, first) {
    if (!isPiece(first) || taps[0] === first) return taps;
    if (taps.includes(first)) return [first, ...taps.filter((target) => target !== first)];
    const pieces = this.board.controller.choices?.pieces ?? [];
    const isOnly = pieces.length === 1 && pieces[0].target === first && taps.length === 1;
    return isOnly ? [first, ...taps] : taps;
  }

  /** What a sequence means: a move, or the targets that continue it; undefined if no listed move starts like this.
   * @param {string[]} taps
   * @returns {Meaning | undefined} */
  meaning(taps) {
    const next = new Set();
    for (const choice of this.choices) {
      const all = this.orderedTaps(choice, taps[0]);
      if (!taps.every((target, i) => target === all[i])) continue;
      if (all.length === taps.length) return { choice, next: [] };
      next.add(all[taps.length]);
    }
    const prompt = this.board.controller.choices?.prompts[taps.join(" ")];
    return next.size ? { next: [...next], prompt } : undefined;
  }

  /** Handles a tap on a target: continues the sequence, cancels it or starts another one. The server explains why a tap
   * is rejected, and what is picked up stays picked up.
   * @param {string} target */
  tap(target) {
    const { controller, zoom } = this.board;
    if (!controller.canMove()) return controller.play(this.meaning([target])?.choice?.move ?? target);
    const isPutBack = this.taps[0] === "@" && target === this.frame.center;
    if (this.taps.length && (target === this.taps[0] || isPutBack)) return this.cancel();
    const taps = [...this.taps, target];
    const meaning = this.meaning(taps);
    const restart = this.taps.length ? this.meaning([target]) : undefined;
    if (meaning) this.accept(taps, meaning);
    else if (restart) this.accept([target], restart);
    // Deep boards don't list their moves; a cell is a move.
    else if (zoom.isDeep()) this.board.play(target);
    else this.ask(taps);
  }

  /** Plays the move of a sequence, or waits for the next tap.
   * @param {string[]} taps
   * @param {Meaning} meaning */
  accept(taps, { choice, next, prompt = "" }) {
    if (choice) return this.submit(choice);
    Object.assign(this, { taps, next, prompt });
    this.enableCells();
    this.redraw();
    this.board.controller.showNotice(prompt, false, this.cancelButton());
  }

  /** Lets the server say what taps mean that no listed move starts with.
   * @param {string[]} taps */
  async ask(taps) {
    const { controller } = this.board;
    const { rev } = controller;
    try {
      const { move, next, prompt } = await requestJson("POST", "/position/taps", { ...controller.position(), taps });
      if (controller.rev !== rev) return;
      if (move == null) this.accept(taps, { next, prompt });
      else this.submit({ move, taps });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const button = this.isHolding() ? this.cancelButton() : undefined;
      if (controller.rev === rev) controller.showNotice(error.message, true, button);
    }
  }

  /** Makes a move and shows it at once.
   * @param {Choice} choice */
  submit(choice) {
    this.reset();
    const { taps } = choice;
    if (taps[0] === "@") this.frame.outline(taps[1], "drop");
    else this.drawGhost(choice, "pending");
    this.board.controller.play(choice.move);
  }

  /** Cancels the drag or sequence. The focus of its buttons returns to the board. */
  cancel() {
    const hadFocus = document.activeElement?.matches(".notice button");
    this.reset();
    this.board.controller.clearNotice();
    if (hadFocus) this.board.cursorCell()?.focus({ preventScroll: true });
  }

  cancelButton() {
    return createButton("Cancel", () => this.cancel());
  }

  /** Cancels the drag or sequence, and clears its preview. */
  reset() {
    this.drag = null;
    this.taps = [];
    this.next = [];
    this.frame.release();
    this.chooser.close();
    for (const button of findAll("button.reserve[aria-pressed]")) button.removeAttribute("aria-pressed");
    this.board.svg.classList.remove("holding");
    this.board.clearPreview();
    this.enableCells();
  }

  /** Lets screen readers know which cells continue the sequence, or start one. */
  enableCells() {
    const names = new Set(this.next);
    for (const cell of this.board.cells) {
      const isEnabled = cell.hasAttribute("data-legal") || names.has(this.board.aim(cell));
      if (!cell.matches(".board-button")) cell.setAttribute("aria-disabled", `${!isEnabled}`);
    }
  }

  // ---- display ----

  /** The kind of piece with this target.
   * @param {string | undefined} target */
  pieceKind(target) {
    const { choices } = this.board.controller;
    return choices?.pieces.find((kind) => kind.target === target);
  }

  /** The picture of the piece that a move puts on the board: the one it names, the one it moves, or the only one.
   * @param {{ taps: string[] }} choice */
  pictureOf({ taps }) {
    const { pictures, controller } = this.board;
    const cells = taps.filter(isCell);
    const moved = cells.length > 1 ? this.board.cell(cells[0])?.dataset.piece : undefined;
    if (moved != null) return pictures[Number(moved)];
    return this.board.pictureOf(this.pieceKind(taps.find(isPiece)) ?? controller.choices?.pieces[0]);
  }

  /** Shows where the piece of a move lands.
   * @param {Choice} choice
   * @param {string} className */
  drawGhost(choice, className) {
    const name = choice.lands?.at(-1) ?? choice.taps.filter(isCell).at(-1);
    const cell = name == null ? null : this.board.cell(name);
    const picture = this.pictureOf(choice);
    if (cell && picture) this.board.preview(drawPiece(picture, boxOf(cell), className));
  }

  /** Shows what a move would do: where its piece lands, where it sends the opponent, the lines it completes.
   * @param {Choice} choice */
  previewChoice(choice) {
    if (choice.taps[0] === "@") this.frame.outline(choice.taps[1], "drop");
    else this.drawGhost(choice, "ghost");
    if (choice.sends != null) this.board.outlineBoard(choice.sends);
    for (const line of choice.lines ?? []) this.board.previewLine(line);
  }

  /** Shows what a tap on this target would do: nothing, if it doesn't complete a move.
   * @param {string | undefined} target */
  previewTap(target) {
    if (this.isHolding()) this.redraw();
    if (target == null) return;
    const choice = this.meaning([...this.taps, target])?.choice;
    if (choice) this.previewChoice(choice);
  }

  /** Shows the unfinished sequence and nothing else. */
  redraw() {
    this.board.clearPreview();
    const [first] = this.taps;
    if (first == null) return;
    if (first === "@") return this.frame.redraw(this.choices);
    const reserve = isPiece(first) ? `button.reserve[data-side="${this.board.side}"][data-target="${first}"]` : null;
    // A page can have several examples, each with its reserves.
    if (reserve) find(reserve, closest(this.board.root, ".example") ?? undefined)?.setAttribute("aria-pressed", "true");
    for (const name of this.taps.filter(isCell)) this.board.outlineCell(this.board.cell(name), "held");
    for (const name of this.next.filter(isCell)) this.board.outlineCell(this.board.cell(name), "drop", 0.04);
    const kinds = this.next.flatMap((target) => this.pieceKind(target) ?? []);
    const cell = this.board.cell(this.taps.at(-1) ?? "");
    if (kinds.length && cell && !this.drag) this.chooser.open(cell, kinds, this.prompt, this);
  }

  // ---- pointers ----

  /** @param {PointerEvent} event */
  canDrag(event) {
    return !this.drag && event.button <= 0 && this.board.controller.canMove();
  }

  /** @param {PointerEvent} event */
  onPointerDown(event) {
    this.lastPointerDown = event;
    if (!this.canDrag(event) || closest(event.target, ".chooser")) return;
    const cell = closest(event.target, ".cell");
    const name = cell && !cell.classList.contains("board-button") ? this.board.aim(cell) : undefined;
    const canMovePiece = name != null && this.meaning([name])?.next.some(isCell);
    if (this.frame.isTouched(event, cell, Boolean(canMovePiece), this.choices)) this.startDrag(event, "@");
    else if (name != null && canMovePiece) this.startDrag(event, name);
  }

  /**
   * @param {PointerEvent} event
   * @param {string} first
   */
  startDrag(event, first) {
    const { clientX: x, clientY: y, pointerId: id } = event;
    this.drag = { first, at: toBoardPoint(this.board.svg, event), x, y, id, moved: false };
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_DISTANCE) return;
      drag.moved = true;
      this.chooser.close();
      this.taps = [drag.first];
      this.next = this.meaning(this.taps)?.next ?? [];
      this.board.root.setPointerCapture(event.pointerId);
      this.board.svg.classList.add("holding");
    }
    const at = toBoardPoint(this.board.svg, event);
    if (drag.first === "@") this.dragFrame(drag, at);
    else this.dragPiece(drag, at);
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  dragFrame(drag, at) {
    this.board.clearPreview();
    drag.to = this.frame.dragTo(drag.at, at, this.choices);
    const choice = this.meaning(["@", drag.to])?.choice;
    for (const line of choice?.lines ?? []) this.board.previewLine(line);
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  dragPiece(drag, at) {
    this.redraw();
    const cell = this.board.cellUnder(at);
    drag.to = cell ? this.board.aim(cell) : undefined;
    const choice = drag.to == null ? undefined : this.meaning([drag.first, drag.to])?.choice;
    if (choice) {
      this.board.outlineCell(cell, "hint");
      for (const line of choice.lines ?? []) this.board.previewLine(line);
    }
    const picture = this.pictureOf({ taps: [drag.first, drag.to ?? drag.first] });
    const dragged = { ...boxOf(this.board.cells[0]), cx: at.x, cy: at.y };
    if (picture) this.board.preview(drawPiece(picture, dragged, "ghost"));
  }

  /** @param {PointerEvent} event */
  onPointerUp(event) {
    const { drag } = this;
    if (this.canceledPointer === event.pointerId) {
      this.canceledPointer = null;
      this.hasDropped = true;
    }
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    if (!drag.moved) return;
    this.hasDropped = true;
    // What is dropped on a wrong place is back where it was.
    this.cancel();
    const start = drag.first === "@" ? this.frame.center : drag.first;
    if (drag.to == null || drag.to === start) return;
    const taps = [drag.first, drag.to];
    const meaning = this.meaning(taps);
    if (meaning) this.accept(taps, meaning);
    else this.ask(taps);
  }

  /** Handles a click outside the cells: on the frame or its handle, picks it up or puts it back.
   * @param {MouseEvent} event */
  onClickOutside(event) {
    if (closest(event.target, ".chooser") || !this.frame.exists() || !this.board.controller.canMove()) return;
    // Pressed on one cell and released on another, the click's target is the board.
    const { clientX, clientY } = this.lastPointerDown ?? event;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > TAP_DISTANCE) return;
    if (this.frame.isUnder(event)) this.tap("@");
  }

  // ---- keys ----

  /**
   * @param {string} key
   * @returns {boolean}
   */
  handleKey(key) {
    const isFrameHeld = this.taps[0] === "@";
    if (key === "Escape" && this.drag?.moved) {
      // The pointer is still down, so its release has to be ignored.
      this.canceledPointer = this.drag.id;
      this.cancel();
    } else if (key === "Escape" && this.taps.length) {
      this.cancel();
    } else if (key === "g" && this.frame.exists() && this.board.controller.canMove()) {
      this.tap("@");
      // The direction keys start from its center.
      if (this.taps.length) this.board.focus(this.board.cell(this.frame.center));
    } else if (isFrameHeld) {
      return this.frame.handleKey(key);
    } else {
      return false;
    }
    return true;
  }
}
