"""Search limits for Python bots, in the arena and over UGI."""

from __future__ import annotations

import time as _time
from typing import Callable, Dict, NamedTuple, Optional


class Clock(NamedTuple):
    """A player's clock, in seconds.

    >>> noughts.Clock(10.0, increment=0.1)
    Clock(left=10.0, increment=0.1, moves_to_go=None)
    """

    #: What is left of its time.
    left: float
    #: What each move adds.
    increment: float = 0.0
    #: So many moves until the clock is set anew; ``None``: it is for the whole game.
    moves_to_go: Optional[int] = None


class Limits:
    """What a bot may spend on a move.

    A limit that is ``None`` is none. Whoever thinks in steps asks ``over`` between them:

    >>> limits = noughts.Limits(nodes=3)
    >>> steps = 0
    >>> while not limits.over and steps < limits.nodes:
    ...     steps += 1
    >>> steps
    3
    """

    __slots__ = {
        "time": "Seconds for this move: given as such, or a fair share of the clock.",
        "nodes": "So many positions to look at, or random games to play.",
        "depth": "So many plies to look ahead.",
        "clocks": "The clocks of ``'x'`` and ``'o'``, where there are any.",
        "_started": "When the search started.",
        "_stopped": "Returns whether a stop was requested.",
    }

    time: Optional[float]
    nodes: Optional[int]
    depth: Optional[int]
    clocks: Optional[Dict[str, Clock]]

    def __init__(
        self,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        clocks: Optional[Dict[str, Clock]] = None,
        stopped: Optional[Callable[[], bool]] = None,
        began: Optional[float] = None,
    ) -> None:
        self.time = time
        self.nodes = nodes
        self.depth = depth
        self.clocks = clocks
        self._stopped = stopped
        self._started = _time.monotonic() if began is None else began

    @property
    def stopped(self) -> bool:
        """Has somebody said that it is enough? The best move so far is wanted then."""
        return self._stopped is not None and self._stopped()

    @property
    def elapsed(self) -> float:
        """How many seconds have passed since the question."""
        return _time.monotonic() - self._started

    @property
    def over(self) -> bool:
        """Is the time used up, or has somebody said that it is enough?"""
        return self.stopped or (self.time is not None and self.elapsed >= self.time)

    def __repr__(self) -> str:
        given = (("time", self.time), ("nodes", self.nodes), ("depth", self.depth))
        words = ", ".join(f"{name}={value!r}" for name, value in given if value is not None)
        return f"noughts.Limits({words})"
