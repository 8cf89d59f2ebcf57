// @ts-check
// What keys mean on every board: directions, and digits as on a numeric keypad; and which
// paths of boards inside boards are neighbors.

/** Columns to the right and rows down for each direction key.
 * @type {Record<string, [number, number]>} */
export const DIRECTIONS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  h: [-1, 0], l: [1, 0], k: [0, -1], j: [0, 1],
};

/** Directions of the frame: also the diagonal keys of roguelikes.
 * @type {Record<string, [number, number]>} */
export const FRAME_DIRECTIONS = { ...DIRECTIONS, y: [-1, -1], u: [1, -1], b: [-1, 1], n: [1, 1] };

/** The end of the notice that digits don't work here. */
export const OTHER_INPUT = "Use the arrow keys and Enter, or press / and type a move.";

/** A digit's column and row on a numeric keypad, from the top left.
 * @param {number} digit */
export const keypadPosition = (digit) => [(digit - 1) % 3, 2 - Math.floor((digit - 1) / 3)];

/** The letter of a place in a board of nine.
 * @param {number} col
 * @param {number} row */
export const placeLetter = (col, row) => "abcdefghi"[row * 3 + col];

/** The neighbor of a path, across board borders; null outside the whole board.
 * @param {Path} path
 * @param {number} right
 * @param {number} down */
export function neighborPath(path, right, down) {
  const size = 3 ** path.length;
  let [col, row] = [0, 0];
  for (const part of path) {
    const place = part.charCodeAt(0) - 97;
    [col, row] = [col * 3 + (place % 3), row * 3 + Math.floor(place / 3)];
  }
  [col, row] = [col + right, row + down];
  if (col < 0 || row < 0 || col >= size || row >= size) return null;
  let neighbor = "";
  for (let blockSize = size / 3; blockSize >= 1; blockSize /= 3) {
    neighbor += placeLetter(Math.floor(col / blockSize) % 3, Math.floor(row / blockSize) % 3);
  }
  return neighbor;
}

/** The longest common prefix of all paths.
 * @param {Path[]} paths */
export function commonPrefix(paths) {
  const [first = "", ...others] = paths;
  let { length } = first;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** The cell or board that a button stands for.
 * @param {HTMLElement} cell */
export const targetOf = (cell) => cell.dataset.cell ?? cell.dataset.board ?? "";

/** The column and row of a button.
 * @param {Element} cell */
export function placeOf(cell) {
  const { col, row } = /** @type {HTMLElement} */ (cell.parentElement).dataset;
  return [Number(col), Number(row)];
}
