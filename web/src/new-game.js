// @ts-check
// The new-game form and the page of an invite link. The server validates the form's
// options; its reply never overwrites the values of fields. A game is created through the
// API, then its page is opened.

import { ApiError, requestJson, toSentence } from "./api.js";
import { byId, closest, find, findAll, setText } from "./dom.js";

/** The text that explains what is wrong with a form.
 * @param {ParentNode} form */
const formError = (form) => /** @type {HTMLElement} */ (find(".form-error", form));

/** The field or button with this id or name.
 * @param {HTMLFormElement} form
 * @param {string} name */
const field = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** The text of a field, without spaces around it.
 * @param {FormData} fields
 * @param {string} name */
export const textOf = (fields, name) => `${fields.get(name) ?? ""}`.trim();

/** A panel's seat as the API takes it.
 * @param {FormData} fields
 * @param {string} panel
 * @returns {SeatRequest} */
function seatRequest(fields, panel) {
  if (fields.get(`${panel}-kind`) === "computer") return { kind: "bot", name: textOf(fields, `${panel}-bot`) };
  return { kind: "human", name: textOf(fields, `${panel}-name`) || null };
}

/** Focuses the invalid field, and opens the section it is in.
 * @param {HTMLFormElement} form */
function focusInvalidField(form) {
  const invalid = find('.option-fields [aria-invalid="true"]', form) ?? find(".option-fields :invalid", form);
  const details = invalid?.closest("details");
  if (details) details.open = true;
  invalid?.focus();
}

/** Sets the panels to the kinds of players that `mode` needs. Returns true if they were set
 * already; otherwise the visitor gets to look at the change first.
 * @param {HTMLFormElement} form
 * @param {string} mode */
function preparePanels(form, mode) {
  const isWatch = mode === "watch";
  const panels = isWatch ? ["p1", "p2"] : mode === "invite" ? ["p1"] : [];
  const kind = isWatch ? "computer" : "human";
  const unchecked = panels.map((panel) => field(form, `${panel}-${kind}`)).filter((button) => !button.checked);
  for (const button of unchecked) button.checked = true;
  if (!unchecked.length) return true;
  const [first] = unchecked;
  form.dispatchEvent(new Event("input"));
  field(form, first.name.replace("kind", isWatch ? "bot" : "name")).focus();
  showStartMessage(
    form,
    isWatch
      ? "Both players are now computers. Choose their levels, then watch them play."
      : "You're now Player 1. Enter a name if you like, then invite your friend.",
  );
  return false;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function showStartMessage(form, text) {
  const message = find(".start-message", form);
  if (message) message.textContent = text;
}

/** Fields of the players, who don't affect the rules. */
const PLAYER_FIELD = /^p\d-|^starts$/;

/** A game is being created: pressing twice creates one. */
let isCreating = false;

/** Creates the game and opens its page, unless its options are invalid.
 * @param {HTMLFormElement} form
 * @param {string} mode
 * @param {() => Promise<boolean>} refresh */
async function createGame(form, mode, refresh) {
  if (isCreating || !preparePanels(form, mode)) return;
  // The server may not have validated the latest changes yet.
  if (!(await refresh()) || formError(form).textContent) return focusInvalidField(form);
  const fields = new FormData(form);
  const seats = [seatRequest(fields, "p1"), seatRequest(fields, "p2")];
  if (mode === "invite") {
    // The invited player takes the second seat.
    seats[1] = { kind: "invited" };
  }
  const starts = fields.get("starts") ?? "first";
  if (starts === "second" || (starts === "random" && Math.random() < 0.5)) seats.reverse();
  const [x, o] = seats;
  isCreating = true;
  try {
    const view = await requestJson("POST", "/games", { variant: fields.get("variant"), x, o });
    location.assign(`/games/${view.game.id}`);
    // The page may be restored from the back/forward cache.
    addEventListener("pageshow", () => (isCreating = false), { once: true });
  } catch (error) {
    isCreating = false;
    if (!(error instanceof ApiError)) throw error;
    formError(form).textContent = error.message;
  }
}

/** Shows the description of the chosen level below the list of levels. */
export function initLevelDescriptions() {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    setText(target.getAttribute("aria-describedby") ?? "", target.selectedOptions[0]?.dataset.description ?? "");
  });
}

