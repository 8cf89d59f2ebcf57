"""Games written in Python, for the tests. Not a test itself."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import noughts

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
CELLS = [column + row for row in "123" for column in "abc"]


class OwnClassic(noughts.Game):
    """Tic-tac-toe.

    Three in a row win.
    """

    max_plies = 9
    all_moves = CELLS

    def start(self) -> str:  # type: ignore[override]
        return "........."

    def side(self, position: str) -> str:
        return "xo"[position.count("x") - position.count("o")]

    def moves(self, position: str) -> List[str]:
        return [cell for cell, mark in zip(CELLS, position) if mark == "."]

    def apply(self, position: str, move: str) -> str:
        cell = CELLS.index(move)
        return position[:cell] + self.side(position) + position[cell + 1 :]

    def outcome(self, position: str) -> Optional[str]:
        for a, b, c in LINES:
            if position[a] != "." and position[a] == position[b] == position[c]:
                return position[a]
        return None

    def cells(self, position: str) -> List[str]:
        return [position[n : n + 3] for n in (0, 3, 6)]

    def text(self, position: str) -> str:
        return "/".join(self.cells(position)) + " " + self.side(position)

    def parse(self, text: str) -> str:
        rows, _, _ = text.partition(" ")
        position = rows.replace("/", "")
        if len(position) != 9 or set(position) - set("xo."):
            raise ValueError("a position has nine cells: x, o or .")
        if position.count("x") - position.count("o") not in (0, 1):
            raise ValueError("X has as many marks as O, or one more")
        return position


class Heaps(NamedTuple):
    """A position of `OwnNim`."""

    sizes: Tuple[int, ...]


class OwnNim(noughts.Game):
    """Take any number from one heap; a player who can't move draws (which isn't how Nim ends)."""

    title = "Nim that can't be lost"
    sizes = (1, 2)
    numbers = range(10)

    def start(self) -> Heaps:  # type: ignore[override]
        return Heaps(self.sizes)

    def moves(self, position: Heaps) -> List[str]:
        return [f"{heap}:{taken}" for heap, size in enumerate(position.sizes) for taken in range(1, size + 1)]

    def apply(self, position: Heaps, move: str) -> Heaps:
        heap, taken = map(int, move.split(":"))
        sizes = list(position.sizes)
        sizes[heap] -= taken
        return Heaps(tuple(sizes))

    def outcome(self, position: Heaps) -> None:
        return None

    def cells(self, position: Heaps) -> List[Tuple[int, ...]]:
        return [position.sizes]


class Walk(noughts.Game):
    """A token on a ring of five places goes left or right, and O wins if it comes to place 2."""

    can_repeat = True

    def start(self) -> int:  # type: ignore[override]
        return 0

    def moves(self, position: int) -> List[str]:
        return ["left", "right"]

    def apply(self, position: int, move: str) -> int:
        return (position + (1 if move == "right" else -1)) % 5

    def outcome(self, position: int) -> Optional[str]:
        return "o" if position == 2 else None


def broken(method: str, value: Any, after: int = 3) -> type:
    """A class like `OwnClassic` whose method returns something else (or raises it) from the time on that this many marks are
    on the board."""

    def wrong(self: Any, *arguments: Any) -> Any:
        position = arguments[0] if arguments else "........."
        if 9 - str(position).count(".") < after:
            return getattr(super(new, self), method)(*arguments)
        if isinstance(value, BaseException):
            raise value
        return value

    new: Any = type("Broken", (OwnClassic,), {method: wrong, "name": "broken"})
    return new
