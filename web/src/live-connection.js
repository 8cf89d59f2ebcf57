// @ts-check
// The connection to a game. It reconnects by itself, and an action is neither lost nor
// applied twice: it is kept with the state it applies to (`rev`) until a reply comes or a
// later state shows its effect, and sent again after every reconnect. The server answers
// a repeated move with the state, so that sending it twice is harmless.

import { ApiError, queryString, requestJson } from "./api.js";

/** Milliseconds without a reply after which the connection counts as dead. */
const REPLY_TIMEOUT = 6000;
/** Milliseconds of silence after which the connection is checked. */
const IDLE_TIMEOUT = 45000;
/** Milliseconds between polls where WebSockets don't work. */
const POLL_INTERVAL = 2000;

/** @typedef {Action & { rev: string }} SentAction */

export class LiveConnection {
  /**
   * @param {Game} game
   * @param {{ onState: (view: GameView) => void, onError: (error: unknown) => void,
   *   onConnectionChange: (isReachable: boolean) => void }} callbacks
   */
  constructor({ id, rev }, callbacks) {
    this.id = id;
    this.rev = rev;
    this.callbacks = callbacks;
    this.path = "";
    /** @type {WebSocket | null} */
    this.socket = null;
    /** What the socket has sent: the next update applies to it.
     * @type {GameView | null} */
    this.view = null;
    /** The socket has delivered a state. */
    this.isUp = false;
    /** The game can be reached, by socket or by polling. */
    this.isReachable = true;
    this.attempts = 0;
    /** The action without a reply.
     * @type {{ tag: string, action: SentAction, since: number } | null} */
    this.pending = null;
    this.tagCount = 0;
    addEventListener("online", () => this.checkConnection());
    addEventListener("offline", () => this.setReachable(false));
    addEventListener("pageshow", () => this.checkConnection());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.checkConnection();
    });
  }

  /** Asks for the parts of the page, with the board at `path`. */
  get query() {
    return queryString({ html: 1, path: this.path });
  }

  /** Connects; the server then sends the current state. */
  open() {
    if (this.socket) return;
    clearTimeout(this.reconnectTimer);
    const host = location.origin.replace(/^http/, "ws");
    const socket = new WebSocket(`${host}/api/v1/games/${this.id}/socket${this.query}`);
    this.socket = socket;
    this.expectReply();
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.onMessage(JSON.parse(data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.onDisconnect();
    };
  }

  /** From now on, updates show the board at `path`.
   * @param {Path} path */
  viewPath(path) {
    this.path = path;
    if (this.isUp) this.send({ type: "view", path });
    else this.poll();
  }

  /** Sends an action. Returns false if an earlier one is still pending.
   * @param {SentAction} action */
  act(action) {
    if (this.pending) return false;
    this.tagCount += 1;
    const since = performance.now();
    this.pending = { tag: `${Date.now().toString(36)}-${this.tagCount}`, action, since };
    this.sendPending(this.pending);
    return true;
  }

  /** Milliseconds that the pending action has waited for a reply. */
  pendingTime() {
    return this.pending ? performance.now() - this.pending.since : 0;
  }

  /** @param {NonNullable<LiveConnection["pending"]>} pending */
  sendPending(pending) {
    if (this.isUp) this.send({ ...pending.action, tag: pending.tag });
    else this.postAction(pending);
  }

  /** Sends an action over HTTP: before the socket is up, and where sockets don't work.
   * @param {NonNullable<LiveConnection["pending"]>} pending */
  async postAction(pending) {
    try {
      const view = await requestJson("POST", `/games/${this.id}/actions${this.query}`, pending.action);
      if (this.pending === pending) this.pending = null;
      this.acceptView(view);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The server may not have received it: keep it, to be sent again.
      if (["offline", "busy", "internal"].includes(error.kind)) return;
      if (error.view) this.acceptView(error.view);
      if (this.pending !== pending) return;
      this.pending = null;
      this.callbacks.onError(error);
    }
  }

  async poll() {
    try {
      this.acceptView(await requestJson("GET", `/games/${this.id}${this.query}`));
      this.setReachable(true);
      if (this.pending) this.postAction(this.pending);
    } catch {
      this.setReachable(false);
    }
  }

  /** @param {object} frame */
  send(frame) {
    this.socket?.send(JSON.stringify(frame));
    this.expectReply();
  }

  /** Starts the timer for a reply. */
  expectReply() {
    clearTimeout(this.replyTimer);
    this.replyTimer = setTimeout(() => this.onDisconnect(), REPLY_TIMEOUT);
  }

  /** @param {Message} message */
  onMessage(message) {
    clearTimeout(this.replyTimer);
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.checkConnection(), IDLE_TIMEOUT);
    if (message.type === "shutdown") {
      // Every client gets this at the same moment; the reconnect delay spreads them out.
      this.onDisconnect();
    } else if (message.type === "error") {
      const { error, tag, update } = message;
      if (update) this.onView(this.applyUpdate(update), false);
      const isOurs = this.pending?.tag === tag;
      const move = isOurs ? this.pending?.action.move : undefined;
      if (isOurs) this.pending = null;
      // Ignore errors of actions that were resolved in another way.
      if (isOurs || tag == null) this.callbacks.onError(new ApiError(error.kind, error.message, { move }));
    } else if (message.type === "state" || message.type === "update") {
      const isFirst = !this.isUp;
      this.isUp = true;
      this.attempts = 0;
      this.setReachable(true);
      if (message.tag != null && this.pending?.tag === message.tag) this.pending = null;
      if (message.type === "state") this.view = message;
      this.onView(message.type === "state" ? message : this.applyUpdate(message), isFirst);
    }
  }

  /** Applies an update to the last view. Returns the new view, with the parts that have changed.
   * @param {GameUpdate} update
   * @returns {GameView} */
  applyUpdate({ you, game, moves, html = {} }) {
    const view = /** @type {GameView} */ (this.view);
    const { keep, add } = moves ?? { keep: view.game.moves.length, add: [] };
    /** @type {Parts} */
    const changed = {};
    for (const [id, part] of Object.entries(html)) {
      changed[id] = typeof part === "string" ? part : patchMarkup(view.html[id], part);
    }
    this.view = {
      you: you ?? view.you,
      game: { ...view.game, ...game, moves: [...view.game.moves.slice(0, keep), ...add] },
      html: { ...view.html, ...changed },
    };
    return { ...this.view, html: changed };
  }

  /** @param {GameView} view
   * @param {boolean} isFirst */
  onView(view, isFirst) {
    this.callbacks.onState(view);
    this.resolvePending(view.game, isFirst);
  }

  /** Takes a view that came over HTTP, unless it is older than what is known.
   * @param {GameView} view */
  acceptView(view) {
    const [moves, changes] = view.game.rev.split(".").map(Number);
    const [knownMoves, knownChanges] = this.rev.split(".").map(Number);
    if (changes < knownChanges || (changes === knownChanges && moves < knownMoves)) return;
    this.onView(view, false);
  }

  /** Decides from a state whether the pending action is done, was overtaken, or has to be
   * sent.
   * @param {Game} game
   * @param {boolean} isFirst */
  resolvePending(game, isFirst) {
    this.rev = game.rev;
    if (!this.pending) return;
    const { action } = this.pending;
    if (game.rev !== action.rev || EFFECTS[action.type]?.(action, game)) {
      this.pending = null;
      if (action.type === "move" && !wasApplied(action, game)) {
        this.callbacks.onError(new ApiError("stale", "the game has changed, so your move wasn't made"));
      }
    } else if (isFirst) {
      this.sendPending(this.pending);
    }
  }

  /** Reports changes of whether the game can be reached.
   * @param {boolean} isReachable */
  setReachable(isReachable) {
    if (isReachable !== this.isReachable) this.callbacks.onConnectionChange(isReachable);
    this.isReachable = isReachable;
  }

  /** Checks the connection after an interruption, sleep or silence. */
  checkConnection() {
    if (document.hidden) return;
    if (this.isUp) this.send({ type: "view", path: this.path });
    else if (this.reconnectTimer) {
      this.attempts = 0;
      this.open();
    }
  }

  onDisconnect() {
    const socket = this.socket;
    this.socket = null;
    this.isUp = false;
    clearTimeout(this.replyTimer);
    clearTimeout(this.idleTimer);
    socket?.close();
    this.attempts += 1;
    // Sockets don't seem to work here: poll.
    if (this.attempts > 3) this.poll();
    else this.setReachable(false);
    const wait = this.attempts > 3 ? POLL_INTERVAL : 250 * 2 ** this.attempts;
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => this.open(), wait * (0.5 + Math.random()));
  }
}

