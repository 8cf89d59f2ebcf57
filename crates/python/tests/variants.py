"""Game variants of every kind for the tests, and random play. Not a test itself."""

from __future__ import annotations

import random
from typing import Iterator, List

import noughts
from noughts._noughts import own_games

#: Every game, and unusual options of some.
VARIANTS: List[str] = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:4,3,3",
    "mnk:7,6,4,misere",
    "mnk:16,16,5",
    "tic-tac-two",
    "tic-tac-two:board=7,grid=5,pieces=6,after=3",
    "ultimate",
    "ception:4b,5a",
    "ception:5c",
    "ception:4b,5d,end=most",
    "ception:free=any",
    "ception:depth=1",
    "ception:depth=3,trail=history",
    "ception:4b,5d,depth=3",
]
#: The games that are offered as starting points, except for one with half a million cells, and games of other tests.
PRESETS: List[str] = [
    name for name in noughts.variants() if name not in own_games() and noughts.Game(name).actions < 10_000
]
VARIANTS = list(dict.fromkeys([*VARIANTS, *PRESETS]))


def random_game(variant: str, seed: int, max_plies: int = 200) -> Iterator[noughts.Position]:
    """The positions of a random game, including the start."""
    rng = random.Random(f"{variant} {seed}")
    position = noughts.Game(variant).start()
    yield position
    for _ in range(max_plies):
        if position.is_over:
            return
        position = position.play(rng.choice(position.legal_moves))
        yield position


def random_position(variant: str, seed: int) -> noughts.Position:
    """A random position from a random game, usually not the last one."""
    positions = list(random_game(variant, seed))
    return random.Random(seed).choice(positions[:-1] or positions)
