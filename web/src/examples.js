// @ts-check
// The examples of the rules: small boards to try moves on.

import { AnalysisController } from "./analysis-controller.js";
import { createButton, find, findAll } from "./dom.js";
import { announce } from "./parts.js";

class ExampleController extends AnalysisController {
  /** @param {HTMLElement} root */
  constructor(root) {
    const { variant = "", position, moves } = root.dataset;
    const board = /** @type {HTMLElement} */ (find(".board-frame", root));
    const request = { variant, position, moves: moves ? moves.split(" ") : [] };
    super(request, board, (html) => this.renderParts(html));
    this.status = find(".status", root);
    this.reserves = find(".board-reserves", root);
    this.statusText = this.status?.textContent ?? "";
  }

  /** @param {Parts} html */
  renderParts(html) {
    const { root, cursor } = this.board;
    const hadFocus = root.contains(document.activeElement);
    root.innerHTML = html.board;
    // Ids must be unique, and a page can have several examples.
    for (const part of findAll("[id]", root)) part.removeAttribute("id");
    if (this.status) this.status.innerHTML = html.status;
    if (this.reserves) this.reserves.innerHTML = html.reserves;
    this.statusText = this.status?.textContent ?? "";
    if (hadFocus && cursor != null) this.board.button(cursor)?.focus({ preventScroll: true });
    announce(this.status?.textContent);
  }

  /**
   * @param {string} text
   * @param {boolean} [_isError]
   * @param {HTMLButtonElement} [button]
   */
  showNotice(text, _isError, button) {
    this.status?.replaceChildren(text);
    if (button) this.status?.append(" ", button);
    announce(text);
  }

  clearNotice() {
    if (this.status) this.status.textContent = this.statusText;
  }
}

/** Makes the examples playable. */
export function initExamples() {
  for (const root of findAll(".example[data-variant]")) {
    const controller = new ExampleController(root);
    const initialMoves = controller.moves;
    const tools = document.createElement("p");
    tools.className = "example-tools";
    tools.append(
      createButton("Take back", () => controller.showPly((controller.ply ?? 0) - 1)),
      createButton("Start over", () => controller.load(initialMoves, initialMoves.length)),
    );
    root.append(tools);
    // The legal moves are needed before the first one, but only once the example is visible.
    const observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      controller.load(initialMoves, initialMoves.length);
    });
    observer.observe(root);
    controller.board.root.addEventListener("keydown", (event) => {
      const isPlainKey = !event.ctrlKey && !event.altKey && !event.metaKey;
      if (!isPlainKey || !controller.board.handleKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
