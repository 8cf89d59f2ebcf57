// Sharing: the address of a game, copied or handed to the system.

import { notice, tell } from "./parts.js";

/** Copies what stands in the field that the button names. */
export async function copy(button) {
  const field = document.getElementById(button.dataset.copies);
  if (!field) return;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Not allowed (a page without https): select it, so that one key copies it.
    field.focus();
    field.select();
    notice("Press Ctrl+C to copy the link.");
    return;
  }
  const before = [...button.childNodes];
  button.replaceChildren("Copied");
  tell("The link is copied.");
  setTimeout(() => button.replaceChildren(...before), 2000);
}

/** The address as it is now, and the system's own way to share, where there is one. */
export function prepare() {
  const field = document.getElementById("share-link");
  if (field) field.value = location.href;
  for (const button of document.querySelectorAll('[data-do="share-now"]')) {
    button.hidden = !navigator.share;
  }
}

export async function share() {
  const field = document.getElementById("share-link");
  try {
    await navigator.share({ title: document.title, url: field?.value ?? location.href });
  } catch {
    // Thought better of it.
  }
}
