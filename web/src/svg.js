// @ts-check
// SVG elements for a board's preview layer: marks of pending moves, lines that would be
// completed, outlines. They disappear when the board is redrawn.

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
const svgElement = (name, attributes) => {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, `${value}`);
  return shape;
};

/** A box with its center.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Box} */
const box = (x, y, width, height) => ({ x, y, width, height, cx: x + width / 2, cy: y + height / 2 });

/** The box of a rectangle, in the board's units.
 * @param {Element} cell */
export function boxOf(cell) {
  /** @param {string} key */
  const number = (key) => Number(cell.getAttribute(key));
  return box(number("x"), number("y"), number("width"), number("height"));
}

/** The smallest box around several boxes.
 * @param {Box[]} boxes */
export function boundingBox(boxes) {
  const x = Math.min(...boxes.map((b) => b.x));
  const y = Math.min(...boxes.map((b) => b.y));
  const right = Math.max(...boxes.map((b) => b.x + b.width));
  const bottom = Math.max(...boxes.map((b) => b.y + b.height));
  return box(x, y, right - x, bottom - y);
}

/** Converts a pointer event's position to the board's units.
 * @param {SVGSVGElement} svg
 * @param {MouseEvent} event */
export function toBoardPoint(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
}

/** A piece in a box: a copy of its picture, which fills a square of 100 units.
 * @param {Element} picture
 * @param {Box} place
 * @param {string} className */
export function drawPiece(picture, { cx, cy, width }, className) {
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  copy.setAttribute("transform", `translate(${cx - width / 2} ${cy - width / 2}) scale(${width / 100})`);
  copy.classList.add(className);
  return copy;
}

/**
 * @param {Omit<Box, "cx" | "cy">} box
 * @param {string} className
 */
export function drawOutline({ x, y, width, height }, className) {
  return svgElement("rect", { class: className, x, y, width, height, rx: Math.min(width, height) * 0.13 });
}

/** The picture of a piece as an image of its own, without the room that a cell has around it.
 * @param {Element} picture */
export function pieceImage(picture) {
  const image = svgElement("svg", { class: "board static piece", viewBox: "8 8 84 84", "aria-hidden": "true" });
  image.append(picture.cloneNode(true));
  return image;
}

/** A line from the center of one box to the center of another.
 * @param {Box} from
 * @param {Box} to
 * @param {string} className */
export function drawLine(from, to, className) {
  const ends = { x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy };
  return svgElement("line", { class: className, ...ends, "stroke-width": from.width * 0.2 });
}
