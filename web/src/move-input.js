// @ts-check
// Typing a move as text, in a field below the status text that doesn't shift the layout. A
// rejected move stays in the field, to be edited.

import { byId } from "./dom.js";

/** Opens the field, or focuses it if it is open.
 * @param {Controller} controller */
export function openMoveInput(controller) {
  const open = byId("move-field");
  if (open) return open.focus();
  const form = document.createElement("form");
  form.id = "move-input";
  form.innerHTML =
    '<label for="move-field">Move</label> <input id="move-field" name="move" maxlength="16" ' +
    'autocomplete="off" autocapitalize="none" spellcheck="false"> <button>Play</button>';
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return close();
    const { rev } = controller;
    controller.play(text);
    controller.onChange(() => {
      if (controller.rev !== rev && form.isConnected) close();
    });
    field.select();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  const close = () => {
    form.remove();
    controller.board.cursorCell()?.focus({ preventScroll: true });
  };
  byId("status")?.after(form);
  field.focus({ preventScroll: true });
}
