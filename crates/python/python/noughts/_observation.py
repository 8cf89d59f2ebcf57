"""Observations for learners as (rows, columns, planes): the same for every framework, and for
policies that play outside of it.

The compiled part defines the contents of the planes; this module only rearranges axes.
"""

from __future__ import annotations

from typing import Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._grid import grid_shape, to_grid
from ._noughts import Game, NoughtsError, Position, describe_type

__all__ = ["observe"]


def observation_shape(game: Game) -> Tuple[int, int, int]:
    """The shape of the arrays that `observe` returns."""
    return (*grid_shape(game), game.observation_shape[0] + 1)


def swapped_planes(game: Game, side: str) -> NDArray[np.intp]:
    """The order of the planes from the other side's point of view; `side` is to move."""
    return np.array(game._opponents_planes(side), np.intp)


def arrange(game: Game, planes: NDArray[np.uint8], is_x: Union[NDArray[np.bool_], bool]) -> NDArray[np.uint8]:
    """Rearranges the planes of one or many positions to (rows, columns, planes), and appends a plane
    of all ones where `is_x`."""
    planes = np.moveaxis(to_grid(planes, game), -3, -1)
    result = np.empty((*planes.shape[:-1], planes.shape[-1] + 1), np.uint8)
    result[..., :-1] = planes
    result[..., -1] = np.asarray(is_x)[..., None, None]
    return result


def observe(position: Position, side: Optional[str] = None) -> NDArray[np.uint8]:
    """Returns the observation of a side, as in the Gymnasium and PettingZoo environments: an
    array of 0 and 1 with the shape (rows, columns, planes). The default is the side to move.

    The planes are those of `Position.observation`, with the side's own pieces first even when it
    isn't its turn, plus one at the end: all ones if the side that looks is X. (In many games, the
    plane before it is all ones if X is to move; for the side to move, both are the same.) Boards in
    boards are in rows and columns, as they are drawn.

    Use it to run a policy outside the environment in which it was trained. To turn a policy into
    a bot, see `noughts.arena.Policy`.

    >>> position = noughts.Game("classic").start().play("b2")
    >>> noughts.observe(position).shape
    (3, 3, 3)
    >>> noughts.observe(position)[1, 1].tolist(), noughts.observe(position, "x")[1, 1].tolist()
    ([0, 1, 0], [1, 0, 1])
    """
    if not isinstance(position, Position):
        raise TypeError(f"position must be a noughts.Position, not {describe_type(position)}")
    if side not in (None, "x", "o"):
        raise NoughtsError(f"side must be 'x', 'o' or None (the side to move), not {side!r}")
    planes = position.observation()
    if side is not None and side != position.side:
        planes = planes[swapped_planes(position.game, position.side)]
    return arrange(position.game, planes, (side or position.side) == "x")


def legal_mask(position: Position, side: str) -> NDArray[np.int8]:
    """The mask of actions that are legal for `side`: all zeros if it isn't its turn."""
    mask = position.action_mask()
    return mask if side == position.side else np.zeros_like(mask)
