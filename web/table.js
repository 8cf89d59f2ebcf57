// What a board is played on, whatever kind of game it is: the state as the server told
// it, and the sentence beside it. game.js makes a stored game of it, line.js a board to
// try things on.

import { notice, unsay } from "./parts.js";

export class Table {
  constructor(game) {
    this.game = game ?? null;
    this.board = null;
  }

  /** Which state the board shows. */
  get rev() {
    return this.game?.rev ?? this.game?.moves?.length;
  }

  /** What the server says of a legal move. */
  choice(move) {
    return this.game?.choices?.moves?.find((choice) => choice.move === move);
  }

  /** Does an answer of the server still have to come? */
  waits() {
    return false;
  }

  notice(text, bad) {
    notice(text, bad);
  }

  unsay() {
    unsay();
  }

  /** What an analysis or a hint is asked about: the position that is seen. */
  position() {
    const { variant, start, moves } = this.game;
    return { variant, position: start ?? undefined, moves: moves.slice(0, this.ply ?? moves.length) };
  }
}
