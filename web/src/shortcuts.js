// @ts-check
// Page-wide keyboard shortcuts, as in the terminal UI: the board handles a key first, then
// a letter presses the button with the same meaning.

import { isDialogOpen } from "./dialogs.js";
import { closest } from "./dom.js";
import { DIRECTIONS } from "./navigation.js";
import { loadPreference, savePreference } from "./storage.js";

/** @type {Record<string, string>} */
const SHORTCUTS = {
  "?": "shortcuts", u: "takeback", r: "redo", t: "hint", a: "analyze", s: "seat", x: "resign", n: "new",
  v: "review", i: "share", d: "theme", e: "sound", q: "home", "/": "type",
  "+": "faster", "=": "faster", "-": "slower",
};

/** Single-character shortcuts. They can be turned off, for people who dictate or press keys by accident. */
export const letterShortcuts = {
  isOn: loadPreference("letter-keys") !== "off",
  /** @param {boolean} on */
  set(on) {
    this.isOn = on;
    savePreference("letter-keys", on ? "on" : "off");
  },
};

/**
 * `board()` returns the board that keys are for, `pressButton(name)` presses a button, and
 * `handleReviewKey(key)` takes keys for earlier positions and for watching bots; both return
 * whether they did anything.
 * @param {{ board: () => import("./board.js").Board | undefined, pressButton: (name: string) => boolean,
 *   handleReviewKey: (key: string) => boolean }} handlers
 */
export function listenForKeys({ board, pressButton, handleReviewKey }) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    // Fields take text, and lists select by letter.
    if (isDialogOpen() || closest(target, "input, textarea, select")) return;
    if (!letterShortcuts.isOn && key.length === 1 && key !== " ") return;
    const onBoard = closest(target, ".board, #board");
    const isFree = target === document.body || onBoard;
    // Elsewhere, arrow keys scroll (unless they step through a game), and Enter and Space
    // activate buttons.
    const isSharedKey = key.startsWith("Arrow") || ["Enter", " ", "Home", "End"].includes(key);
    if (isSharedKey && !isFree) {
      if (/^Arrow(Left|Right)$/.test(key) && handleReviewKey(key)) event.preventDefault();
      return;
    }
    const handled =
      (!onBoard && handleReviewKey(key)) ||
      board()?.handleKey(event) ||
      handleReviewKey(key) ||
      (SHORTCUTS[key] && !DIRECTIONS[key] && pressButton(SHORTCUTS[key]));
    if (handled) event.preventDefault();
  });
}
