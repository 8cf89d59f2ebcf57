"""Games written in Python, as the compiled part calls them: their defaults, and checks of what they return."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ._noughts import Game, GameError, describe_type, register_game

#: What a game must define.
REQUIRED = ("start", "moves", "apply", "outcome")
#: More than any board game has; an endless iterator would never stop.
MAX_MOVES = 10_000
#: The most moves of a game that `max_plies` can allow, and without it.
MAX_PLIES = 10_000
DEFAULT_MAX_PLIES = 1000
#: The most columns or rows of a board.
MAX_SIZE = 26


class _Start:
    """The `start` of a class in its body: the rule. Called on a game, `start()` returns a `Position`, as for all games;
    called by `super().start()`, it is the rule."""

    def __init__(self, rule: Any, public: Any) -> None:
        self.rule = rule
        self._public = public

    def __get__(self, game: Any, owner: Any = None) -> Any:
        if game is None or _find(type(game), "start") is not self:
            return self.rule.__get__(game, owner)
        return self._public.__get__(game, owner)


def _find(cls: type, name: str) -> Any:
    """The attribute as a class of the MRO defines it."""
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def define(cls: type, game_class: type) -> None:
    """Registers a class that has just been defined, if it has all the rules. Called for each subclass of `Game`."""
    if "start" in vars(cls):
        setattr(cls, "start", _Start(vars(cls)["start"], vars(game_class)["start"]))
    # The name is never inherited: two classes are two games.
    name = vars(cls).get("name")
    if name is None:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+", "-", cls.__name__).strip("-").lower()
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9-]{0,39}", name):
        raise GameError(
            f"a game's name must be lowercase letters, digits and hyphens, such as 'my-game', not {name!r}; "
            f"set name in the class {cls.__name__}"
        )
    setattr(cls, "name", name)
    if missing(cls, game_class):
        return
    title = vars(cls).get("title", re.sub(r"[-_]+", " ", name).capitalize())
    rules = inspect.getdoc(cls) if vars(cls).get("__doc__") else ""
    summary = re.split(r"\n\s*\n", rules or "")[0]
    if not isinstance(title, str) or not title.strip() or not title.isprintable():
        raise GameError(f"title must be a string of one line, not {title!r}")
    register_game(cls, name, title, " ".join(summary.split()), rules or "")


def missing(cls: type, game_class: type) -> List[str]:
    """The rules that a class still needs."""
    found = {name: _find(cls, name) for name in REQUIRED}
    return [name for name, rule in found.items() if rule is None or rule is vars(game_class).get(name)]


class Rules:
    """The rules of one game. Positions are the game's own objects; with each, its side to move is kept, because a
    game in which the players alternate needn't define `side`."""

    def __init__(self, cls: type) -> None:
        game = cls()
        self.name: str = getattr(cls, "name")
        self._start: Callable[[], Any] = _find(cls, "start").rule.__get__(game, cls)
        self._moves: Callable[[Any], Any] = game.moves
        self._apply: Callable[[Any, str], Any] = game.apply
        self._outcome: Callable[[Any], Any] = game.outcome
        self._side: Optional[Callable[[Any], Any]] = getattr(game, "side", None)
        self._text: Optional[Callable[[Any], Any]] = getattr(game, "text", None)
        self._parse: Optional[Callable[[str], Any]] = getattr(game, "parse", None)
        self._cells: Optional[Callable[[Any], Any]] = getattr(game, "cells", None)
        self._all_moves: Any = getattr(game, "all_moves", None)
        self._first: Any = None
        self.can_repeat = bool(getattr(game, "can_repeat", False))
        # A search for proofs looks no further than the default.
        self.max_plies: int = _find(cls, "max_plies")
        if self.max_plies is vars(Game)["max_plies"]:
            self.max_plies = MAX_PLIES if self.can_repeat else DEFAULT_MAX_PLIES
        if isinstance(self.max_plies, bool) or not isinstance(self.max_plies, int) or not 1 <= self.max_plies <= MAX_PLIES:
            raise GameError(f"max_plies must be a whole number from 1 to {MAX_PLIES}, not {self.max_plies!r}")
        numbers = getattr(game, "numbers", ())
        self.numbers: List[int] = sorted(set(numbers))
        if any(isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= 255 for n in self.numbers):
            raise GameError("numbers must be whole numbers from 0 to 255: those that cells() can return")

    def start(self) -> Tuple[Any, bool]:
        """The first position, and whether X moves first."""
        position = _hashable("start", self._start())
        self._first = position
        return position, self.side(position, True)

    def side(self, position: Any, default: bool) -> bool:
        """Whether it is X's turn."""
        if self._side is None:
            return default
        side = self._side(position)
        if side not in ("x", "o"):
            raise GameError(f"side() must return 'x' or 'o', not {_shown(side)}")
        return bool(side == "x")

    def expand(self, position: Any) -> Tuple[Optional[str], List[str]]:
        """The outcome and the moves. Without a move, the game is a draw."""
        outcome = self._outcome(position)
        if outcome is not None:
            if outcome not in ("x", "o", "draw"):
                raise GameError(f"outcome() must return 'x', 'o', 'draw' or None, not {_shown(outcome)}")
            return outcome, []
        moves = _texts("moves", self._moves(position))
        return (None if moves else "draw"), moves

    def apply(self, position: Any, move: str, is_x: bool) -> Tuple[Any, bool]:
        """The position after a move, and whether it is X's turn then."""
        after = _hashable("apply", self._apply(position, move))
        return after, self.side(after, not is_x)

    def all_moves(self) -> Optional[List[str]]:
        """All moves of the game in the order of their action numbers; `None` if the game doesn't list them."""
        if self._all_moves is None:
            return None
        moves = self._all_moves() if callable(self._all_moves) else self._all_moves
        listed = _texts("all_moves", moves)
        if not listed:
            raise GameError("all_moves() returned no moves")
        return listed

    def text(self, position: Any, is_x: bool) -> str:
        """The position as one line, which determines all that can happen in the rest of the game."""
        text = self._text(position) if self._text is not None else _literal(position)
        if not isinstance(text, str) or not text or not text.isprintable() or text != text.strip():
            raise GameError(f"text() must return a string of one line without spaces around it, not {_shown(text)}")
        if self._side is None:
            text += " x" if is_x else " o"
        return text

    def parse(self, text: str) -> Tuple[Any, bool]:
        """The position with this text.

        Raises `_Refused` with the reason if there is none.
        """
        side, own_text = True, text
        if self._side is None:
            own_text, _, letter = text.rpartition(" ")
            if letter not in ("x", "o") or not own_text:
                raise _Refused("the position must end with the side to move: x or o")
            side = letter == "x"
        if self._parse is None and self._text is not None:
            raise _Refused(f"{self.name} can't read positions; define parse(text) in its class")
        if self._first is None:
            self.start()
        try:
            position = _parse_literal(own_text, self._first) if self._parse is None else self._parse(own_text)
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise _Refused(" ".join(str(error).split()) or "the text isn't a position of this game") from error
        _hashable("parse", position)
        side = self.side(position, side)
        again = self.text(position, side)
        if again != text:
            raise _Refused(f"the text isn't in the form of this game, which would be {again}")
        return position, side

    def cells(self, position: Any) -> Optional[Tuple[int, List[int]]]:
        """The number of columns, and the cells row by row: -1 for empty, -2 for X, -3 for O, and numbers."""
        if self._cells is None:
            return None
        rows = self._cells(position)
        if isinstance(rows, str):
            rows = rows.split("/")
        try:
            listed = [[self._cell(cell) for cell in row] for row in rows]
        except TypeError as error:
            raise GameError(f"cells() must return rows of cells, not {_shown(rows)}") from error
        columns = len(listed[0]) if listed else 0
        if not 1 <= len(listed) <= MAX_SIZE or not 1 <= columns <= MAX_SIZE:
            raise GameError(f"cells() must return 1 to {MAX_SIZE} rows of 1 to {MAX_SIZE} cells")
        if any(len(row) != columns for row in listed):
            raise GameError("cells() returned rows of different lengths")
        return columns, [cell for row in listed for cell in row]

    def _cell(self, cell: Any) -> int:
        if cell is None or (isinstance(cell, str) and cell in (".", " ", "", "_")):
            return -1
        if isinstance(cell, str) and cell in ("x", "X"):
            return -2
        if isinstance(cell, str) and cell in ("o", "O"):
            return -3
        number = int(cell) if isinstance(cell, str) and cell.isdecimal() else cell
        if isinstance(number, int) and not isinstance(number, bool) and number in self.numbers:
            return number
        raise GameError(
            f"cells() returned the cell {_shown(cell)}; a cell is 'x', 'o', '.' for an empty one, or one of the "
            "numbers that the class lists as numbers"
        )


