// @ts-check
// Sharing the URL of a game: by the clipboard or the system's share dialog.

import { buttonsFor, byId } from "./dom.js";
import { announce, showNotice } from "./parts.js";

/** The field with this id.
 * @param {string} [id] */
const linkField = (id = "share-link") => /** @type {HTMLInputElement | null} */ (byId(id));

/** Copies the value of the field that the button names.
 * @param {HTMLElement} button */
export async function copyField(button) {
  const field = linkField(button.dataset.copyFrom);
  if (!field) return;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // The clipboard needs HTTPS: select the text instead, to be copied by hand.
    field.focus();
    field.select();
    showNotice("Can't copy automatically. The link is selected: copy it with Ctrl+C, or ⌘C on a Mac.");
    return;
  }
  const content = [...button.childNodes];
  button.replaceChildren("Copied");
  announce("Link copied.");
  setTimeout(() => button.replaceChildren(...content), 2000);
}

/** Puts the current URL into the dialog, and shows the system's share button where supported. */
export function updateShareDialog() {
  const field = linkField();
  if (field) field.value = location.href;
  for (const button of buttonsFor("share-now")) button.hidden = !navigator.share;
}

export async function shareLink() {
  try {
    await navigator.share({ title: document.title, url: linkField()?.value ?? location.href });
  } catch {
    // The visitor canceled.
  }
}
