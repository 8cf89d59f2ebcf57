// @ts-check
// What can't wait for the modules: a classic script in the head.
//
// The color scheme is the system's unless the visitor chose one, and it is set before the first paint. main.js
// handles the button that changes it; the styles show the label of the current choice.
(() => {
  const page = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** Cycles through the schemes: the opposite of the system's first, so that the first click has a visible
   * effect, then the system's as a fixed choice, then back to following the system. Returns the label. */
  window.noughtsTheme = () => {
    const [own, other] = dark.matches ? ["dark", "light"] : ["light", "dark"];
    const now = page.dataset.theme;
    const next = now === other ? own : now === own ? null : other;
    if (next) page.dataset.theme = next;
    else delete page.dataset.theme;
    try {
      localStorage.setItem("theme", next ?? "system");
    } catch {
      // Storage is blocked: the choice applies to this page only.
    }
    return next ?? "system";
  };
  try {
    const stored = localStorage.getItem("theme");
    if (stored === "dark" || stored === "light") page.dataset.theme = stored;
  } catch {
    // As above.
  }
})();

// Records clicks on the board and on buttons before the modules have loaded; main.js has them replayed.
(() => {
  /** @type {MouseEvent[]} */
  const clicks = [];
  /** @param {MouseEvent} event */
  const record = (event) => {
    const target = /** @type {Element} */ (event.target);
    const control = target.closest("[data-action], [data-ply], [data-path], .cell");
    if (control && !control.matches("a[href], form")) clicks.push(event);
  };
  document.addEventListener("click", record, true);
  /** Stops recording and replays the clicks. */
  window.noughtsReady = () => {
    document.removeEventListener("click", record, true);
    for (const { target, clientX, clientY } of clicks.splice(0)) {
      target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY }));
    }
  };
})();