class _Refused(Exception):
    """A text isn't a position."""


def _shown(value: Any) -> str:
    """A value for an error message."""
    try:
        text = repr(value)
    except Exception:
        return describe_type(value)
    return text if len(text) <= 60 else describe_type(value)


def _hashable(method: str, position: Any) -> Any:
    try:
        hash(position)
    except TypeError:
        raise GameError(
            f"{method}() returned {describe_type(position)}, which can change; a position must be immutable, such as "
            "a string, a tuple or a frozen dataclass"
        ) from None
    if position is None:
        raise GameError(f"{method}() returned None instead of a position")
    return position


def _texts(method: str, moves: Any) -> List[str]:
    """The moves as a list of different strings."""
    if isinstance(moves, (str, bytes)):
        raise GameError(f"{method}() must return a list of moves, not {_shown(moves)}")
    try:
        # The order of a set differs from run to run.
        items: Iterator[Any] = iter(sorted(moves) if isinstance(moves, (set, frozenset)) else moves)
    except TypeError:
        raise GameError(f"{method}() must return a list of moves, not {_shown(moves)}") from None
    listed = list(itertools.islice(items, MAX_MOVES + 1))
    if len(listed) > MAX_MOVES:
        raise GameError(f"{method}() returned more than {MAX_MOVES} moves")
    for move in listed:
        if type(move) is not str:
            raise GameError(f"{method}() must return strings such as 'b2', not {_shown(move)}")
    if len(set(listed)) != len(listed):
        twice = next(move for move in listed if listed.count(move) > 1)
        raise GameError(f"{method}() returned {twice!r} more than once")
    return listed