/** The form's fields as URL parameters.
 * @param {HTMLFormElement} form */
const formParams = (form) =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, `${value}`]));

/** The form of a page.
 * @param {Document} page */
const newGameForm = (page) => /** @type {HTMLFormElement | null} */ (page.getElementById("new-game-form"));

/** Merges the server's form into the page's, except for the values of fields.
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} next */
function mergeForm(form, next) {
  field(form, "variant").value = field(next, "variant").value;
  find(".selected-game", form)?.replaceWith(find(".selected-game", next) ?? "");
  formError(form).textContent = formError(next).textContent;
  for (const option of findAll(".option-fields input, .option-fields fieldset", form)) {
    const updated = find(`#${CSS.escape(option.id)}`, next);
    if (!updated) continue;
    option.toggleAttribute("disabled", updated.hasAttribute("disabled"));
    const note = find(".unused-note", option);
    if (note) note.hidden = !updated.hasAttribute("disabled");
    else if (updated.hasAttribute("aria-invalid")) option.setAttribute("aria-invalid", "true");
    else option.removeAttribute("aria-invalid");
  }
  for (const list of form.querySelectorAll("select")) {
    const updated = /** @type {HTMLSelectElement} */ (next.elements.namedItem(list.name));
    /** @param {HTMLSelectElement} of */
    const names = (of) => [...of.options].map((option) => option.value + option.dataset.description);
    if (`${names(list)}` === `${names(updated)}`) continue;
    const { value } = list;
    list.replaceChildren(...updated.options);
    list.value = [...list.options].some((level) => level.value === value) ? value : updated.value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export function initNewGameForm() {
  const form = newGameForm(document);
  if (!form) return;
  /** @type {AbortController | undefined} */
  let pendingRequest;
  let savedParams = `${formParams(form)}`;
  // Don't change the layout while a pointer is down, so that it is released on what it pressed.
  let released = Promise.resolve();
  form.addEventListener("pointerdown", () => {
    released = new Promise((done) => {
      for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(done), { once: true });
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
      const next = newGameForm(page);
      if (!next) throw new Error("no form");
      mergeForm(form, next);
      const chips = findAll("a.chip", page);
      for (const [i, chip] of findAll("a.chip").entries()) chip.ariaCurrent = chips[i]?.ariaCurrent ?? null;
      updateUrls();
      return true;
    } catch {
      if (request.signal.aborted) return false;
      formError(form).textContent = "Can't reach the server; check your connection and try again.";
      return false;
    }
  };
  /** Writes the fields into this page's URL, and the players into the links to other games. */
  const updateUrls = () => {
    const fields = formParams(form);
    if (`${fields}` === savedParams) return;
    savedParams = `${fields}`;
    history.replaceState(null, "", `/new?${fields}`);
    for (const chip of document.querySelectorAll("a")) {
      if (!chip.matches(".chip")) continue;
      const address = new URL(chip.href);
      for (const [name, value] of fields) {
        if (PLAYER_FIELD.test(name)) address.searchParams.set(name, value);
      }
      chip.href = `${address.pathname}${address.search}`;
    }
  };
  form.addEventListener("input", () => {
    showStartMessage(form, "");
    updateUrls();
  });
  form.addEventListener("change", ({ target }) => {
    updateUrls();
    // The players don't affect the rules.
    if (!PLAYER_FIELD.test(/** @type {HTMLInputElement} */ (target).name)) refresh();
  });
  form.addEventListener("click", ({ target }) => {
    const button = closest(target, '[data-action="create-game"]');
    if (button instanceof HTMLButtonElement) createGame(form, button.value, refresh);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    createGame(form, "here", refresh);
  });
}

export function initJoinForm() {
  const form = byId("join");
  if (!(form instanceof HTMLFormElement)) return;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { game, code } = form.dataset;
    const name = textOf(new FormData(form), "name") || null;
    try {
      await requestJson("POST", `/games/${game}/join`, { code, name });
      location.assign(`/games/${game}`);
    } catch (error) {
      formError(form).textContent = error instanceof ApiError ? error.message : toSentence(`${error}`);
    }
  });
}
