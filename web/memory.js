// What a browser remembers of its visitor's tastes. Where it must not, nothing is kept.

export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice holds for this page then.
  }
}
