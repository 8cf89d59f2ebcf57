// The connection to a game. It mends itself, and an action is neither lost nor done
// twice: it is kept with the state it is about (`rev`) until an answer comes or a later
// state shows what became of it, and sent again after every break. The server answers
// a repeated move with the state, so that sending twice does no harm.
//
// What is told: `state(view)`, `refused(problem)`, `line(up)`.

import { Problem, ask, query } from "./api.js";

/** An answer that takes longer means that the connection is dead. */
const PATIENCE = 6000;
/** After so long without a word one asks whether anybody is there. */
const QUIET = 45000;
/** Without sockets, how often one looks. */
const POLL = 2000;

export class Live {
  constructor(id, told) {
    this.id = id;
    this.told = told;
    this.path = "";
    this.socket = null;
    /** The socket has told a state. */
    this.up = false;
    /** The game can be reached in one way or the other. */
    this.reached = true;
    this.tries = 0;
    this.pending = null;
    this.closed = false;
    this.tags = 0;
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.line(false));
    addEventListener("pageshow", () => this.wake());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.wake();
    });
  }

  /** Connects; calls `state` with the game as it is. */
  open() {
    if (this.socket || this.closed) return;
    clearTimeout(this.again);
    const host = location.origin.replace(/^http/, "ws");
    const socket = new WebSocket(
      `${host}/api/v1/games/${this.id}/socket${query({ html: 1, path: this.path })}`,
    );
    this.socket = socket;
    this.expect();
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.heard(JSON.parse(data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.broken();
    };
  }

  /** Leaves for good. */
  close() {
    this.closed = true;
    clearTimeout(this.again);
    clearTimeout(this.dead);
    clearTimeout(this.quiet);
    this.socket?.close();
  }

  /** Looks at another board from now on. */
  look(path) {
    this.path = path;
    if (this.up) this.send({ do: "look", path });
    else this.read();
  }

  /** Does something in the game. False if something else still waits for its answer. */
  act(action) {
    if (this.pending) return false;
    this.tags += 1;
    const since = performance.now();
    this.pending = { tag: `${Date.now().toString(36)}-${this.tags}`, action, since };
    this.deliver();
    return true;
  }

  /** For how long an action has waited for its answer. */
  waited() {
    return this.pending ? performance.now() - this.pending.since : 0;
  }

  deliver() {
    const { action, tag } = this.pending;
    if (this.up) this.send({ ...action, tag });
    else this.post(this.pending);
  }

  /** The way without a socket: at the very beginning, and where sockets do not work. */
  async post(pending) {
    const where = `/games/${this.id}/actions${query({ html: 1, path: this.path })}`;
    try {
      const view = await ask("POST", where, pending.action);
      if (this.pending === pending) this.pending = null;
      this.arrived(view);
    } catch (problem) {
      // Kept, to be sent again, when it may not have been heard.
      if (["offline", "busy", "internal"].includes(problem.kind)) return;
      if (problem.view) this.arrived(problem.view);
      if (this.pending !== pending) return;
      this.pending = null;
      this.told.refused(problem);
    }
  }

  async read() {
    try {
      this.arrived(await ask("GET", `/games/${this.id}${query({ html: 1, path: this.path })}`));
      this.line(true);
      if (this.pending) this.post(this.pending);
    } catch {
      this.line(false);
    }
  }

  send(frame) {
    this.socket.send(JSON.stringify(frame));
    this.expect();
  }

  /** From now on silence means a dead connection. */
  expect() {
    clearTimeout(this.dead);
    this.dead = setTimeout(() => this.broken(), PATIENCE);
  }

  heard(frame) {
    clearTimeout(this.dead);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.wake(), QUIET);
    if (frame.type === "bye") {
      // Everybody was told at once, and must not come back at once.
      this.broken();
    } else if (frame.type === "error") {
      const { kind, message } = frame.error;
      if (frame.view) this.arrived(frame.view);
      const mine = this.pending?.tag === frame.tag;
      if (mine) this.pending = null;
      // An answer to something that was settled otherwise is nobody's concern.
      if (mine || frame.tag == null) this.told.refused(new Problem(kind, message));
    } else if (frame.type === "state") {
      const first = !this.up;
      this.up = true;
      this.tries = 0;
      this.line(true);
      if (frame.tag != null && this.pending?.tag === frame.tag) this.pending = null;
      this.told.state(frame);
      this.settle(frame.game, first);
    }
  }

  /** A state that did not come over the socket may be older than what is known. */
  arrived(view) {
    const age = (rev) => rev.split(".").map(Number).reverse();
    const [changes, moves] = age(view.game.rev);
    const [known, made] = age(this.rev ?? "0.0");
    if (changes < known || (changes === known && moves < made)) return;
    this.told.state(view);
    this.settle(view.game, false);
  }

  /** What has become of the action that waits, seen from a state of the game. */
  settle(game, first) {
    this.rev = game.rev;
    const action = this.pending?.action;
    if (!action) return;
    if (game.rev !== action.rev || already(action, game)) {
      this.pending = null;
      if (action.do === "move" && !happened(action, game)) {
        this.told.refused(
          new Problem("stale", "the game has gone on meanwhile, and your move was not made"),
        );
      }
    } else if (first) {
      this.deliver();
    }
  }

  /** Tells whether the game can be reached, when that changes. */
  line(up) {
    if (up !== this.reached) this.told.line(up);
    this.reached = up;
  }

  /** After a break, sleep or silence: is anybody there? */
  wake() {
    if (this.closed || document.hidden) return;
    if (this.up) this.send({ do: "look", path: this.path });
    else if (this.again) {
      this.tries = 0;
      this.open();
    }
  }

  broken() {
    const socket = this.socket;
    this.socket = null;
    this.up = false;
    clearTimeout(this.dead);
    clearTimeout(this.quiet);
    socket?.close();
    if (this.closed) return;
    this.tries += 1;
    // Sockets do not seem to work here: look from time to time.
    if (this.tries > 3) this.read();
    else this.line(false);
    const wait = this.tries > 3 ? POLL : 250 * 2 ** this.tries;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.open(), wait * (0.5 + Math.random()));
  }
}

/** Is the move that was asked for the one that was made there? */
function happened(action, game) {
  const [moves, changes] = action.rev.split(".");
  return game.rev.endsWith(`.${changes}`) && game.moves[moves] === action.move;
}

/** Things that do not make a new state: do they hold already? */
function already(action, game) {
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
