// @ts-check
// Entry point: starts what this page needs and handles every button with `data-action`.
// Pages work without scripts as far as they can.

import { AnalysisController } from "./analysis-controller.js";
import { AnalysisPanel } from "./analysis-panel.js";
import { ApiError, queryString, requestJson } from "./api.js";
import { closeDialogs, isDialogOpen, openDialog } from "./dialogs.js";
import { buttonsFor, byId, closest, setText } from "./dom.js";
import { initExamples } from "./examples.js";
import { GameController } from "./game-controller.js";
import { openMoveInput } from "./move-input.js";
import { initJoinForm, initLevelDescriptions, initNewGameForm, textOf } from "./new-game.js";
import { announce, clearNotice, showNotice } from "./parts.js";
import { copyField, shareLink, updateShareDialog } from "./share.js";
import { letterShortcuts, listenForKeys } from "./shortcuts.js";
import * as sounds from "./sound.js";

const { page } = document.body.dataset;
/** @type {InitialState | null} */
const state = JSON.parse(byId("initial-state")?.textContent || "null");
const boardRoot = byId("board");

/** The board of an analysis. */
const analysisBoard = state?.analysis && boardRoot ? new AnalysisController(state.analysis, boardRoot) : null;
/** The board of a game, saved or not yet. */
const gameBoard = state && !state.analysis && boardRoot ? new GameController(state, boardRoot) : null;
const controller = gameBoard ?? analysisBoard;
const analysis = controller && new AnalysisPanel(controller);

controller?.onChange(() => analysis?.markAllMoves());
analysisBoard?.onChange(() => history.replaceState(null, "", analysisBoard.address()));
if (analysisBoard && state?.analysis?.starts) {
  analysisBoard.showPly(analysisBoard.moves.length).then(() => {
    analysisBoard.board.zoom.followPlay();
    analysis?.toggle();
  });
}

/** Performs an action in a saved game; does nothing elsewhere.
 * @param {Action} action */
const act = (action) => gameBoard?.act(action);

/** Shows an earlier or later position of an analysis.
 * @param {number} offset */
const stepAnalysis = (offset) => analysisBoard?.showPly((analysisBoard.ply ?? 0) + offset);

/** What the buttons do, by `data-action`.
 * @type {Record<string, (button: HTMLElement) => void>} */
const handlers = {
  theme: () => announce(`Theme: ${window.noughtsTheme?.()}`),
  sound: () => setPressed("sound", sounds.toggle()),
  close: closeDialogs,
  shortcuts: () => openDialog("shortcuts"),
  rules: () => openDialog("rules"),
  seat: openSeatDialog,
  resign: () => openDialog("resign"),
  reset: () => openDialog("reset"),
  "reset-now": () => {
    closeDialogs();
    gameBoard?.reset();
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
  new: () => location.assign(`/new${queryString({ variant: controller?.position().variant })}`),
  takeback: () => (gameBoard ? assist("takeback") : stepAnalysis(-1)),
  redo: () => (gameBoard ? act({ type: "redo" }) : stepAnalysis(1)),
  hint: () => assist("hint"),
  draw: () => actAndClose({ type: "offer", offer: "draw" }),
  rematch: () => {
    // The rematch may exist already: started in another tab, or before coming back here.
    const next = gameBoard?.game?.rematch;
    if (next) location.assign(`/games/${next}`);
    else actAndClose({ type: "offer", offer: "rematch" });
  },
  abandon: () => actAndClose({ type: "abandon" }),
  "resign-now": ({ dataset }) => actAndClose({ type: "resign", side: dataset.side }),
  accept: () => actAndClose({ type: "accept", offer: gameBoard?.game?.offer?.kind }),
  decline: () => act({ type: "decline", offer: gameBoard?.game?.offer?.kind }),
  pause: () => act({ type: "pause", paused: !gameBoard?.game?.paused }),
  slower: setSpeed,
  faster: setSpeed,
  step: playOneMove,
  analyze: () => (analysis?.isRunning ? analysis.toggle() : assist("analyze")),
  assist: ({ dataset }) => {
    closeDialogs();
    assistance[dataset.assistance ?? ""]();
  },
  "analyze-stop": () => analysis?.stop(),
  "review-stop": () => analysis?.stopReview(),
  "letter-keys": (box) => letterShortcuts.set(/** @type {HTMLInputElement} */ (box).checked),
  "build-tablebase": () => analysis?.build(),
  "end-session": endSession,
  review: () => {
    closeDialogs();
    analysis?.review();
    // Focus on the scrubber, so that the arrow keys step through the game.
    if (gameBoard?.game?.ending) gameBoard.showPly(0).then(() => byId("scrub-next")?.focus());
  },
};

/** Assistance that ends the rating of a game.
 * @type {Record<string, () => void>} */
const assistance = {
  hint: showHint,
  takeback: () => act({ type: "takeback" }),
  analyze: () => analysis?.toggle(),
};

/** Gives assistance. If that ends the rating of a game with a record, asks first.
 * @param {string} name */
function assist(name) {
  const { game, you = [] } = gameBoard ?? {};
  const hasRecord = you.some((side) => game?.[side].kind === "human");
  if (game?.rated && !game.ending && hasRecord) openDialog(`unrated-${name}`);
  else assistance[name]();
}

/** Closes the open dialog and performs the action it asked about.
 * @param {Action} action */
function actAndClose(action) {
  closeDialogs();
  act(action);
}

/** Opens the dialog for handing over a side. You can't hand over another player's. */
function openSeatDialog() {
  for (const [i, side] of /** @type {const} */ (["x", "o"]).entries()) {
    const [radio, other] = [side, i ? "x" : "o"].map((name) => byId(`seat-side-${name}`));
    if (!(radio instanceof HTMLInputElement && other instanceof HTMLInputElement)) continue;
    const isHuman = ["human", "guest"].includes(gameBoard?.game?.[side].kind ?? "");
    radio.disabled = isHuman && !gameBoard?.you.includes(side);
    if (radio.disabled) other.checked = true;
  }
  openDialog("seat");
}

/**
 * @param {string} name
 * @param {boolean} isOn
 */
function setPressed(name, isOn) {
  for (const button of buttonsFor(name)) button.setAttribute("aria-pressed", `${isOn}`);
}

async function showHint() {
  if (!controller?.canMove()) return;
  const { rev } = controller;
  try {
    /** @type {Hint} */
    const hint = await requestJson("POST", "/hints", controller.position());
    if (controller.rev !== rev) return;
    const { zoom } = controller.board;
    if (zoom.isDeep() && zoom.goTo(hint.places[0])) zoom.skipAnnouncement = true;
    controller.board.showHint(hint);
    showNotice(hint.sentence);
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
    setText("session-error", error.message);
  }
}

/** Stores a position that is too long for a URL and opens its analysis by id. */
async function storePosition() {
  const { id } = await requestJson("POST", "/positions", controller?.position());
  location.assign(`/analysis${queryString({ id })}`);
}

/** Sets how fast bots play each other.
 * @param {HTMLElement} button */
function setSpeed({ dataset }) {
  act({ type: "speed", speed: Number(dataset.speed) });
}

/** Lets bots that play each other make one move, then pauses them. */
function playOneMove() {
  const game = gameBoard?.game;
  if (!game?.paused) return act({ type: "pause", paused: true });
  let isWaiting = true;
  gameBoard?.onChange(() => {
    if (!isWaiting || (gameBoard.game?.ply ?? 0) <= game.ply) return;
    isWaiting = false;
    act({ type: "pause", paused: true });
  });
  act({ type: "pause", paused: false });
}

document.addEventListener("click", ({ target }) => {
  const button = closest(target, "[data-action],[data-ply],[data-path]");
  // Links navigate by themselves.
  if (!button || button.matches("form, svg, a[href], :disabled")) return;
  const { action: name, ply, path } = button.dataset;
  if (name) handlers[name]?.(button);
  else if (ply != null) controller?.showPly(Number(ply));
  else if (path != null) controller?.board.zoom.goTo(path);
});

// The dialog for handing over a side is a form.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.action !== "seat-now") return;
  event.preventDefault();
  const fields = new FormData(form);
  /** @type {SeatRequest} */
  const seat =
    fields.get("kind") === "bot"
      ? { kind: "bot", name: textOf(fields, "bot") }
      : { kind: "human", name: textOf(fields, "name") || null };
  actAndClose({ type: "seat", side: textOf(fields, "side"), seat });
});

