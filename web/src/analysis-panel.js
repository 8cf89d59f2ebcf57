// @ts-check
// The values of moves: the server searches for as long as the request is open and streams
// its results; this file shows them. Stopping keeps what is shown.

import { ApiError, requestJson, streamJsonLines, toSentence } from "./api.js";
import { buttonsFor, byId, find, findAll, setText } from "./dom.js";
import { announce, applyParts, showNotice } from "./parts.js";

/** Milliseconds between requests for the progress of a tablebase. */
const POLL_INTERVAL = 1000;

export class AnalysisPanel {
  /** @param {Controller} controller */
  constructor(controller) {
    this.controller = controller;
    /** Is every position analyzed that comes up? */
    this.isRunning = false;
    /** Is a search going on? */
    this.isWorking = false;
    this.isShown = false;
    this.isBuilding = false;
    this.analyzed = "";
    /** @type {Map<number, ReviewedPosition>} */
    this.reviewed = new Map();
    /** @type {Analysis | null} */
    this.frame = null;
    /** @type {AbortController | undefined} */
    this.pendingRequest = undefined;
    /** @type {AbortController | undefined} */
    this.reviewRequest = undefined;
    this.offeredVariant = "";
    /** Builds the tablebase that is offered. */
    this.build = () => {};
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
    for (const button of buttonsFor("analyze")) {
      const label = button.lastChild;
      if (label) label.textContent = isWorking ? "Stop" : canHide ? "Hide" : "Analyze";
      button.classList.toggle("on", isWorking || canHide);
    }
    for (const button of buttonsFor("analyze-stop")) button.hidden = !isWorking;
  }

