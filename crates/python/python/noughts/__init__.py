"""The tic-tac-toe family: play it, solve it, compete at it."""

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

__all__ = [
    "BotError",
    "Game",
    "IllegalMove",
    "NoughtsError",
    "PlanError",
    "Position",
    "PositionError",
    "RecordError",
    "TableError",
    "VariantError",
    "__version__",
]
