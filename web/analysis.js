// The values of moves: the server searches for as long as the request is open and streams
// its results; this file shows them. Stopping keeps what is shown.

import { ApiError, requestJson, streamJsonLines, toSentence } from "./api.js";
import { announce, applyParts, showNotice } from "./parts.js";

const byId = (id) => document.getElementById(id);
/** Milliseconds between requests for the progress of a tablebase. */
const POLL_INTERVAL = 1000;

export class AnalysisPanel {
  constructor(controller) {
    this.controller = controller;
    this.isRunning = false;
    this.analyzed = "";
    this.reviewed = new Map();
    this.isWorking = false;
    controller.onChange(() => {
      this.updateButtons();
      scrollMoveList();
      this.showReviewedMove();
      const isChanged = this.positionKey() !== this.analyzed;
      if (isChanged && this.isRunning) return this.start();
      // Drop the values of another position.
      if (isChanged) this.frame = null;
      this.showOverlay();
    });
  }

  /** Identifies what is analyzed: the position, and which board of it is shown. */
  positionKey() {
    return JSON.stringify({ ...this.controller.position(), path: this.controller.path });
  }

  /** Starts or stops the analysis; in a game, hides it instead of stopping. */
  toggle() {
    if (this.isShown && this.controller.canHideAnalysis) this.hide();
    else if (this.isRunning) this.stop();
    else this.start();
  }

  /** Labels the buttons with what they would do: start, stop or hide the analysis. */
  updateButtons(isWorking = this.isWorking) {
    this.isWorking = isWorking;
    const canHide = this.isShown && this.controller.canHideAnalysis;
    for (const button of document.querySelectorAll('[data-do="analyse"]')) {
      const label = button.lastChild;
      button.dataset.begins ??= label.textContent;
      label.textContent = isWorking ? "Stop" : canHide ? "Hide" : button.dataset.begins;
      button.classList.toggle("on", Boolean(isWorking || canHide));
    }
    const stop = document.querySelector('[data-do="analyse-stop"]');
    if (stop) stop.hidden = !isWorking;
  }

  stop() {
    this.isRunning = false;
    this.pendingRequest?.abort();
    this.updateButtons(false);
    if (this.frame && !this.frame.done) announce("Analysis stopped. The results so far stay.");
  }

  /** Stops the analysis and removes what it has shown. */
  hide() {
    this.isRunning = false;
    this.pendingRequest?.abort();
    this.isShown = false;
    this.frame = null;
    this.showOverlay();
    this.updateButtons(false);
    // Keep the review of the game, if there is one.
    if (this.reviewed.size) byId("value-text").textContent = "";
    else byId("analysis").hidden = true;
    announce("Analysis hidden.");
  }

  async start() {
    const section = byId("analysis");
    if (!section) return;
    section.hidden = false;
    this.isShown = true;
    this.pendingRequest?.abort();
    const request = new AbortController();
    this.pendingRequest = request;
    this.isRunning = true;
    this.frame = null;
    this.showOverlay();
    this.analyzed = this.positionKey();
    const body = JSON.parse(this.analyzed);
    this.offerTablebase(body.variant);
    this.updateButtons(true);
    try {
      for await (const frame of streamJsonLines("POST", "/analyses", body, request.signal)) {
        if (request.signal.aborted) return;
        this.frame = frame;
        this.show(frame);
      }
      this.updateButtons(false);
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.updateButtons(false);
      byId("value-text").textContent = error.message;
    }
  }

  show({ html, line }) {
    const { tints, ...parts } = html ?? {};
    this.showText();
    showBestLine(line);
    applyParts(parts);
    this.showOverlay();
  }

  /** Shows the review of the move that led here, and the analysis of the position. */
  showText() {
    const { moves = [] } = this.controller.game ?? {};
    const review = this.reviewed.get(this.controller.ply ?? moves.length);
    const texts = [review?.sentence, this.frame?.sentence, this.frame?.note].filter(Boolean);
    if (!texts.length && this.reviewed.size) texts.push("This move hasn't been reviewed yet.");
    if (texts.length) byId("value-text").textContent = texts.map(toSentence).join(" ");
  }

  /** In a review: shows the value, text and plot cursor of the current move. */
  showReviewedMove() {
    if (!this.reviewed.size) return;
    const ply = this.controller.ply ?? this.controller.game.moves.length;
    const bar = this.reviewed.get(ply)?.html?.["value-bar"];
    if (!this.frame) {
      if (bar) applyParts({ "value-bar": bar });
      // Replace the best line of another position.
      showBestLine(this.reviewed.get(ply)?.line);
      this.showText();
    }
    movePlotCursor(ply);
  }

  /** Puts the values over the board, which may have been redrawn since they came. */
  showOverlay() {
    const layer = byId("tints");
    if (layer) layer.innerHTML = this.frame?.html?.tints ?? "";
    byId("board")?.classList.toggle("valued", Boolean(this.frame));
  }

  // ---- review ----

