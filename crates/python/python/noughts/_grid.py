"""Converts nested boards between axes of nine places per level and rows and columns."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import NDArray

from ._noughts import describe_type

__all__ = ["from_grid", "to_grid"]

# With this many axes of length nine it is ambiguous whether one of them is the planes.
_AMBIGUOUS_AXES = 5


def to_grid(array: NDArray, depth: Optional[int] = None) -> NDArray:
    """Rearranges a nested board into rows and columns: the last `depth` axes, each of length 9,
    become two axes of length `3**depth`.

    Without `depth`, it uses all trailing axes of length 9. Pass `depth` if there are five or
    more of them, because one could be the planes, and if an axis before them (such as a batch of
    nine games) also has length 9.

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
                f"the shape {array.shape} is ambiguous; pass depth=, the number of levels of the "
                "board"
            )
        depth = nine_axes
    else:
        depth = _check_depth(depth)
    if not 1 <= depth <= nine_axes:
        expected = "at least one trailing axis" if depth < 1 else f"{depth} trailing axes"
        raise ValueError(f"the array needs {expected} of length 9; its shape is {array.shape}")
    before = array.ndim - depth
    parts = array.reshape(array.shape[:before] + (3, 3) * depth)
    rows = range(before, before + 2 * depth, 2)
    columns = range(before + 1, before + 2 * depth, 2)
    transposed = parts.transpose(*range(before), *rows, *columns)
    return transposed.reshape(array.shape[:before] + (3**depth, 3**depth))


def from_grid(array: NDArray) -> NDArray:
    """Reverses `to_grid`: the last two axes, both of length `3**depth`, become `depth` axes of
    length 9.

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
            "the last two axes must have the same length, a power of three (3, 9, 27, ...); the "
            f"shape is {array.shape}"
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
        raise TypeError(f"depth must be a whole number, not {describe_type(depth)}")
    return depth.__index__()