# ---- positions as text, where a game doesn't define it ----


def _literal(position: Any) -> str:
    """A position as a Python expression: the same for equal positions."""
    if position is None or type(position) in (bool, int, float, str, bytes):
        return repr(position)
    if isinstance(position, frozenset):
        return f"frozenset({{{', '.join(sorted(map(_literal, position)))}}})" if position else "frozenset()"
    fields = _fields(position)
    if fields is not None:
        listed = ", ".join(f"{name}={_literal(value)}" for name, value in fields.items())
        return f"{type(position).__name__}({listed})"
    if type(position) is tuple:
        listed = ", ".join(map(_literal, position))
        return f"({listed},)" if len(position) == 1 else f"({listed})"
    raise GameError(
        f"a position has {describe_type(position)}; define text(position), which returns a position as one line, "
        "and parse(text) if positions should also be read"
    )


def _fields(value: Any) -> Optional[Dict[str, Any]]:
    """The fields of a named tuple or a dataclass."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    return None


def _parse_literal(text: str, example: Any) -> Any:
    """Reverses `_literal`, with the classes that another position has."""
    classes: Dict[str, type] = {}

    def collect(value: Any) -> None:
        fields = _fields(value)
        if fields is not None:
            classes[type(value).__name__] = type(value)
        for part in fields.values() if fields is not None else value if isinstance(value, (tuple, frozenset)) else ():
            collect(part)

    collect(example)

    def build(node: ast.AST) -> Any:
        if isinstance(node, ast.Tuple):
            return tuple(map(build, node.elts))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "frozenset" and not node.keywords and len(node.args) <= 1:
                sets = [arg.elts for arg in node.args if isinstance(arg, ast.Set)]
                if len(sets) == len(node.args):
                    return frozenset(build(item) for items in sets for item in items)
            if node.func.id in classes and not node.args:
                return classes[node.func.id](**{str(field.arg): build(field.value) for field in node.keywords})
        return ast.literal_eval(node)

    try:
        return build(ast.parse(text, mode="eval").body)
    except (TypeError, SyntaxError) as error:
        raise ValueError("the text isn't a position of this game") from error
