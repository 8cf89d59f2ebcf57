"""Bots against bots: matches, tournaments, SPRTs, and statistics of results.

A bot is one of these:

- A string, as on the command line: a built-in bot, such as ``"mcts"`` or
  ``"mcts:nodes=500,seed=3"``, or a program, such as ``"ugi:python3 bot.py"`` or
  ``"codingame:./bot"``. ``"NAME=…"`` gives it a name.
- A Python object with a method ``choose(position)`` that returns a move, as a name or action
  number, or a function that does. If it takes a second argument, or one called ``limits``, it also
  receives :class:`noughts.Limits`. Keyword-only arguments called ``time``, ``nodes`` or ``depth``
  receive that limit. If the object has a method ``new_game(seed)``, it is called before each game.
- A class of such objects. It is called without arguments to create an object for each game.
- A :class:`Policy`, which turns a policy trained in an environment into a bot.

>>> import noughts
>>> def first(position):
...     return position.legal_moves[0]
>>> result = noughts.arena.match("perfect", first, games=4, openings="start")
>>> result.wins, result.draws, result.losses
(4, 0, 0)

A Python bot loses the game if it raises an exception (``crash``), returns something that isn't a
move (``protocol``), makes an illegal move (``illegal-move``) or takes too long (``time``). The arena
doesn't wait for a bot that takes too long: it interrupts the bot the next time it runs Python code.
If the bot is inside other code (a sleep, a library), that code continues in the background until it
returns.

Each game calls its Python bot on one thread. By default, a match with Python bots plays one game at
a time, because Python runs one thread at a time and objects may not be thread-safe. If you set
``concurrency``, pass a class or a thread-safe object.
"""

from __future__ import annotations

import functools
import html
import inspect
import math
import sys
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
)

import numpy as np

from . import _noughts
from ._noughts import (
    Game,
    NoughtsError,
    PlanError,
    Position,
    describe_type,
    elo_of,
    estimate,
    expected_score,
    sprt_bounds,
    sprt_llr,
)
from ._observation import observe
from ._python_bot import PythonBot, bot_name

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "CheckStep",
    "Estimate",
    "GlickoRating",
    "PlanOptions",
    "PlayedGame",
    "Policy",
    "Result",
    "check",
    "elo_of",
    "estimate",
    "expected_score",
    "glicko",
    "match",
    "ratings",
    "sprt",
    "sprt_bounds",
    "sprt_llr",
    "tournament",
]

# External bots run as children of a small process that ends them if this one is killed. It only
# loads the compiled part, without the package and NumPy.
_LAUNCHER_CODE = (
    "import sys; from importlib import machinery, util; "
    "loader = machinery.ExtensionFileLoader('_launcher', sys.argv[1]); "
    "module = util.module_from_spec(util.spec_from_loader('_launcher', loader)); "
    "loader.exec_module(module); sys.exit(module.launch_bot())"
)
_noughts.set_launcher([sys.executable or "python3", "-I", "-S", "-c", _LAUNCHER_CODE, _noughts.__file__])

#: A string, or a Python object, function or class; see the module's docstring.
Bot = Any
#: Seconds, or a string such as ``"100ms"``.
Time = Union[float, str]
#: ``"start"``, ``"random:PLIES"``, ``"all:PLIES"``, or a list of positions or moves.
Openings = Union[str, Sequence[Union[str, Position]]]


class PlanOptions(TypedDict, total=False):
    """The keyword arguments that :func:`match`, :func:`tournament` and :func:`sprt` share.

    - ``time``, ``tc``, ``nodes`` or ``depth``: the time control, for bots that don't have their own.
      ``time`` is seconds per move (default 0.1), ``tc`` a clock ``(base, increment)`` or
      ``"10s+100ms"``, ``nodes`` a number of positions, and ``depth`` a number of plies.
    - ``openings``: ``"start"``, ``"random:PLIES"`` (default ``"random:2"``), ``"all:PLIES"`` (all
      openings that differ by more than a symmetry), or a list of positions or moves.
    - ``seed``: the random seed. The same seed gives the same games, as long as the bots are limited
      by nodes and use their seeds.
    - ``concurrency``: the number of games played at the same time. The default is the number of
      cores, or 1 with Python bots.
    - ``margin``: how far a bot may exceed its time (default 0.05). ``patience``: how long to wait for a
      bot that has no time limit (default 60).
    - ``move_limit``: a game is a draw after this many moves. ``adjudicate``: a game ends as soon as
      its exact value is known. ``agree_win``, ``agree_draw``: a game ends when both bots have
      reported the same result for this many moves each.
    - ``scoring``: ``"points"``, or ``"penalty"`` (0 for a win, 3 for a loss, 1 for a draw).
    - ``on_game``: called after each game. If it returns ``False``, no new games start, and running
      games are finished. (A few more games of fast bots may still be played.)

    >>> options: noughts.arena.PlanOptions = {"nodes": 50, "seed": 1}
    >>> len(noughts.arena.match("mcts", "random", "ultimate", games=2, **options))
    2
    """

    time: Optional[Time]
    tc: Optional[Union[str, Tuple[float, float]]]
    nodes: Optional[int]
    depth: Optional[int]
    openings: Optional[Openings]
    seed: int
    concurrency: Optional[int]
    move_limit: Optional[int]
    margin: Time
    patience: Time
    adjudicate: bool
    agree_win: Optional[int]
    agree_draw: Optional[int]
    scoring: str
    on_game: Optional[Callable[[PlayedGame], Any]]


