// A move as text, for who prefers to write: a field below the sentence, which nothing
// else makes room for. What is refused stays to be edited.

/** Opens the field, or goes to it. */
export function typing(table) {
  let form = document.getElementById("typing");
  if (form) return form.elements.move.focus();
  form = document.createElement("form");
  form.id = "typing";
  form.innerHTML =
    '<label for="typed-move">A move</label> <input id="typed-move" name="move" maxlength="16" ' +
    'autocomplete="off" autocapitalize="none" spellcheck="false"> <button>Play</button>';
  const field = form.elements.move;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return leave();
    const { rev } = table;
    table.play(text);
    table.watch(() => {
      if (table.rev !== rev && form.isConnected) leave();
    });
    field.select();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  const leave = () => {
    form.remove();
    table.board.at()?.focus({ preventScroll: true });
  };
  document.getElementById("say").after(form);
  field.focus({ preventScroll: true });
}
