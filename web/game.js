// A saved game on its own page, and the front page's board, where the first move creates
// the game. Actions go to the server; what comes back is shown.

import { ApiError, queryString, requestJson } from "./api.js";
import { Board } from "./board.js";
import { isDialogOpen, openDialog } from "./dialogs.js";
import { LiveConnection } from "./live.js";
import { announce, applyParts, clearNotice, setRendered, showNotice } from "./parts.js";
import { playSound } from "./sound.js";
import { BoardController } from "./table.js";

const byId = (id) => document.getElementById(id);
/** Milliseconds offline before the page says so: shorter interruptions go unnoticed. */
const OFFLINE_DELAY = 700;
/** Milliseconds the final position is visible before the game-over dialog opens. */
const GAME_OVER_DELAY = 700;
/** An action without a reply for this many milliseconds is reported as slow. */
const SLOW_ACTION = 2000;

export class GameController extends BoardController {
  constructor(state) {
    super(state.game);
    this.you = state.you ?? [];
    this.newGame = state.unborn ?? null;
    this.ply = null;
    this.path = "";
    this.isFirstView = true;
    this.listeners = [];
    this.board = new Board(byId("board"), this);
    if (this.game) this.connect();
  }

  connect() {
    this.connection = new LiveConnection(this.game.id, {
      onState: (view) => this.applyView(view),
      onError: (error) => this.onError(error),
      onConnectionChange: (isReachable) => this.onConnectionChange(isReachable),
    });
    this.connection.rev = this.game.rev;
    this.connection.path = this.path;
    this.connection.open();
  }

  /** In a game the analysis is optional, so that it can be hidden. */
  get canHideAnalysis() {
    return true;
  }

  /** Calls `listener` after every state that is shown. */
  onChange(listener) {
    this.listeners.push(listener);
  }

  position() {
    if (!this.newGame) return super.position();
    return { variant: this.newGame.variant, moves: [] };
  }

  // ---- actions ----

  canMove() {
    if (this.isWaiting()) return false;
    if (this.newGame) return true;
    const { over, side, seats } = this.game;
    const allSeated = seats.every(({ kind }) => kind !== "invited");
    return !over && allSeated && this.you.includes(side) && this.ply == null;
  }

  isWaiting() {
    return Boolean(this.isCreating || this.connection?.pending);
  }

  play(move) {
    if (this.newGame) return this.createGame(move);
    // Spectators see the usual status text again.
    if (!this.you.length || this.game.over) return clearNotice();
    if (this.ply != null) return this.noticeViewingPast();
    this.act({ do: "move", move });
  }

  /** Explains that moves can't be made while an earlier position is shown. */
  noticeViewingPast() {
    const last = this.game.moves.length;
    const now = this.ply ? `You're viewing move ${this.ply} of ${last}` : "You're viewing the start position";
    showNotice(`${now}. Go to the last move to play.`, false, { ply: last, text: "Go to last move" });
  }

  /** Sends an action that applies to the state shown now. */
  act(action) {
    clearNotice();
    if (this.newGame) return;
    this.hasDeclined = action.do === "decline";
    if (this.connection.act({ ...action, rev: this.game.rev })) return;
    // Most often the second click of a double click.
    if (this.connection.pendingTime() < SLOW_ACTION) return;
    this.showNotice("Your last action is still being sent. The page retries until it arrives.");
  }

