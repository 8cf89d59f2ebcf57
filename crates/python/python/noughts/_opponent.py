"""Opponents: a bot by its name, an object with `choose`, or a function."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Callable, Protocol, Union, runtime_checkable

import noughts

from . import Game, Position, _noughts
from ._noughts import describe_type

Move = Union[str, int]


@runtime_checkable
class Chooser(Protocol):
    """An object that chooses moves, such as `noughts.Bot`."""

    def choose(self, position: Position) -> Move:
        """Returns a legal move of this position."""


Opponent = Union[str, Chooser, Callable[[Position], Move]]


class _BotChooser:
    """Calls `choose` of an object with its limits. A class instead of a function, so that it can be
    pickled."""

    def __init__(self, bot: Any, limits: dict[str, Any]) -> None:
        self._bot = bot
        self._limits = limits

    def __call__(self, position: Position) -> Move:
        return self._bot.choose(position, **self._limits)


def check_limits(opponent: Opponent, limits: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the limits as a dictionary, or raises an error for a bad opponent or bad limits.

    The limits of a user's own object aren't checked: their meaning is up to the object.
    """
    if limits is not None and not isinstance(limits, Mapping):
        raise TypeError(f"limits must be a dictionary such as {{'nodes': 1000}}, not {describe_type(limits)}")
    limits_dict = dict(limits or {})
    if isinstance(opponent, str):
        if opponent not in noughts.bots():
            raise noughts.BotError(f"unknown bot {opponent[:40]!r}; use one of {', '.join(noughts.bots())}")
    elif not callable(getattr(opponent, "choose", None)):
        if not callable(opponent) or isinstance(opponent, type):
            raise TypeError(
                "a bot must be a name, an object with choose(position) or a function of a position, "
                f"not {describe_type(opponent)}"
            )
        if limits_dict:
            raise TypeError("limits can't be used with a function, which is only called with a position")
    if isinstance(opponent, (str, noughts.Bot)):
        _noughts.check_limits(limits_dict)
    return limits_dict


def make_chooser(
    opponent: Opponent, game: Game, *, seed: int = 0, limits: Mapping[str, Any] | None = None
) -> Callable[[Position], Move]:
    """Returns a function from positions to moves. It can be pickled if the opponent can."""
    limits_dict = check_limits(opponent, limits)
    if isinstance(opponent, str):
        return _BotChooser(noughts.Bot(opponent, game, seed=seed), limits_dict)
    if isinstance(opponent, noughts.Bot):
        # Copying restarts the bot from its own seed; otherwise its moves would depend on what it
        # remembers of earlier games.
        return _BotChooser(copy.deepcopy(opponent), limits_dict)
    if callable(getattr(opponent, "choose", None)):
        return _BotChooser(opponent, limits_dict)
    assert callable(opponent)
    return opponent


def play_chosen_move(choose: Callable[[Position], Move], position: Position) -> Position:
    """Plays the move that `choose` returns. If that is illegal, the error says that it was the
    opponent's move, not the user's."""
    move = choose(position)
    try:
        return position.play(move)
    except TypeError as error:
        raise TypeError(f"the opponent didn't return a move: {error}") from error
    except noughts.IllegalMove as error:
        raise noughts.IllegalMove(f"the opponent's move {move!r} is illegal: {error}") from error