#: Other options are `None` by default.
_DEFAULTS = {"seed": 0, "margin": 0.05, "patience": 60.0, "adjudicate": False, "scoring": "points"}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _option_types() -> Dict[str, str]:
    types = PlanOptions.__annotations__.items()
    return {name: getattr(kind, "__forward_arg__", str(kind)) for name, kind in types}


def _takes_plan_options(function: _Function) -> _Function:
    """Shows the options in the function's signature."""
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=kind)
        for name, kind in _option_types().items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    return function


@_takes_plan_options
def match(
    a: Bot, b: Bot, game: Union[str, Game] = "classic", *, games: int = 100, **options: Unpack[PlanOptions]
) -> Result:
    """Plays a match between two bots, in pairs of games: each pair has the same opening, and each bot
    plays X once.

    :class:`PlanOptions` describes the other arguments. Ctrl-C stops the match immediately and raises
    ``KeyboardInterrupt``.

    >>> result = noughts.arena.match("mcts:nodes=50", "random", "ultimate", games=4, seed=1)
    >>> [game.result for game in result.games]
    ['x', 'o', 'x', 'o']
    >>> result.games[0].winner
    'mcts:nodes=50'
    """
    return _run([a, b], game, games, options)


@_takes_plan_options
def tournament(
    bots: Iterable[Bot],
    game: Union[str, Game] = "classic",
    *,
    format: str = "round-robin",
    games: int = 20,
    **options: Unpack[PlanOptions],
) -> Result:
    """Plays a tournament: ``"round-robin"`` (every bot plays every other bot) or ``"gauntlet"`` (the first bot
    plays all others).

    ``games`` is the number of games in each pairing. :class:`PlanOptions` describes the other arguments.

    >>> result = noughts.arena.tournament(["perfect", "easy", "random"], games=10, nodes=100)
    >>> len(result), result.standings[0]["name"]
    (30, 'perfect')
    """
    return _run(bots, game, games, options, format=format)


@_takes_plan_options
def sprt(
    a: Bot,
    b: Bot,
    game: Union[str, Game] = "classic",
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    *,
    games: int = 100_000,
    **options: Unpack[PlanOptions],
) -> Result:
    """Runs an SPRT: plays until it is clear whether ``a`` is better than ``b``, or at most ``games``
    games.

    The test accepts ``'H1'`` (better by ``elo1``) or ``'H0'`` (better by at most ``elo0``), both in
    normalized Elo. The error probabilities are at most ``alpha`` and ``beta``. :class:`PlanOptions`
    describes the other arguments.

    Pairs of games that repeat an earlier pair don't count. After 50 of them in a row, the test stops
    with a ``UserWarning``, because it would never be decided. ``decision`` is then ``None``, and
    ``is_complete`` is ``False``.

    >>> result = noughts.arena.sprt("mcts:nodes=100", "random", "ultimate", 0, 50, concurrency=1)
    >>> result.decision, len(result) < 200
    ('H1', True)
    """
    return _run([a, b], game, games, options, sprt=(elo0, elo1, alpha, beta))