/** Makes new markup from old: a positive number copies this many pieces, a negative one skips
 * them, and text is added. A piece starts at every opening tag.
 * @param {string} markup
 * @param {(number | string)[]} steps */
function patchMarkup(markup, steps) {
  const pieces = markup.split(/(?=<[a-z])/);
  let start = 0;
  let patched = "";
  for (const step of steps) {
    if (typeof step === "string") {
      patched += step;
    } else {
      const end = start + Math.abs(step);
      if (step > 0) patched += pieces.slice(start, end).join("");
      start = end;
    }
  }
  return patched;
}

/** Was this very move made at the state it was meant for?
 * @param {SentAction} action
 * @param {Game} game */
function wasApplied(action, game) {
  const [moves, changes] = action.rev.split(".");
  return game.rev.endsWith(`.${changes}`) && game.moves[Number(moves)] === action.move;
}

/** For actions that don't change `rev`: is their effect visible in this state?
 * @type {Record<string, (action: SentAction, game: Game) => boolean>} */
const EFFECTS = {
  offer: (action, game) => game.offer?.kind === action.offer,
  takeback: (_, game) => game.offer?.kind === "takeback",
  decline: (_, game) => !game.offer,
  pause: (action, game) => game.paused === action.paused,
  speed: (action, game) => game.speed === action.speed,
};
