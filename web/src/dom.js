// @ts-check
// Shorthands for finding and creating elements.

/** The element with this id, if it exists.
 * @param {string} id */
export const byId = (id) => document.getElementById(id);

/** Sets the text of the element with this id, if it exists.
 * @param {string} id
 * @param {string} text */
export function setText(id, text) {
  const element = byId(id);
  if (element) element.textContent = text;
}

/** The first element that matches; the boards' SVG elements have what the scripts need of HTML's, too.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement | null} */
export const find = (selector, root = document) => root.querySelector(selector);

/** All elements that match.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement[]} */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)].map(asHtml);

/** The element of an event, or the next one around it, that matches.
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {HTMLElement | null} */
export const closest = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/** The buttons for an action.
 * @param {string} action */
export const buttonsFor = (action) => findAll(`[data-action="${action}"]`);

/** Creates a button.
 * @param {string} text
 * @param {() => void} [onClick] */
export function createButton(text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (onClick) button.addEventListener("click", onClick);
  return button;
}

/** @param {Element} element */
const asHtml = (element) => /** @type {HTMLElement} */ (element);
