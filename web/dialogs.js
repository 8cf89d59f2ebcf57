// The dialogs of a game's page. Their content is the server's; here they open and close.

const find = (name) => document.getElementById(`dialog-${name}`);

/** Is any dialog open? Then keys and news are not for the board. */
export const isOpen = () => Boolean(document.querySelector("dialog[open]"));

export function show(name) {
  const dialog = find(name);
  if (!dialog || dialog.open) return false;
  close();
  dialog.showModal();
  // On nothing that a key pressed too late would do; the first Tab comes to the buttons.
  const title = document.getElementById(dialog.getAttribute("aria-labelledby"));
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
  return true;
}

export function close() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

// A click beside a dialog closes it.
document.addEventListener("click", ({ target, clientX, clientY }) => {
  if (!(target instanceof HTMLDialogElement)) return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  if (!inside) target.close();
});
