// The new-game form and the page behind an invitation. The form shows what the server
// makes of its options; a game is made through the API, and one goes to its page. What
// the server says of the options never touches what is written in the fields.

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

/** Goes to the field that is wrong, wherever it hides. */
function point(form) {
  const field =
    form.querySelector('.fields [aria-invalid="true"]') ?? form.querySelector(".fields :invalid");
  if (!field) return;
  field.closest("details").open = true;
  field.focus();
}

/** Do the panels fit what is to be done? If not they are made to, and one looks first. */
function fits(form, way) {
  const panels = { watch: ["p1", "p2"], invite: ["p1"] }[way] ?? [];
  const kind = way === "watch" ? "computer" : "person";
  const others = panels.map((panel) => form.elements[`${panel}-${kind}`]).filter((b) => !b.checked);
  for (const button of others) button.checked = true;
  if (!others.length) return true;
  const [first] = others;
  form.dispatchEvent(new Event("input"));
  const field = way === "watch" ? "bot" : "name";
  form.elements[first.name.replace("kind", field)].focus();
  const told = {
    watch: "Both players are computers now: choose their levels, then watch them.",
    invite: "You are player 1 now: write your name if you like, then invite your friend.",
  };
  form.querySelector(".begin-says").textContent = told[way];
  return false;
}

/** A game is being made: pressing twice makes one. */
let making = false;

/** Makes the game and goes there, unless something is wrong with its rules. */
async function make(form, way, refreshed) {
  if (making || !fits(form, way)) return;
  // What was written last may not have been looked at by the server yet.
  if (!(await refreshed()) || form.querySelector(".problem").textContent) return point(form);
  const fields = new FormData(form);
  const seats = [seat(fields, "p1"), seat(fields, "p2")];
  if (way === "invite") {
    // The friend takes the second seat.
    seats[1] = { kind: "invite" };
  }
  const starts = fields.get("starts") ?? "first";
  if (starts === "second" || (starts === "random" && Math.random() < 0.5)) seats.reverse();
  const game = { variant: fields.get("variant"), x: seats[0], o: seats[1] };
  const position = fields.get("position");
  if (position) game.position = position;
  making = true;
  try {
    const view = await ask("POST", "/games", game);
    location.assign(`/games/${view.game.id}`);
    // One may come back to the very same page.
    addEventListener("pageshow", () => (making = false), { once: true });
  } catch (error) {
    making = false;
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

/** The fields as they stand in an address. */
const written = (form) => new URLSearchParams(new FormData(form));

/** Puts in what the server says of the options, but for the values of fields. */
function merge(form, page) {
  const next = page.getElementById("setup");
  form.elements.variant.value = next.elements.variant.value;
  form.querySelector(".chosen").replaceWith(next.querySelector(".chosen"));
  problem(form, next.querySelector(".problem").textContent);
  for (const field of form.querySelectorAll(".fields input, .fields fieldset")) {
    const told = field.id && next.querySelector(`#${CSS.escape(field.id)}`);
    if (!told) continue;
    field.toggleAttribute("disabled", told.hasAttribute("disabled"));
    if (field.matches("fieldset")) field.querySelector(".idle").hidden = !told.disabled;
    else if (told.hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  for (const list of form.querySelectorAll("select")) {
    const told = next.elements[list.name];
    const names = (of) => [...of.options].map(({ value, dataset }) => value + dataset.sentence);
    if (`${names(list)}` === `${names(told)}`) continue;
    const { value } = list;
    list.replaceChildren(...told.options);
    list.value = [...list.options].some((level) => level.value === value) ? value : told.value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export function setup() {
  const form = document.getElementById("setup");
  if (!form) return;
  let asked = null;
  let known = `${written(form)}`;
  // Nothing moves below a finger: what it has pressed is what it lets go of.
  let released = Promise.resolve();
  form.addEventListener("pointerdown", () => {
    released = new Promise((done) => {
      for (const ends of ["pointerup", "pointercancel"]) {
        addEventListener(ends, () => setTimeout(done), { once: true });
      }
    });
  });
  /** Asks the server what it makes of the options, and which levels play that. True once
   * it has said so of what is written now. */
  const refreshed = async () => {
    asked?.abort();
    const mine = new AbortController();
    asked = mine;
    const fields = written(form);
    try {
      const answer = await fetch(`/new?${fields}`, { signal: mine.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      await released;
      if (mine.signal.aborted) return false;
      if (!page.getElementById("setup")) throw new Error("no form");
      merge(form, page);
      remember();
      return true;
    } catch {
      if (!mine.signal.aborted) problem(form, "The server cannot be reached.");
      return false;
    }
  };
  /** The address of this page, and those of the other games, tell of the same players. */
  const remember = () => {
    const fields = written(form);
    if (`${fields}` === known) return;
    known = `${fields}`;
    history.replaceState(null, "", `/new?${fields}`);
    for (const chip of document.querySelectorAll("a.chip")) {
      const address = new URL(chip.href);
      for (const [name, value] of fields) {
        if (/^p\d-|^starts$/.test(name)) address.searchParams.set(name, value);
      }
      chip.href = `${address.pathname}${address.search}`;
    }
  };
  form.addEventListener("input", () => {
    form.querySelector(".begin-says").textContent = "";
    remember();
  });
  form.addEventListener("change", ({ target }) => {
    remember();
    // Who plays makes no difference to the rules.
    if (!/^p\d-|^starts$/.test(target.name)) refreshed();
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest('[data-do="make"]');
    if (button) make(form, button.value, refreshed);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(form, event.submitter?.value || "here", refreshed);
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
