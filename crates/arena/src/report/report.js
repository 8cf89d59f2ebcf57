// Shows games. What each move changes is in the data, worked out by the rules; here it
// is only applied and drawn.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const games = data.games.map(([number, pair, x, o, result, reason, opening, plies, start, moves, changes, times, values, note], i) => ({
    i, number, round: `${(pair - pair % 2) / 2 + 1}.${pair % 2 + 1}`, who: [x, o], result, reason, opening, plies, start,
    moves: moves ? moves.split(" ") : [], changes: changes ? changes.split(" ") : [], times, values, note,
  }));
  const RESULTS = ["X won", "O won", "Draw"];
  const SIDES = { x: "X", o: "O" };
  const PAGE = 25;

  // What a board looks like after some moves
  const CHANGE = /([-@XOBN>!*xo]?)(\d+)/g;
  function state(game, ply) {
    const s = { cells: new Map(), owners: new Map(), grid: null, target: null, last: [], line: [], side: null };
    const apply = (text, side) => {
      s.target = null;
      s.last = [];
      s.side = side;
      for (const [, letter, number] of text.matchAll(CHANGE)) {
        const n = +number;
        if (letter === "") { s.cells.set(n, side); s.last.push(n); }
        else if (letter === "x" || letter === "o") s.cells.set(n, letter);
        else if (letter === "-") s.cells.delete(n);
        else if (letter === "@") { s.grid = n; if (side) s.last.push(-1); }
        else if (letter === ">") s.target = n;
        else if (letter === "!" || letter === "*") s.line.push(n);
        else s.owners.set(n, letter);
      }
    };
    apply(data.starts[game.start], null);
    for (let i = 0; i < ply; i++) apply(game.changes[i].slice(1), game.changes[i][0]);
    return s;
  }

  // Drawing
  const n2 = (x) => Math.round(x * 100) / 100;
  function mark(side, { x, y, size }, cls, thick) {
    const pad = size * 0.22, width = n2(Math.max(size * (thick || 0.1), 1.2));
    if (side === "x") {
      const a = [n2(x + pad), n2(y + pad)], b = [n2(x + size - pad), n2(y + size - pad)];
      return `<path class="x ${cls}" stroke-width="${width}" d="M${a[0]} ${a[1]}L${b[0]} ${b[1]}M${b[0]} ${a[1]}L${a[0]} ${b[1]}"/>`;
    }
    return `<circle class="o ${cls}" stroke-width="${width}" cx="${n2(x + size / 2)}" cy="${n2(y + size / 2)}" r="${n2(size / 2 - pad)}"/>`;
  }
  const square = (cls, { x, y, size }, width, by) =>
    `<rect class="${cls}" stroke-width="${width}" x="${n2(x + by)}" y="${n2(y + by)}" width="${n2(size - 2 * by)}" height="${n2(size - 2 * by)}" rx="${n2(Math.min(6, size / 8))}"/>`;
  const hash = ({ x, y, size }) => [1, 2].map((i) => {
    const at = size * i / 3, end = size * 0.04;
    return `M${n2(x + at)} ${n2(y + end)}V${n2(y + size - end)}M${n2(x + end)} ${n2(y + at)}H${n2(x + size - end)}`;
  }).join("");

  function flat(s) {
    const { columns, rows, grid, kind } = data.board, size = 384 / Math.max(columns, rows, 3);
    const at = (cell) => ({ x: (cell % columns) * size, y: Math.floor(cell / columns) * size, size });
    const wide = columns * size, high = rows * size, edge = 22;
    let svg = "";
    for (const cell of s.line) svg += square(`${s.cells.get(cell)} won`, at(cell), 3, size * 0.03);
    if (kind === "two") {
      for (let cell = 0; cell < columns * rows; cell++) svg += square("place", at(cell), 1.5, 2);
      if (s.grid !== null) {
        const c = at(s.grid), reach = (grid - 1) / 2 * size;
        svg += square("pane", { x: c.x - reach, y: c.y - reach, size: grid * size }, s.last.includes(-1) ? 5 : 3, 0);
      }
    } else {
      let line = "";
      for (let i = 1; i < columns; i++) line += `M${n2(i * size)} 4V${n2(high - 4)}`;
      for (let i = 1; i < rows; i++) line += `M4 ${n2(i * size)}H${n2(wide - 4)}`;
      svg += `<path class="line" stroke-width="${n2(Math.min(2.5, size * 0.04))}" d="${line}"/>`;
    }
    for (const [cell, side] of s.cells) svg += mark(side, at(cell), "");
    for (const cell of s.last) if (cell >= 0) svg += square(`${s.side} made`, at(cell), 2.5, size * 0.06);
    const font = Math.min(14, size * 0.4);
    for (let i = 0; i < columns; i++) svg += `<text font-size="${font}" x="${n2((i + 0.5) * size)}" y="${-edge / 2}">${String.fromCharCode(97 + i)}</text>`;
    for (let i = 0; i < rows; i++) svg += `<text font-size="${font}" x="${-edge / 2}" y="${n2((i + 0.5) * size)}">${i + 1}</text>`;
    return [`${-edge} ${-edge} ${n2(wide + edge + 4)} ${n2(high + edge + 4)}`, svg];
  }

  // Board `index` of a level: its letters are digits in base 9. Around boards there is room
  // for a letter, around cells less.
  const PAD = 0.1;
  function box(level, index) {
    let b = { x: 0, y: 0, size: 384 };
    for (let i = level - 1; i >= 0; i--) {
      const place = Math.floor(index / 9 ** i) % 9, third = b.size / 3;
      const pad = third * (level - i < data.board.depth ? PAD : 0.05);
      b = { x: b.x + (place % 3) * third + pad, y: b.y + Math.floor(place / 3) * third + pad, size: third - 2 * pad };
    }
    return b;
  }
  function nested(s) {
    const depth = data.board.depth, drawn = Math.min(depth, 3);
    let svg = "";
    for (const place of s.line) {
      const side = depth === 1 ? s.cells.get(place) : (s.owners.get(place) || "").toLowerCase();
      svg += square(`${side} won`, box(1, place), 3, depth === 1 ? 2 : -2);
    }
    if (s.target !== null) svg += square("target", box(depth - 1, s.target), 2, -2);
    for (let level = 0; level < drawn; level++) {
      let line = "";
      for (let i = 0; i < 9 ** level; i++) line += hash(box(level, i));
      svg += `<path class="${level === 0 ? "line" : "fine"}" stroke-width="${[3, 1.6, 0.8][level]}" d="${line}"/>`;
    }
    // Which level a board's number belongs to, and which of it.
    const level = (number) => {
      let l = 1, first = 0;
      while (number >= first + 9 ** l) first += 9 ** l++;
      return [l, number - first];
    };
    const owned = [];
    for (const [number, owner] of s.owners) {
      if (owner === "N") continue;
      const [l, i] = level(number);
      owned.push([l, i]);
      const b = box(l, i);
      for (const side of owner === "B" ? ["x", "o"] : [owner.toLowerCase()]) svg += mark(side, b, "owned", 0.09);
    }
    const behind = (cell) => owned.some(([l, i]) => Math.floor(cell / 9 ** (depth - l)) === i);
    for (const [cell, side] of s.cells) svg += mark(side, box(depth, cell), behind(cell) ? "behind" : "", 0.12);
    for (const cell of s.last) svg += square(`${s.side} made`, box(depth, cell), depth > 2 ? 1.5 : 2, -1);
    return ["-4 -4 392 392", svg + letters(s, depth, owned)];
  }
  // Beside each large board its letter; in empty cells theirs, or, where these are too
  // small, that of the board in an empty board.
  function letters(s, depth, owned) {
    let svg = "";
    const text = (place, x, y, size, cls) =>
      `<text class="${cls}" font-size="${n2(size)}" x="${n2(x)}" y="${n2(y)}">${String.fromCharCode(97 + place)}</text>`;
    const inside = ({ x, y, size }, place) => text(place, x + size / 2, y + size / 2, Math.min(14, size * 0.42), "in");
    if (depth > 1) for (let i = 0; i < 9; i++) {
      const b = box(1, i), off = 128 * PAD * 0.55;
      svg += text(i, b.x - off, b.y - off, 11, "tag");
    }
    const level = Math.min(depth, 2), taken = new Set();
    for (const cell of s.cells.keys()) taken.add(Math.floor(cell / 9 ** (depth - level)));
    const closed = (i) => owned.some(([l, board]) => l <= level && Math.floor(i / 9 ** (level - l)) === board);
    for (let i = 0; i < 9 ** level; i++) if (!taken.has(i) && !closed(i)) svg += inside(box(level, i), i % 9);
    return svg;
  }

  // One game
  let shown = null, ply = 0, list = games, page = 0;
  const time = (tenths) => {
    const ms = tenths / 10;
    return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
  };
  function thought(game, ply) {
    const i = ply - 1 - game.opening;
    if (i < 0) return "opening move";
    const parts = [], took = game.times.split(" ")[i], value = game.values.split(" ")[i];
    if (took) parts.push(time(+took));
    if (value && value !== ".") {
      const words = { W: "proved win", D: "proved draw", L: "proved loss" };
      parts.push(words[value] || `${Math.round(50 + value / 2)}% win chance`);
    }
    return parts.join(", ");
  }
  const name = (bot) => data.bots[bot] === undefined ? "?" : data.bots[bot];

  // aria-disabled instead of disabled: a disabled button would lose the focus, and the keys would stop working.
  const off = (id, is) => $(id).setAttribute("aria-disabled", is);
  const isOff = (button) => button.getAttribute("aria-disabled") === "true";

  function show(game, at, focus) {
    const changed = shown !== game;
    shown = game;
    ply = Math.max(0, Math.min(at, game.changes.length));
    if (changed) {
      $("game-title").textContent = `Game ${game.number}: ${name(game.who[0])} (X) – ${name(game.who[1])} (O)`;
      const winner = game.result < 2 ? `${name(game.who[game.result])} (${"XO"[game.result]}) won` : "Draw";
      $("game-result").textContent = `${winner}: ${data.reasons[game.reason]}${game.note ? ` (${game.note})` : ""}`;
      const all = document.createDocumentFragment();
      game.moves.forEach((mv, i) => {
        const item = document.createElement("li"), button = document.createElement("button");
        button.type = "button";
        button.textContent = mv;
        button.className = `m${game.changes[i][0]}`;
        button.dataset.ply = i + 1;
        item.append(button);
        all.append(item);
      });
      // The focused move is about to be removed: move the focus to the game.
      if ($("moves").contains(document.activeElement)) $("game").focus({ preventScroll: true });
      $("moves").replaceChildren(all);
      for (const row of $("list").children) {
        if (+row.dataset.game === game.i) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      }
    }
    const s = state(game, ply);
    const [view, svg] = data.board.kind === "nested" ? nested(s) : flat(s);
    const end = ply === game.changes.length;
    const mv = ply ? `${SIDES[game.changes[ply - 1][0]]} played ${game.moves[ply - 1]}` : "Start";
    $("board").innerHTML = `<svg viewBox="${view}" role="img" aria-label="Board after ${ply === 1 ? "1 move" : `${ply} moves`}">${svg}</svg>`;
    let say = `${ply} of ${game.changes.length}: ${mv}`;
    if (ply) {
      const more = thought(game, ply);
      if (more) say += ` (${more})`;
    }
    if (!game.changes.length && game.plies) say = `${game.plies} moves: too long to show here. Export the game with “noughts arena report --records FILE”.`;
    else if (end) say += `. ${game.result < 2 ? `${"XO"[game.result]} won` : "Draw"}: ${data.reasons[game.reason]}.`;
    $("say").textContent = say;
    off("first", ply === 0);
    off("back", ply === 0);
    off("next", end);
    off("last", end);
    for (const button of $("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = $("moves").children[ply - 1];
    if (current) {
      current.firstChild.setAttribute("aria-current", "step");
      const box = $("moves"), top = current.offsetTop - box.offsetTop;
      if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    } else $("moves").scrollTop = 0;
    if (focus) {
      $("game").scrollIntoView({ block: "nearest" });
      $("game-title").focus({ preventScroll: true });
    }
  }

  // The list
  function filter() {
    const form = $("filters"), bot = form.bot.value, result = form.result.value, reason = form.reason.value;
    for (const option of form.result.options) option.disabled = !bot && (option.value === "won" || option.value === "lost");
    list = games.filter((game) => {
      const side = bot === "" ? -1 : game.who.indexOf(+bot);
      if (bot !== "" && side < 0) return false;
      if (reason !== "" && game.reason !== +reason) return false;
      if (result === "won") return game.result === side;
      if (result === "lost") return game.result === 1 - side;
      return result === "" || game.result === +result;
    });
    page = 0;
    fill();
  }
  function fill() {
    const pages = Math.max(1, Math.ceil(list.length / PAGE)), rows = document.createDocumentFragment();
    for (const game of list.slice(page * PAGE, (page + 1) * PAGE)) {
      const row = document.createElement("tr");
      row.dataset.game = game.i;
      if (game === shown) row.setAttribute("aria-current", "true");
      const open = document.createElement("button");
      open.type = "button";
      open.textContent = game.number;
      open.setAttribute("aria-label", `Show game ${game.number}: ${name(game.who[0])} against ${name(game.who[1])}`);
      const first = document.createElement("td");
      first.className = "n";
      first.append(open);
      row.append(first);
      const cells = [game.round, name(game.who[0]), name(game.who[1]), RESULTS[game.result], data.reasons[game.reason], game.plies];
      cells.forEach((text, i) => {
        const cell = document.createElement("td");
        cell.className = i === 5 ? "t n" : i === 1 || i === 2 ? "t who" : "t";
        cell.textContent = text;
        row.append(cell);
      });
      rows.append(row);
    }
    $("list").replaceChildren(rows);
    $("count").textContent = `${list.length} of ${games.length} games`;
    $("page").textContent = `Page ${page + 1} of ${pages}`;
    off("newer", page === 0);
    off("older", page + 1 >= pages);
    $("newer").parentElement.hidden = pages === 1;
  }
  function option(select, value, text) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    select.append(option);
  }

  // Another game of the list, and the page it is on
  function beside(by) {
    const at = list.indexOf(shown) + by;
    if (at < 0 || at >= list.length) return;
    const on = Math.floor(at / PAGE), inList = $("list").contains(document.activeElement);
    if (on !== page) { page = on; fill(); }
    show(list[at], 0);
    if (inList) stand();
  }
  // The focus goes to the shown game in the list.
  function stand() {
    const row = $("list").querySelector("[aria-current] button");
    if (row) row.focus();
    else $("game").focus({ preventScroll: true });
  }

  // Links: #g12 is game 12 of the plan, #g12.3 its position after three moves
  function linked() {
    const found = /^#g(\d+)(?:\.(\d+))?$/.exec(location.hash);
    const game = found && games.find((game) => game.number === +found[1]);
    if (!game) return false;
    show(game, +(found[2] || 0), true);
    return true;
  }

  const form = $("filters"), used = [...new Set(games.map((game) => game.reason))].sort((a, b) => a - b);
  option(form.bot, "", "Any");
  data.bots.forEach((bot, i) => option(form.bot, i, bot));
  option(form.reason, "", "Any");
  used.forEach((reason) => option(form.reason, reason, data.reasons[reason]));
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  $("list").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!row) return;
    const below = matchMedia("(max-width: 900px)").matches;
    show(games[+row.dataset.game], 0, below);
    if (!below) stand();
  });
  $("moves").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(shown, +button.dataset.ply);
  });
  const steps = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => Infinity };
  for (const id in steps) $(id).addEventListener("click", () => { if (!isOff($(id))) show(shown, steps[id]()); });
  $("newer").addEventListener("click", () => { if (!isOff($("newer"))) { page--; fill(); } });
  $("older").addEventListener("click", () => { if (!isOff($("older"))) { page++; fill(); } });
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  $("viewer").addEventListener("keydown", (event) => {
    if (!shown || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // Lists of choices and boxes that scroll have keys of their own.
    if (event.target.matches("select, input, textarea, .scroll")) return;
    if (KEYS[event.key]) show(shown, steps[KEYS[event.key]]());
    else if (event.key === "ArrowUp") beside(-1);
    else if (event.key === "ArrowDown") beside(1);
    else return;
    event.preventDefault();
  });
  addEventListener("hashchange", linked);

  // Show a hint below boxes that scroll sideways
  for (const box of document.querySelectorAll(".scroll, .block, .wide")) {
    const hint = document.createElement("p");
    hint.className = "soft more";
    hint.textContent = "Scroll sideways to see more →";
    box.after(hint);
    const look = () => { hint.hidden = box.scrollWidth <= box.clientWidth + 1; };
    new ResizeObserver(look).observe(box);
    for (const child of box.children) new ResizeObserver(look).observe(child);
    look();
  }

  // The theme; it isn't saved
  const root = document.documentElement, theme = $("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { theme.textContent = dark() ? "Use light theme" : "Use dark theme"; };
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    label();
  });
  theme.hidden = false;
  label();

  if (games.length) {
    $("viewer").hidden = false;
    $("letters").hidden = data.board.kind !== "nested";
    filter();
    if (!linked()) show(games[0], 0);
  } else {
    const none = document.createElement("p");
    none.className = "soft";
    none.textContent = "No games yet.";
    $("games").append(none);
  }
})();
