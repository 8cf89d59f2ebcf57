// A board that is no stored game: the analysis page, and the examples of the rules. Moves
// are tried on it, taken back and made again; the server says what comes of them.

import { ask, query } from "./api.js";
import { Board } from "./board.js";
import { apply, tell } from "./parts.js";
import { Table } from "./table.js";

export class Line extends Table {
  /** `root` holds the board; `put` shows the parts that come. */
  constructor({ variant, position, moves }, root, put = apply) {
    super(null);
    this.variant = variant;
    this.start = position ?? null;
    this.moves = moves ?? [];
    this.ply = this.moves.length;
    this.path = "";
    this.put = put;
    this.watchers = [];
    this.board = new Board(root, this);
  }

  watch(told) {
    this.watchers.push(told);
  }

  may() {
    return !this.game?.over;
  }

  waits() {
    return Boolean(this.asked);
  }

  get rev() {
    return `${this.ply} ${this.moves.slice(0, this.ply).join(" ")}`;
  }

  position() {
    const moves = this.moves.slice(0, this.ply);
    return { variant: this.variant, position: this.start ?? undefined, moves };
  }

  /** Tries a move: what was made from here on is forgotten. */
  play(move) {
    const moves = [...this.moves.slice(0, this.ply), move];
    return this.fetch(moves, moves.length);
  }

  see(ply) {
    return this.fetch(this.moves, Math.max(0, Math.min(this.moves.length, ply)));
  }

  look(path) {
    this.path = path;
    return this.fetch(this.moves, this.ply);
  }

  async fetch(moves, ply) {
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    const { variant, start, path } = this;
    const body = { variant, position: start ?? undefined, moves, ply, path };
    try {
      const { state, html } = await ask("POST", "/position", body, asked.signal);
      if (asked.signal.aborted) return;
      this.asked = null;
      const moved = ply !== this.ply || moves !== this.moves;
      Object.assign(this, { moves, ply, game: state });
      this.unsay();
      this.put(html);
      this.able("undo", ply > 0);
      this.able("redo", ply < moves.length);
      this.board.fresh();
      if (moved) this.board.zoom.follow(true);
      for (const told of this.watchers) told(moved);
    } catch (problem) {
      if (asked.signal.aborted) return;
      this.asked = null;
      this.board.two.again();
      this.notice(problem.message, true);
    }
  }

  /** Only this page knows what can be made again. */
  able(name, can) {
    const button = this.put === apply && document.getElementById(`do-${name}`);
    if (button) button.disabled = !can;
  }

  /** Where this position can be looked at again. */
  address() {
    const { variant, start, moves } = this;
    return `/analysis${query({ variant, position: start, moves: moves.join(" ") })}`;
  }
}

/** Makes the examples of the rules playable. */
export function examples() {
  for (const root of document.querySelectorAll(".example[data-variant]")) {
    const { variant, position, moves } = root.dataset;
    const say = root.querySelector(".say");
    const line = new Line(
      { variant, position, moves: moves ? moves.split(" ") : [] },
      root.querySelector(".board"),
      (html) => {
        const held = root.contains(document.activeElement) && line.board.cursor;
        line.board.root.innerHTML = html.board;
        // Ids are one board's only.
        for (const part of line.board.root.querySelectorAll("[id]")) part.removeAttribute("id");
        if (say) say.innerHTML = html.say ?? "";
        if (held) line.board.cell(held)?.focus({ preventScroll: true });
        tell(say?.textContent ?? "");
      },
    );
    const first = line.ply;
    line.notice = (text) => {
      if (say) say.textContent = text;
      tell(text);
    };
    line.unsay = () => {};
    const button = (name, does) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = name;
      made.addEventListener("click", does);
      return made;
    };
    const tools = document.createElement("p");
    tools.className = "example-tools";
    tools.append(
      button("Back", () => line.ply > 0 && line.see(line.ply - 1)),
      button("From the beginning", () => line.fetch(line.moves.slice(0, first), first)),
    );
    root.append(tools);
    // What can be done there must be known before it begins, but only if it is seen.
    const eye = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      eye.disconnect();
      line.see(line.ply);
    });
    eye.observe(root);
    root.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
      if (plain && line.board.root.contains(event.target) && line.board.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }
}
