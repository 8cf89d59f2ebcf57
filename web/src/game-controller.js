// @ts-check
// A saved game on its own page, and the front page's board, where the first move creates
// the game. Actions go to the server; what comes back is shown.

import { ApiError, queryString, requestJson } from "./api.js";
import { BoardController } from "./board-controller.js";
import { Board } from "./board.js";
import { isDialogOpen, openDialog } from "./dialogs.js";
import { byId, createButton, find } from "./dom.js";
import { LiveConnection } from "./live-connection.js";
import { announce, applyParts, clearNotice, setRendered, showNotice } from "./parts.js";
import { playSound } from "./sound.js";

/** Milliseconds offline before the page says so: shorter interruptions go unnoticed. */
const OFFLINE_DELAY = 700;
/** Milliseconds the final position is visible before the game-over dialog opens. */
const GAME_OVER_DELAY = 700;
/** An action without a reply for this many milliseconds is reported as slow. */
const SLOW_ACTION = 2000;

export class GameController extends BoardController {
  /**
   * @param {InitialState} state
   * @param {HTMLElement} root
   */
  constructor(state, root) {
    super(state.game ?? null);
    this.you = state.you ?? [];
    /** The game that the first move creates, and its legal moves. */
    this.newGame = state.new_game ?? null;
    this.firstChoices = state.choices ?? null;
    this.isFirstView = true;
    this.isCreating = false;
    this.hasDeclined = false;
    /** @type {number | undefined} */
    this.offlineTimer = undefined;
    /** @type {Board} */
    this.board = new Board(root, this);
    if (this.game) this.connection = this.connect(this.game);
  }

  /** @param {Game} game */
  connect(game) {
    const connection = new LiveConnection(game, {
      onState: (view) => this.applyView(view),
      onError: (error) => this.onError(error),
      onConnectionChange: (isReachable) => this.onConnectionChange(isReachable),
    });
    connection.path = this.path;
    connection.open();
    return connection;
  }

  get canHideAnalysis() {
    return true;
  }

  get choices() {
    return this.game ? super.choices : this.firstChoices;
  }

  /** @returns {PositionRequest} */
  position() {
    if (!this.newGame) return super.position();
    return { variant: this.newGame.variant, moves: [] };
  }

  // ---- actions ----

  canMove() {
    if (this.isWaiting()) return false;
    if (!this.game) return true;
    const { ending, side, x, o } = this.game;
    const allSeated = [x, o].every(({ kind }) => kind !== "invited");
    return !ending && allSeated && this.you.includes(side) && this.ply == null;
  }

  isWaiting() {
    return Boolean(this.isCreating || this.connection?.pending);
  }

  /** @param {string} move */
  play(move) {
    if (this.newGame) return this.createGame(move);
    // Spectators see the usual status text again.
    if (!this.you.length || this.game?.ending) return clearNotice();
    if (this.ply != null) return this.noticeViewingPast();
    this.act({ type: "move", move });
  }

  /** Explains that moves can't be made while an earlier position is shown. */
  noticeViewingPast() {
    const last = this.moves.length;
    const now = this.ply ? `You're viewing move ${this.ply} of ${last}` : "You're viewing the start position";
    const button = createButton("Go to last move");
    button.dataset.ply = `${last}`;
    showNotice(`${now}. Go to the last move to play.`, false, button);
  }

  /** Sends an action that applies to the state shown now.
   * @param {Action} action */
  act(action) {
    clearNotice();
    if (!this.game || !this.connection) return;
    this.hasDeclined = action.type === "decline";
    if (this.connection.act({ ...action, rev: this.game.rev })) return;
    // Most often the second click of a double click.
    if (this.connection.pendingTime() < SLOW_ACTION) return;
    this.showNotice("Your last action is still being sent. The page retries until it arrives.");
  }

