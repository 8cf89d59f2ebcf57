"""What the adapters to other frameworks share, independent of any framework."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Game, Position, variants
from ._noughts import describe_type, own_games

#: The games that are registered under their own names. For any other game, use
#: `noughts/game-v0` with `game=`, since names in a registry can't contain commas or equals signs.
NAMED = tuple(name for name in variants() if "," not in name and "=" not in name and name not in own_games())


def env_ids() -> dict[str, dict[str, Any]]:
    """Environment ids for registries, with the arguments of each environment."""
    named = {f"noughts/{name.replace(':', '-')}-v0": {"game": name} for name in NAMED}
    return {"noughts/game-v0": {}, **named}


def check_choice(name: str, value: Any, allowed: tuple[str | None, ...]) -> Any:
    """Returns the value if it is one of the allowed words; otherwise raises a ValueError."""
    if (value is None or isinstance(value, str)) and value in allowed:
        return value
    choices = ", ".join(repr(choice) for choice in allowed[:-1])
    raise ValueError(f"{name} must be {choices} or {allowed[-1]!r}, not {value!r}")


def check_position(game: Game, position: Any) -> Position:
    """Returns the position if it is from this game; otherwise raises an error."""
    if not isinstance(position, Position):
        raise TypeError(f"position must be a noughts.Position, not {describe_type(position)}")
    if position.game != game:
        raise ValueError(f"the position is from {position.game}, not from {game}")
    return position


def initial_position(game: Game, value: Position | str | None) -> Position:
    """The position that a game starts from: the given one, or the start of the game."""
    position = check_position(game, value) if isinstance(value, Position) else game.position(value)
    if position.is_over:
        raise ValueError("the game is already over in this position; start from another one")
    return position


#: The render modes of environments.
RENDER_MODES = ("human", "ansi", "rgb_array", None)
#: The warning of `render` without a render mode.
NO_RENDER_MODE = "render() needs a render_mode: 'human', 'ansi' or 'rgb_array'"


def render_position(position: Position, mode: str) -> str | np.ndarray | None:
    """Renders the position in this mode; prints it if that is `"human"`."""
    if mode == "rgb_array":
        return position.rgb()
    drawing = str(position).rstrip("\n")
    if mode == "ansi":
        return drawing
    print(drawing)
    return None
