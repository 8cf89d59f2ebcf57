// Tic-Tac-Two: the grid as a pane of glass that is dragged or moved by keys, pieces that
// are dragged or lifted and put down. Which moves there are, and the lines that each
// would complete, comes with the state; a move that is not among them is sent all the
// same, and the server says why not.

import { around, box, mark, outline, point } from "./draw.js";
import { Glass } from "./glass.js";
import { OTHERWISE, SLANTS, STEPS, keypad } from "./ways.js";

/** Directions while the grid is in the hand. */
const WAYS = { ...STEPS, ...SLANTS };
/** A finger that moves less than this taps. */
const TAP = 8;

export class Two extends Glass {
  constructor(board) {
    super(board);
    this.half = null;
    this.drag = null;
    const { root } = board;
    root.addEventListener("pointerdown", (event) => this.down(event));
    // A piece from beside a name comes from outside the board.
    document.addEventListener("pointerdown", (event) => this.fetch(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("pointercancel", ({ pointerId }) => {
      if (this.drag?.id === pointerId) this.drop();
    });
    // A finger that drags something does not scroll the page; beside it, it does.
    const still = (event) => this.drag && event.cancelable && event.preventDefault();
    root.addEventListener("touchmove", still, { passive: false });
  }

  isHolding() {
    return Boolean(this.half || this.drag?.moved);
  }

  /** A click that ends a drag is no click. */
  wasDragged() {
    return performance.now() - (this.dropped ?? -1000) < 60;
  }

  fresh() {
    this.half = null;
    this.drag = null;
  }

  // ---- pointers ----

  down(event) {
    this.pressed = event;
    if (!this.is() || this.drag || event.button > 0 || !this.board.table.may()) return;
    const cell = event.target.closest(".cell");
    const name = cell?.dataset.cell;
    const at = point(this.board.svg, event);
    const handle = event.target.closest(".grip");
    // One takes an own piece, or else the glass, by its handle, its frame or, if the
    // finger moves, through an empty cell below it. The other's pieces are no handles,
    // and a finger that could move nothing scrolls.
    const held = handle || (!cell?.dataset.piece && this.isOnGlass(at));
    const moves = this.places().length > 1 || event.pointerType !== "touch";
    const what = this.mine(name) && !handle ? "piece" : held && moves ? "glass" : null;
    if (what) this.take(event, { what, name, at });
  }

  /** A piece from the hand, beside the name of who moves. */
  fetch(event) {
    if (!this.is() || this.drag || event.button > 0 || this.board.root.id !== "board") return;
    const hand = event.target.closest?.(".hand");
    if (!hand?.querySelector("svg") || !this.board.table.may()) return;
    if (hand.dataset.side !== this.board.svg.dataset.side) return;
    // Else the picture's text would be marked.
    event.preventDefault();
    this.take(event, { what: "hand", at: point(this.board.svg, event) });
  }

  take({ clientX: x, clientY: y, pointerId: id }, drag) {
    this.drag = { ...drag, x, y, id, moved: false };
  }

  move(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP) return;
      drag.moved = true;
      this.half = null;
      this.board.root.setPointerCapture(event.pointerId);
      this.board.svg.classList.add("holding");
    }
    const at = point(this.board.svg, event);
    if (drag.what === "glass") this.dragGlass(at);
    else this.dragPiece(at);
  }

  /** The glass follows to the nearest place it may go to and resists beyond. */
  dragGlass(at) {
    const [across, down] = this.pitch;
    const [col, row] = this.place(this.centre);
    const [dx, dy] = [at.x - this.drag.at.x, at.y - this.drag.at.y];
    const far = (name) => {
      const [c, r] = this.place(name);
      return Math.hypot((c - col) * across - dx, (r - row) * down - dy);
    };
    // Off the board it goes back to where it was.
    const away = this.isAway(at);
    const to = away ? this.centre : this.places().sort((a, b) => far(a) - far(b))[0];
    const [c, r] = this.place(to);
    const [x, y] = [(c - col) * across, (r - row) * down];
    const give = (by, pitch) => Math.max(-0.3, Math.min(0.3, (by / pitch) * 0.35)) * pitch;
    const [px, py] = [x + give(dx - x, across), y + give(dy - y, down)];
    const [right, below] = [Math.round(dx / across), Math.round(dy / down)];
    this.drag.wish = away ? null : this.button(col + right, row + below);
    this.drag.to = to;
    this.glass.classList.add("held");
    this.glass.setAttribute("transform", `translate(${px} ${py})`);
    this.board.clear();
    if (to !== this.centre) this.lines(`@${to}`);
  }

  dragPiece(at) {
    const { name } = this.drag;
    const own = box(this.board.cell(name ?? this.centre));
    this.board.clear();
    this.showHeld(name);
    const over = this.under(at);
    const to = over?.dataset.cell;
    this.drag.to = to;
    const move = this.moveTo(name, to);
    if (to && this.board.table.choice(move)) {
      this.board.over.append(outline(box(over), "tip"));
      this.lines(move);
    }
    const hand = { ...own, cx: at.x, cy: at.y };
    this.board.over.append(mark(this.board.svg.dataset.side, hand, "ghost"));
  }

