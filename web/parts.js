// Puts the server's markup into the page: only parts that have changed, with the focus
// kept where it was; and tells things in words, on the page and to screen readers.

const known = new Map();
const find = (id) => document.getElementById(id);

/** Remembers a part that the page already shows. */
export function assume(id, markup) {
  known.set(id, markup);
}

/** Puts the parts in; gives the ids of those that have changed. */
export function apply(html) {
  const changed = [];
  const focus = trace(document.activeElement);
  for (const [id, markup] of Object.entries(html ?? {})) {
    const part = find(id);
    if (!part || known.get(id) === markup) continue;
    known.set(id, markup);
    part.innerHTML = markup;
    part.hidden = markup === "" && part.hasAttribute("data-hides");
    changed.push(id);
  }
  if (focus && !document.activeElement?.matches?.(focus)) {
    const there = document.querySelector(focus);
    if (there && document.activeElement === document.body) there.focus({ preventScroll: true });
  }
  return changed;
}

/** How to find an element again after its part was replaced. */
function trace(element) {
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  const part = element.closest("[id]");
  const name = ["do", "ply", "path", "cell"].find((name) => element.dataset?.[name] != null);
  if (!part || !name) return null;
  return `#${CSS.escape(part.id)} [data-${name}="${CSS.escape(element.dataset[name])}"]`;
}

/** Reads something out; the same text twice is read twice. */
export function tell(text) {
  const live = find("live");
  if (live) live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

let clock;

/** Says something in the place of the usual sentence, until the next step: what to do
 * next, or (`bad`) why something was refused. With `way`, a button leads to a move. */
export function notice(text, bad = false, way = null) {
  const say = find("say");
  if (!say) return;
  // The page came with a sentence that no state has told yet.
  if (!known.has("say")) known.set("say", say.innerHTML);
  const line = document.createElement("p");
  line.className = bad ? "notice" : "told";
  line.textContent = text;
  say.replaceChildren(line);
  if (way) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.ply = way.ply;
    button.textContent = way.text;
    line.append(" ", button);
  }
  tell(text);
  clearTimeout(clock);
  clock = setTimeout(unsay, 10000);
}

/** The usual sentence again. */
export function unsay() {
  clearTimeout(clock);
  const say = find("say");
  if (say?.querySelector(".notice, .told")) say.innerHTML = known.get("say");
}
