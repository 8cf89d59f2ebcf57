"""The tic-tac-toe family: play it, solve it, compete at it."""

from ._grid import from_grid, to_grid
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
    Vector,
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
    "Vector",
    "__version__",
    "from_grid",
    "to_grid",
]
