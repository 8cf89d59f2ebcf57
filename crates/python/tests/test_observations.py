"""Observations and masks, compared with a slow computation from the position's text; and the
conversion of boards in boards to rows and columns."""

from __future__ import annotations

import random

import numpy as np
import pytest

import noughts
from variants import PRESETS

# Each family, and every option that changes the observation.
VARIANTS = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:4,3,3",
    "mnk:7,8,5",
    "mnk:16,16,5",
    "mnk:16,3,3,misere",
    "tic-tac-two",
    "tic-tac-two:board=7,grid=5,pieces=6,after=3",
    "tic-tac-two:board=3,pieces=9,after=9",
    "ultimate",
    "ception:end=most",
    "ception:5a",
    "ception:4b",
    "ception:5c",
    "ception:4b,5d",
    "ception:depth=1",
    "ception:depth=3",
    "ception:5d,depth=3,trail=history",
    "ception:4b,5a,depth=3,trail=history,end=most",
]

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def random_positions(game: noughts.Game, seed: int, plies: int = 400):
    """The positions of a random game."""
    rng = random.Random(seed)
    position = game.start()
    yield position
    while not position.is_over and position.ply < plies:
        position = position.play(rng.choice(position.legal_actions))
        yield position


def slow_observation(position: noughts.Position) -> np.ndarray:
    """The planes, computed slowly and obviously from the position's text."""
    fields = position.text.split()
    cells = fields[0].replace("/", "")
    own, other = ("x", "o") if position.side == "x" else ("o", "x")
    planes = [[cell == mark for cell in cells] for mark in (own, other)]
    name = position.game.name
    if name.startswith("tic-tac-two"):
        side = len(fields[0].split("/"))
        grid = next((int(part[5:]) for part in options(name) if part.startswith("grid=")), 3)
        column, row = ord(fields[2][1]) - ord("a"), int(fields[2][2:]) - 1
        planes.append(
            [
                abs(cell // side - row) <= grid // 2 and abs(cell % side - column) <= grid // 2
                for cell in range(side * side)
            ]
        )
        shape = (side, side)
    elif name.startswith(("ultimate", "ception")):
        depth = next((int(part[6:]) for part in options(name) if part.startswith("depth=")), 2)
        shape = (9,) * depth
        if depth > 1:
            for owners in owners_by_level(cells, fields[1], depth):
                size = len(cells) // len(owners)
                for mark in (own, other):
                    planes.append([owner in (mark, "*") for owner in owners for _ in range(size)])
            trail = "" if fields[3] == "-" else fields[3]
            planes.append([bool(trail) and path(n, depth).startswith(trail) for n in range(9**depth)])
            if {"5c", "5d"} & set(options(name)):
                planes.append([fields[-1] == "+"] * len(cells))
    else:
        rows = fields[0].split("/")
        shape = (len(rows), len(rows[0]))
    return np.array(planes, dtype=np.uint8).reshape((len(planes), *shape))


def options(name: str) -> list[str]:
    return name.partition(":")[2].split(",")


def path(cell: int, depth: int) -> str:
    return "".join("abcdefghi"[cell // 9**level % 9] for level in reversed(range(depth)))


def owners_by_level(cells: str, owners_text: str, depth: int) -> list[str]:
    """The owners of all boards, the outermost level first."""
    if owners_text != "-":
        flat = owners_text.replace("/", "")
        starts = [sum(9**below for below in range(1, level)) for level in range(1, depth + 1)]
        return [flat[start:end] for start, end in zip(starts, starts[1:])]
    levels = []
    for _ in range(depth - 1):
        cells = "".join(owner(cells[n : n + 9]) for n in range(0, len(cells), 9))
        levels.insert(0, cells)
    return levels


def owner(nine: str) -> str:
    lines = "".join(
        mark for mark in "xo" if any(all(nine[n] in (mark, "*") for n in line) for line in LINES)
    )
    return {"": ".", "xo": "*"}.get(lines, lines)


@pytest.mark.parametrize("name", VARIANTS)
def test_planes_and_masks_match_text(name: str) -> None:
    game = noughts.Game(name)
    for seed in range(1 if "depth=3" in name or "16,16" in name else 4):
        for position in random_positions(game, seed):
            planes, mask = position.observation(), position.action_mask()
            assert planes.dtype == np.uint8 and planes.shape == game.observation_shape
            np.testing.assert_array_equal(planes, slow_observation(position), str(position.text))
            assert mask.dtype == np.int8 and mask.shape == (game.actions,)
            assert np.flatnonzero(mask).tolist() == position.legal_actions, position.text
            assert set(np.unique(mask)) <= {0, 1}


@pytest.mark.parametrize("name", PRESETS)
def test_observations_fit_every_game(name: str) -> None:
    game = noughts.Game(name)
    rows = np.prod([high for _, high in game.levels])
    columns = np.prod([wide for wide, _ in game.levels])
    for position in random_positions(game, 5, 60):
        planes = position.observation()
        assert planes.shape == game.observation_shape and set(np.unique(planes)) <= {0, 1}
        assert planes.size == planes.shape[0] * rows * columns == planes.shape[0] * position.cells.size
        x, o = noughts.observe(position, "x"), noughts.observe(position, "o")
        assert x.shape == o.shape == (rows, columns, planes.shape[0] + 1)
        # The same planes in another order; exchanging the sides twice changes nothing.
        there, back = (game._opponents_planes(side) for side in ("xo" if position.side == "x" else "ox"))
        np.testing.assert_array_equal(planes[there][back], planes)
        np.testing.assert_array_equal(noughts.observe(position)[..., :-1], (x if position.side == "x" else o)[..., :-1])
        np.testing.assert_array_equal(sorted(x[..., :-1].sum(axis=(0, 1))), sorted(o[..., :-1].sum(axis=(0, 1))))
        assert x[..., -1].all() and not o[..., -1].any()
        # The first plane shows pieces in all games.
        assert (position.cells[noughts.observe(position)[..., 0] == 1] > 0).all()
        assert np.flatnonzero(position.action_mask()).tolist() == position.legal_actions
        assert sorted(map(game.move, position.legal_actions)) == position.legal_moves


@pytest.mark.parametrize("name", PRESETS)
def test_choices_are_the_legal_moves(name: str) -> None:
    for position in random_positions(noughts.Game(name), 6, 30):
        choices = position.choices()
        assert choices is not None
        assert [move for move, _ in choices] == position.legal_moves
        taps = [taps for _, taps in choices]
        assert all(taps) and len(set(taps)) == len(taps), "no two moves are made in the same way"


def test_arrays_are_copies() -> None:
    position = noughts.Game("classic").start().play("b2")
    position.observation()[:] = 7
    position.action_mask()[:] = 7
    assert position.observation().max() == 1, "a position never changes"
    assert position.action_mask().max() == 1, "a position never changes"


def test_a_game_drawn_by_repetition_has_no_legal_action() -> None:
    moves = "b2 c2 d3 c4 " + "@b3 @c3 " * 2
    position = noughts.Game("tic-tac-two").position(moves=moves)
    assert position.outcome == "draw" and not position.action_mask().any()


# ---- rows and columns ----


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_to_grid_maps_cells_to_drawn_places(depth: int) -> None:
    game = noughts.Game(f"ception:depth={depth}")
    cells = np.arange(9**depth).reshape((9,) * depth)
    grid = noughts.to_grid(cells, game)
    assert grid.shape == (3**depth, 3**depth)
    for cell in range(9**depth):
        row = column = 0
        for level in reversed(range(depth)):
            index = cell // 9**level % 9
            row, column = row * 3 + index // 3, column * 3 + index % 3
        assert grid[row, column] == cell
    np.testing.assert_array_equal(noughts.from_grid(grid, game), cells)


@pytest.mark.parametrize("name", PRESETS)
def test_every_game_has_a_grid(name: str) -> None:
    """Guards against `to_grid` only for boards of nine boards."""
    game = noughts.Game(name)
    position = list(random_positions(game, 3, 30))[-1]
    planes = position.observation()
    grid = noughts.to_grid(planes, name)
    assert grid.shape == (planes.shape[0], *noughts.observe(position).shape[:2])
    if len(game.levels) == 1:
        np.testing.assert_array_equal(grid, planes)
    np.testing.assert_array_equal(noughts.from_grid(grid, game), planes)


def test_leading_axes_are_kept() -> None:
    many = np.random.default_rng(1).integers(0, 2, size=(4, 5, 9, 9))
    grids = noughts.to_grid(many, "ultimate")
    assert grids.shape == (4, 5, 9, 9)
    np.testing.assert_array_equal(grids[2, 3], noughts.to_grid(many[2, 3], "ultimate"))
    np.testing.assert_array_equal(noughts.from_grid(grids, "ultimate"), many)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: noughts.to_grid(np.zeros(9), "ultimate"), ValueError, "the last 2 axes must have the lengths 9 and 9"),
        (lambda: noughts.to_grid(3, "ultimate"), ValueError, r"the shape is \(\)"),
        (lambda: noughts.to_grid(np.zeros((4, 16)), "qubic"), ValueError, "the last 3 axes"),
        (lambda: noughts.to_grid(np.zeros((9, 9)), "nobody"), noughts.VariantError, "unknown game"),
        (lambda: noughts.to_grid(np.zeros((9, 9)), 2), TypeError, "game must be"),
        (lambda: noughts.from_grid(np.zeros((4, 4, 4)), "qubic"), ValueError, "the lengths 4 and 16"),
        (lambda: noughts.from_grid(None, "ultimate"), ValueError, "the last 2 axes"),
    ],
)
def test_bad_shapes_raise(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()
