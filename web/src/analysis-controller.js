// @ts-check
// A board without a saved game: the analysis page and the examples of the rules. Moves can
// be tried, taken back and replayed; the server computes the resulting positions.

import { queryString, requestJson } from "./api.js";
import { BoardController } from "./board-controller.js";
import { Board } from "./board.js";
import { applyParts } from "./parts.js";

export class AnalysisController extends BoardController {
  /** `root` contains the board; `render` shows the parts that the server sends.
   * @param {PositionRequest} position
   * @param {HTMLElement} root
   * @param {(html: Parts) => void} render */
  constructor({ variant, position, moves }, root, render = applyParts) {
    super(null);
    this.variant = variant;
    this.start = position;
    this.line = moves;
    this.ply = moves.length;
    this.render = render;
    /** @type {Board} */
    this.board = new Board(root, this);
  }

  canMove() {
    return !this.game?.ending;
  }

  isWaiting() {
    return this.pendingRequest != null;
  }

  get moves() {
    return this.line;
  }

  get shownMoves() {
    return this.line.slice(0, this.ply ?? undefined);
  }

  get rev() {
    return this.shownMoves.join(" ");
  }

  /** @returns {PositionRequest} */
  position() {
    return { variant: this.variant, position: this.start, moves: this.shownMoves };
  }

  /** Tries a move, which replaces the moves after this position.
   * @param {string} move */
  play(move) {
    const moves = [...this.shownMoves, move];
    return this.load(moves, moves.length);
  }

  /** @param {number} ply */
  showPly(ply) {
    return this.load(this.line, Math.max(0, Math.min(this.line.length, ply)));
  }

  /** @param {Path} path */
  viewPath(path) {
    this.path = path;
    return this.load(this.line, this.ply ?? 0);
  }

  /** Shows a position of a line of moves.
   * @param {string[]} moves
   * @param {number} ply */
  async load(moves, ply) {
    const signal = this.startRequest();
    const body = { variant: this.variant, position: this.start, moves, ply, path: this.path };
    try {
      const { html, ...game } = await requestJson("POST", "/position", body, signal);
      if (signal.aborted) return;
      this.pendingRequest = null;
      const moved = ply !== this.ply || moves !== this.line;
      Object.assign(this, { line: moves, ply, game });
      this.clearNotice();
      this.render(html);
      this.board.onRedraw();
      if (moved) this.board.zoom.followPlay(true);
      this.notifyListeners(null);
    } catch (error) {
      if (signal.aborted) return;
      this.pendingRequest = null;
      this.board.taps.redraw();
      this.showNotice(error instanceof Error ? error.message : `${error}`, true);
    }
  }

  /** The URL of this analysis. */
  address() {
    return `/analysis${queryString({ variant: this.variant, position: this.start, moves: this.line.join(" ") })}`;
  }
}
