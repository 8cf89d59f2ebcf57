"""Converts between the axes of an observation's planes and the rows and columns of the board as it is drawn."""

from __future__ import annotations

from typing import List, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._noughts import Game

__all__ = ["from_grid", "to_grid"]


def grid_shape(game: Game) -> Tuple[int, int]:
    """The rows and columns of the board with all boards next to each other, as it is drawn."""
    rows = columns = 1
    for wide, high in game.levels:
        rows, columns = rows * high, columns * wide
    return rows, columns


def to_grid(array: NDArray, game: Union[Game, str]) -> NDArray:
    """Rearranges boards in boards into rows and columns, as they are drawn: the last axes, which are
    those of a plane of `game.observation_shape`, become two.

    The axes before them, such as the planes or a batch of games, stay. The boards of a game without
    boards in boards already are in rows and columns.

    >>> position = noughts.Game("ultimate").start().play("ea")
    >>> grid = noughts.to_grid(position.observation(), "ultimate")
    >>> grid.shape
    (5, 9, 9)
    >>> [axis.tolist() for axis in grid[1].nonzero()]
    [[3], [3]]
    >>> noughts.to_grid(position.action_mask().reshape(9, 9), "ultimate")[:4, :4].tolist()
    [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    >>> noughts.to_grid(noughts.Game("qubic").start().observation(), "qubic").shape
    (3, 4, 16)
    """
    game, array = _game(game), np.asarray(array)
    first = _axes_before(array, game.observation_shape[1:])
    sizes, order = _by_level(game, len(first))
    return array.reshape(first + sizes).transpose(order).reshape(first + grid_shape(game))


def from_grid(array: NDArray, game: Union[Game, str]) -> NDArray:
    """Reverses `to_grid`: the last two axes, the rows and columns of the whole board, become those of a
    plane of `game.observation_shape`.

    >>> planes = noughts.Game("ultimate").start().play("ea").observation()
    >>> bool((noughts.from_grid(noughts.to_grid(planes, "ultimate"), "ultimate") == planes).all())
    True
    """
    game, array = _game(game), np.asarray(array)
    first = _axes_before(array, grid_shape(game))
    sizes, order = _by_level(game, len(first))
    split = array.reshape([(first + sizes)[axis] for axis in order])
    return split.transpose(np.argsort(order)).reshape(first + game.observation_shape[1:])


def _game(game: Union[Game, str]) -> Game:
    return game if isinstance(game, Game) else Game(game)


def _axes_before(array: NDArray, expected: Tuple[int, ...]) -> Tuple[int, ...]:
    """The lengths of the axes before these last ones."""
    before = array.ndim - len(expected)
    if before < 0 or array.shape[before:] != expected:
        last = " and ".join(str(size) for size in expected)
        raise ValueError(f"the last {len(expected)} axes must have the lengths {last}; the shape is {array.shape}")
    return array.shape[:before]


def _by_level(game: Game, before: int) -> Tuple[Tuple[int, ...], List[int]]:
    """The rows and columns of each level, the outermost first, and the order of axes in which all rows
    come before all columns. `before` is how many other axes come first."""
    sizes = tuple(size for columns, rows in game.levels for size in (rows, columns))
    axes = range(before, before + len(sizes))
    return sizes, [*range(before), *axes[::2], *axes[1::2]]
