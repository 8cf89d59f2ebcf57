// @ts-check
// What every board's controller has: the state from the server, listeners, and the notice next
// to the board. Extended in game-controller.js for saved games and in analysis-controller.js for
// analysis boards.

import { clearNotice, showNotice } from "./parts.js";

export class BoardController {
  /** @param {Game | null} game */
  constructor(game) {
    this.game = game;
    /** The position that is shown, or null for the current one of a game.
     * @type {number | null} */
    this.ply = null;
    this.path = "";
    /** @type {((before: Game | null) => void)[]} */
    this.listeners = [];
    /** @type {AbortController | null} */
    this.pendingRequest = null;
    /** Set by the subclass, once it can answer the board's questions.
     * @type {import("./board.js").Board} */
    this.board;
  }

  /** Identifies the position that the board shows.
   * @returns {string | undefined} */
  get rev() {
    return this.game ? `${this.game.rev} ${this.ply ?? ""}` : undefined;
  }

  /** Can the analysis be hidden? In a game it is optional. */
  get canHideAnalysis() {
    return false;
  }

  /** All moves, including those after the position that is shown. */
  get moves() {
    return this.game?.moves ?? [];
  }

  /** What the side to move can do.
   * @returns {Choices | null} */
  get choices() {
    return this.game?.choices ?? null;
  }

  /** The server's description of a legal move.
   * @param {string | undefined} move */
  findChoice(move) {
    return this.choices?.moves?.find((choice) => choice.move === move);
  }

  /** Calls `listener` after every state that is shown.
   * @param {(before: Game | null) => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }

  /** @param {Game | null} before */
  notifyListeners(before) {
    for (const listener of this.listeners) listener(before);
  }

  /** Is a reply from the server pending? */
  isWaiting() {
    return false;
  }

  canMove() {
    return false;
  }

  /** Aborts the previous request for a position. Returns the signal for the next one. */
  startRequest() {
    this.pendingRequest?.abort();
    this.pendingRequest = new AbortController();
    return this.pendingRequest.signal;
  }

  /** Makes a move.
   * @param {string} _move */
  play(_move) {}

  /** Shows the board at a path.
   * @param {Path} _path */
  viewPath(_path) {}

  /** Shows the position after `ply` moves.
   * @param {number} _ply */
  async showPly(_ply) {}

  /**
   * @param {string} text
   * @param {boolean} [isError]
   * @param {HTMLButtonElement} [button]
   */
  showNotice(text, isError, button) {
    showNotice(text, isError, button);
  }

  clearNotice() {
    clearNotice();
  }

  /** The position that is shown, as analyses and hints take it.
   * @returns {PositionRequest} */
  position() {
    const { variant, start } = /** @type {Game} */ (this.game);
    return { variant, position: start ?? undefined, moves: this.moves.slice(0, this.ply ?? this.moves.length) };
  }
}
