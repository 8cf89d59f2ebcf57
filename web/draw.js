// SVG elements for a board's preview layer: marks of pending moves, lines that would be
// completed, outlines. They disappear when the board is redrawn.

const svgElement = (name, attributes) => {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  return shape;
};

/** The box of a cell's button, in the board's units. */
export function boxOf(cell) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((key) =>
    Number(cell.getAttribute(key)),
  );
  return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
}

/** The smallest box around several boxes. */
export function boundingBox(boxes) {
  const x = Math.min(...boxes.map((b) => b.x));
  const y = Math.min(...boxes.map((b) => b.y));
  const width = Math.max(...boxes.map((b) => b.x + b.width)) - x;
  const height = Math.max(...boxes.map((b) => b.y + b.height)) - y;
  return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
}

/** Converts a pointer event's position to the board's units. */
export function toBoardPoint(svg, event) {
  const screenPoint = new DOMPoint(event.clientX, event.clientY);
  return screenPoint.matrixTransform(svg.getScreenCTM().inverse());
}

/** A side's mark in a box, as large as the server draws it. */
export function drawMark(side, { cx, cy, width }, className) {
  const group = svgElement("g", { class: `mark ${side} ${className}`, "stroke-width": width * 0.075 });
  const r = width * 0.25;
  const cross = `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`;
  group.append(
    side === "x"
      ? svgElement("path", { class: "stroke", d: cross })
      : svgElement("circle", { class: "stroke", cx, cy, r: r * 1.08 }),
  );
  return group;
}

export function drawOutline({ x, y, width, height }, className) {
  return svgElement("rect", { class: className, x, y, width, height, rx: Math.min(width, height) * 0.13 });
}

/** A line from the center of the first box to the center of the last. */
export function drawLineThrough(boxes, className) {
  const [from, to] = [boxes[0], boxes[boxes.length - 1]];
  return svgElement("line", {
    class: className,
    x1: from.cx,
    y1: from.cy,
    x2: to.cx,
    y2: to.cy,
    "stroke-width": from.width * 0.2,
  });
}
