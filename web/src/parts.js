// @ts-check
// Puts the server's markup into the page, only parts that have changed, and keeps the
// focus; shows notices and announces text to screen readers.

import { byId, find } from "./dom.js";

/** The markup of each part, by id.
 * @type {Map<string, string>} */
const rendered = new Map();

/** Records the markup of a part that the page already shows.
 * @param {string} id
 * @param {string} markup */
export function setRendered(id, markup) {
  rendered.set(id, markup);
}

/** Replaces changed parts. Returns the ids of those that changed.
 * @param {Parts | undefined} html */
export function applyParts(html) {
  const changed = [];
  const focus = selectorFor(document.activeElement);
  for (const [id, markup] of Object.entries(html ?? {})) {
    const part = byId(id);
    if (!part || rendered.get(id) === markup) continue;
    rendered.set(id, markup);
    changed.push(id);
    // A notice stays until it is cleared; then the new text is shown.
    if (!find(":scope > .notice", part)) part.innerHTML = markup;
  }
  if (focus && document.activeElement === document.body) find(focus)?.focus({ preventScroll: true });
  return changed;
}

/** A selector that finds an element again after its part was replaced.
 * @param {Element | null} element */
function selectorFor(element) {
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  const part = element.closest("[id]");
  for (const name of ["data-action", "data-ply", "data-path", "data-cell", "data-target"]) {
    const value = element.getAttribute(name);
    if (part && value != null) return `#${CSS.escape(part.id)} [${name}="${CSS.escape(value)}"]`;
  }
  return null;
}

/** Announces text to screen readers. A no-break space makes a repeated text new.
 * @param {string | null | undefined} text */
export function announce(text) {
  const live = byId("live-region");
  const announced = text?.trim() ?? "";
  if (live) live.textContent = live.textContent === announced ? `${announced}\u00a0` : announced;
}

/** @type {number | undefined} */
let noticeTimer;

/** Shows a notice in place of the status text until the next action, or for ten seconds unless it has a button: what to
 * do next, or (`isError`) why something was rejected.
 * @param {string} text
 * @param {boolean} isError
 * @param {HTMLButtonElement} [button] */
export function showNotice(text, isError = false, button = undefined) {
  const status = byId("status");
  if (!status) return;
  // The initial status text came with the page, not with an update.
  if (!rendered.has("status")) rendered.set("status", status.innerHTML);
  const paragraph = document.createElement("p");
  paragraph.className = isError ? "notice error" : "notice";
  paragraph.textContent = text;
  status.replaceChildren(paragraph);
  if (button) paragraph.append(" ", button);
  announce(text);
  clearTimeout(noticeTimer);
  if (!button) noticeTimer = setTimeout(clearNotice, 10000);
}

/** Restores the status text. */
export function clearNotice() {
  clearTimeout(noticeTimer);
  const status = byId("status");
  if (status && find(".notice", status)) status.innerHTML = rendered.get("status") ?? "";
}
