// Opens and closes the dialogs of a game's page. Their content comes from the server.

const dialogNamed = (name) => document.getElementById(`dialog-${name}`);

/** Is any dialog open? Then keys aren't for the board. */
export const isDialogOpen = () => Boolean(document.querySelector("dialog[open]"));

export function openDialog(name) {
  const dialog = dialogNamed(name);
  if (!dialog || dialog.open) return false;
  closeDialogs();
  dialog.showModal();
  // Focus the title, so that a late key press doesn't activate a button; Tab reaches the buttons.
  const title = document.getElementById(dialog.getAttribute("aria-labelledby"));
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
  return true;
}

export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

// A click on the backdrop closes the dialog.
document.addEventListener("click", ({ target, clientX, clientY }) => {
  if (!(target instanceof HTMLDialogElement)) return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  if (!inside) target.close();
});
