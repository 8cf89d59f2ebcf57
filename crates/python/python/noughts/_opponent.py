"""Whoever chooses moves: a bot by its name, an object with `choose`, a function."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Callable, Protocol, Union, runtime_checkable

import noughts

from . import Game, Position, _noughts

Move = Union[str, int]


@runtime_checkable
class Chooser(Protocol):
    """Whatever chooses moves, such as `noughts.Bot`."""

    def choose(self, position: Position) -> Move:
        """A legal move of this position."""
        ...


Opponent = Union[str, Chooser, Callable[[Position], Move]]


class _Choice:
    """An object with `choose`, and what it may spend. A class and not a function, so that it
    can be pickled."""

    def __init__(self, who: Any, limits: dict[str, Any]) -> None:
        self._who = who
        self._limits = limits

    def __call__(self, position: Position) -> Move:
        return self._who.choose(position, **self._limits)


def checked(who: Opponent, limits: Mapping[str, Any] | None) -> dict[str, Any]:
    """The limits, if this opponent can have them; an opponent that can't be one is an error.

    What an object of the user's own takes for limits is its own affair.
    """
    if limits is not None and not isinstance(limits, Mapping):
        raise TypeError(
            "limits are a dictionary such as {'nodes': 1000}, not an object of type "
            f"{type(limits).__name__}"
        )
    named = dict(limits or {})
    if isinstance(who, str):
        if who not in noughts.bots():
            raise noughts.BotError(f"there is no bot {who[:40]!r}; the bots are {', '.join(noughts.bots())}")
    elif not callable(getattr(who, "choose", None)):
        if not callable(who) or isinstance(who, type):
            raise TypeError(
                "an opponent is the name of a bot, an object with choose(position), or a function of "
                f"a position, not an object of type {type(who).__name__}"
            )
        if named:
            raise TypeError(
                "limits are for bots; a function is called with a position and nothing else"
            )
    if isinstance(who, (str, noughts.Bot)):
        _noughts.check_limits(named)
    return named


def chooser(
    who: Opponent,
    game: Game,
    *,
    seed: int = 0,
    limits: Mapping[str, Any] | None = None,
) -> Callable[[Position], Move]:
    """What answers a position with a move. It can be pickled if the opponent can."""
    named = checked(who, limits)
    if isinstance(who, str):
        return _Choice(noughts.Bot(who, game, seed=seed), named)
    if isinstance(who, noughts.Bot):
        # A copy starts with the bot's own seed: what it remembers of earlier games would make
        # its moves depend on them.
        return _Choice(copy.deepcopy(who), named)
    if callable(getattr(who, "choose", None)):
        return _Choice(who, named)
    assert callable(who)
    return who


def answer(choose: Callable[[Position], Move], position: Position) -> Position:
    """The position after the move it chooses. If that is refused, the error says that it was
    the opponent's move and not the user's own."""
    move = choose(position)
    try:
        return position.play(move)
    except TypeError as error:
        raise TypeError(f"the opponent's answer is no move: {error}") from error
    except noughts.IllegalMove as error:
        raise noughts.IllegalMove(f"the opponent's move {move!r} is refused: {error}") from error
