"""Whoever chooses moves: a bot by its name, an object with `choose`, a function."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Callable, Protocol, Union, runtime_checkable

import noughts

from . import Game, Position

Move = Union[str, int]


@runtime_checkable
class Chooser(Protocol):
    """Whatever chooses moves, such as `noughts.Bot`."""

    def choose(self, position: Position) -> Move:
        """A legal move of this position."""
        ...


Opponent = Union[str, Chooser, Callable[[Position], Move]]


def chooser(
    who: Opponent,
    game: Game,
    *,
    seed: int = 0,
    limits: Mapping[str, Any] | None = None,
) -> Callable[[Position], Move]:
    """What answers a position with a move."""
    limits = dict(limits or {})
    if isinstance(who, str):
        bot = noughts.Bot(who, game, seed=seed)
        return lambda position: bot.choose(position, **limits)
    if isinstance(who, noughts.Bot):
        # A copy begins anew, with the bot's own seed: what it remembers of earlier games
        # would make its moves another time's.
        who = copy.deepcopy(who)
    choose = getattr(who, "choose", None)
    if callable(choose):
        return lambda position: choose(position, **limits)
    if callable(who) and not isinstance(who, type):
        if limits:
            raise TypeError(
                "limits are for bots; a function is called with a position and nothing else"
            )
        return who
    raise TypeError(
        "an opponent is the name of a bot, an object with choose(position), or a function of a "
        f"position, not an object of type {type(who).__name__}"
    )


def answer(choose: Callable[[Position], Move], position: Position) -> Position:
    """The position after the move it chooses; it is told apart from the user's own move
    who broke the rules."""
    move = choose(position)
    try:
        return position.play(move)
    except TypeError as error:
        raise TypeError(f"the opponent's answer is no move: {error}") from error
    except noughts.IllegalMove as error:
        raise noughts.IllegalMove(f"the opponent's move {move!r} is refused: {error}") from error
