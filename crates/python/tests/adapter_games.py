"""Shared by the tests of the adapters: game variants and random play."""

from __future__ import annotations

import random
from collections.abc import Iterator

import noughts
from variants import PRESETS

# Small and unusual boards, every option, depths 1 to 3.
GAMES = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:2,5,2",
    "mnk:4,3,3",
    "mnk:4,3,3,misere",
    "mnk:9,9,5",
    "mnk:16,16,5",
    "tic-tac-two",
    "tic-tac-two:board=3",
    "tic-tac-two:board=7,grid=5,pieces=6,after=3",
    "ultimate",
    "ception:free=any",
    "ception:end=most",
    "ception:5a",
    "ception:5c",
    "ception:5d",
    "ception:4b",
    "ception:4b,5a",
    "ception:4b,5c",
    "ception:4b,5d",
    "ception:depth=1",
    "ception:depth=3",
    "ception:depth=3,trail=history",
    "ception:4b,5c,depth=3",
    "ception:5d,depth=3,trail=history,end=most",
]
#: Every game, and unusual options of some.
GAMES = list(dict.fromkeys([*GAMES, *PRESETS, "gravity:3,10,3", "cube:4,3", "vanishing:marks=4"]))


def random_game(name: str, seed: int) -> Iterator[noughts.Position]:
    """All positions of a random game, including the start and the end."""
    rng = random.Random(f"{name} {seed}")
    position = noughts.Game(name).start()
    yield position
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
        yield position
