// The new-game form and the page behind an invitation. The form shows what the server
// makes of its options; a game is made through the API, and one goes to its page.

import { Problem, ask, sentence } from "./api.js";

const problem = (form, text) => {
  const place = form.querySelector(".problem");
  if (place) place.textContent = text;
};

/** Who sits there, as the API wants to hear it. */
function seat(fields, panel) {
  if (fields.get(`${panel}-kind`) === "computer") {
    return { kind: "bot", bot: fields.get(`${panel}-bot`) };
  }
  return { kind: "person", name: fields.get(`${panel}-name`)?.trim() || null };
}

/** Makes the game and goes there. */
async function make(form, way) {
  const fields = new FormData(form);
  const seats = [seat(fields, "p1"), seat(fields, "p2")];
  if (way === "invite") {
    // The friend takes the second seat.
    if (seats[0].kind === "bot") seats[0] = { kind: "person", name: null };
    seats[1] = { kind: "invite" };
  }
  if (way === "watch") {
    for (const [n, panel] of ["p1", "p2"].entries()) {
      seats[n] = { kind: "bot", bot: fields.get(`${panel}-bot`) };
    }
  }
  const starts = fields.get("starts") ?? "first";
  if (starts === "second" || (starts === "random" && Math.random() < 0.5)) seats.reverse();
  const game = { variant: fields.get("variant"), x: seats[0], o: seats[1] };
  const position = fields.get("position");
  if (position) game.position = position;
  try {
    const view = await ask("POST", "/games", game);
    location.assign(`/games/${view.game.id}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problem(form, error.message);
  }
}

/** A level's own sentence stands below the list of levels. */
export function levels() {
  document.addEventListener("change", ({ target }) => {
    const about = target.selectedOptions?.[0]?.dataset.sentence;
    const says = document.getElementById(target.getAttribute("aria-describedby"));
    if (about && says) says.textContent = about;
  });
}

export function setup() {
  const form = document.getElementById("setup");
  if (!form) return;
  let asked;
  // The server says what the options make of the game, and which levels play it.
  form.addEventListener("change", async ({ target }) => {
    // Who plays makes no difference to the rules.
    if (/^p\d-|^starts$/.test(target.name)) return;
    asked?.abort();
    asked = new AbortController();
    const fields = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(`/new?${fields}`, { signal: asked.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.getElementById("setup");
      if (!next) return;
      const at = document.activeElement?.id;
      form.replaceChildren(...next.childNodes);
      if (at) document.getElementById(at)?.focus({ preventScroll: true });
      history.replaceState(null, "", `/new?${fields}`);
    } catch {
      // The next change asks again.
    }
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest('[data-do="make"]');
    if (button) make(form, button.value);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(form, event.submitter?.value || "here");
  });
}

export function join() {
  const form = document.getElementById("join");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { game, code } = form.dataset;
    const name = new FormData(form).get("name")?.trim() || null;
    try {
      await ask("POST", `/games/${game}/join`, { code, name });
      location.assign(`/games/${game}`);
    } catch (error) {
      problem(form, error instanceof Problem ? error.message : sentence(String(error)));
    }
  });
}
