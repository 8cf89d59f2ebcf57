// @ts-check
// Preferences in localStorage. Where the browser blocks it, a choice applies to this page only.

/** @param {string} name */
export function loadPreference(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function savePreference(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is blocked.
  }
}
