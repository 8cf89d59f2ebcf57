"""Results of searches and of random games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple, Union

from . import _noughts

#: ``'win'``, ``'draw'`` or ``'loss'`` if proved, ``'unknown'``, or an expected result from −1 to 1.
Value = Union[str, float]

_POINTS = {"win": 1.0, "draw": 0.0, "loss": -1.0, "unknown": None}


class _Valued:
    """What everything with a value has."""

    value: Value
    plies: Optional[int]

    @property
    def exact(self) -> bool:
        """Whether the value is proved."""
        return self.value in ("win", "draw", "loss")

    @property
    def points(self) -> Optional[float]:
        """The value as a number from −1 to 1, proved or estimated; ``None`` if unknown."""
        return _POINTS[self.value] if isinstance(self.value, str) else self.value

    def _value_repr(self) -> str:
        return f"value={self.value!r}" + ("" if self.plies is None else f", plies={self.plies}")


@dataclass(frozen=True, repr=False)
class RankedMove(_Valued):
    """A move and its value for the player who makes it.

    >>> position = noughts.Position("classic", "xx./oo./... x")
    >>> best = noughts.solve(position).moves[0]
    >>> best
    noughts.RankedMove('c1', value='win', plies=1)
    >>> best.move, best.value, best.exact, best.plies
    ('c1', 'win', True, 1)
    >>> print(best)
    c1 ▲1
    """

    #: The move.
    move: str
    #: ``'win'``, ``'draw'`` or ``'loss'`` if proved, otherwise the expected result from −1 to 1;
    #: ``'unknown'`` if it couldn't be proved and isn't estimated.
    value: Value
    #: The number of plies until the game is decided with best play, including this move; ``None`` for
    #: a draw or if unknown.
    plies: Optional[int] = None
    #: The number of positions searched below this move.
    nodes: int = 0
    #: The principal variation, starting with this move.
    line: Tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"noughts.RankedMove({self.move!r}, {self._value_repr()})"

    def __str__(self) -> str:
        return f"{self.move} {_noughts.value_symbol(self.value, self.plies)}"


@dataclass(frozen=True, repr=False)
class Report(_Valued):
    """The result of a search: the best move, its value, and the moves that were compared.

    >>> position = noughts.Position("classic", "xx./oo./... x")
    >>> report = noughts.Bot("best", "classic").think(position)
    >>> report.move, report.value, report.exact, report.plies
    ('c1', 'win', True, 1)
    >>> report.line
    ('c1',)
    >>> print(report)
    c1 ▲1 (c1)
    """

    #: The best move; ``None`` once the game is over.
    move: Optional[str]
    #: The value for the side to move: ``'win'``, ``'draw'`` or ``'loss'`` if proved, otherwise the
    #: expected result from −1 to 1.
    value: Value
    #: The number of plies until the game is decided with best play; ``None`` for a draw or if unknown.
    plies: Optional[int]
    #: The margin of error of an estimated value; 0 if it is proved, 1 if nothing is known.
    error: float
    #: The principal variation, starting with the best move.
    line: Tuple[str, ...]
    #: The moves that were compared, with their values, best first. Empty if the bot doesn't compare
    #: moves.
    moves: Tuple[RankedMove, ...]
    #: The search depth in plies; 0 if the bot has no fixed depth.
    depth: int
    #: The number of positions searched, or of random games for bots that play them.
    nodes: int
    #: The time used, in milliseconds.
    time_ms: int
    #: A remark about the search, as a sentence; usually ``None``.
    note: Optional[str] = None

    def __repr__(self) -> str:
        depth = f", depth={self.depth}" if self.depth else ""
        return (
            f"noughts.Report(move={self.move!r}, {self._value_repr()}{depth}, nodes={self.nodes}, "
            f"time_ms={self.time_ms}, line={_shorten(self.line)!r})"
        )

    def __str__(self) -> str:
        symbol = _noughts.value_symbol(self.value, self.plies, self.error)
        return f"{self.move or 'no move'} {symbol} ({_shorten(self.line)})"


@dataclass(frozen=True, repr=False)
class Solution(_Valued):
    """The exact values of a position and all its moves, as far as they could be proved.

    >>> solution = noughts.solve(noughts.Position("classic", "xo./.../... x"))
    >>> solution.value, solution.plies, solution.best
    ('win', 5, 'a2')
    >>> print(solution.moves[0], solution.moves[-1], sep="; ")
    a2 ▲5; c3 =
    """

    #: The value for the side to move: ``'win'``, ``'draw'`` or ``'loss'``; ``'unknown'`` if it couldn't
    #: be proved within the limits.
    value: str
    #: The number of plies until the game is decided with best play; ``None`` for a draw or if unknown.
    plies: Optional[int]
    #: The legal moves and their values, best first; moves whose value is unknown come last.
    moves: Tuple[RankedMove, ...]
    #: The number of positions searched.
    nodes: int
    #: The time used, in milliseconds.
    time_ms: int
    #: A remark about the search, as a sentence; usually ``None``.
    note: Optional[str] = None

    @property
    def best(self) -> Optional[str]:
        """A best move: the first one that is proved to have the position's value; ``None`` if there
        isn't one."""
        found = (each.move for each in self.moves if self.exact and (each.value, each.plies) == (self.value, self.plies))
        return next(found, None)

    def __repr__(self) -> str:
        return (
            f"noughts.Solution({self._value_repr()}, best={self.best!r}, moves=<{len(self.moves)}>, "
            f"nodes={self.nodes})"
        )

    def __str__(self) -> str:
        return "\n".join([_noughts.value_symbol(self.value, self.plies), *map(str, self.moves)])


@dataclass(frozen=True)
class Playouts:
    """The results of random games.

    >>> counts = noughts.Game("classic").start().playouts(1000)
    >>> counts
    Playouts(x=600, o=276, draws=124, plies=7624)
    >>> counts.games, counts.mean_plies
    (1000, 7.624)
    """

    #: Games that X won.
    x: int
    #: Games that O won.
    o: int
    #: Drawn games.
    draws: int
    #: The total number of moves in all games.
    plies: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.x + self.o + self.draws

    @property
    def mean_plies(self) -> float:
        """The average number of moves in a game; 0 without games."""
        return self.plies / max(self.games, 1)


def _shorten(line: Sequence[str]) -> str:
    """A line of moves as text, shortened if it is long."""
    return " ".join(line[:8]) + (" …" if len(line) > 8 else "")