  /** Starts the same game again, with the same players on the same sides, and abandons this one. */
  async reset() {
    const { variant, start, seats } = this.game;
    const seatRequest = ({ kind, name }) =>
      kind === "bot" ? { kind, bot: name } : { kind: "person", name: kind === "guest" ? null : name };
    const [x, o] = seats.map(seatRequest);
    try {
      // Create the new game first: if that fails, nothing is lost.
      const view = await requestJson("POST", "/games", { variant, position: start ?? undefined, x, o });
      const abandon = { do: "abandon", rev: this.game.rev };
      await requestJson("POST", `/games/${this.game.id}/actions`, abandon).catch(() => {});
      location.assign(`/games/${view.game.id}`);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Creates the game with the front page's first move and switches to its URL. */
  async createGame(move) {
    if (this.isCreating) return;
    this.isCreating = true;
    try {
      const { variant, x, o } = this.newGame;
      const view = await requestJson("POST", "/games", { variant, x, o });
      this.newGame = null;
      this.isCreating = false;
      this.game = view.game;
      this.you = view.you;
      // The back button leads to the front page, not off the site.
      history.pushState(null, "", `/games/${view.game.id}`);
      this.connect();
      this.act({ do: "move", move });
    } catch (error) {
      this.isCreating = false;
      this.onError(error);
    }
  }

  async viewPath(path) {
    this.path = path;
    if (this.ply != null) return this.showPly(this.ply);
    if (this.connection) this.connection.viewPath(path);
  }

  // ---- updates ----

  applyView(view) {
    const before = this.game;
    const { game } = view;
    this.game = game;
    this.you = view.you;
    const { rev, over } = game;
    const isChanged = rev !== before.rev;
    const html = { ...view.html };
    // The page was served with this very board: don't animate its newest mark again.
    if (this.isFirstView && !isChanged && html.board != null) setRendered("board", html.board);
    if (this.ply != null) {
      // An earlier position is shown: keep it.
      for (const id of ["board", "say", "moves", "crumbs", "mini"]) delete html[id];
    }
    if (isChanged) clearNotice();
    const changed = applyParts(html);
    if (changed.includes("board")) this.board.onRedraw();
    else if (!this.isWaiting() && isChanged) this.board.ticTacTwo.redrawPartialMove();
    if (changed.includes("offer")) this.announceOffer(before, game, isChanged);
    if (isChanged) this.afterChange(before, game);
    else if (this.isFirstView && game.moves.length) this.board.zoom.followPlay(true);
    this.isFirstView = false;
    if (over && !before.over) this.onGameOver();
    if (game.next && !before.next && this.you.length) location.assign(`/games/${game.next}`);
    for (const listener of this.listeners) listener(before);
  }

  /** Announces a new offer, or that the opponent declined ours. */
  announceOffer(before, game, isChanged) {
    if (game.offer) return announce(byId("offer").querySelector("p")?.textContent.trim() ?? "");
    const { by } = before.offer ?? {};
    const declined = this.you.includes(by) && !isChanged && !game.next && !this.hasDeclined;
    this.hasDeclined = false;
    if (!declined) return;
    const { name } = game.seats["ox".indexOf(by)];
    this.showNotice(`${name} declined.`);
  }

  /** Announces and follows a new state. */
  afterChange(before, game) {
    const moved = game.ply > before.ply;
    if (this.ply == null) announce(byId("say")?.textContent.trim() ?? "");
    if (moved) playSound(before.side);
    // A bot replies at once: follow its reply, not the board it was sent to.
    const mover = game.seats["xo".indexOf(game.side)];
    if (this.ply == null && !(mover.kind === "bot" && this.you.length)) {
      this.board.zoom.followPlay(true);
    }
  }

  onGameOver() {
    playSound("end");
    if (this.ply != null) return;
    setTimeout(() => {
      if (this.game.over && !isDialogOpen()) openDialog("end");
    }, GAME_OVER_DELAY);
  }

  onError(error) {
    if (!(error instanceof ApiError)) throw error;
    this.board.ticTacTwo.redrawPartialMove();
    this.showNotice(error.message, true);
  }

  /** Shows or hides the offline banner. */
  onConnectionChange(isReachable) {
    const banner = byId("net");
    if (!banner) return;
    if (isReachable) {
      clearTimeout(this.offlineTimer);
      this.offlineTimer = null;
      banner.hidden = true;
    } else {
      this.offlineTimer ??= setTimeout(() => {
        banner.hidden = false;
      }, OFFLINE_DELAY);
    }
  }

  // ---- earlier positions ----

  /** Shows the position after `ply` moves; the last ply returns to the live game. */
  async showPly(ply) {
    if (!this.game) return;
    const last = this.game.moves.length;
    ply = Math.max(0, Math.min(last, ply));
    this.ply = ply === last ? null : ply;
    this.pendingRequest?.abort();
    this.pendingRequest = new AbortController();
    const { signal } = this.pendingRequest;
    const path = `/games/${this.game.id}${queryString({ html: 1, path: this.path, ply: this.ply })}`;
    try {
      const view = await requestJson("GET", path, undefined, signal);
      if (signal.aborted) return;
      this.you = view.you;
      if (applyParts(view.html).includes("board")) this.board.onRedraw();
      for (const listener of this.listeners) listener(null);
    } catch (error) {
      if (!signal.aborted) this.onError(error);
    }
  }
}