/** Handles keys for stepping through the moves and for controlling a game between bots.
 * Returns whether the key was used.
 * @param {string} key */
function handleReviewKey(key) {
  if (key === "Escape") clearNotice();
  if (!controller?.game) return false;
  // Only the visitor who started the bots' game has this button.
  const canPause = byId("button-pause") != null;
  const isReviewing = controller.game.ending || controller.ply != null;
  if (canPause && key === " ") pressButton("pause");
  else if (canPause && key === ".") playOneMove();
  else if (key === "PageUp" || (isReviewing && key === "ArrowLeft")) stepBy(-1);
  else if (key === "PageDown" || (isReviewing && key === "ArrowRight")) stepBy(1);
  else if (isReviewing && key === "Home") controller.showPly(0);
  else if (isReviewing && key === "End") controller.showPly(Infinity);
  else if (key === "m" || key === "M") analysis?.goToMistake(key === "m");
  else if (key === "Escape" && gameBoard && gameBoard.ply != null) gameBoard.showPly(Infinity);
  else if (key === "Enter" && gameBoard?.game?.ending && isIdle()) openDialog("game-over");
  else return false;
  return true;
}

const isIdle = () => document.activeElement === document.body;

/** @param {number} offset */
const stepBy = (offset) => controller?.showPly((controller.ply ?? controller.moves.length) + offset);

/** Presses the button with this `data-action`. Returns false if it is disabled or missing.
 * @param {string} name */
function pressButton(name) {
  const [button] = buttonsFor(name);
  if (button?.matches(":disabled")) return false;
  if (!button && !["home", "type", "new"].includes(name)) return false;
  if (button) button.click();
  else handlers[name](document.body);
  return true;
}

listenForKeys({ board: () => controller?.board, pressButton, handleReviewKey });
setPressed("sound", sounds.isOn());
const letterKeys = byId("letter-keys");
if (letterKeys instanceof HTMLInputElement) letterKeys.checked = letterShortcuts.isOn;
updateShareDialog();
initLevelDescriptions();
if (page === "new") initNewGameForm();
if (page === "join") initJoinForm();
initExamples();
document.addEventListener("pointerdown", ({ target }) => {
  // A button inside the notice is about to be pressed: don't remove it. Nor what an unfinished move is asked for.
  const isNeeded = closest(target, "#status button") || controller?.board.taps.isHolding();
  if (!isDialogOpen() && !isNeeded) clearNotice();
});
// The first move on the front page pushed the game's URL, so going back needs a reload.
const { pathname } = location;
addEventListener("popstate", () => {
  const shownPath = page === "home" && gameBoard?.game ? `/games/${gameBoard.game.id}` : pathname;
  if (location.pathname !== shownPath) location.reload();
});
window.noughtsReady?.();