def _run(
    bots: Iterable[Bot],
    game: Union[str, Game],
    games: int,
    options: PlanOptions,
    *,
    format: str = "round-robin",
    sprt: Optional[Tuple[float, float, float, float]] = None,
) -> Result:
    plan: Dict[str, Any] = {name: _DEFAULTS.get(name) for name in PlanOptions.__annotations__}
    for name in options:
        if name == "rounds":
            raise TypeError("the arena has no rounds argument; pass games=, the number of games between two bots")
        if name not in plan:
            raise TypeError(f"unexpected keyword argument {name!r}")
    if isinstance(bots, str):
        raise TypeError("bots must be a list such as ['easy', 'hard'], not a string")
    plan.update(options)
    on_game = plan.pop("on_game")
    if on_game is not None and not callable(on_game):
        raise TypeError(f"on_game must be a function that takes a game, not {describe_type(on_game)}")
    players = [bot if isinstance(bot, str) else PythonBot(bot) for bot in bots]
    python_bots = [player for player in players if isinstance(player, PythonBot)]
    plan.update(bots=players, game=game, games=games, format=format, sprt=sprt, adjudicate=bool(plan["adjudicate"]))

    def interrupt_abandoned() -> None:
        for python_bot in python_bots:
            python_bot.interrupt_abandoned()

    def interrupt() -> None:
        for python_bot in python_bots:
            python_bot.interrupt()

    try:
        played, is_complete, seconds, tracebacks = _noughts.arena_run(plan, on_game, interrupt_abandoned, interrupt)
    finally:
        for python_bot in python_bots:
            python_bot.shut_down()
    return Result(
        is_complete=is_complete, seconds=seconds, tracebacks=tracebacks, _tournament=played, **played.figures()
    )


# ---- results ----