  stop() {
    this.isRunning = false;
    this.pendingRequest?.abort();
    this.updateButtons(false);
    if (this.frame && !this.frame.done) announce("Analysis stopped. You can still see the results so far.");
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
    const section = byId("analysis");
    if (this.reviewed.size) setText("value-text", "");
    else if (section) section.hidden = true;
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
      setText("value-text", error.message);
    }
  }

  /** @param {Analysis} frame */
  show({ html, line }) {
    this.showText();
    showBestLine(line);
    const bar = html?.["value-bar"];
    if (bar) applyParts({ "value-bar": bar });
    this.showOverlay();
  }

  /** The ply that is shown. */
  get ply() {
    return this.controller.ply ?? this.controller.moves.length;
  }

  /** Shows the review of the move that led here, and the analysis of the position. */
  showText() {
    const review = this.reviewed.get(this.ply);
    const texts = [review?.sentence, this.frame?.sentence, this.frame?.note].flatMap((text) => text || []);
    if (!texts.length && this.reviewed.size) texts.push("This move hasn't been reviewed yet.");
    if (texts.length) setText("value-text", texts.map((text) => toSentence(text, review?.move)).join(" "));
  }

  /** In a review: shows the value, text and plot cursor of the current move. */
  showReviewedMove() {
    if (!this.reviewed.size) return;
    const review = this.reviewed.get(this.ply);
    const bar = review?.html?.["value-bar"];
    if (!this.frame) {
      if (bar) applyParts({ "value-bar": bar });
      // Replace the best line of another position.
      showBestLine(review?.line);
      this.showText();
    }
    movePlotCursor(this.ply);
  }

  /** Puts the values over the board, which may have been redrawn since they came. */
  showOverlay() {
    const layer = byId("tints");
    if (layer) layer.innerHTML = this.frame?.html?.tints ?? "";
    byId("board")?.classList.toggle("has-values", this.frame != null);
  }

  // ---- review ----

  /** Reviews every move of the game. */
  async review() {
    const { id } = this.controller.game ?? {};
    const [section, progress] = [byId("analysis"), byId("review-progress")];
    const bar = progress?.querySelector("progress");
    if (!id || !section || !progress || !bar) return;
    section.hidden = false;
    this.reviewRequest?.abort();
    const request = new AbortController();
    this.reviewRequest = request;
    this.reviewed.clear();
    setText("value-text", "Reviewing every move…");
    progress.hidden = false;
    bar.removeAttribute("value");
    let done = 0;
    try {
      for await (const review of streamJsonLines("GET", `/games/${id}/review`, undefined, request.signal)) {
        if (request.signal.aborted) return;
        const { plot } = review.html ?? {};
        if (plot) applyParts({ plot });
        this.reviewed.set(review.ply, review);
        done = review.progress;
        bar.value = done;
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
    const progress = byId("review-progress");
    if (progress) progress.hidden = true;
    announce("Review stopped. You can still see the results so far.");
  }

  /** Marks a mistake in the move list, and updates the text if the move is the current one.
   * @param {ReviewedPosition} review */
  markMove({ ply, mistake, sentence }) {
    const button = find(`#moves .move[data-ply="${ply}"]`);
    if (!button) return;
    button.classList.remove("inaccuracy", "mistake", "blunder");
    if (mistake) button.classList.add(mistake);
    button.title = sentence;
    if (button.getAttribute("aria-current")) this.showText();
  }

  /** Marks all reviewed moves again, after the move list was replaced. */
  markAllMoves() {
    for (const review of this.reviewed.values()) this.markMove(review);
  }

  /** Goes to the next or the previous mistake.
   * @param {boolean} isForward */
  goToMistake(isForward) {
    const mistakes = [...this.reviewed.values()].filter(({ mistake }) => mistake);
    const plies = mistakes.map(({ ply }) => ply).sort((a, b) => a - b);
    const target = isForward ? plies.find((ply) => ply > this.ply) : plies.findLast((ply) => ply < this.ply);
    if (target == null) showNotice("No more mistakes in this direction.");
    else this.controller.showPly(target);
  }

  // ---- tablebase ----

  /** Offers to build the tablebase that makes all values exact.
   * @param {string} variant */
  async offerTablebase(variant) {
    const container = byId("tablebase-offer");
    const [text, bar, button] = ["p", "progress", "button"].map((name) => container?.querySelector(name));
    if (!container || !text || !(bar instanceof HTMLProgressElement) || !(button instanceof HTMLButtonElement)) return;
    if (this.offeredVariant === variant) return;
    this.offeredVariant = variant;
    const path = `/tablebases/${encodeURIComponent(variant)}`;
    /** @param {TablebaseInfo} tablebase */
    const update = ({ status, progress, sentence }) => {
      container.hidden = status !== "missing" && status !== "building";
      bar.hidden = status !== "building";
      bar.value = progress ?? 0;
      button.hidden = status !== "missing";
      text.textContent = sentence;
      if (status === "building") {
        setTimeout(() => requestJson("GET", path).then(update, () => {}), POLL_INTERVAL);
        this.isBuilding = true;
      } else if (this.isBuilding && status === "ready" && this.isRunning) {
        this.isBuilding = false;
        this.start();
      }
    };
    this.build = () => requestJson("POST", path).then(update, ({ message }) => showNotice(message, true));
    await requestJson("GET", path).then(update, () => {});
  }
}

/** Shows the principal variation, if known.
 * @param {string[]} [line] */
function showBestLine(line) {
  setText("best-line", line?.length ? `Best line: ${line.join(" ")}` : "");
}

/** Scrolls the move list, but not the page, to the current move. */
function scrollMoveList() {
  const current = find("#moves [aria-current]");
  const box = current?.closest(".move-box");
  if (!current || !box) return;
  const [boxRect, currentRect] = [box.getBoundingClientRect(), current.getBoundingClientRect()];
  if (currentRect.top < boxRect.top) box.scrollTop += currentRect.top - boxRect.top;
  else if (currentRect.bottom > boxRect.bottom) box.scrollTop += currentRect.bottom - boxRect.bottom;
}

/** Moves the plot's cursor line to a ply.
 * @param {number} ply */
function movePlotCursor(ply) {
  const points = findAll("#plot .point");
  const cursor = find("#plot .cursor");
  const current = points.findLast((element) => Number(element.dataset.ply) <= ply);
  if (!current || !cursor) return;
  cursor.setAttribute("d", (cursor.getAttribute("d") ?? "").replace(/^M[\d.]+/, `M${current.dataset.x}`));
  for (const element of points) {
    element.setAttribute("tabindex", element === current ? "0" : "-1");
    if (element === current) element.setAttribute("aria-current", "step");
    else element.removeAttribute("aria-current");
  }
}
