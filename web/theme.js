// Light or dark: the system's choice unless the visitor has made another one. A classic
// script in the head, so that the choice holds before anything is painted; the button
// that changes it is wired in main.js through what is kept here.
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
  window.noughtsTheme = () => {
    const now = page.dataset.theme ?? (dark.matches ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    const own = next !== (dark.matches ? "dark" : "light");
    own ? (page.dataset.theme = next) : delete page.dataset.theme;
    keep(own ? next : null);
    return next;
  };
  try {
    const kept = localStorage.getItem("theme");
    if (kept === "dark" || kept === "light") page.dataset.theme = kept;
  } catch {
    // As above.
  }
})();