  /** Reviews every move of the game. */
  async review() {
    const { id } = this.controller.game ?? {};
    const section = byId("analysis");
    if (!id || !section) return;
    section.hidden = false;
    this.reviewRequest?.abort();
    const request = new AbortController();
    this.reviewRequest = request;
    this.reviewed.clear();
    byId("value-text").textContent = "Reviewing every move…";
    const progress = byId("review-progress");
    progress.hidden = false;
    progress.querySelector("progress").removeAttribute("value");
    let done = 0;
    try {
      for await (const review of streamJsonLines("GET", `/games/${id}/review`, undefined, request.signal)) {
        if (request.signal.aborted) return;
        const { plot } = review.html ?? {};
        if (plot) applyParts({ plot });
        this.reviewed.set(review.ply, review);
        ({ done } = review);
        progress.querySelector("progress").value = done;
        this.markMove(review);
        this.showReviewedMove();
      }
      if (done < 1) showNotice("The review ended early. Start it again to see the rest.", true);
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      showNotice(`The review ended early. ${error.message}`, true);
    } finally {
      if (this.reviewRequest === request) progress.hidden = true;
    }
  }

  /** Stops the review and keeps its results. */
  stopReview() {
    this.reviewRequest?.abort();
    byId("review-progress").hidden = true;
    announce("Review stopped. The results so far stay.");
  }

  /** Marks a mistake in the move list, and updates the text if the move is the current one. */
  markMove({ ply, mistake, sentence: reason }) {
    const button = document.querySelector(`#moves .move[data-ply="${ply}"]`);
    if (!button) return;
    button.classList.remove("doubtful", "mistake", "blunder");
    if (mistake) button.classList.add(mistake);
    button.title = reason;
    if (button.getAttribute("aria-current")) this.showText();
  }

  /** Marks all reviewed moves again, after the move list was replaced. */
  markAllMoves() {
    for (const review of this.reviewed.values()) this.markMove(review);
  }

  /** Goes to the next or the previous mistake. */
  goToMistake(isForward) {
    const ply = this.controller.ply ?? this.controller.game.moves.length;
    const mistakes = [...this.reviewed.values()].filter(({ mistake }) => mistake);
    const plies = mistakes.map(({ ply: mistakePly }) => mistakePly).sort((a, b) => a - b);
    const target = isForward
      ? plies.find((mistakePly) => mistakePly > ply)
      : plies.findLast((mistakePly) => mistakePly < ply);
    if (target == null) showNotice("No more mistakes in this direction.");
    else this.controller.showPly(target);
  }

  // ---- tablebase ----

  /** Offers to build the tablebase that makes all values exact. */
  async offerTablebase(variant) {
    const container = byId("table-offer");
    if (!container || this.offeredVariant === variant) return;
    this.offeredVariant = variant;
    const path = `/tables/${encodeURIComponent(variant)}`;
    const parts = fillTablebaseOffer(container);
    const update = ({ state, done }) => {
      const { text, button, bar } = parts;
      container.hidden = state !== "missing" && state !== "building";
      bar.hidden = state !== "building";
      bar.value = done ?? 0;
      button.hidden = state !== "missing";
      text.textContent =
        state === "building"
          ? `Building the tablebase: ${Math.floor(100 * (done ?? 0))}%`
          : "With a tablebase, every value in this game is exact.";
      if (state === "building") {
        setTimeout(() => requestJson("GET", path).then(update, () => {}), POLL_INTERVAL);
        this.isBuilding = true;
      } else if (this.isBuilding && state === "there" && this.isRunning) {
        this.isBuilding = false;
        this.start();
      }
    };
    this.build = () => requestJson("POST", path).then(update, ({ message }) => showNotice(message, true));
    await requestJson("GET", path).then(update, () => {});
  }
}

/** Shows the principal variation, if known. */
function showBestLine(line) {
  byId("best-line").textContent = line?.length ? `Best line: ${line.join(" ")}` : "";
}

/** Scrolls the move list, but not the page, to the current move. */
function scrollMoveList() {
  const current = document.querySelector("#moves [aria-current]");
  const box = current?.closest(".move-box");
  if (!box) return;
  const [boxRect, currentRect] = [box.getBoundingClientRect(), current.getBoundingClientRect()];
  if (currentRect.top < boxRect.top) box.scrollTop += currentRect.top - boxRect.top;
  else if (currentRect.bottom > boxRect.bottom) box.scrollTop += currentRect.bottom - boxRect.bottom;
}

/** Moves the plot's cursor line to a ply. */
function movePlotCursor(ply) {
  const points = [...document.querySelectorAll("#plot .point")];
  const cursor = document.querySelector("#plot .now");
  const current = points.findLast((element) => Number(element.dataset.ply) <= ply);
  if (!current || !cursor) return;
  cursor.setAttribute("d", cursor.getAttribute("d").replace(/^M[\d.]+/, `M${current.dataset.x}`));
  for (const element of points) {
    element.setAttribute("tabindex", element === current ? "0" : "-1");
    if (element === current) element.setAttribute("aria-current", "step");
    else element.removeAttribute("aria-current");
  }
}

/** Creates the text, button and progress bar of the offer. */
function fillTablebaseOffer(container) {
  const [text, button, bar] = ["p", "button", "progress"].map((n) => document.createElement(n));
  button.type = "button";
  button.dataset.do = "build";
  button.textContent = "Build tablebase";
  bar.setAttribute("aria-label", "Tablebase progress");
  container.replaceChildren(text, button, bar);
  return { text, button, bar };
}
