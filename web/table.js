// What every board's controller has: the state from the server, and the notice next to the
// board. Extended in game.js for saved games and in line.js for analysis boards.

import { clearNotice, showNotice } from "./parts.js";

export class BoardController {
  constructor(game) {
    this.game = game ?? null;
    this.board = null;
  }

  /** Identifies the state that the board shows. */
  get rev() {
    return this.game?.rev ?? this.game?.moves?.length;
  }

  /** The server's description of a legal move. */
  findChoice(move) {
    return this.game?.choices?.moves?.find((choice) => choice.move === move);
  }

  /** Is a reply from the server pending? */
  isWaiting() {
    return false;
  }

  showNotice(text, isError) {
    showNotice(text, isError);
  }

  clearNotice() {
    clearNotice();
  }

  /** The position that is shown, as analyses and hints take it. */
  position() {
    const { variant, start, moves } = this.game;
    return { variant, position: start ?? undefined, moves: moves.slice(0, this.ply ?? moves.length) };
  }
}