@dataclass(frozen=True, repr=False)
class PlayedGame:
    """A game played in the arena: its players, its moves, and how it ended.

    >>> game = noughts.arena.match("perfect", "random", games=2).games[0]
    >>> game.x, game.o, game.result, game.ending
    ('perfect', 'random', 'x', 'line')
    >>> game
    noughts.arena.PlayedGame('perfect', 'random', 'x', 'line')
    """

    #: The name of the bot that played X.
    x: str
    #: The name of the bot that played O.
    o: str
    #: The round, starting at 1. Both games of a pair belong to the same round.
    round: int
    #: The result: ``'x'``, ``'o'`` or ``'draw'``.
    result: str
    #: How the game ended: ``'line'``, ``'no-move'``, ``'repetition'``, …, or the loser's fault:
    #: ``'time'``, ``'illegal-move'``, ``'crash'``, ``'protocol'`` or ``'start'``.
    ending: str
    #: Whether the losing bot failed, for example by crashing or running out of time.
    is_fault: bool
    #: Details about the ending; ``None`` if there aren't any.
    note: Optional[str]
    #: All moves, including the opening.
    moves: Tuple[str, ...]
    #: The number of opening moves, which the bots didn't choose.
    opening: int
    #: The final position, with all moves that led to it.
    position: Position
    #: The time of each move after the opening, in seconds.
    times: Tuple[float, ...]
    #: The value of each move after the opening, as reported by the bot that made it: ``'win'``,
    #: ``'loss'`` or ``'draw'`` if proved, a number from −1 to 1 if estimated, or ``None``.
    values: Tuple[Union[str, float, None], ...]
    #: The game as the text of a record.
    record: str

    @property
    def winner(self) -> Optional[str]:
        """The name of the winner; ``None`` for a draw."""
        return {"x": self.x, "o": self.o}.get(self.result)

    def __repr__(self) -> str:
        return f"noughts.arena.PlayedGame({self.x!r}, {self.o!r}, {self.result!r}, {self.ending!r})"


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The result of a match, tournament or SPRT. The figures are for the first bot against all
    others. It prints like fastchess for two bots, and as a table for more.

    >>> result = noughts.arena.match("perfect", "random", games=4, openings="start")
    >>> result.wins, result.draws, result.losses, result.pentanomial
    (4, 0, 0, (0, 0, 0, 0, 2))
    >>> print(str(result).splitlines()[3])
    Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)
    """

    #: The name of the game that was played.
    game: str
    #: The names of the bots, in the order in which you passed them.
    bots: List[str]
    #: The random seed.
    seed: int
    #: How results are scored: ``'points'`` or ``'penalty'``.
    scoring: str
    #: Whether all games were played, or the SPRT was decided. If not, it was stopped early, or the
    #: SPRT was abandoned because the bots kept repeating the same games.
    is_complete: bool
    #: The time used, in seconds.
    seconds: float
    #: The number of games that don't count: incomplete pairs, and pairs after a gap or after the SPRT
    #: was decided.
    aside: int
    #: The first bot's advantage in Elo; ``nan`` if nothing is known, infinite if one bot scored all
    #: points. ``elo_low`` and ``elo_high`` are meaningful in every case.
    elo: float
    #: Half the width of the 95% confidence interval of ``elo``; ``nan`` if the interval is unbounded on
    #: one side.
    elo_error: float
    #: The lower end of the 95% confidence interval of ``elo``. If one bot scored all points, or nearly
    #: all, only one end is finite, and it is a one-sided bound: with 95% confidence, the advantage is
    #: above ``elo_low`` (or below ``elo_high``).
    elo_low: float
    #: The upper end of the 95% confidence interval of ``elo``; see ``elo_low``.
    elo_high: float
    #: The advantage in normalized Elo, which is relative to the spread of the results.
    nelo: float
    #: Half the width of the 95% confidence interval of ``nelo``.
    nelo_error: float
    #: The likelihood of superiority: the probability that the first bot is better, from 0 to 1.
    los: float
    #: The first bot's share of the points in all games, from 0 to 1.
    score: float
    #: The number of game pairs by the first bot's points: 0, ½, 1, 1½ and 2. Pairs with the same moves
    #: as an earlier one add no information and are left out here and in ``elo``, ``nelo``, ``los``,
    #: ``ratings`` and the SPRT; ``repeated`` counts them.
    pentanomial: Tuple[int, int, int, int, int]
    #: The number of game pairs with the same moves as an earlier pair of the same two bots. They count
    #: for ``wins``, ``points`` and ``score``, but not for the estimates.
    repeated: int
    #: The number of games that the first bot won.
    wins: int
    #: The number of drawn games.
    draws: int
    #: The number of games that the first bot lost.
    losses: int
    #: The first bot's points: 1 for a win, ½ for a draw.
    points: float
    #: The first bot's penalty points: 3 for a loss, 1 for a draw; lower is better.
    penalty: int
    #: The log-likelihood ratio of the SPRT; ``None`` if there isn't one.
    llr: Optional[float]
    #: The bounds at which the SPRT accepts ``'H0'`` and ``'H1'``; ``None`` if there isn't one.
    llr_bounds: Optional[Tuple[float, float]]
    #: The hypothesis that the SPRT accepted: ``'H1'`` (better by ``elo1``) or ``'H0'`` (better by at
    #: most ``elo0``); ``None`` if it is undecided or there isn't one.
    decision: Optional[str]
    #: The standings, best bot first: a list of dictionaries, ready for pandas.
    standings: List[Dict[str, Any]]
    #: The tracebacks of exceptions in Python bots, up to ten for each bot.
    tracebacks: Dict[str, List[str]]

    _head_to_heads: Dict[Tuple[str, str], Tuple[int, int, int]]
    _tournament: _noughts.Tournament

    @functools.cached_property
    def games(self) -> List[PlayedGame]:
        """The games, in the order of the schedule."""
        return self._tournament.games()

    @property
    def ratings(self) -> Dict[str, Tuple[float, float]]:
        """The maximum-likelihood rating of each bot and half the width of its 95% confidence
        interval, best bot first. The mean rating is 0."""
        rows = sorted(self.standings, key=lambda row: -row["rating"])
        return {row["name"]: (row["rating"], row["rating_error"]) for row in rows}

    def between(self, first: str, second: str) -> Tuple[int, int, int]:
        """Returns how many games the first bot won, drew and lost against the second."""
        for name in (first, second):
            if name not in self.bots:
                raise NoughtsError(f"{name!r} didn't take part; use one of {', '.join(self.bots)}")
        return self._head_to_heads[first, second]

    def html(self, title: Optional[str] = None) -> str:
        """Returns a self-contained HTML page with plots and a replay of every game."""
        return self._tournament.html(" – ".join(self.bots) if title is None else title)

    def csv(self) -> str:
        """Returns the games as CSV, one line for each game."""
        return self._tournament.csv()

    def records(self) -> str:
        """Returns all games as the text of records."""
        return self._tournament.records()

    def __len__(self) -> int:
        return len(self._tournament)

    def __bool__(self) -> bool:
        """Always true, even without games."""
        return True

    def __str__(self) -> str:
        return self._tournament.text()[0].rstrip()

    def __repr__(self) -> str:
        names, games = " vs ".join(map(repr, self.bots)), len(self)
        points = f"{self.points:g} of {self.wins + self.draws + self.losses} points"
        return f"<noughts.arena.Result {self.game}, {names}: {games} game{'s' * (games != 1)}, {points}>"

    def _repr_html_(self) -> str:
        rows = [
            {
                "": row["rank"],
                "Bot": row["name"],
                **{name.capitalize(): row[name] for name in ("games", "wins", "draws", "losses", "points")},
                "Elo": _elo_text(row["elo"], row["elo_error"], row["elo_low"], row["elo_high"]),
                **({"Penalty": row["penalty"]} if self.scoring == "penalty" else {}),
            }
            for row in self.standings
        ]

        def line(tag: str, cells: Iterable[Any]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line("td", row.values()) for row in rows)
        text = f"<table><thead>{line('th', rows[0])}</thead><tbody>{body}</tbody></table>"
        sprt = self._tournament.text()[1].strip()
        return text + (f"<p>{html.escape(sprt)}</p>" if sprt else "")


def _elo_text(elo: float, error: float, low: float, high: float) -> str:
    """``12.3 ± 4.5``, or the only finite bound of the interval; empty if nothing is known."""
    if math.isfinite(low) and math.isfinite(high):
        return f"{elo:.1f} ± {error:.1f}"
    if not math.isfinite(low) and not math.isfinite(high):
        return ""
    bound = f"at least {low:.1f}" if math.isfinite(low) else f"at most {high:.1f}"
    return f"{elo:.1f} ({bound})" if math.isfinite(elo) else bound


# ---- policies ----


class Policy:
    """A policy as a bot: use a policy that was trained in an environment in the arena.

    ``act`` is called with the observation of the side to move, as in the Gymnasium and PettingZoo
    environments (:func:`noughts.observe`), and the mask of legal actions. It returns an action. With
    ``batch=True``, both arrays get a leading batch axis of length 1, as most networks expect, and the
    action may be in an array of length 1.

    You can pickle a policy if you can pickle ``act``.

    >>> def first(observation, mask):
    ...     return mask.argmax()
    >>> bot = noughts.arena.Policy(first, name="first")
    >>> bot.choose(noughts.Game("ultimate").start())
    0
    >>> noughts.arena.match(bot, "random", "ultimate", games=2, seed=1).bots
    ['first', 'random']
    """

    def __init__(
        self,
        act: Callable[[Any, Any], Any],
        name: Optional[str] = None,
        *,
        batch: bool = False,
    ) -> None:
        if not callable(act):
            raise TypeError(f"act must be a function of an observation and a mask, not {describe_type(act)}")
        self.act = act
        self.name = bot_name(act) if name is None else name
        self.batch = batch

    def choose(self, position: Position) -> int:
        """Returns the policy's action."""
        observation, mask = observe(position), position.action_mask()
        if self.batch:
            observation, mask = observation[None], mask[None]
        chosen = self.act(observation, mask)
        action = np.asarray(chosen)
        if action.size != 1 or action.dtype.kind not in "iu":
            raise TypeError(f"a policy must return an action number, not {chosen!r}")
        return int(action.item())

    def __repr__(self) -> str:
        return f"noughts.arena.Policy({self.name!r})"


