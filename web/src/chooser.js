// @ts-check
// A row of buttons at a cell, to choose the piece to put on it.

import { createButton, findAll } from "./dom.js";
import { pieceImage } from "./svg.js";

export class Chooser {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {HTMLElement | null} */
    this.element = null;
  }

  close() {
    const hadFocus = this.element?.contains(document.activeElement);
    this.element?.remove();
    this.element = null;
    if (hadFocus) this.board.cursorCell()?.focus({ preventScroll: true });
  }

  /** Opens the buttons for these pieces at a cell, as answers to a question. The choice is a tap.
   * @param {HTMLElement} cell
   * @param {PieceKind[]} kinds
   * @param {string} question
   * @param {import("./taps.js").Taps} taps */
  open(cell, kinds, question, taps) {
    // A preview was redrawn: the buttons stay, and so does the focus.
    if (this.element?.dataset.cell === cell.dataset.cell) return;
    this.element?.remove();
    const element = document.createElement("div");
    element.className = "chooser";
    element.dataset.cell = cell.dataset.cell;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", `${cell.dataset.cell}: ${question}`);
    for (const kind of kinds) {
      const button = createButton(kind.label, () => taps.tap(kind.target));
      button.dataset.target = kind.target;
      const picture = this.board.pictureOf(kind);
      if (picture) {
        button.setAttribute("aria-label", kind.label);
        button.replaceChildren(pieceImage(picture));
      }
      element.append(button);
    }
    element.addEventListener("keydown", (event) => this.onKey(event, taps));
    this.board.root.append(element);
    this.element = element;
    this.placeAt(cell);
    findAll("button", element)[0]?.focus({ preventScroll: true });
  }

  /** Moves the buttons next to a cell, and not off the board.
   * @param {HTMLElement} cell */
  placeAt(cell) {
    const { element } = this;
    if (!element) return;
    const [board, at, own] = [this.board.root, cell, element].map((one) => one.getBoundingClientRect());
    const left = at.x + at.width / 2 - own.width / 2 - board.x;
    const isLow = at.y + at.height / 2 > board.y + board.height / 2;
    element.style.left = `${Math.max(0, Math.min(left, board.width - own.width))}px`;
    element.style.top = `${(isLow ? at.y - own.height : at.y + at.height) - board.y}px`;
  }

  /** @param {KeyboardEvent} event
   * @param {import("./taps.js").Taps} taps */
  onKey(event, taps) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const buttons = findAll("button", this.element ?? undefined);
    const at = buttons.findIndex((button) => button === document.activeElement);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const typed = buttons.find(({ dataset }) => dataset.target === `=${event.key.toLowerCase()}`);
    if (event.key === "Escape") taps.cancel();
    else if (typed) typed.click();
    else if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    // The keys of buttons, and Tab.
    else if (["Enter", " ", "Tab"].includes(event.key)) return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  }
}
