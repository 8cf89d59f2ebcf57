// Puts the server's markup into the page, only parts that have changed, and keeps the
// focus; shows notices and announces text to screen readers.

const rendered = new Map();
const byId = (id) => document.getElementById(id);

/** Records the markup of a part that the page already shows. */
export function setRendered(id, markup) {
  rendered.set(id, markup);
}

/** Replaces changed parts. Returns the ids of those that changed. */
export function applyParts(html) {
  const changed = [];
  const focus = selectorFor(document.activeElement);
  for (const [id, markup] of Object.entries(html ?? {})) {
    const part = byId(id);
    if (!part || rendered.get(id) === markup) continue;
    rendered.set(id, markup);
    part.innerHTML = markup;
    changed.push(id);
  }
  if (focus && !document.activeElement?.matches?.(focus)) {
    const element = document.querySelector(focus);
    if (element && document.activeElement === document.body) element.focus({ preventScroll: true });
  }
  return changed;
}

/** A selector that finds an element again after its part was replaced. */
function selectorFor(element) {
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  const part = element.closest("[id]");
  const name = ["do", "ply", "path", "cell"].find((name) => element.dataset?.[name] != null);
  if (!part || !name) return null;
  return `#${CSS.escape(part.id)} [data-${name}="${CSS.escape(element.dataset[name])}"]`;
}

/** Announces text to screen readers. A no-break space makes a repeated text new. */
export function announce(text) {
  const live = byId("live");
  if (live) live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

let noticeTimer;

/** Shows a notice in place of the status text, for ten seconds or until the next action:
 * what to do next, or (`isError`) why something was rejected. `link` adds a button that
 * goes to a ply. */
export function showNotice(text, isError = false, link = null) {
  const say = byId("say");
  if (!say) return;
  // The initial status text came with the page, not with an update.
  if (!rendered.has("say")) rendered.set("say", say.innerHTML);
  const paragraph = document.createElement("p");
  paragraph.className = isError ? "notice" : "told";
  paragraph.textContent = text;
  say.replaceChildren(paragraph);
  if (link) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.ply = link.ply;
    button.textContent = link.text;
    paragraph.append(" ", button);
  }
  announce(text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(clearNotice, 10000);
}

/** Restores the status text. */
export function clearNotice() {
  clearTimeout(noticeTimer);
  const say = byId("say");
  if (say?.querySelector(".notice, .told")) say.innerHTML = rendered.get("say");
}
