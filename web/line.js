// A board without a saved game: the analysis page and the examples of the rules. Moves can
// be tried, taken back and replayed; the server computes the resulting positions.

import { queryString, requestJson } from "./api.js";
import { Board } from "./board.js";
import { announce, applyParts } from "./parts.js";
import { BoardController } from "./table.js";

export class AnalysisController extends BoardController {
  /** `root` contains the board; `render` shows the parts that the server sends. */
  constructor({ variant, position, moves }, root, render = applyParts) {
    super(null);
    this.variant = variant;
    this.start = position ?? null;
    this.moves = moves ?? [];
    this.ply = this.moves.length;
    this.path = "";
    this.render = render;
    this.listeners = [];
    this.board = new Board(root, this);
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  canMove() {
    return !this.game?.over;
  }

  isWaiting() {
    return Boolean(this.pendingRequest);
  }

  get rev() {
    return `${this.ply} ${this.moves.slice(0, this.ply).join(" ")}`;
  }

  position() {
    const moves = this.moves.slice(0, this.ply);
    return { variant: this.variant, position: this.start ?? undefined, moves };
  }

  /** Tries a move, which replaces the moves after this position. */
  play(move) {
    const moves = [...this.moves.slice(0, this.ply), move];
    return this.load(moves, moves.length);
  }

  showPly(ply) {
    return this.load(this.moves, Math.max(0, Math.min(this.moves.length, ply)));
  }

  viewPath(path) {
    this.path = path;
    return this.load(this.moves, this.ply);
  }

  async load(moves, ply) {
    this.pendingRequest?.abort();
    const request = new AbortController();
    this.pendingRequest = request;
    const { variant, start, path } = this;
    const body = { variant, position: start ?? undefined, moves, ply, path };
    try {
      const { state, html } = await requestJson("POST", "/position", body, request.signal);
      if (request.signal.aborted) return;
      this.pendingRequest = null;
      const moved = ply !== this.ply || moves !== this.moves;
      Object.assign(this, { moves, ply, game: state });
      this.clearNotice();
      this.render(html);
      this.setEnabled("undo", ply > 0);
      this.setEnabled("redo", ply < moves.length);
      this.board.onRedraw();
      if (moved) this.board.zoom.followPlay(true);
      for (const listener of this.listeners) listener(moved);
    } catch (error) {
      if (request.signal.aborted) return;
      this.pendingRequest = null;
      this.board.ticTacTwo.redrawPartialMove();
      this.showNotice(error.message, true);
    }
  }

  /** Enables or disables a button: only this page knows which moves can be replayed. */
  setEnabled(name, isEnabled) {
    const button = this.render === applyParts && document.getElementById(`do-${name}`);
    if (button) button.disabled = !isEnabled;
  }

  /** The URL of this analysis. */
  address() {
    const { variant, start, moves } = this;
    return `/analysis${queryString({ variant, position: start, moves: moves.join(" ") })}`;
  }
}

/** Makes the examples of the rules playable. */
export function initExamples() {
  for (const root of document.querySelectorAll(".example[data-variant]")) {
    const { variant, position, moves } = root.dataset;
    const status = root.querySelector(".say");
    const controller = new AnalysisController(
      { variant, position, moves: moves ? moves.split(" ") : [] },
      root.querySelector(".board"),
      (html) => {
        const focusedCell = root.contains(document.activeElement) && controller.board.cursor;
        controller.board.root.innerHTML = html.board;
        // Ids must be unique, and a page can have several examples.
        for (const part of controller.board.root.querySelectorAll("[id]")) part.removeAttribute("id");
        if (status) status.innerHTML = html.say ?? "";
        if (focusedCell) controller.board.cell(focusedCell)?.focus({ preventScroll: true });
        announce(status?.textContent ?? "");
      },
    );
    const initialPly = controller.ply;
    controller.showNotice = (text) => {
      if (status) status.textContent = text;
      announce(text);
    };
    controller.clearNotice = () => {};
    const button = (name, onClick) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = name;
      element.addEventListener("click", onClick);
      return element;
    };
    const tools = document.createElement("p");
    tools.className = "example-tools";
    tools.append(
      button("Take back", () => controller.ply > 0 && controller.showPly(controller.ply - 1)),
      button("Start over", () => controller.load(controller.moves.slice(0, initialPly), initialPly)),
    );
    root.append(tools);
    // The legal moves are needed before the first one, but only once the example is visible.
    const observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      controller.showPly(controller.ply);
    });
    observer.observe(root);
    root.addEventListener("keydown", (event) => {
      const isPlainKey = !event.ctrlKey && !event.altKey && !event.metaKey;
      if (isPlainKey && controller.board.root.contains(event.target) && controller.board.handleKey(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }
}
