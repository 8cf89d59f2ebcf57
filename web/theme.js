// Light or dark: the system's choice unless the visitor has made another one. A classic
// script in the head, so that the choice holds before anything is painted; the button
// that changes it is wired in main.js through what is kept here, and the styles show its
// word for what is chosen.
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
