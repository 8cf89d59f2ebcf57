"""The tic-tac-toe family: play it, solve it, compete at it."""

from ._limits import Clock, Limits
from ._noughts import (
    BotError,
    Game,
    IllegalMove,
    NoughtsError,
    PlanError,
    Position,
    PositionError,
    RecordError,
    TableError,
    VariantError,
    __version__,
)
from . import arena, ugi

__all__ = [
    "BotError",
    "Clock",
    "Game",
    "IllegalMove",
    "Limits",
    "NoughtsError",
    "PlanError",
    "Position",
    "PositionError",
    "RecordError",
    "TableError",
    "VariantError",
    "__version__",
    "arena",
    "ugi",
]
