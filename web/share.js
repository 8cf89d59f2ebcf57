// Sharing the URL of a game: by the clipboard or the system's share dialog.

import { announce, showNotice } from "./parts.js";

/** Copies the value of the field that the button names. */
export async function copyField(button) {
  const field = document.getElementById(button.dataset.copies);
  if (!field) return;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // The clipboard needs HTTPS: select the text instead, to be copied by hand.
    field.focus();
    field.select();
    showNotice("Press Ctrl+C to copy the link.");
    return;
  }
  const content = [...button.childNodes];
  button.replaceChildren("Copied");
  announce("Link copied.");
  setTimeout(() => button.replaceChildren(...content), 2000);
}

/** Puts the current URL into the dialog, and shows the system's share button where supported. */
export function updateShareDialog() {
  const field = document.getElementById("share-link");
  if (field) field.value = location.href;
  for (const button of document.querySelectorAll('[data-do="share-now"]')) {
    button.hidden = !navigator.share;
  }
}

export async function shareLink() {
  const field = document.getElementById("share-link");
  try {
    await navigator.share({ title: document.title, url: field?.value ?? location.href });
  } catch {
    // The visitor canceled.
  }
}
