// What scripts draw into a board's preview: marks that are not yet made, lines that
// would be completed, outlines. Nothing here stays when the board is drawn anew.

const make = (name, fields) => {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(fields)) shape.setAttribute(key, value);
  return shape;
};

/** Where a button of the board lies, in the board's own units. */
export function box(cell) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((key) =>
    Number(cell.getAttribute(key)),
  );
  return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
}

/** The smallest box around several. */
export function around(boxes) {
  const x = Math.min(...boxes.map((b) => b.x));
  const y = Math.min(...boxes.map((b) => b.y));
  const width = Math.max(...boxes.map((b) => b.x + b.width)) - x;
  const height = Math.max(...boxes.map((b) => b.y + b.height)) - y;
  return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
}

/** A point of the screen in the board's units. */
export function point(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY);
  return at.matrixTransform(svg.getScreenCTM().inverse());
}

/** A mark of a side in a box, as large as the server draws it. */
export function mark(side, { cx, cy, width }, kind) {
  const group = make("g", { class: `mark ${side} ${kind}`, "stroke-width": width * 0.075 });
  const r = width * 0.25;
  const cross = `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`;
  group.append(
    side === "x"
      ? make("path", { class: "stroke", d: cross })
      : make("circle", { class: "stroke", cx, cy, r: r * 1.08 }),
  );
  return group;
}

/** An outline. */
export function outline({ x, y, width, height }, kind) {
  return make("rect", { class: kind, x, y, width, height, rx: Math.min(width, height) * 0.13 });
}

/** A line through the middles of boxes. */
export function through(boxes, kind) {
  const [from, to] = [boxes[0], boxes[boxes.length - 1]];
  return make("line", {
    class: kind,
    x1: from.cx,
    y1: from.cy,
    x2: to.cx,
    y2: to.cy,
    "stroke-width": from.width * 0.2,
  });
}
