"""What the adapters to other people's frameworks share; no framework is named here."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Game, Position

#: The games that are registered under names of their own. Every other game is an option
#: of `noughts/game-v0`: names in a registry have neither commas nor equals signs.
NAMED = ("classic", "misere", "tic-tac-two", "ultimate", "ception:5a")


def ids() -> dict[str, dict[str, Any]]:
    """Names for registries of environments, with what they stand for."""
    named = {f"noughts/{name.replace(':', '-')}-v0": {"game": name} for name in NAMED}
    return {"noughts/game-v0": {}, **named}


def one_of(what: str, given: Any, allowed: tuple[str | None, ...]) -> Any:
    """The word, if it is allowed."""
    if (given is None or isinstance(given, str)) and given in allowed:
        return given
    words = ", ".join(repr(word) for word in allowed[:-1])
    raise ValueError(f"{what} is {words} or {allowed[-1]!r}, not {given!r}")


def first(game: Game, given: Position | str | None) -> Position:
    """The position to begin with: the start, or what a user asks for."""
    if given is None:
        return game.start()
    position = given if isinstance(given, Position) else game.position(given)
    if position.game != game:
        raise ValueError(f"this is a position of {position.game.name}, not of {game.name}")
    if position.is_over:
        raise ValueError("a game cannot begin with a position in which it is over")
    return position


#: How environments can show themselves.
RENDER_MODES = ("human", "ansi", "rgb_array", None)
#: What `render` warns of.
NO_RENDER_MODE = "render() does nothing without a render_mode ('human', 'ansi' or 'rgb_array')"


def rendered(position: Position, mode: str) -> str | np.ndarray | None:
    """The position as it is shown in this mode; printed, if that is `"human"`."""
    if mode == "rgb_array":
        return position.rgb()
    drawing = str(position).rstrip("\n")
    if mode == "ansi":
        return drawing
    print(drawing)
    return None
