// Shows games. The data has what each move changes, and the page has a board with sprites; this
// script knows neither rules nor geometry.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const games = data.games.map(([number, pair, x, o, result, reason, opening, plies, start, moves, changes, times, values, note], i) => ({
    i, number, round: `${(pair - pair % 2) / 2 + 1}.${pair % 2 + 1}`, bots: [x, o], result, reason, opening, plies, start,
    moves: moves ? moves.split(" ") : [], changes: changes ? changes.split(" ") : [], times, values, note,
  }));
  const RESULTS = ["X won", "O won", "Draw"];
  const SIDES = { x: "X", o: "O" };
  const PAGE = 25;

  // What a board looks like after some moves
  const CHANGE = /([-~@>!]?)(\d+)(?:=(\d+))?/g;
  function state(game, ply) {
    const s = { places: new Map(), frame: null, target: null, last: null, movedFrame: false, line: [] };
    const apply = (text, isMove) => {
      s.target = s.last = null;
      s.movedFrame = false;
      for (const [, letter, number, sprite] of text.matchAll(CHANGE)) {
        const n = +number;
        if (sprite !== undefined) s.places.set(n, +sprite);
        else if (letter === "-") s.places.delete(n);
        else if (letter === "~") s.last = n;
        else if (letter === "@") { s.frame = n; s.movedFrame = isMove; }
        else if (letter === ">") s.target = n;
        else if (letter === "!") s.line.push(n);
      }
    };
    apply(data.starts[game.start], false);
    for (let i = 0; i < ply; i++) apply(game.changes[i].slice(1), true);
    return s;
  }

  // Drawing: the page contains the board and sprites; these are placed on the squares of cells and boards.
  const { squares, colors } = data.board;
  const counts = squares.map((places) => places.length), depth = squares.length;
  // The number of parts that a board of one level has on another
  const partsOf = (level, below) => counts.slice(level, below).reduce((product, count) => product * count, 1);
  // The level of a place's number, and its index there
  function levelAndIndex(number) {
    let level = 1, index = number;
    while (level < depth && index >= partsOf(0, level)) index -= partsOf(0, level++);
    return [level, index];
  }
  function square(level, index) {
    let [x, y, size] = squares[0][Math.floor(index / partsOf(1, level))];
    for (let i = 1; i < level; i++) {
      const [right, down, share] = squares[i][Math.floor(index / partsOf(i + 1, level)) % counts[i]];
      [x, y, size] = [x + right * size, y + down * size, size * share];
    }
    return [x, y, size];
  }
  // The strokes of small marks are at least 1.2 units wide.
  const sprite = (name, number, cls) => {
    const [x, y, size] = square(...levelAndIndex(number));
    return `<use href="#${name}" class="${cls}" style="--stroke:${Math.max(7.5, 120 / size)}" transform="translate(${x} ${y}) scale(${size / 100})"/>`;
  };
  function draw(s) {
    let svg = "";
    const colorAt = (number) => colors[s.places.get(number)] ?? "n";
    for (const number of s.line) svg += sprite("area", number, `won ${colorAt(number)}`);
    if (s.target !== null) svg += sprite("area", s.target, "target");
    if (s.frame !== null) svg += sprite("frame", s.frame, s.movedFrame ? "moved" : "");
    // Boards that show something are above what is inside them.
    const shown = [...s.places].map(([number, id]) => [number, id, ...levelAndIndex(number)]);
    const boards = shown.filter(([, , level]) => level < depth);
    // A board that is only closed doesn't cover what is inside it.
    const covers = boards.filter(([, id]) => !$(`s${id}`).querySelector(".closed"));
    const isCovered = (level, index) => covers.some(([, , l, i]) => l < level && Math.floor(index / partsOf(l, level)) === i);
    for (const [number, id] of boards) svg += sprite(`s${id}`, number, "owned");
    for (const [number, id, level, index] of shown) {
      if (level === depth) svg += sprite(`s${id}`, number, isCovered(level, index) ? "behind" : "");
    }
    if (s.last !== null) svg += sprite(`ring-${colorAt(s.last)}`, s.last, "");
    $("pieces").innerHTML = svg;
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
      $("game-title").textContent = `Game ${game.number}: ${name(game.bots[0])} (X) – ${name(game.bots[1])} (O)`;
      const winner = game.result < 2 ? `${name(game.bots[game.result])} (${"XO"[game.result]}) won` : "Draw";
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
    draw(state(game, ply));
    const end = ply === game.changes.length;
    const mv = ply ? `${SIDES[game.changes[ply - 1][0]]} played ${game.moves[ply - 1]}` : "Start";
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
      const side = bot === "" ? -1 : game.bots.indexOf(+bot);
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
      open.setAttribute("aria-label", `Show game ${game.number}: ${name(game.bots[0])} against ${name(game.bots[1])}`);
      const first = document.createElement("td");
      first.className = "n";
      first.append(open);
      row.append(first);
      const cells = [game.round, name(game.bots[0]), name(game.bots[1]), RESULTS[game.result], data.reasons[game.reason], game.plies];
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

  // Shows the game this many rows further down in the list, and its page
  function showNeighbor(by) {
    const at = list.indexOf(shown) + by;
    if (at < 0 || at >= list.length) return;
    const on = Math.floor(at / PAGE), inList = $("list").contains(document.activeElement);
    if (on !== page) { page = on; fill(); }
    show(list[at], 0);
    if (inList) focusRow();
  }
  // Moves the focus to the shown game in the list
  function focusRow() {
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
    if (!below) focusRow();
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
    else if (event.key === "ArrowUp") showNeighbor(-1);
    else if (event.key === "ArrowDown") showNeighbor(1);
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
    const update = () => { hint.hidden = box.scrollWidth <= box.clientWidth + 1; };
    new ResizeObserver(update).observe(box);
    for (const child of box.children) new ResizeObserver(update).observe(child);
    update();
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
    filter();
    if (!linked()) show(games[0], 0);
  } else {
    const none = document.createElement("p");
    none.className = "soft";
    none.textContent = "No games yet.";
    $("games").append(none);
  }
})();
