// Typing a move as text, in a field below the status text that doesn't shift the layout. A
// rejected move stays in the field, to be edited.

/** Opens the field, or focuses it if it is open. */
export function openMoveInput(controller) {
  let form = document.getElementById("typing");
  if (form) return form.elements.move.focus();
  form = document.createElement("form");
  form.id = "typing";
  form.innerHTML =
    '<label for="typed-move">Move</label> <input id="typed-move" name="move" maxlength="16" ' +
    'autocomplete="off" autocapitalize="none" spellcheck="false"> <button>Play</button>';
  const field = form.elements.move;
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
  document.getElementById("say").after(form);
  field.focus({ preventScroll: true });
}