# ---- checking a bot ----


class CheckStep(NamedTuple):
    """One step of checking a bot.

    >>> noughts.arena.CheckStep("answers in time", "warn", "5 ms late", "leave a margin").ok
    True
    """

    #: What was checked.
    step: str
    #: The result: ``'ok'``, ``'warn'`` (the arena tolerates it) or ``'fail'`` (it loses games).
    status: str
    #: What happened.
    observed: str
    #: How to fix it; ``None`` if nothing is wrong.
    advice: Optional[str]

    @property
    def ok(self) -> bool:
        """Whether the step didn't fail."""
        return self.status != "fail"


def check(bot: str, game: Union[str, Game] = "classic", *, patience: Time = 10.0) -> List[CheckStep]:
    """Checks a bot step by step and explains what is wrong with it.

    >>> for step in noughts.arena.check("random", "classic"):
    ...     print(step.status, step.step)
    ok plays this game
    ok plays full games against itself
    """
    if not isinstance(bot, str):
        raise TypeError(f"bot must be a string such as 'ugi:python3 bot.py', not {describe_type(bot)}")
    return [CheckStep(*step) for step in _noughts.arena_check(bot, game, patience)]


# ---- statistics ----


class Estimate(NamedTuple):
    """Estimates from results. Errors are half the width of a 95% confidence interval.

    A figure is ``nan`` if the results don't determine it (no games, or no spread). If one bot scored
    all points, ``elo`` is infinite, and ``elo_low`` or ``elo_high`` is a finite bound.

    >>> round(noughts.arena.estimate([2, 5, 10, 8, 5]).elo)
    53
    >>> print(noughts.arena.estimate([2, 5, 10, 8, 5]))
    Elo 52.5 ± 73.0
    >>> print(noughts.arena.estimate([0, 0, 0, 0, 5]))
    Elo at least 34.4
    """

    #: The difference in Elo.
    elo: float
    #: Half the width of its confidence interval; ``nan`` if the interval is unbounded on one side.
    elo_error: float
    #: The lower end of the interval; infinite if there is no lower bound. If only this end is finite,
    #: the difference is above it with 95% confidence.
    elo_low: float
    #: The upper end of the interval, likewise.
    elo_high: float
    #: The difference in normalized Elo, which is relative to the spread of the results.
    nelo: float
    nelo_error: float
    #: The likelihood of superiority: the probability that the first bot is better, from 0 to 1.
    los: float
    #: The first bot's share of the points, from 0 to 1.
    score: float
    #: The share of pairs with equal points; for single games, the share of draws.
    draw_ratio: float
    #: Pairs won divided by pairs lost; ``nan`` for single games.
    pairs_ratio: float

    def __str__(self) -> str:
        """The difference in Elo with its error or bound."""
        return "Elo " + (_elo_text(self.elo, self.elo_error, self.elo_low, self.elo_high) or "unknown")


