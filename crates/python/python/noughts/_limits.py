"""Search limits for Python bots, in the arena and over UGI."""

from __future__ import annotations

import time as _time
from typing import Callable, Dict, NamedTuple, Optional


class Clock(NamedTuple):
    """A player's clock. Times are in seconds.

    >>> noughts.Clock(10.0, increment=0.1)
    Clock(left=10.0, increment=0.1, moves_to_go=None)
    """

    #: The remaining time.
    left: float
    #: The time added after each move.
    increment: float = 0.0
    #: The number of moves until the clock is reset; ``None`` if the time is for the whole game.
    moves_to_go: Optional[int] = None


class Limits:
    """The search limits for one move.

    ``None`` means no limit. A bot that searches in steps checks ``over`` after each step:

    >>> limits = noughts.Limits(nodes=3)
    >>> steps = 0
    >>> while not limits.over and steps < limits.nodes:
    ...     steps += 1
    >>> steps
    3
    """

    __slots__ = {
        "time": "The time for this move in seconds: fixed, or a fair share of the clock.",
        "nodes": "The number of positions to search, or of random games to play.",
        "depth": "The number of plies to search.",
        "clocks": "The clocks of ``'x'`` and ``'o'``; ``None`` without clocks.",
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
    ) -> None:
        self.time = time
        self.nodes = nodes
        self.depth = depth
        self.clocks = clocks
        self._stopped = stopped
        self._started = _time.monotonic()

    @property
    def stopped(self) -> bool:
        """Whether a stop was requested. The bot should then return its best move so far."""
        return self._stopped is not None and self._stopped()

    @property
    def elapsed(self) -> float:
        """The time since the search started, in seconds."""
        return _time.monotonic() - self._started

    @property
    def over(self) -> bool:
        """Whether the time is up or a stop was requested."""
        return self.stopped or (self.time is not None and self.elapsed >= self.time)

    def __repr__(self) -> str:
        given = (("time", self.time), ("nodes", self.nodes), ("depth", self.depth))
        words = ", ".join(f"{name}={value!r}" for name, value in given if value is not None)
        return f"noughts.Limits({words})"
