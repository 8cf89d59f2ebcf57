// What can't wait for the modules: a classic script in the head.
//
// Light or dark is the system's choice unless the visitor has made another one, and it holds before anything is
// painted; the button that changes it is wired in main.js, and the styles show the word for what is chosen.
(() => {
  const page = document.documentElement;
  const keep = (theme) => {
    try {
      theme ? localStorage.setItem("theme", theme) : localStorage.removeItem("theme");
    } catch {
      // Nothing is kept where the browser forbids it; the choice holds for this page.
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** From the system's choice to the other one, so that something is seen, then to the
   * same but for good, then back to the system's; gives the word for it. */
  window.noughtsTheme = () => {
    const [own, other] = dark.matches ? ["dark", "light"] : ["light", "dark"];
    const now = page.dataset.theme;
    const next = now === other ? own : now === own ? null : other;
    next ? (page.dataset.theme = next) : delete page.dataset.theme;
    keep(next);
    return next ?? "as the system";
  };
  try {
    const kept = localStorage.getItem("theme");
    if (kept === "dark" || kept === "light") page.dataset.theme = kept;
  } catch {
    // As above.
  }
})();

// Clicks on the board and on buttons before the modules have arrived: main.js repeats them once it listens.
(() => {
  const early = [];
  const keep = ({ target, clientX, clientY }) => {
    const meant = target.closest?.("[data-do], [data-ply], [data-path], .cell");
    if (meant && !meant.matches("a[href], form")) early.push({ target, clientX, clientY });
  };
  document.addEventListener("click", keep, true);
  /** Stops waiting, and repeats what was clicked. */
  window.noughtsReady = () => {
    document.removeEventListener("click", keep, true);
    for (const { target, ...place } of early.splice(0)) {
      target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...place }));
    }
  };
})();
