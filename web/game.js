// A game that is played: on its own page, and on the front page, where the first move
// makes it. Steps go to the server, and what comes back is shown.

import { Problem, ask, query } from "./api.js";
import { Board } from "./board.js";
import { isOpen, show } from "./dialogs.js";
import { Live } from "./live.js";
import { apply, assume, notice, tell, unsay } from "./parts.js";
import { sound } from "./sound.js";
import { Table } from "./table.js";

const find = (id) => document.getElementById(id);
/** A break that is mended sooner is nobody's concern. */
const HICCUP = 700;
/** So long one sees how it ended before one is asked what next. */
const LOOK = 700;
/** A step that takes longer than this is worth a word. */
const LONG = 2000;

export class Game extends Table {
  constructor(state) {
    super(state.game);
    this.you = state.you ?? [];
    this.unborn = state.unborn ?? null;
    this.ply = null;
    this.path = "";
    this.first = true;
    this.watchers = [];
    this.board = new Board(find("board"), this);
    if (this.game) this.join();
  }

  join() {
    this.live = new Live(this.game.id, {
      state: (view) => this.show(view),
      refused: (problem) => this.refused(problem),
      line: (up) => this.line(up),
    });
    this.live.rev = this.game.rev;
    this.live.path = this.path;
    this.live.open();
  }

  /** An analysis is beside the game, and can be put away. */
  get hides() {
    return true;
  }

  /** Calls back with every state that differs from the one before. */
  watch(told) {
    this.watchers.push(told);
  }

  position() {
    if (!this.unborn) return super.position();
    return { variant: this.unborn.variant, moves: [] };
  }

  // ---- what one may and does ----

  may() {
    if (this.waits()) return false;
    if (this.unborn) return true;
    const { over, side, seats } = this.game;
    const open = seats.every(({ kind }) => kind !== "invited");
    return !over && open && this.you.includes(side) && this.ply == null;
  }

  waits() {
    return Boolean(this.begins || this.live?.pending);
  }

  play(move) {
    if (this.unborn) return this.begin(move);
    // Who only looks on is told what is expected of others.
    if (!this.you.length || this.game.over) return unsay();
    if (this.ply != null) return this.late();
    this.act({ do: "move", move });
  }

  /** Somebody wants to move in the past. */
  late() {
    const last = this.game.moves.length;
    const now = this.ply ? `This is move ${this.ply} of ${last}` : "This is the start";
    notice(`${now}; go to the last move to play.`, false, { ply: last, text: "To the last move" });
  }

  /** Something is done in the game as it stands. */
  act(action) {
    unsay();
    if (this.unborn) return;
    this.withdrew = action.do === "decline";
    if (this.live.act({ ...action, rev: this.game.rev })) return;
    // The second click of a double one, most often.
    if (this.live.waited() < LONG) return;
    this.notice("Your last step is still on its way, and is sent again until it has arrived.");
  }

  /** The same players on the same sides begin the same game anew; this one is left. */
  async reset() {
    const { variant, start, seats } = this.game;
    const again = ({ kind, name }) =>
      kind === "bot" ? { kind, bot: name } : { kind: "person", name: kind === "guest" ? null : name };
    const [x, o] = seats.map(again);
    try {
      // Made before the old one is left: if it cannot be made, nothing is lost.
      const view = await ask("POST", "/games", { variant, position: start ?? undefined, x, o });
      const left = { do: "abandon", rev: this.game.rev };
      await ask("POST", `/games/${this.game.id}/actions`, left).catch(() => {});
      location.assign(`/games/${view.game.id}`);
    } catch (problem) {
      this.refused(problem);
    }
  }

