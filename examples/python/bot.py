#!/usr/bin/env python3
"""A UGI bot for ultimate tic-tac-toe: wins a board if it can, otherwise plays a random move."""
import random
import sys

LINES = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]


def won(marks, board):
    return any(all(board + cell in marks for cell in line) for line in LINES)


def choose(moves):
    theirs, mine = set(moves[-1::-2]), set(moves[-2::-2])
    boards = [b for b in "abcdefghi" if not won(mine, b) and not won(theirs, b)]
    legal = [b + cell for b in boards for cell in "abcdefghi" if b + cell not in moves]
    # The last cell played names the board to play in, unless that board is won or full.
    legal = [m for m in legal if moves and m[0] == moves[-1][1]] or legal
    winning = [m for m in legal if won(mine | {m}, m[0])]
    return random.choice(winning or legal)


moves = []
for line in sys.stdin:
    command, *rest = line.split() or [""]
    if command == "ugi":
        print("id name Thirty Lines")
        print("option name Variant type combo default ultimate var ultimate")
        print("ugiok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "position":  # position startpos moves ee ea …
        moves = rest[2:]
    elif command == "go":
        print("bestmove", choose(moves), flush=True)
    elif command == "quit":
        break
