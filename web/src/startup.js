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

// Records clicks and key presses before the modules have loaded; main.js has them replayed.
(() => {
  /** @type {(() => void)[]} */
  const replays = [];
  /** @param {MouseEvent} event */
  const recordClick = ({ target, clientX, clientY }) => {
    const control = /** @type {Element} */ (target).closest("[data-action], [data-ply], [data-path], .cell");
    if (!control || control.matches("a[href], form")) return;
    replays.push(() => {
      target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY }));
    });
  };
  /** Only keys for the board: the browser handles those of fields and buttons.
   * @param {KeyboardEvent} event */
  const recordKey = ({ target, key, ctrlKey, altKey, metaKey }) => {
    if (ctrlKey || altKey || metaKey) return;
    if (target !== document.body && !(/** @type {Element} */ (target).closest(".cell"))) return;
    replays.push(() => {
      const focused = document.activeElement ?? document.body;
      focused.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
  };
  document.addEventListener("click", recordClick, true);
  document.addEventListener("keydown", recordKey, true);
  /** Stops recording and replays what was recorded. */
  window.noughtsReady = () => {
    document.removeEventListener("click", recordClick, true);
    document.removeEventListener("keydown", recordKey, true);
    for (const replay of replays.splice(0)) replay();
  };
})();