  up(event) {
    const drag = this.drag;
    if (this.stopped === event.pointerId) {
      this.stopped = null;
      this.dropped = performance.now();
    }
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    if (!drag.moved) return;
    this.dropped = performance.now();
    this.drop();
    if (drag.what === "glass") {
      const wish = drag.wish?.dataset.cell;
      if (drag.to !== this.centre) this.make(`@${drag.to}`);
      else if (wish && wish !== this.centre) this.make(`@${wish}`);
    } else if (drag.to && drag.to !== drag.name) {
      this.make(this.moveTo(drag.name, drag.to));
    }
  }

  /** Esc in the middle of a drag: the button is still down. */
  stop() {
    this.stopped = this.drag.id;
    this.drop();
  }

  /** Everything lies where it lay. */
  drop() {
    this.drag = null;
    this.half = null;
    this.glass?.classList.remove("held");
    this.glass?.removeAttribute("transform");
    this.board.svg?.classList.remove("holding");
    this.board.clear();
  }

  // ---- moves ----

  /** Enter, a click, a tap on a cell: place, lift, put down, put back. What cannot be is
   * refused by the server, and what is in the hand stays there. */
  choose(name) {
    const { half } = this;
    if (!this.board.table.may()) return this.board.table.play(name);
    if (half?.grid) {
      if (name === this.centre) this.putBack();
      else this.attempt(`@${name}`);
    } else if (half?.from === name) {
      this.putBack();
    } else if (this.mine(name)) {
      this.lift(name);
    } else if (half) {
      this.attempt(`${half.from}-${name}`);
    } else {
      this.make(name);
    }
  }

  /** The second half of a move that was begun. */
  attempt(move) {
    if (this.board.table.choice(move)) this.make(move);
    else this.board.table.play(move);
  }

  putBack() {
    this.drop();
    this.board.table.unsay();
  }

  /** A click or tap beside the cells: the handle or the frame takes the grid. */
  chooseFrame(event) {
    if (!this.is() || !this.board.table.may()) return;
    // Pressed on one cell and let go on another, it is a click on what is around both.
    const { clientX, clientY } = this.pressed ?? event;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > TAP) return;
    const handle = event.target.closest(".grip");
    if (!handle && !this.isOnGlass(point(this.board.svg, event))) return;
    if (this.half?.grid) this.putBack();
    else this.grasp();
  }

  lift(name) {
    this.drop();
    const there = this.choices.some(({ from }) => from === name);
    // Nowhere to go with it: the server says why.
    if (!there) return this.make(`${name}-${name}`);
    this.half = { from: name };
    this.showHeld(name);
    this.board.table.notice(
      `The piece from ${name}: choose where it goes; Esc or the piece itself puts it back.`,
    );
  }

  /** Takes the grid into the hand; directions move it, Enter makes the move. */
  grasp() {
    this.drop();
    if (this.places().length < 2) return this.make(`@${this.centre}`);
    this.half = { grid: this.centre };
    this.glass.classList.add("held");
    this.again();
    this.board.table.notice(
      "The grid: choose its new middle, or a direction and then Enter; Esc or its handle cancels.",
    );
  }

  shift(name) {
    if (!this.places().includes(name)) return this.board.table.play(`@${name}`);
    this.half = { grid: name };
    this.again();
    if (name === this.centre) return;
    this.board.table.notice(`The grid to ${name}: Enter moves it there, Esc cancels.`);
  }

  /** Shows the half-made move, and nothing else. */
  again() {
    this.board.clear();
    const { grid, from } = this.half ?? {};
    if (from) this.showHeld(from);
    if (!grid) return;
    for (const place of this.places()) {
      const { cx, cy, width } = box(this.board.cell(place));
      const spot = { x: cx - width / 6, y: cy - width / 6, width: width / 3, height: width / 3 };
      if (place !== this.centre) this.board.over.append(outline(spot, "drop"));
    }
    if (grid === this.centre) return;
    this.ghost(grid, "drop");
    this.lines(`@${grid}`);
  }

  make(move) {
    this.drop();
    const choice = this.board.table.choice(move);
    const { side } = this.board.svg.dataset;
    if (choice?.kind === "grid") this.ghost(choice.to, "drop");
    else if (choice) this.board.over.append(mark(side, box(this.board.cell(choice.to)), "pending"));
    this.board.table.play(move);
  }

  // ---- keys ----

  key(key) {
    if (!this.is()) return false;
    const grid = this.half?.grid;
    if (key === "Escape") {
      if (this.drag?.moved) this.stop();
      else if (this.half) this.putBack();
      else return false;
    } else if (key === "g" && this.board.table.may()) {
      if (grid) this.drop();
      else this.grasp();
    } else if (grid && key === "Enter") {
      if (grid === this.centre) this.drop();
      else this.make(`@${grid}`);
    } else if (grid && (WAYS[key] || /^[1-9]$/.test(key))) {
      const [right, down] = WAYS[key] ?? keypad(Number(key)).map((at) => at - 1);
      const [col, row] = this.place(grid);
      const to = this.button(col + right, row + down);
      if (to) this.shift(to.dataset.cell);
    } else {
      return false;
    }
    return true;
  }

  /** A place in the grid as it lies on a keypad. */
  digit(right, down) {
    const inside = this.inside();
    if (inside.length !== 9) {
      this.board.table.notice(`Digits name the cells of a grid of 3 by 3; ${OTHERWISE}`);
      return;
    }
    const corner = around(inside.map(box));
    const [across, step] = this.pitch;
    const [x, y] = [corner.x + (right + 0.45) * across, corner.y + (down + 0.45) * step];
    const cell = this.under({ x, y });
    if (!cell) return;
    this.board.focus(cell);
    this.choose(cell.dataset.cell);
  }
}
