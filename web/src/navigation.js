// @ts-check
// Where places are on a board: paths, neighbors, and what direction keys and digits mean. Everything follows from the
// columns and rows of each level.

/** Columns to the right and rows down for each direction key.
 * @type {Record<string, [number, number]>} */
export const DIRECTIONS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  h: [-1, 0], l: [1, 0], k: [0, -1], j: [0, 1],
};

/** The diagonal keys of roguelikes, for the frame.
 * @type {Record<string, [number, number]>} */
export const DIAGONALS = { y: [-1, -1], u: [1, -1], b: [-1, 1], n: [1, 1] };

/** The end of the notice that digits don't work here. */
export const OTHER_INPUT = "Use the arrow keys and Enter, or press / and type a move.";

/** A digit's column and row on a numeric keypad, from the top left.
 * @param {number} digit */
export const keypadPosition = (digit) => [(digit - 1) % 3, 2 - Math.floor((digit - 1) / 3)];

/** Do digits select every place of a board with these levels: as on a numeric keypad, or counted in a row?
 * @param {Size[]} levels */
export const hasDigits = (levels) =>
  levels.length > 0 && levels.every(([columns, rows]) => (rows === 1 ? columns <= 9 : Math.max(columns, rows) <= 3));

/** The index that a digit selects on a board of this size; null if there is none.
 * @param {Size} size
 * @param {number} digit */
export function digitIndex([columns, rows], digit) {
  const [col, row] = rows === 1 ? [digit - 1, 0] : keypadPosition(digit);
  return col < columns && row < rows ? row * columns + col : null;
}

/** The indices of a path.
 * @param {Path} path */
export const partsOf = (path) => (path === "" ? [] : path.split(".").map(Number));

/** The path of a part of a board.
 * @param {Path} board
 * @param {number} index
 * @returns {Path} */
export const partOf = (board, index) => (board === "" ? `${index}` : `${board}.${index}`);

/** The first levels of a path.
 * @param {Path} path
 * @param {number} depth
 * @returns {Path} */
export const outerPath = (path, depth) => partsOf(path).slice(0, Math.max(0, depth)).join(".");

/** The number of levels of a path.
 * @param {Path} path */
export const depthOf = (path) => partsOf(path).length;

/** Is a place in a board, or the same?
 * @param {Path} path
 * @param {Path} board */
export const isInside = (path, board) => board === "" || path === board || path.startsWith(`${board}.`);

/** The smallest board around all of these.
 * @param {Path[]} paths
 * @returns {Path} */
export function commonBoard([first = "", ...others]) {
  let depth = depthOf(first);
  while (!others.every((other) => isInside(other, outerPath(first, depth)))) depth -= 1;
  return outerPath(first, depth);
}

/** Is the place in the middle of the board around it?
 * @param {Path} path
 * @param {Size[]} levels */
export function isCentral(path, levels) {
  const parts = partsOf(path);
  const [columns, rows] = levels[parts.length - 1] ?? [1, 1];
  return parts.at(-1) === Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}

/** The neighbor of a place, across the borders of boards; null outside the whole board.
 * @param {Path} path
 * @param {Size[]} levels
 * @param {number} right
 * @param {number} down
 * @returns {Path | null} */
export function neighborOf(path, levels, right, down) {
  const parts = partsOf(path);
  const sizes = levels.slice(0, parts.length);
  let [col, row] = [0, 0];
  for (const [level, [columns, rows]] of sizes.entries()) {
    [col, row] = [col * columns + (parts[level] % columns), row * rows + Math.floor(parts[level] / columns)];
  }
  [col, row] = [col + right, row + down];
  if (col < 0 || row < 0) return null;
  for (const [level, [columns, rows]] of [...sizes.entries()].reverse()) {
    parts[level] = (row % rows) * columns + (col % columns);
    [col, row] = [Math.floor(col / columns), Math.floor(row / rows)];
  }
  return col || row ? null : parts.join(".");
}

/** The path of the cell or board that a button stands for.
 * @param {Element} button
 * @returns {Path} */
export const pathOf = (button) => /** @type {HTMLElement} */ (button.parentElement).dataset.place ?? "";

/** The column and row of a button in the view.
 * @param {Element} button */
export function columnRowOf(button) {
  const { col, row } = /** @type {HTMLElement} */ (button.parentElement).dataset;
  return [Number(col), Number(row)];
}