  /** The first move on the front page makes the game, which then has its address. */
  async begin(move) {
    if (this.begins) return;
    this.begins = true;
    try {
      const { variant, x, o } = this.unborn;
      const view = await ask("POST", "/games", { variant, x, o });
      this.unborn = null;
      this.begins = false;
      this.game = view.game;
      this.you = view.you;
      // Back leads to the front page, and not out of it.
      history.pushState(null, "", `/games/${view.game.id}`);
      this.join();
      this.act({ do: "move", move });
    } catch (problem) {
      this.begins = false;
      this.refused(problem);
    }
  }

  async look(path) {
    this.path = path;
    if (this.ply != null) return this.see(this.ply);
    if (this.live) this.live.look(path);
  }

  // ---- what comes back ----

  show(view) {
    const before = this.game;
    const { game } = view;
    this.game = game;
    this.you = view.you;
    const { rev, over } = game;
    const went = rev !== before.rev;
    const html = { ...view.html };
    // The page came with this very board, whose newest mark need not be drawn again.
    if (this.first && !went && html.board != null) assume("board", html.board);
    if (this.ply != null) {
      // Who looks back is not torn away.
      for (const id of ["board", "say", "moves", "crumbs", "mini"]) delete html[id];
    }
    if (went) unsay();
    const changed = apply(html);
    if (changed.includes("board")) this.board.fresh();
    else if (!this.waits() && went) this.board.two.again();
    if (changed.includes("offer")) this.offered(before, game, went);
    if (went) this.went(before, game);
    else if (this.first && game.moves.length) this.board.zoom.follow(true);
    this.first = false;
    if (over && !before.over) this.ended();
    if (game.next && !before.next && this.you.length) location.assign(`/games/${game.next}`);
    for (const told of this.watchers) told(before);
  }

  /** Something was proposed, or what was proposed is off the table. */
  offered(before, game, went) {
    if (game.offer) return tell(find("offer").querySelector("p")?.textContent.trim() ?? "");
    const { by } = before.offer ?? {};
    const declined = this.you.includes(by) && !went && !game.next && !this.withdrew;
    this.withdrew = false;
    if (!declined) return;
    const { name } = game.seats["ox".indexOf(by)];
    this.notice(`${name} has declined.`);
  }

  /** The game has gone on. */
  went(before, game) {
    const moved = game.ply > before.ply;
    if (this.ply == null) tell(find("say")?.textContent.trim() ?? "");
    if (moved) sound(before.side);
    // A computer answers at once: one looks where its move leads, not where it was sent.
    const next = game.seats["xo".indexOf(game.side)];
    if (this.ply == null && !(next.kind === "bot" && this.you.length)) {
      this.board.zoom.follow(true);
    }
  }

  ended() {
    sound("end");
    if (this.ply != null) return;
    setTimeout(() => {
      if (this.game.over && !isOpen()) show("end");
    }, LOOK);
  }

  refused(problem) {
    if (!(problem instanceof Problem)) throw problem;
    this.board.two.again();
    this.notice(problem.message, true);
  }

  /** The connection is there, or it is not. */
  line(up) {
    const net = find("net");
    if (!net) return;
    if (up) {
      clearTimeout(this.hiccup);
      this.hiccup = null;
      net.hidden = true;
    } else {
      this.hiccup ??= setTimeout(() => {
        net.hidden = false;
      }, HICCUP);
    }
  }

  // ---- looking back ----

  /** Shows the game as it was after so many moves; after all of them, as it is. */
  async see(ply) {
    if (!this.game) return;
    const last = this.game.moves.length;
    ply = Math.max(0, Math.min(last, ply));
    this.ply = ply === last ? null : ply;
    this.asked?.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    const where = `/games/${this.game.id}${query({ html: 1, path: this.path, ply: this.ply })}`;
    try {
      const view = await ask("GET", where, undefined, signal);
      if (signal.aborted) return;
      this.you = view.you;
      if (apply(view.html).includes("board")) this.board.fresh();
      for (const told of this.watchers) told(null);
    } catch (problem) {
      if (!signal.aborted) this.refused(problem);
    }
  }
}