  /** Starts the same game again, with the same players on the same sides, and abandons this one. */
  async reset() {
    if (!this.game) return;
    const { id, rev, variant, start } = this.game;
    /** @param {Seat} seat */
    const seatRequest = ({ kind, name }) =>
      kind === "bot" ? { kind, name } : { kind: "human", name };
    const [x, o] = [this.game.x, this.game.o].map(seatRequest);
    try {
      // Create the new game first: if that fails, nothing is lost.
      const view = await requestJson("POST", "/games", { variant, position: start ?? undefined, x, o });
      await requestJson("POST", `/games/${id}/actions`, { type: "abandon", rev }).catch(() => {});
      location.assign(`/games/${view.game.id}`);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Creates the game with the front page's first move and switches to its URL.
   * @param {string} move */
  async createGame(move) {
    if (this.isCreating || !this.newGame) return;
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
      this.connection = this.connect(view.game);
      this.act({ type: "move", move });
    } catch (error) {
      this.isCreating = false;
      this.onError(error);
    }
  }

  /** @param {Path} path */
  viewPath(path) {
    this.path = path;
    if (this.ply != null) return this.showPly(this.ply);
    this.connection?.viewPath(path);
  }

  // ---- updates ----

  /** @param {GameView} view */
  applyView(view) {
    const before = /** @type {Game} */ (this.game);
    const { game } = view;
    this.game = game;
    this.you = view.you;
    const isChanged = game.rev !== before.rev;
    const html = { ...view.html };
    // The page was served with this very board: don't animate its newest mark again.
    if (this.isFirstView && !isChanged && html.board != null) setRendered("board", html.board);
    if (this.ply != null) {
      // An earlier position is shown: keep it.
      for (const id of ["board", "status", "moves", "breadcrumbs", "minimap"]) delete html[id];
    }
    if (isChanged) clearNotice();
    const changed = applyParts(html);
    if (changed.includes("board")) this.board.onRedraw();
    else if (!this.isWaiting() && isChanged) this.board.taps.redraw();
    if (changed.includes("offer")) this.announceOffer(before, game, isChanged);
    if (isChanged) this.afterChange(before, game);
    else if (this.isFirstView && game.moves.length) this.board.zoom.followPlay(true);
    this.isFirstView = false;
    if (game.ending && !before.ending) this.onGameOver();
    if (game.rematch && !before.rematch && this.you.length) location.assign(`/games/${game.rematch}`);
    this.notifyListeners(before);
  }

  /** Announces a new offer, or that the opponent declined ours.
   * @param {Game} before
   * @param {Game} game
   * @param {boolean} isChanged */
  announceOffer(before, game, isChanged) {
    if (game.offer) return announce(find("#offer p")?.textContent);
    const by = before.offer?.by;
    const declined = by && this.you.includes(by) && !isChanged && !game.rematch && !this.hasDeclined;
    this.hasDeclined = false;
    if (declined) this.showNotice(`${game[by === "x" ? "o" : "x"].label} declined.`);
  }

  /** Announces and follows a new state.
   * @param {Game} before
   * @param {Game} game */
  afterChange(before, game) {
    const moved = game.ply > before.ply;
    if (this.ply == null) announce(byId("status")?.textContent);
    if (moved) playSound(before.side);
    // A bot replies at once: follow its reply, not the board it was sent to.
    const mover = game[game.side];
    if (this.ply == null && !(mover.kind === "bot" && this.you.length)) {
      this.board.zoom.followPlay(true);
    }
  }

  onGameOver() {
    playSound("end");
    if (this.ply != null) return;
    setTimeout(() => {
      if (this.game?.ending && !isDialogOpen()) openDialog("game-over");
    }, GAME_OVER_DELAY);
  }

  /** @param {unknown} error */
  onError(error) {
    if (!(error instanceof ApiError)) throw error;
    this.board.taps.redraw();
    this.showNotice(error.message, true);
  }

  /** Shows or hides the offline banner.
   * @param {boolean} isReachable */
  onConnectionChange(isReachable) {
    const banner = byId("offline-banner");
    if (!banner) return;
    if (isReachable) {
      clearTimeout(this.offlineTimer);
      this.offlineTimer = undefined;
      banner.hidden = true;
    } else {
      this.offlineTimer ??= setTimeout(() => {
        banner.hidden = false;
      }, OFFLINE_DELAY);
    }
  }

  // ---- earlier positions ----

  /** Shows the position after `ply` moves; the last ply returns to the live game.
   * @param {number} ply */
  async showPly(ply) {
    if (!this.game) return;
    const shown = Math.max(0, ply);
    this.ply = shown < this.moves.length ? shown : null;
    const signal = this.startRequest();
    const path = `/games/${this.game.id}${queryString({ html: 1, path: this.path, ply: this.ply })}`;
    try {
      const view = await requestJson("GET", path, undefined, signal);
      if (signal.aborted) return;
      this.you = view.you;
      clearNotice();
      if (applyParts(view.html).includes("board")) this.board.onRedraw();
      this.notifyListeners(null);
    } catch (error) {
      if (!signal.aborted) this.onError(error);
    }
  }
}
