// Where scripts begin: what this page needs is loaded, and every button with `data-do`
// does what it says. Pages work as far as they can without any of this.

import { Analysis } from "./analysis.js";
import { Problem, ask, query } from "./api.js";
import { close, isOpen, show } from "./dialogs.js";
import { Game } from "./game.js";
import { letters, listen } from "./keys.js";
import { Line, examples } from "./line.js";
import { notice, tell, unsay } from "./parts.js";
import { join, levels, setup } from "./setup.js";
import { copy, prepare, share } from "./share.js";
import * as sounds from "./sound.js";
import { typing } from "./typing.js";

const find = (id) => document.getElementById(id);
const { page } = document.body.dataset;
const state = JSON.parse(find("state")?.textContent || "null");

let table = null;
let analysis = null;

if (state?.game || state?.unborn) {
  table = new Game(state);
} else if (state?.line && find("board")) {
  table = new Line(state.line, find("board"));
  table.watch(() => history.replaceState(null, "", table.address()));
}
if (table) {
  analysis = new Analysis(table);
  table.watch(() => analysis.remark());
  if (table instanceof Line && state.line.meant) {
    table.see(table.ply).then(() => {
      table.board.zoom.follow();
      analysis.toggle();
    });
  }
}

const stored = table instanceof Game;
/** Something done in a stored game. */
const act = (action) => stored && table.act(action);

const deeds = {
  theme: () => tell(`Colours: ${window.noughtsTheme?.()}`),
  sound: (button) => pressed(button, "sound", sounds.toggle()),
  close,
  keys: () => show("keys"),
  rules: () => show("rules"),
  seat: () => {
    // Somebody else's side is not one's own to give away.
    const { you, game } = table;
    for (const [i, side] of ["x", "o"].entries()) {
      const radio = find(`seat-side-${side}`);
      radio.disabled = ["person", "guest"].includes(game.seats[i].kind) && !you.includes(side);
      if (radio.disabled) find(`seat-side-${i ? "x" : "o"}`).checked = true;
    }
    show("seat");
  },
  resign: () => show("resign"),
  reset: () => show("reset"),
  "reset-now": () => {
    close();
    if (stored) table.reset();
  },
  share: () => {
    prepare();
    show("share");
  },
  "store-position": storePosition,
  copy,
  "share-now": share,
  type: () => table?.may() && typing(table),
  home: () => location.assign("/"),
  new: () => location.assign(`/new${query({ variant: table?.position?.().variant })}`),
  undo: () => (stored ? act({ do: "undo" }) : table?.see(table.ply - 1)),
  redo: () => (stored ? act({ do: "redo" }) : table?.see(table.ply + 1)),
  hint,
  draw: () => leave({ do: "offer", offer: "draw" }),
  again: () => {
    // It may have been begun before: from another window, or before one came back.
    const { next } = table?.game ?? {};
    if (next) location.assign(`/games/${next}`);
    else leave({ do: "offer", offer: "rematch" });
  },
  abandon: () => leave({ do: "abandon" }),
  "resign-now": ({ dataset }) => leave({ do: "resign", side: dataset.side }),
  accept: () => leave({ do: "accept", offer: table.game.offer?.kind }),
  decline: () => act({ do: "decline", offer: table.game.offer?.kind }),
  pause: () => act({ do: "pause", paused: !table.game.paused }),
  slower: speed,
  faster: speed,
  step: oneMove,
  analyse: () => analysis?.toggle(),
  "analyse-stop": () => analysis?.stop(),
  "review-stop": () => analysis?.stopReview(),
  "letter-keys": (box) => letters.set(box.checked),
  build: () => analysis?.build?.(),
  "end-session": endSession,
  review: () => {
    close();
    analysis?.review();
    // From here on the arrows go through the game.
    if (stored && table.game.over) table.see(0).then(() => find("scrub-next")?.focus());
  },
};

/** Does something and closes the dialog that asked. */
function leave(action) {
  close();
  act(action);
}

function pressed(button, name, on) {
  for (const other of document.querySelectorAll(`[data-do="${name}"]`)) {
    other.setAttribute("aria-pressed", on);
  }
}

