"""The tic-tac-toe family: play it, solve it, compete at it."""

from ._grid import from_grid, to_grid
from ._noughts import (
    Analysis,
    Bot,
    BotError,
    Game,
    IllegalMove,
    NoughtsError,
    PlanError,
    Playouts,
    Position,
    PositionError,
    Ranked,
    Record,
    RecordError,
    Report,
    Solution,
    Table,
    TableError,
    VariantError,
    Vector,
    __version__,
    analyse,
    bots,
    read_records,
    solve,
    variants,
)

__all__ = [
    "Analysis",
    "Bot",
    "BotError",
    "Game",
    "IllegalMove",
    "NoughtsError",
    "PlanError",
    "Playouts",
    "Position",
    "PositionError",
    "Ranked",
    "Record",
    "RecordError",
    "Report",
    "Solution",
    "Table",
    "TableError",
    "VariantError",
    "Vector",
    "__version__",
    "analyse",
    "bots",
    "from_grid",
    "read_records",
    "solve",
    "to_grid",
    "variants",
]


def __getattr__(name: str):
    # Adapters to other packages are imported when they are asked for, not before: nobody
    # needs those packages to play.
    if name in ("gymnasium", "iarena", "openspiel", "pettingzoo"):
        from importlib import import_module

        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
