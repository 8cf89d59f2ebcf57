"""The tic-tac-toe family: play, solve and analyze games, and run bots against each other."""

from importlib import import_module
from typing import TYPE_CHECKING

from ._grid import from_grid, to_grid
from ._limits import Clock, Limits
from ._noughts import (
    Analysis,
    Bot,
    BotError,
    Game,
    GameError,
    IllegalMove,
    NoughtsError,
    PlanError,
    Position,
    PositionError,
    Record,
    RecordError,
    Tablebase,
    TablebaseError,
    VariantError,
    Vector,
    __version__,
    analyze,
    bots,
    read_records,
    solve,
    variants,
)
from ._observation import observe
from ._reports import Playouts, RankedMove, Report, Solution
from . import arena, ugi

__all__ = [
    "Analysis",
    "Bot",
    "BotError",
    "Clock",
    "Game",
    "GameError",
    "IllegalMove",
    "Limits",
    "NoughtsError",
    "PlanError",
    "Playouts",
    "Position",
    "PositionError",
    "RankedMove",
    "Record",
    "RecordError",
    "Report",
    "Solution",
    "Tablebase",
    "TablebaseError",
    "VariantError",
    "Vector",
    "__version__",
    "analyze",
    "arena",
    "bots",
    "from_grid",
    "observe",
    "read_records",
    "solve",
    "to_grid",
    "ugi",
    "variants",
]

# Hidden from type checkers, which would otherwise accept any attribute of the module.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # Adapters are imported on first use, so that the frameworks they need stay optional.
        if name in ("gymnasium", "iarena", "openspiel", "pettingzoo"):
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
