// Preferences in localStorage. Where the browser blocks it, nothing is stored.

export function loadPreference(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function savePreference(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is blocked: the choice applies to this page only.
  }
}
