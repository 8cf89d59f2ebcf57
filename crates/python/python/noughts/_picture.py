"""Observations as pictures, as learners want them: rows, columns, planes.

What stands in a plane is decided by the compiled part; here axes are only moved about.
"""

from __future__ import annotations

import numpy as np

from . import Game, Position, to_grid


def depth(game: Game) -> int:
    """How deep the board is nested; 0 for a flat one."""
    nested = game.name == "ultimate" or game.name.startswith("ception")
    return len(game.observation_shape) - 1 if nested else 0


def shape(game: Game) -> tuple[int, int, int]:
    """The shape of `picture`."""
    levels = depth(game)
    planes, *rest = game.observation_shape
    rows, columns = (3**levels, 3**levels) if levels else rest
    return rows, columns, planes + 1


def seen_by(position: Position, side: str) -> np.ndarray:
    """`Position.observation` as either side sees it: own marks and boards first."""
    planes = position.observation()
    if side == position.side:
        return planes
    # Marks, and after them the owners of each level: mine, then the other's.
    pairs = max(1, depth(position.game))
    order = np.arange(len(planes))
    order[: 2 * pairs] ^= 1
    return planes[order]


def arrange(game: Game, planes: np.ndarray, is_x: np.ndarray | bool) -> np.ndarray:
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


def picture(position: Position, side: str) -> np.ndarray:
    """What `side` sees: an array (rows, columns, planes) of 0 and 1.

    The planes are those of `Position.observation` and one more at the end: all ones if
    `side` is X. So an empty board is no empty array, and who began can be seen.
    """
    return arrange(position.game, seen_by(position, side), side == "x")


def legal(position: Position, side: str) -> np.ndarray:
    """1 for each action that is legal for `side` now: none if it is not its turn."""
    mask = position.action_mask()
    return mask if side == position.side else np.zeros_like(mask)
