// Keys for a whole page, as in the terminal game: the board is asked first, then each
// letter presses the button that does the same.

import { isOpen } from "./dialogs.js";
import { keep, kept } from "./memory.js";
import { STEPS } from "./ways.js";

const BUTTONS = {
  "?": "keys", u: "undo", r: "redo", t: "hint", a: "analyse", s: "seat", x: "resign", n: "new",
  v: "review", i: "share", d: "theme", e: "sound", q: "home", "/": "type",
  "+": "faster", "=": "faster", "-": "slower",
};

/** Keys that are one letter, digit or sign. They can be turned off, for people who dictate or hit keys by accident. */
export const letters = {
  on: kept("letter-keys") !== "off",
  set(on) {
    this.on = on;
    keep("letter-keys", on ? "on" : "off");
  },
};

/** Is somebody writing there, or choosing from a list? */
const takesLetters = (element) =>
  element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);

/**
 * `board()` is the board that keys are for, `press(name)` does what a button does,
 * `look(key)` takes keys for looking back and watching; both say whether they did.
 */
export function listen({ board, press, look }) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (isOpen() || takesLetters(target)) return;
    if (!letters.on && key.length === 1 && key !== " ") return;
    const onBoard = target.closest?.(".board, #board");
    const idle = target === document.body || onBoard;
    // Elsewhere arrows scroll (but through a game that is looked back on), and buttons
    // take Enter and Space.
    const common = key.startsWith("Arrow") || ["Enter", " ", "Home", "End"].includes(key);
    if (common && !idle) {
      if (/^Arrow(Left|Right)$/.test(key) && look(key)) event.preventDefault();
      return;
    }
    const done =
      (!onBoard && look(key)) ||
      board()?.key(event) ||
      look(key) ||
      (BUTTONS[key] && !STEPS[key] && press(BUTTONS[key]));
    if (done) event.preventDefault();
  });
}