async function hint() {
  if (!table?.may()) return;
  try {
    const { move, sentence } = await ask("POST", "/hints", table.position());
    const deep = table.board.zoom;
    if (deep.deep() && deep.go(move)) deep.led = true;
    table.board.tip(move);
    notice(sentence);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    notice(problem.message, true);
  }
}

/** The cookie stops working, and the next page is somebody new's. */
async function endSession() {
  try {
    await ask("DELETE", "/session");
    location.assign("/");
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    find("session-problem").textContent = problem.message;
  }
}

/** A position that is too long for an address gets one of its own. */
async function storePosition() {
  const { id } = await ask("POST", "/positions", table.position());
  location.assign(`/analysis${query({ id })}`);
}

/** Bots play each other faster or slower. */
function speed({ dataset }) {
  act({ do: "speed", speed: Number(dataset.speed) });
}

/** Bots wait, but for one move. */
function oneMove() {
  if (!table.game.paused) return act({ do: "pause", paused: true });
  const { ply } = table.game;
  let waits = true;
  table.watch(() => {
    if (!waits || table.game.ply <= ply) return;
    waits = false;
    act({ do: "pause", paused: true });
  });
  act({ do: "pause", paused: false });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-do],[data-ply],[data-path]");
  if (!button || button.tagName === "FORM" || button.matches("svg") || button.disabled) return;
  const { do: name, ply, path } = button.dataset;
  // A link goes where it says.
  if (button.matches("a[href]")) return;
  if (name) deeds[name]?.(button);
  else if (ply != null) table?.see(Number(ply));
  else if (path != null) table?.board.zoom.go(path);
});

// Handing a side over is a form.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.do !== "seat-now") return;
  event.preventDefault();
  const fields = new FormData(form);
  const who =
    fields.get("kind") === "bot"
      ? { kind: "bot", bot: fields.get("bot") }
      : { kind: "person", name: fields.get("name")?.trim() || null };
  leave({ do: "seat", side: fields.get("side"), who });
});

/** Keys for looking back, and for watching computers play. */
function look(key) {
  if (key === "Escape") unsay();
  if (!table?.game) return false;
  const { game } = table;
  // Only who set computers to play each other can hold them.
  const bots = find("do-pause") != null;
  const looksBack = !stored || game.over || table.ply != null;
  if (bots && key === " ") press("pause");
  else if (bots && key === ".") oneMove();
  else if (key === "PageUp" || (looksBack && key === "ArrowLeft")) step(-1);
  else if (key === "PageDown" || (looksBack && key === "ArrowRight")) step(1);
  else if (looksBack && key === "Home") table.see(0);
  else if (looksBack && key === "End") table.see(Infinity);
  else if (key === "m" || key === "M") analysis.toMistake(key === "m");
  else if (key === "Escape" && table.ply != null && stored) table.see(Infinity);
  else if (key === "Enter" && stored && game.over && idle()) show("end");
  else return false;
  return true;
}

const idle = () => document.activeElement === document.body;

function step(by) {
  const all = stored ? table.game.moves.length : table.moves.length;
  table.see(Math.max(0, Math.min(all, (table.ply ?? all) + by)));
}

/** Presses the button of that name; one that is switched off does nothing. */
function press(name) {
  const button = document.querySelector(`[data-do="${name}"]`);
  if (button?.disabled) return false;
  if (!button && !["home", "type", "new"].includes(name)) return false;
  if (button) button.click();
  else deeds[name]();
  return true;
}

listen({ board: () => table?.board, press, look });
pressed(null, "sound", sounds.isOn());
for (const box of document.querySelectorAll('[data-do="letter-keys"]')) box.checked = letters.on;
prepare();
levels();
if (page === "new") setup();
if (page === "join") join();
examples();
document.addEventListener("pointerdown", ({ target }) => {
  // What is offered there is about to be pressed.
  if (!isOpen() && !target.closest?.("#say button")) unsay();
});
// The first move on the front page gave it the game's address: the way back is a new look.
const { pathname } = location;
addEventListener("popstate", () => {
  const shown = page === "home" && table?.game ? `/games/${table.game.id}` : pathname;
  if (location.pathname !== shown) location.reload();
});
window.noughtsReady?.();
