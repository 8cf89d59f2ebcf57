"""Observations as learners want them: rows, columns, planes. The same for every framework, and
for policies that leave it.

What the planes hold is decided by the compiled part; here axes are only moved.
"""

from __future__ import annotations

from typing import Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._grid import to_grid
from ._noughts import Game, NoughtsError, Position

__all__ = ["observe"]


def depth(game: Game) -> int:
    """How deep the board is nested; 0 for a flat one."""
    nested = game.name == "ultimate" or game.name.startswith("ception")
    return len(game.observation_shape) - 1 if nested else 0


def shape(game: Game) -> Tuple[int, int, int]:
    """The shape of what `observe` gives."""
    levels = depth(game)
    planes, *rest = game.observation_shape
    rows, columns = (3**levels, 3**levels) if levels else rest
    return rows, columns, planes + 1


def swapped(game: Game) -> NDArray[np.intp]:
    """The order of the planes as the other side sees them."""
    # Marks, and after them the owners of each level: mine, then the other's.
    pairs = max(1, depth(game))
    order = np.arange(game.observation_shape[0])
    order[: 2 * pairs] ^= 1
    return order


def arrange(game: Game, planes: NDArray[np.uint8], is_x: Union[NDArray[np.bool_], bool]) -> NDArray[np.uint8]:
    """Planes of one position, or of many, as rows, columns and planes, with one more plane at
    the end: all ones where `is_x`."""
    levels = depth(game)
    if levels:
        planes = to_grid(planes, levels)
    planes = np.moveaxis(planes, -3, -1)
    whole = np.empty((*planes.shape[:-1], planes.shape[-1] + 1), np.uint8)
    whole[..., :-1] = planes
    whole[..., -1] = np.asarray(is_x)[..., None, None]
    return whole


def observe(position: Position, side: Optional[str] = None) -> NDArray[np.uint8]:
    """What a side sees, as the environments for Gymnasium and PettingZoo show it: an array
    (rows, columns, planes) of 0 and 1. Without `side`, what the side to move sees.

    The planes are those of `Position.observation` with the side's own marks first, also while
    the other is to move, and one more at the end: all ones if the side is X. Nested boards are
    in rows and columns, as they are drawn.

    With this a policy that was trained in an environment can play anywhere:
    `noughts.arena.Policy` makes a bot of it.

    >>> position = noughts.Game("classic").start().play("b2")
    >>> noughts.observe(position).shape
    (3, 3, 3)
    >>> noughts.observe(position)[1, 1].tolist(), noughts.observe(position, "x")[1, 1].tolist()
    ([0, 1, 0], [1, 0, 1])
    """
    if not isinstance(position, Position):
        raise TypeError(f"a noughts.Position can be observed, not an object of type {type(position).__name__}")
    if side not in (None, "x", "o"):
        raise NoughtsError(f"side is 'x', 'o' or None (the side to move), not {side!r}")
    planes = position.observation()
    if side is not None and side != position.side:
        planes = planes[swapped(position.game)]
    return arrange(position.game, planes, (side or position.side) == "x")


def legal(position: Position, side: str) -> NDArray[np.int8]:
    """1 for each action that is legal for `side` now: none if it is not its turn."""
    mask = position.action_mask()
    return mask if side == position.side else np.zeros_like(mask)
