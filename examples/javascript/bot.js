// A UGI bot for ultimate tic-tac-toe: wins a board if it can, and avoids sending the
// opponent to a board that they can win.   node bot.js
"use strict";

const LINES = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"];
const CELLS = [..."abcdefghi"];

const won = (marks, board) => LINES.some((line) => [...line].every((cell) => marks.has(board + cell)));

function choose(moves) {
  const theirs = new Set(moves.filter((_, i) => i % 2 !== moves.length % 2));
  const mine = new Set(moves.filter((_, i) => i % 2 === moves.length % 2));
  const isFree = (move) => !mine.has(move) && !theirs.has(move);
  const isOpen = (board) => !won(mine, board) && !won(theirs, board);
  const all = CELLS.filter(isOpen).flatMap((board) => CELLS.map((cell) => board + cell).filter(isFree));
  // The last cell played names the board to play in, unless that board is won or full.
  const sent = all.filter((move) => moves.length && move[0] === moves.at(-1)[1]);
  const legal = sent.length ? sent : all;

  const wins = (marks, move) => won(new Set(marks).add(move), move[0]);
  const givesBoard = (move) =>
    !isOpen(move[1]) || CELLS.some((cell) => isFree(move[1] + cell) && wins(theirs, move[1] + cell));
  const score = (move) => 2 * wins(mine, move) - givesBoard(move);
  const best = Math.max(...legal.map(score));
  const good = legal.filter((move) => score(move) === best);
  return good[Math.floor(Math.random() * good.length)];
}

let moves = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...rest] = line.trim().split(/\s+/);
  if (command === "ugi") {
    console.log("id name JavaScript by UGI");
    console.log("option name Variant type combo default ultimate var ultimate");
    console.log("ugiok");
  } else if (command === "isready") {
    console.log("readyok");
  } else if (command === "position") {
    moves = rest.slice(2); // startpos moves ee ea …
  } else if (command === "go") {
    console.log("bestmove " + choose(moves));
  } else if (command === "quit") {
    process.exit(0);
  }
});
