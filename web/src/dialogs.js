// @ts-check
// Opens and closes the dialogs of a game's page. Their content comes from the server.

import { byId, find } from "./dom.js";

/** Is any dialog open? Then keys aren't for the board. */
export const isDialogOpen = () => Boolean(find("dialog[open]"));

/** @param {string} name */
export function openDialog(name) {
  const dialog = byId(`dialog-${name}`);
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return;
  closeDialogs();
  dialog.showModal();
  // Focus the title, so that a late key press doesn't activate a button; Tab reaches the buttons.
  const title = byId(dialog.getAttribute("aria-labelledby") ?? "");
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
}

export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

// A click on the backdrop closes the dialog.
document.addEventListener("click", ({ target, clientX, clientY }) => {
  if (!(target instanceof HTMLDialogElement)) return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  if (!inside) target.close();
});
