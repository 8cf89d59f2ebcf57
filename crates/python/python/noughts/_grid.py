"""Converts nested boards between axes of nine places per level and rows and columns."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import NDArray

__all__ = ["from_grid", "to_grid"]

# With this many axes of length nine it is ambiguous whether one of them is the planes.
_AMBIGUOUS_AXES = 5


def to_grid(array: NDArray, depth: Optional[int] = None) -> NDArray:
    """A nested board in rows and columns: the last `depth` axes, each with nine places,
    become two of `3**depth`.

    Without `depth` all axes of nine at the end are taken; it must be given where there
    are five of them or more, since nine may also be a number of planes, and wherever an
    axis before them (say, of nine games) is nine long by chance.

    >>> position = noughts.Game("ultimate").start().play("ea")
    >>> grid = noughts.to_grid(position.observation())
    >>> grid.shape
    (5, 9, 9)
    >>> [axis.tolist() for axis in grid[1].nonzero()]
    [[3], [3]]
    >>> noughts.to_grid(position.action_mask().reshape(9, 9))[:4, :4].tolist()
    [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    """
    array = np.asarray(array)
    nine_axes = 0
    while nine_axes < array.ndim and array.shape[array.ndim - 1 - nine_axes] == 9:
        nine_axes += 1
    if depth is None:
        if nine_axes >= _AMBIGUOUS_AXES:
            raise ValueError(
                f"the shape {array.shape} can be read in two ways: give depth=, the number "
                "of axes at the end that are levels of the board"
            )
        depth = nine_axes
    else:
        depth = _check_depth(depth)
    if not 1 <= depth <= nine_axes:
        expected = "at least one axis" if depth < 1 else f"{depth} axes"
        raise ValueError(f"{expected} of nine at the end, not the shape {array.shape}")
    before = array.ndim - depth
    parts = array.reshape(array.shape[:before] + (3, 3) * depth)
    rows = range(before, before + 2 * depth, 2)
    columns = range(before + 1, before + 2 * depth, 2)
    transposed = parts.transpose(*range(before), *rows, *columns)
    return transposed.reshape(array.shape[:before] + (3**depth, 3**depth))


def from_grid(array: NDArray) -> NDArray:
    """What `to_grid` was given: the last two axes, both `3**depth` long, become `depth` axes
    of nine places.

    >>> planes = noughts.Game("ultimate").start().play("ea").observation()
    >>> bool((noughts.from_grid(noughts.to_grid(planes)) == planes).all())
    True
    """
    array = np.asarray(array)
    side = array.shape[-1] if array.ndim else 0
    depth = 0
    while 3**depth < side:
        depth += 1
    if array.ndim < 2 or depth < 1 or array.shape[-2:] != (3**depth, 3**depth):
        raise ValueError(
            "the last two axes must be equal and a power of three long (3, 9, 27, ...), not "
            f"the shape {array.shape}"
        )
    before = array.ndim - 2
    parts = array.reshape(array.shape[:before] + (3,) * (2 * depth))
    pairs = [
        axis for level in range(depth) for axis in (before + level, before + depth + level)
    ]
    transposed = parts.transpose(*range(before), *pairs)
    return transposed.reshape(array.shape[:before] + (9,) * depth)


def _check_depth(depth: int) -> int:
    """Returns the depth as an integer, or raises a TypeError."""
    if isinstance(depth, bool) or not hasattr(depth, "__index__"):
        raise TypeError(f"depth must be a whole number, not {type(depth).__name__}")
    return depth.__index__()