#: The number of game pairs by points: 0, ½, 1, 1½ and 2.
Pentanomial = Sequence[int]


def ratings(pairings: Mapping[Tuple[str, str], Pentanomial]) -> Dict[str, Tuple[float, float]]:
    """Returns the maximum-likelihood rating of each bot and half the width of its 95% confidence
    interval, best bot first.

    ``pairings`` maps each pairing ``(first, second)`` to its pairs of games, counted by the first bot's
    points.

    >>> rated = noughts.arena.ratings({("a", "b"): [0, 1, 2, 3, 4], ("b", "c"): [0, 1, 2, 3, 4]})
    >>> list(rated)
    ['a', 'b', 'c']
    """
    if not isinstance(pairings, Mapping):
        raise TypeError(f"pairings must be a dictionary, not {describe_type(pairings)}")
    indices: Dict[Any, int] = {}
    indexed = []
    for names, pairs in pairings.items():
        if not isinstance(names, tuple) or len(names) != 2 or names[0] == names[1]:
            raise PlanError(f"a pairing must be (first, second), two different names, not {names!r}")
        first, second = (indices.setdefault(name, len(indices)) for name in names)
        indexed.append((first, second, pairs))
    rated = zip(indices, _noughts.arena_ratings(len(indices), indexed))
    return dict(sorted(rated, key=lambda item: -item[1][0]))


class GlickoRating(NamedTuple):
    """A player's Glicko-2 rating.

    >>> noughts.arena.glicko([("Ada", "Bob", 0.5)])["Ada"].games
    1
    """

    #: The rating, which starts at 1500.
    rating: float
    #: The rating deviation, which starts at 350.
    deviation: float
    #: The volatility: how erratic the player's results are.
    volatility: float
    #: The number of rated games.
    games: int


def glicko(games: Iterable[Tuple[str, str, float]]) -> Dict[str, GlickoRating]:
    """Returns the Glicko-2 ratings after all games, best player first.

    A game is ``(first, second, points)``: the names of both players, and the first player's points
    (1, 0.5 or 0). List the games in the order in which they were played.

    >>> rated = noughts.arena.glicko([("Ada", "Bob", 1)])
    >>> [(name, round(player.rating)) for name, player in rated.items()]
    [('Ada', 1662), ('Bob', 1338)]
    """
    listed = []
    for game in games:
        if not isinstance(game, (tuple, list)) or len(game) != 3:
            raise PlanError(f"a game must be (first, second, points), not {game!r}")
        first, second, points = game
        if not isinstance(first, str) or not isinstance(second, str):
            raise TypeError(f"players must be names, as in ('Ada', 'Bob', 1), not {game!r}")
        if points not in (0.0, 0.5, 1.0):
            raise PlanError(f"points must be 1, 0.5 or 0, not {points}")
        listed.append((first, second, points))
    rated = _noughts.arena_glicko(listed)
    return {name: GlickoRating(r, deviation, v, count) for name, r, deviation, v, count in rated}
