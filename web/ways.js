// What keys mean on every board: directions, digits as on a keypad; and how the names of
// nested cells lie beside each other. Geometry of names only.

/** Right and down for each key that is a direction. */
export const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  h: [-1, 0], l: [1, 0], k: [0, -1], j: [0, 1],
};

/** The slanting ones, as in old games of the terminal. */
export const SLANTS = { y: [-1, -1], u: [1, -1], b: [-1, 1], n: [1, 1] };

/** What one does where digits name nothing. */
export const OTHERWISE = "here use the arrow keys and Enter, or / and the name of a cell.";

/** Where a digit lies on a keypad: column and row from the top left. */
export const keypad = (digit) => [(digit - 1) % 3, 2 - Math.floor((digit - 1) / 3)];

/** The letter of a place in a nested board. */
export const letter = (col, row) => "abcdefghi"[row * 3 + col];

/** The path beside a path, over the borders of boards; none beyond the outermost. */
export function beside(path, right, down) {
  const side = 3 ** path.length;
  let [col, row] = [0, 0];
  for (const part of path) {
    const place = part.charCodeAt(0) - 97;
    [col, row] = [col * 3 + (place % 3), row * 3 + Math.floor(place / 3)];
  }
  [col, row] = [col + right, row + down];
  if (col < 0 || row < 0 || col >= side || row >= side) return null;
  let name = "";
  for (let size = side / 3; size >= 1; size /= 3) {
    name += letter(Math.floor(col / size) % 3, Math.floor(row / size) % 3);
  }
  return name;
}

/** What all paths begin with. */
export function common(paths) {
  const [first = "", ...others] = paths;
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** What lies below a button of a board: a cell, or a whole board. */
export const nameOf = (cell) => cell.dataset.cell ?? cell.dataset.board;
