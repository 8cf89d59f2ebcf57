// The connection to a game. It reconnects by itself, and an action is neither lost nor
// applied twice: it is kept with the state it applies to (`rev`) until a reply comes or a
// later state shows its effect, and sent again after every reconnect. The server answers
// a repeated move with the state, so that sending it twice is harmless.
//
// Callbacks: `onState(view)`, `onError(error)`, `onConnectionChange(isReachable)`.

import { ApiError, queryString, requestJson } from "./api.js";

/** Milliseconds without a reply after which the connection counts as dead. */
const REPLY_TIMEOUT = 6000;
/** Milliseconds of silence after which the connection is checked. */
const IDLE_TIMEOUT = 45000;
/** Milliseconds between polls where WebSockets don't work. */
const POLL_INTERVAL = 2000;

export class LiveConnection {
  constructor(id, callbacks) {
    this.id = id;
    this.callbacks = callbacks;
    this.path = "";
    this.socket = null;
    /** The socket has delivered a state. */
    this.isUp = false;
    /** The game can be reached, by socket or by polling. */
    this.isReachable = true;
    this.attempts = 0;
    this.pending = null;
    this.isClosed = false;
    this.tagCount = 0;
    addEventListener("online", () => this.checkConnection());
    addEventListener("offline", () => this.setReachable(false));
    addEventListener("pageshow", () => this.checkConnection());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.checkConnection();
    });
  }

  /** Connects; the server then sends the current state. */
  open() {
    if (this.socket || this.isClosed) return;
    clearTimeout(this.reconnectTimer);
    const host = location.origin.replace(/^http/, "ws");
    const socket = new WebSocket(
      `${host}/api/v1/games/${this.id}/socket${queryString({ html: 1, path: this.path })}`,
    );
    this.socket = socket;
    this.expectReply();
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.onFrame(JSON.parse(data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.onDisconnect();
    };
  }

  /** Closes the connection for good. */
  close() {
    this.isClosed = true;
    clearTimeout(this.reconnectTimer);
    clearTimeout(this.replyTimer);
    clearTimeout(this.idleTimer);
    this.socket?.close();
  }

  /** From now on, updates show the board at `path`. */
  viewPath(path) {
    this.path = path;
    if (this.isUp) this.send({ do: "look", path });
    else this.poll();
  }

  /** Sends an action. Returns false if an earlier one is still pending. */
  act(action) {
    if (this.pending) return false;
    this.tagCount += 1;
    const since = performance.now();
    this.pending = { tag: `${Date.now().toString(36)}-${this.tagCount}`, action, since };
    this.sendPending();
    return true;
  }

  /** Milliseconds that the pending action has waited for a reply. */
  pendingTime() {
    return this.pending ? performance.now() - this.pending.since : 0;
  }

  sendPending() {
    const { action, tag } = this.pending;
    if (this.isUp) this.send({ ...action, tag });
    else this.postAction(this.pending);
  }

  /** Sends an action over HTTP: before the socket is up, and where sockets don't work. */
  async postAction(pending) {
    const path = `/games/${this.id}/actions${queryString({ html: 1, path: this.path })}`;
    try {
      const view = await requestJson("POST", path, pending.action);
      if (this.pending === pending) this.pending = null;
      this.acceptView(view);
    } catch (error) {
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
      this.acceptView(
        await requestJson("GET", `/games/${this.id}${queryString({ html: 1, path: this.path })}`),
      );
      this.setReachable(true);
      if (this.pending) this.postAction(this.pending);
    } catch {
      this.setReachable(false);
    }
  }

  send(frame) {
    this.socket.send(JSON.stringify(frame));
    this.expectReply();
  }

  /** Starts the timer for a reply. */
  expectReply() {
    clearTimeout(this.replyTimer);
    this.replyTimer = setTimeout(() => this.onDisconnect(), REPLY_TIMEOUT);
  }

  onFrame(frame) {
    clearTimeout(this.replyTimer);
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.checkConnection(), IDLE_TIMEOUT);
    if (frame.type === "bye") {
      // Every client gets this at the same moment; the reconnect delay spreads them out.
      this.onDisconnect();
    } else if (frame.type === "error") {
      const { kind, message } = frame.error;
      if (frame.view) this.acceptView(frame.view);
      const isOurs = this.pending?.tag === frame.tag;
      if (isOurs) this.pending = null;
      // Ignore errors of actions that were resolved in another way.
      if (isOurs || frame.tag == null) this.callbacks.onError(new ApiError(kind, message));
    } else if (frame.type === "state") {
      const isFirst = !this.isUp;
      this.isUp = true;
      this.attempts = 0;
      this.setReachable(true);
      if (frame.tag != null && this.pending?.tag === frame.tag) this.pending = null;
      this.callbacks.onState(frame);
      this.resolvePending(frame.game, isFirst);
    }
  }

  /** Takes a view that came over HTTP, unless it is older than what is known. */
  acceptView(view) {
    const revision = (rev) => rev.split(".").map(Number).reverse();
    const [changes, moves] = revision(view.game.rev);
    const [knownChanges, knownMoves] = revision(this.rev ?? "0.0");
    if (changes < knownChanges || (changes === knownChanges && moves < knownMoves)) return;
    this.callbacks.onState(view);
    this.resolvePending(view.game, false);
  }

  /** Decides from a state whether the pending action is done, was overtaken, or has to be
   * sent. */
  resolvePending(game, isFirst) {
    this.rev = game.rev;
    const action = this.pending?.action;
    if (!action) return;
    if (game.rev !== action.rev || holdsAlready(action, game)) {
      this.pending = null;
      if (action.do === "move" && !wasApplied(action, game)) {
        this.callbacks.onError(
          new ApiError("stale", "the game has changed, so your move wasn't made"),
        );
      }
    } else if (isFirst) {
      this.sendPending();
    }
  }

  /** Reports changes of whether the game can be reached. */
  setReachable(isReachable) {
    if (isReachable !== this.isReachable) this.callbacks.onConnectionChange(isReachable);
    this.isReachable = isReachable;
  }

  /** Checks the connection after an interruption, sleep or silence. */
  checkConnection() {
    if (this.isClosed || document.hidden) return;
    if (this.isUp) this.send({ do: "look", path: this.path });
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
    if (this.isClosed) return;
    this.attempts += 1;
    // Sockets don't seem to work here: poll.
    if (this.attempts > 3) this.poll();
    else this.setReachable(false);
    const wait = this.attempts > 3 ? POLL_INTERVAL : 250 * 2 ** this.attempts;
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => this.open(), wait * (0.5 + Math.random()));
  }
}

/** Was this very move made at the state it was meant for? */
function wasApplied(action, game) {
  const [moves, changes] = action.rev.split(".");
  return game.rev.endsWith(`.${changes}`) && game.moves[moves] === action.move;
}

/** For actions that don't change `rev`: is their effect visible in this state? */
function holdsAlready(action, game) {
  switch (action.do) {
    case "offer":
      return game.offer?.kind === action.offer;
    case "undo":
      return game.offer?.kind === "undo";
    case "decline":
      return !game.offer;
    case "pause":
      return game.paused === action.paused;
    case "speed":
      return game.speed === action.speed;
    default:
      return false;
  }
}
