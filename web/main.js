// Entry point: starts what this page needs and handles every button with `data-do`.
// Pages work without scripts as far as they can.

import { AnalysisPanel } from "./analysis.js";
import { ApiError, queryString, requestJson } from "./api.js";
import { closeDialogs, isDialogOpen, openDialog } from "./dialogs.js";
import { GameController } from "./game.js";
import { letterShortcuts, listenForKeys } from "./keys.js";
import { AnalysisController, initExamples } from "./line.js";
import { announce, clearNotice, showNotice } from "./parts.js";
import { initJoinForm, initLevelDescriptions, initNewGameForm } from "./setup.js";
import { copyField, shareLink, updateShareDialog } from "./share.js";
import * as sounds from "./sound.js";
import { openMoveInput } from "./typing.js";

const byId = (id) => document.getElementById(id);
const { page } = document.body.dataset;
const state = JSON.parse(byId("state")?.textContent || "null");

let controller = null;
let analysis = null;

if (state?.game || state?.unborn) {
  controller = new GameController(state);
} else if (state?.line && byId("board")) {
  controller = new AnalysisController(state.line, byId("board"));
  controller.onChange(() => history.replaceState(null, "", controller.address()));
}
if (controller) {
  analysis = new AnalysisPanel(controller);
  controller.onChange(() => analysis.markAllMoves());
  if (controller instanceof AnalysisController && state.line.meant) {
    controller.showPly(controller.ply).then(() => {
      controller.board.zoom.followPlay();
      analysis.toggle();
    });
  }
}

const isGame = controller instanceof GameController;
/** Performs an action in a saved game; does nothing elsewhere. */
const act = (action) => isGame && controller.act(action);

const handlers = {
  theme: () => announce(`Theme: ${window.noughtsTheme?.()}`),
  sound: (button) => setPressed(button, "sound", sounds.toggle()),
  close: closeDialogs,
  keys: () => openDialog("keys"),
  rules: () => openDialog("rules"),
  seat: () => {
    // You can't hand over another player's side.
    const { you, game } = controller;
    for (const [i, side] of ["x", "o"].entries()) {
      const radio = byId(`seat-side-${side}`);
      radio.disabled = ["person", "guest"].includes(game.seats[i].kind) && !you.includes(side);
      if (radio.disabled) byId(`seat-side-${i ? "x" : "o"}`).checked = true;
    }
    openDialog("seat");
  },
  resign: () => openDialog("resign"),
  reset: () => openDialog("reset"),
  "reset-now": () => {
    closeDialogs();
    if (isGame) controller.reset();
  },
  share: () => {
    updateShareDialog();
    openDialog("share");
  },
  "store-position": storePosition,
  copy: copyField,
  "share-now": shareLink,
  type: () => controller?.canMove() && openMoveInput(controller),
  home: () => location.assign("/"),
  new: () => location.assign(`/new${queryString({ variant: controller?.position?.().variant })}`),
  undo: () => (isGame ? act({ do: "undo" }) : controller?.showPly(controller.ply - 1)),
  redo: () => (isGame ? act({ do: "redo" }) : controller?.showPly(controller.ply + 1)),
  hint: showHint,
  draw: () => actAndClose({ do: "offer", offer: "draw" }),
  again: () => {
    // The rematch may exist already: started in another tab, or before coming back here.
    const { next } = controller?.game ?? {};
    if (next) location.assign(`/games/${next}`);
    else actAndClose({ do: "offer", offer: "rematch" });
  },
  abandon: () => actAndClose({ do: "abandon" }),
  "resign-now": ({ dataset }) => actAndClose({ do: "resign", side: dataset.side }),
  accept: () => actAndClose({ do: "accept", offer: controller.game.offer?.kind }),
  decline: () => act({ do: "decline", offer: controller.game.offer?.kind }),
  pause: () => act({ do: "pause", paused: !controller.game.paused }),
  slower: setSpeed,
  faster: setSpeed,
  step: playOneMove,
  analyse: () => analysis?.toggle(),
  "analyse-stop": () => analysis?.stop(),
  "review-stop": () => analysis?.stopReview(),
  "letter-keys": (box) => letterShortcuts.set(box.checked),
  build: () => analysis?.build?.(),
  "end-session": endSession,
  review: () => {
    closeDialogs();
    analysis?.review();
    // Focus on the scrubber, so that the arrow keys step through the game.
    if (isGame && controller.game.over) controller.showPly(0).then(() => byId("scrub-next")?.focus());
  },
};

/** Closes the open dialog and performs the action it asked about. */
function actAndClose(action) {
  closeDialogs();
  act(action);
}

function setPressed(button, name, isOn) {
  for (const other of document.querySelectorAll(`[data-do="${name}"]`)) {
    other.setAttribute("aria-pressed", isOn);
  }
}

