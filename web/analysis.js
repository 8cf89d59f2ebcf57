// What moves are worth: the server thinks for as long as somebody listens, and says
// what it knows as it goes. Stopping keeps what is known. Here it is only shown.

import { Problem, ask, lines, sentence } from "./api.js";
import { apply, notice, tell } from "./parts.js";

const find = (id) => document.getElementById(id);
/** How often one asks how far a table is. */
const POLL = 1000;

export class Analysis {
  constructor(table) {
    this.table = table;
    this.on = false;
    this.known = "";
    this.judged = new Map();
    this.works = false;
    table.watch(() => {
      this.mark();
      follow();
      this.moment();
      const moved = this.seen() !== this.known;
      if (moved && this.on) return this.start();
      // Old values say nothing of a new position.
      if (moved) this.frame = null;
      this.tint();
    });
  }

  /** What is looked at: the position, and which board of it. */
  seen() {
    return JSON.stringify({ ...this.table.position(), path: this.table.path });
  }

  /** On, or off; in a game, off is out of sight. */
  toggle() {
    if (this.shown && this.table.hides) this.hide();
    else if (this.on) this.stop();
    else this.start();
  }

  /** The buttons say what they would do: begin, stop what is at work, put it away. */
  mark(works = this.works) {
    this.works = works;
    const shown = this.shown && this.table.hides;
    for (const button of document.querySelectorAll('[data-do="analyse"]')) {
      const word = button.lastChild;
      button.dataset.begins ??= word.textContent;
      word.textContent = works ? "Stop" : shown ? "Hide" : button.dataset.begins;
      button.classList.toggle("on", Boolean(works || shown));
    }
    const stop = document.querySelector('[data-do="analyse-stop"]');
    if (stop) stop.hidden = !works;
  }

  stop() {
    this.on = false;
    this.asked?.abort();
    this.mark(false);
    if (this.frame && !this.frame.done) tell("Stopped. What is known stays.");
  }

  /** Stops, and takes away what it has shown. */
  hide() {
    this.on = false;
    this.asked?.abort();
    this.shown = false;
    this.frame = null;
    this.tint();
    this.mark(false);
    // A review of the game stays.
    if (this.judged.size) find("value-text").textContent = "";
    else find("analysis").hidden = true;
    tell("The analysis is off.");
  }

  async start() {
    const section = find("analysis");
    if (!section) return;
    section.hidden = false;
    this.shown = true;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    this.on = true;
    this.frame = null;
    this.tint();
    this.known = this.seen();
    const body = JSON.parse(this.known);
    this.offer(body.variant);
    this.mark(true);
    try {
      for await (const frame of lines("POST", "/analyses", body, asked.signal)) {
        if (asked.signal.aborted) return;
        this.frame = frame;
        this.show(frame);
      }
      this.mark(false);
    } catch (problem) {
      if (asked.signal.aborted) return;
      if (!(problem instanceof Problem)) throw problem;
      this.mark(false);
      find("value-text").textContent = problem.message;
    }
  }

  show({ html, line }) {
    const { tints, ...parts } = html ?? {};
    this.words();
    bestLine(line);
    apply(parts);
    this.tint();
  }

  /** What is to be said of the move that led here, and of what it led to. */
  words() {
    const { moves = [] } = this.table.game ?? {};
    const judged = this.judged.get(this.table.ply ?? moves.length);
    const told = [judged?.sentence, this.frame?.sentence, this.frame?.note].filter(Boolean);
    if (!told.length && this.judged.size) told.push("This move has not been looked at yet.");
    if (told.length) find("value-text").textContent = told.map(sentence).join(" ");
  }

  /** In a review: value, words, plot and list are those of the move that is shown. */
  moment() {
    if (!this.judged.size) return;
    const ply = this.table.ply ?? this.table.game.moves.length;
    const bar = this.judged.get(ply)?.html?.["value-bar"];
    if (!this.frame) {
      if (bar) apply({ "value-bar": bar });
      // The line of another position would be wrong here.
      bestLine(this.judged.get(ply)?.line);
      this.words();
    }
    point(ply);
  }

  /** The board may have been drawn anew since the values came. */
  tint() {
    const layer = find("tints");
    if (layer) layer.innerHTML = this.frame?.html?.tints ?? "";
    find("board")?.classList.toggle("valued", Boolean(this.frame));
  }

  // ---- the game over its moves ----

