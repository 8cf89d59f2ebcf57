// The new-game form and the page of an invite link. The server validates the form's
// options; its reply never overwrites the values of fields. A game is created through the
// API, then its page is opened.

import { ApiError, requestJson, toSentence } from "./api.js";

const showError = (form, text) => {
  const element = form.querySelector(".problem");
  if (element) element.textContent = text;
};

/** A panel's seat as the API takes it. */
function seatRequest(fields, panel) {
  if (fields.get(`${panel}-kind`) === "computer") {
    return { kind: "bot", bot: fields.get(`${panel}-bot`) };
  }
  return { kind: "person", name: fields.get(`${panel}-name`)?.trim() || null };
}

/** Focuses the invalid field, and opens the section it is in. */
function focusInvalidField(form) {
  const field =
    form.querySelector('.fields [aria-invalid="true"]') ?? form.querySelector(".fields :invalid");
  if (!field) return;
  field.closest("details").open = true;
  field.focus();
}

/** Sets the panels to the kinds of players that `mode` needs. Returns true if they were set
 * already; otherwise the visitor gets to look at the change first. */
function preparePanels(form, mode) {
  const panels = { watch: ["p1", "p2"], invite: ["p1"] }[mode] ?? [];
  const kind = mode === "watch" ? "computer" : "person";
  const unchecked = panels.map((panel) => form.elements[`${panel}-${kind}`]).filter((b) => !b.checked);
  for (const button of unchecked) button.checked = true;
  if (!unchecked.length) return true;
  const [first] = unchecked;
  form.dispatchEvent(new Event("input"));
  const field = mode === "watch" ? "bot" : "name";
  form.elements[first.name.replace("kind", field)].focus();
  const messages = {
    watch: "Both players are now computers. Choose their levels, then watch them play.",
    invite: "You're now player 1. Enter a name if you like, then invite your friend.",
  };
  form.querySelector(".begin-says").textContent = messages[mode];
  return false;
}

/** A game is being created: pressing twice creates one. */
let isCreating = false;

/** Creates the game and opens its page, unless its options are invalid. */
async function createGame(form, mode, refresh) {
  if (isCreating || !preparePanels(form, mode)) return;
  // The server may not have validated the latest changes yet.
  if (!(await refresh()) || form.querySelector(".problem").textContent) return focusInvalidField(form);
  const fields = new FormData(form);
  const seats = [seatRequest(fields, "p1"), seatRequest(fields, "p2")];
  if (mode === "invite") {
    // The invited player takes the second seat.
    seats[1] = { kind: "invite" };
  }
  const starts = fields.get("starts") ?? "first";
  if (starts === "second" || (starts === "random" && Math.random() < 0.5)) seats.reverse();
  const game = { variant: fields.get("variant"), x: seats[0], o: seats[1] };
  const position = fields.get("position");
  if (position) game.position = position;
  isCreating = true;
  try {
    const view = await requestJson("POST", "/games", game);
    location.assign(`/games/${view.game.id}`);
    // The page may be restored from the back/forward cache.
    addEventListener("pageshow", () => (isCreating = false), { once: true });
  } catch (error) {
    isCreating = false;
    if (!(error instanceof ApiError)) throw error;
    showError(form, error.message);
  }
}

/** Shows the description of the chosen level below the list of levels. */
export function initLevelDescriptions() {
  document.addEventListener("change", ({ target }) => {
    const about = target.selectedOptions?.[0]?.dataset.sentence;
    const element = document.getElementById(target.getAttribute("aria-describedby"));
    if (about && element) element.textContent = about;
  });
}

/** The form's fields as URL parameters. */
const formParams = (form) => new URLSearchParams(new FormData(form));

/** Merges the server's form into the page's, except for the values of fields. */
function mergeForm(form, page) {
  const next = page.getElementById("setup");
  form.elements.variant.value = next.elements.variant.value;
  form.querySelector(".chosen").replaceWith(next.querySelector(".chosen"));
  showError(form, next.querySelector(".problem").textContent);
  for (const field of form.querySelectorAll(".fields input, .fields fieldset")) {
    const updated = field.id && next.querySelector(`#${CSS.escape(field.id)}`);
    if (!updated) continue;
    field.toggleAttribute("disabled", updated.hasAttribute("disabled"));
    if (field.matches("fieldset")) field.querySelector(".idle").hidden = !updated.disabled;
    else if (updated.hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  for (const list of form.querySelectorAll("select")) {
    const updated = next.elements[list.name];
    const names = (of) => [...of.options].map(({ value, dataset }) => value + dataset.sentence);
    if (`${names(list)}` === `${names(updated)}`) continue;
    const { value } = list;
    list.replaceChildren(...updated.options);
    list.value = [...list.options].some((level) => level.value === value) ? value : updated.value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export function initNewGameForm() {
  const form = document.getElementById("setup");
  if (!form) return;
  let pendingRequest = null;
  let savedParams = `${formParams(form)}`;
  // Don't change the layout while a pointer is down, so that it is released on what it pressed.
  let released = Promise.resolve();
  form.addEventListener("pointerdown", () => {
    released = new Promise((done) => {
      for (const ends of ["pointerup", "pointercancel"]) {
        addEventListener(ends, () => setTimeout(done), { once: true });
      }
    });
  });
  /** Lets the server validate the options and list the levels for them. Returns true once
   * the current values are validated. */
  const refresh = async () => {
    pendingRequest?.abort();
    const request = new AbortController();
    pendingRequest = request;
    const fields = formParams(form);
    try {
      const response = await fetch(`/new?${fields}`, { signal: request.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      await released;
      if (request.signal.aborted) return false;
      if (!page.getElementById("setup")) throw new Error("no form");
      mergeForm(form, page);
      updateUrls();
      return true;
    } catch {
      if (!request.signal.aborted) showError(form, "Can't reach the server; check your connection and try again.");
      return false;
    }
  };
  /** Writes the fields into this page's URL, and the players into the links to other games. */
  const updateUrls = () => {
    const fields = formParams(form);
    if (`${fields}` === savedParams) return;
    savedParams = `${fields}`;
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
    updateUrls();
  });
  form.addEventListener("change", ({ target }) => {
    updateUrls();
    // The players don't affect the rules.
    if (!/^p\d-|^starts$/.test(target.name)) refresh();
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest('[data-do="make"]');
    if (button) createGame(form, button.value, refresh);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    createGame(form, event.submitter?.value || "here", refresh);
  });
}

export function initJoinForm() {
  const form = document.getElementById("join");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { game, code } = form.dataset;
    const name = new FormData(form).get("name")?.trim() || null;
    try {
      await requestJson("POST", `/games/${game}/join`, { code, name });
      location.assign(`/games/${game}`);
    } catch (error) {
      showError(form, error instanceof ApiError ? error.message : toSentence(String(error)));
    }
  });
}