async function showHint() {
  if (!controller?.canMove()) return;
  try {
    const { move, sentence } = await requestJson("POST", "/hints", controller.position());
    const zoom = controller.board.zoom;
    if (zoom.isDeep() && zoom.goTo(move)) zoom.skipAnnouncement = true;
    controller.board.showHint(move);
    showNotice(sentence);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showNotice(error.message, true);
  }
}

/** Invalidates the cookie; the next page belongs to a new visitor. */
async function endSession() {
  try {
    await requestJson("DELETE", "/session");
    location.assign("/");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    byId("session-problem").textContent = error.message;
  }
}

/** Stores a position that is too long for a URL and opens its analysis by id. */
async function storePosition() {
  const { id } = await requestJson("POST", "/positions", controller.position());
  location.assign(`/analysis${queryString({ id })}`);
}

/** Sets how fast bots play each other. */
function setSpeed({ dataset }) {
  act({ do: "speed", speed: Number(dataset.speed) });
}

/** Lets bots that play each other make one move, then pauses them. */
function playOneMove() {
  if (!controller.game.paused) return act({ do: "pause", paused: true });
  const { ply } = controller.game;
  let isWaiting = true;
  controller.onChange(() => {
    if (!isWaiting || controller.game.ply <= ply) return;
    isWaiting = false;
    act({ do: "pause", paused: true });
  });
  act({ do: "pause", paused: false });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-do],[data-ply],[data-path]");
  if (!button || button.tagName === "FORM" || button.matches("svg") || button.disabled) return;
  const { do: name, ply, path } = button.dataset;
  // Links navigate by themselves.
  if (button.matches("a[href]")) return;
  if (name) handlers[name]?.(button);
  else if (ply != null) controller?.showPly(Number(ply));
  else if (path != null) controller?.board.zoom.goTo(path);
});

// The dialog for handing over a side is a form.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.do !== "seat-now") return;
  event.preventDefault();
  const fields = new FormData(form);
  const seat =
    fields.get("kind") === "bot"
      ? { kind: "bot", bot: fields.get("bot") }
      : { kind: "person", name: fields.get("name")?.trim() || null };
  actAndClose({ do: "seat", side: fields.get("side"), who: seat });
});

/** Handles keys for stepping through the moves and for controlling a game between bots.
 * Returns whether the key was used. */
function handleReviewKey(key) {
  if (key === "Escape") clearNotice();
  if (!controller?.game) return false;
  const { game } = controller;
  // Only the visitor who started the bots' game has this button.
  const canPause = byId("do-pause") != null;
  const isReviewing = !isGame || game.over || controller.ply != null;
  if (canPause && key === " ") pressButton("pause");
  else if (canPause && key === ".") playOneMove();
  else if (key === "PageUp" || (isReviewing && key === "ArrowLeft")) stepBy(-1);
  else if (key === "PageDown" || (isReviewing && key === "ArrowRight")) stepBy(1);
  else if (isReviewing && key === "Home") controller.showPly(0);
  else if (isReviewing && key === "End") controller.showPly(Infinity);
  else if (key === "m" || key === "M") analysis.goToMistake(key === "m");
  else if (key === "Escape" && controller.ply != null && isGame) controller.showPly(Infinity);
  else if (key === "Enter" && isGame && game.over && isIdle()) openDialog("end");
  else return false;
  return true;
}

const isIdle = () => document.activeElement === document.body;

function stepBy(offset) {
  const total = isGame ? controller.game.moves.length : controller.moves.length;
  controller.showPly(Math.max(0, Math.min(total, (controller.ply ?? total) + offset)));
}

/** Presses the button with this `data-do`. Returns false if it is disabled or missing. */
function pressButton(name) {
  const button = document.querySelector(`[data-do="${name}"]`);
  if (button?.disabled) return false;
  if (!button && !["home", "type", "new"].includes(name)) return false;
  if (button) button.click();
  else handlers[name]();
  return true;
}

listenForKeys({ board: () => controller?.board, pressButton, handleReviewKey });
setPressed(null, "sound", sounds.isOn());
for (const box of document.querySelectorAll('[data-do="letter-keys"]')) box.checked = letterShortcuts.isOn;
updateShareDialog();
initLevelDescriptions();
if (page === "new") initNewGameForm();
if (page === "join") initJoinForm();
initExamples();
document.addEventListener("pointerdown", ({ target }) => {
  // A button inside the notice is about to be pressed: don't remove it.
  if (!isDialogOpen() && !target.closest?.("#say button")) clearNotice();
});
// The first move on the front page pushed the game's URL, so going back needs a reload.
const { pathname } = location;
addEventListener("popstate", () => {
  const shownPath = page === "home" && controller?.game ? `/games/${controller.game.id}` : pathname;
  if (location.pathname !== shownPath) location.reload();
});
window.noughtsReady?.();