  /** Judges every move of a game. */
  async review() {
    const { id } = this.table.game ?? {};
    const section = find("analysis");
    if (!id || !section) return;
    section.hidden = false;
    this.reviewed?.abort();
    const asked = new AbortController();
    this.reviewed = asked;
    this.judged.clear();
    find("value-text").textContent = "Reviewing every move…";
    const progress = find("review-progress");
    progress.hidden = false;
    progress.querySelector("progress").removeAttribute("value");
    let done = 0;
    try {
      for await (const told of lines("GET", `/games/${id}/review`, undefined, asked.signal)) {
        if (asked.signal.aborted) return;
        const { plot } = told.html ?? {};
        if (plot) apply({ plot });
        this.judged.set(told.ply, told);
        ({ done } = told);
        progress.querySelector("progress").value = done;
        this.blame(told);
        this.moment();
      }
      if (done < 1) notice("The review ended early. Start it again to see the rest.", true);
    } catch (problem) {
      if (asked.signal.aborted) return;
      if (!(problem instanceof Problem)) throw problem;
      notice(`The review ended early. ${problem.message}`, true);
    } finally {
      if (this.reviewed === asked) progress.hidden = true;
    }
  }

  /** Stops a review; what it has found stays. */
  stopReview() {
    this.reviewed?.abort();
    find("review-progress").hidden = true;
    tell("The review has stopped. What it found stays.");
  }

  /** Marks a move in the list, and says what is held against it where one looks. */
  blame({ ply, mistake, sentence: said }) {
    const button = document.querySelector(`#moves .move[data-ply="${ply}"]`);
    if (!button) return;
    button.classList.remove("doubtful", "mistake", "blunder");
    if (mistake) button.classList.add(mistake);
    button.title = said;
    if (button.getAttribute("aria-current")) this.words();
  }

  /** The list of moves was made anew. */
  remark() {
    for (const told of this.judged.values()) this.blame(told);
  }

  /** To the next mistake, or the one before. */
  toMistake(forward) {
    const at = this.table.ply ?? this.table.game.moves.length;
    const bad = [...this.judged.values()].filter(({ mistake }) => mistake);
    const plies = bad.map(({ ply }) => ply).sort((a, b) => a - b);
    const to = forward ? plies.find((ply) => ply > at) : plies.findLast((ply) => ply < at);
    if (to == null) notice("There is no other mistake in this direction.");
    else this.table.see(to);
  }

  // ---- the exact table ----

  /** Offers to build the table that would make everything exact. */
  async offer(variant) {
    const place = find("table-offer");
    if (!place || this.offered === variant) return;
    this.offered = variant;
    const where = `/tables/${encodeURIComponent(variant)}`;
    const parts = furnish(place);
    const follow = ({ state, done }) => {
      const { text, button, bar } = parts;
      place.hidden = state !== "missing" && state !== "building";
      bar.hidden = state !== "building";
      bar.value = done ?? 0;
      button.hidden = state !== "missing";
      text.textContent =
        state === "building"
          ? `The table is being built: ${Math.floor(100 * (done ?? 0))} %.`
          : "With a table of all positions every value here would be exact.";
      if (state === "building") {
        setTimeout(() => ask("GET", where).then(follow, () => {}), POLL);
        this.building = true;
      } else if (this.building && state === "there" && this.on) {
        this.building = false;
        this.start();
      }
    };
    this.build = () => ask("POST", where).then(follow, ({ message }) => notice(message, true));
    await ask("GET", where).then(follow, () => {});
  }
}

/** The best moves from the position that is shown, if they are known. */
function bestLine(line) {
  find("best-line").textContent = line?.length ? `Best line: ${line.join(" ")}` : "";
}

/** Scrolls the list of moves, and nothing else, to the move that is shown. */
function follow() {
  const here = document.querySelector("#moves [aria-current]");
  const box = here?.closest(".move-box");
  if (!box) return;
  const [around, at] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
  if (at.top < around.top) box.scrollTop += at.top - around.top;
  else if (at.bottom > around.bottom) box.scrollTop += at.bottom - around.bottom;
}

/** Moves the plot's upright line to a move. */
function point(ply) {
  const points = [...document.querySelectorAll("#plot .point")];
  const now = document.querySelector("#plot .now");
  const here = points.findLast((point) => Number(point.dataset.ply) <= ply);
  if (!here || !now) return;
  now.setAttribute("d", now.getAttribute("d").replace(/^M[\d.]+/, `M${here.dataset.x}`));
  for (const point of points) {
    point.setAttribute("tabindex", point === here ? "0" : "-1");
    if (point === here) point.setAttribute("aria-current", "step");
    else point.removeAttribute("aria-current");
  }
}

/** The sentence, the button and the bar of the offer. */
function furnish(place) {
  const [text, button, bar] = ["p", "button", "progress"].map((n) => document.createElement(n));
  button.type = "button";
  button.dataset.do = "build";
  button.textContent = "Build the table";
  bar.setAttribute("aria-label", "How far the table is");
  place.replaceChildren(text, button, bar);
  return { text, button, bar };
}
