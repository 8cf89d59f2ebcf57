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
import inspect
import math
import os
import queue
import sys
import threading
import traceback
from typing import (
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
    TypeVar,
    Union,
    cast,
)

import numpy as np

from . import _noughts
from ._interrupt import raise_in_thread
from ._limits import Clock, Limits
from ._noughts import Game, PlanError, PlayedGame, Position, Result
from ._observation import observe
from .ugi import Engine

__all__ = [
    "Estimate",
    "GlickoRating",
    "PlayedGame",
    "Policy",
    "Result",
    "Step",
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


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _reject_rounds(function: _Function) -> _Function:
    """Makes an error of ``rounds=`` that suggests ``games=`` instead."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if "rounds" in kwargs:
            raise TypeError(
                f"{function.__name__}() has no argument rounds; pass games=, the number of games between "
                "two bots (two for each round)"
            )
        return function(*args, **kwargs)

    return cast(_Function, wrapper)


@_reject_rounds
def match(
    a: Bot,
    b: Bot,
    game: Union[str, Game] = "classic",
    *,
    games: int = 100,
    time: Optional[Time] = None,
    tc: Optional[Union[str, Tuple[float, float]]] = None,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    openings: Optional[Openings] = None,
    seed: int = 0,
    concurrency: Optional[int] = None,
    move_limit: Optional[int] = None,
    margin: Time = 0.05,
    patience: Time = 60.0,
    adjudicate: bool = False,
    agree_win: Optional[int] = None,
    agree_draw: Optional[int] = None,
    scoring: str = "points",
    on_game: Optional[Callable[[PlayedGame], Any]] = None,
) -> Result:
    """Plays a match between two bots, in pairs of games: each pair has the same opening, and each bot
    plays X once.

    - ``time``, ``tc``, ``nodes`` or ``depth``: the time control, for bots that don't have their own.
      ``time`` is seconds per move (default 0.1), ``tc`` a clock ``(base, increment)`` or
      ``"10s+100ms"``, ``nodes`` a number of positions, and ``depth`` a number of plies.
    - ``openings``: ``"start"``, ``"random:PLIES"`` (default ``"random:2"``), ``"all:PLIES"`` (all
      openings that differ by more than a symmetry), or a list of positions or moves.
    - ``seed``: the random seed. The same seed gives the same games, as long as the bots are limited
      by nodes and use their seeds.
    - ``concurrency``: the number of games played at the same time. The default is the number of
      cores, or 1 with Python bots.
    - ``margin``: how far a bot may exceed its time. ``patience``: how long to wait for a bot that has
      no time limit.
    - ``move_limit``: a game is a draw after this many moves. ``adjudicate``: a game ends as soon as
      its exact value is known. ``agree_win``, ``agree_draw``: a game ends when both bots have
      reported the same result for this many moves each.
    - ``scoring``: ``"points"``, or ``"penalty"`` (0 for a win, 3 for a loss, 1 for a draw).
    - ``on_game``: called after each game. If it returns ``False``, no new games start, and running
      games are finished. (A few more games of fast bots may still be played.)

    Ctrl-C stops the match immediately and raises ``KeyboardInterrupt``.

    >>> result = noughts.arena.match("mcts:nodes=50", "random", "ultimate", games=4, seed=1)
    >>> [game.result for game in result.games]
    ['x', 'o', 'x', 'o']
    >>> result.games[0].winner
    'mcts:nodes=50'
    """
    plan_args = _plan_args(
        time=time, tc=tc, nodes=nodes, depth=depth, openings=openings, seed=seed,
        concurrency=concurrency, move_limit=move_limit, margin=margin, patience=patience,
        adjudicate=adjudicate, agree_win=agree_win, agree_draw=agree_draw, scoring=scoring,
    )
    return _run([a, b], game, _rounds(games), plan_args, on_game)


@_reject_rounds
def tournament(
    bots: Iterable[Bot],
    game: Union[str, Game] = "classic",
    *,
    format: str = "round-robin",
    games: int = 20,
    time: Optional[Time] = None,
    tc: Optional[Union[str, Tuple[float, float]]] = None,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    openings: Optional[Openings] = None,
    seed: int = 0,
    concurrency: Optional[int] = None,
    move_limit: Optional[int] = None,
    margin: Time = 0.05,
    patience: Time = 60.0,
    adjudicate: bool = False,
    agree_win: Optional[int] = None,
    agree_draw: Optional[int] = None,
    scoring: str = "points",
    on_game: Optional[Callable[[PlayedGame], Any]] = None,
) -> Result:
    """Plays a tournament: ``"round-robin"`` (everyone plays everyone) or ``"gauntlet"`` (the first bot
    plays all others).

    ``games`` is the number of games in each pairing. The other arguments are the same as for
    :func:`match`.

    >>> result = noughts.arena.tournament(["perfect", "easy", "random"], games=10, nodes=100)
    >>> len(result), result.table[0]["name"]
    (30, 'perfect')
    """
    if isinstance(bots, str):
        raise TypeError("bots must be a list such as ['easy', 'hard'], not a string")
    if format not in ("round-robin", "gauntlet"):
        raise PlanError(f"format must be 'round-robin' or 'gauntlet', not {format!r}")
    plan_args = _plan_args(
        time=time, tc=tc, nodes=nodes, depth=depth, openings=openings, seed=seed,
        concurrency=concurrency, move_limit=move_limit, margin=margin, patience=patience,
        adjudicate=adjudicate, agree_win=agree_win, agree_draw=agree_draw, scoring=scoring,
    )
    plan_args["gauntlet"] = format == "gauntlet"
    return _run(list(bots), game, _rounds(games), plan_args, on_game)


@_reject_rounds
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
    time: Optional[Time] = None,
    tc: Optional[Union[str, Tuple[float, float]]] = None,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    openings: Optional[Openings] = None,
    seed: int = 0,
    concurrency: Optional[int] = None,
    move_limit: Optional[int] = None,
    margin: Time = 0.05,
    patience: Time = 60.0,
    adjudicate: bool = False,
    agree_win: Optional[int] = None,
    agree_draw: Optional[int] = None,
    scoring: str = "points",
    on_game: Optional[Callable[[PlayedGame], Any]] = None,
) -> Result:
    """Runs an SPRT: plays until it is clear whether ``a`` is better than ``b``, or at most ``games``
    games.

    The test accepts ``'H1'`` (better by ``elo1``) or ``'H0'`` (better by at most ``elo0``), both in
    normalized Elo. The error probabilities are at most ``alpha`` and ``beta``. The other arguments are
    the same as for :func:`match`.

    Pairs of games that repeat an earlier pair don't count. After 50 of them in a row, the test stops
    with a ``UserWarning``, because it would never be decided. ``decision`` is then ``None``, and
    ``is_complete`` is ``False``.

    >>> result = noughts.arena.sprt("mcts:nodes=100", "random", "ultimate", 0, 50, concurrency=1)
    >>> result.decision, len(result) < 200
    ('H1', True)
    """
    plan_args = _plan_args(
        time=time, tc=tc, nodes=nodes, depth=depth, openings=openings, seed=seed,
        concurrency=concurrency, move_limit=move_limit, margin=margin, patience=patience,
        adjudicate=adjudicate, agree_win=agree_win, agree_draw=agree_draw, scoring=scoring,
    )
    plan_args["sprt"] = (
        _number("elo0", elo0), _number("elo1", elo1), _number("alpha", alpha), _number("beta", beta)
    )
    return _run([a, b], game, _rounds(games), plan_args, on_game)


# ---- arguments ----

_MAX_ROUNDS = 2**32 - 1
_MAX_SECONDS = 30 * 24 * 3600


def _run(
    bots: List[Bot],
    game: Union[str, Game],
    rounds: int,
    plan_args: Dict[str, Any],
    on_game: Optional[Callable[[PlayedGame], Any]],
) -> Result:
    if on_game is not None and not callable(on_game):
        raise TypeError(f"on_game must be a function that takes a game, not {_describe_type(on_game)}")
    python_bots: List[_PythonBot] = []
    bot_args: List[Tuple[Any, str]] = []
    for bot in bots:
        if isinstance(bot, str):
            bot_args.append((bot, ""))
        else:
            python_bot = _PythonBot(bot, plan_args["patience_ms"] / 1000)
            python_bots.append(python_bot)
            bot_args.append((python_bot, python_bot.name))
    plan_args.update(game=game, rounds=rounds, bots=bot_args)

    def interrupt_abandoned() -> None:
        for python_bot in python_bots:
            python_bot.interrupt_abandoned()

    def interrupt() -> None:
        for python_bot in python_bots:
            python_bot.interrupt()

    try:
        return _noughts.arena_run(plan_args, on_game, interrupt_abandoned, interrupt)
    finally:
        for python_bot in python_bots:
            python_bot.shut_down()


def _plan_args(**options: Any) -> Dict[str, Any]:
    time_controls = {name: options[name] for name in ("time", "tc", "nodes", "depth")}
    kind, plies, opening_list = _openings(options["openings"])
    if options["scoring"] not in ("points", "penalty"):
        raise PlanError(f"scoring must be 'points' or 'penalty', not {options['scoring']!r}")
    return {
        "gauntlet": False,
        "sprt": None,
        "time_control": _time_control({name: value for name, value in time_controls.items() if value is not None}),
        "openings": None if kind is None else (kind, plies),
        "opening_list": opening_list,
        "margin_ms": _milliseconds("margin", options["margin"]),
        "patience_ms": _milliseconds("patience", options["patience"]),
        "seed": _integer("seed", options["seed"], 0, 2**64 - 1),
        "move_limit": _optional_integer("move_limit", options["move_limit"]),
        "adjudicate": bool(options["adjudicate"]),
        "agree_win": _optional_integer("agree_win", options["agree_win"]),
        "agree_draw": _optional_integer("agree_draw", options["agree_draw"]),
        "penalty": options["scoring"] == "penalty",
        "concurrency": _optional_integer("concurrency", options["concurrency"], 4096),
    }


def _time_control(limits: Dict[str, Any]) -> str:
    if len(limits) > 1:
        raise PlanError(f"{' and '.join(limits)} can't be combined; pass only one of time, tc, nodes and depth")
    for name, value in limits.items():
        if name in ("nodes", "depth"):
            return f"{name}={_integer(name, value, 1, 2**32 - 1 if name == 'depth' else 2**64 - 1)}"
        if isinstance(value, str):
            return f"{name}={value}"
        if name == "time":
            return f"time={_seconds(name, value)}"
        if isinstance(value, (tuple, list)) and len(value) == 2:
            return f"tc={_seconds('the base of tc', value[0])}+{_seconds('the increment of tc', value[1])}"
        raise TypeError(f"tc must be a string such as '10s+100ms' or (base, increment), not {_describe_type(value)}")
    return "time=100ms"


def _openings(openings: Any) -> Tuple[Optional[str], int, Optional[List[str]]]:
    if openings is None:
        return None, 0, None
    if isinstance(openings, str):
        kind, _, plies = openings.partition(":")
        if openings == "start":
            return "start", 0, None
        if kind in ("random", "all") and plies.isascii() and plies.isdigit() and len(plies) < 6:
            return kind, int(plies), None
        raise PlanError(
            "openings must be 'start', 'random:PLIES', 'all:PLIES' or a list of positions or moves, not "
            f"{openings[:40]!r}"
        )
    try:
        listed = list(openings)
    except TypeError:
        raise TypeError(f"openings must be a string or a list, not {_describe_type(openings)}") from None
    for opening in listed:
        if not isinstance(opening, (str, Position)):
            raise TypeError(f"an opening must be a string or a noughts.Position, not {_describe_type(opening)}")
    return None, 0, [opening if isinstance(opening, str) else opening.text for opening in listed]


def _rounds(games: Any) -> int:
    number = _integer("games", games, 2, 2 * _MAX_ROUNDS)
    if number % 2:
        raise PlanError(f"games must be an even number, because each bot plays X once in a pair, not {number}")
    return number // 2


def _integer(name: str, value: Any, minimum: int, maximum: int) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        number = value.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{name} must be a whole number, not {_describe_type(value)}") from None
    if not minimum <= number <= maximum:
        raise PlanError(f"{name} must be a whole number from {minimum} to {maximum}, not {str(number)[:40]}")
    return int(number)


def _optional_integer(name: str, value: Any, maximum: int = 2**32 - 1) -> Optional[int]:
    return None if value is None else _integer(name, value, 1, maximum)


def _number(name: str, value: Any) -> float:
    try:
        if isinstance(value, (bool, str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be a number, not {_describe_type(value)}") from None


def _seconds(name: str, value: Any) -> str:
    number = _number(name, value)
    if not 0.0 <= number <= _MAX_SECONDS:
        raise PlanError(f"{name} must be from 0 to {_MAX_SECONDS} seconds, not {number}")
    return f"{number:.6f}s"


_UNIT_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "": 1.0}


def _milliseconds(name: str, value: Any) -> int:
    if isinstance(value, str):
        digits = value.rstrip("ms")
        try:
            value = float(digits) * _UNIT_SECONDS[value[len(digits):]]
        except (KeyError, ValueError):
            raise PlanError(f"{name} must be a time such as '50ms' or 0.05, not {value[:40]!r}") from None
    return round(float(_seconds(name, value)[:-1]) * 1000)


def _describe_type(value: Any) -> str:
    return f"an object of type {type(value).__name__}"


# ---- Python bots ----


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
            raise TypeError(f"act must be a function of an observation and a mask, not {_describe_type(act)}")
        self.act = act
        self.name = _bot_name(act) if name is None else name
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


class _Interrupted(BaseException):
    """Raised in a bot that is too late, or that is still running when everything is stopped."""


class _BotThread:
    """A thread that runs the calls of one bot.

    It is a daemon thread of Python, so that a bot that never returns can be abandoned: the arena
    continues, and the interpreter can exit while the bot is still running.
    """

    def __init__(self) -> None:
        self.busy = False
        #: The result is no longer awaited.
        self.abandoned = False
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="bot", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            while True:
                job = self._jobs.get()
                if job is None:
                    return
                answer: Tuple[Any, Optional[BaseException]]
                try:
                    answer = (job(), None)
                except BaseException as error:
                    answer = (None, error)
                self.busy = False
                if self.abandoned:
                    return
                self._answers.put(answer)
                del job, answer
        except _Interrupted:
            pass

    def run(self, job: Callable[[], Any], seconds: float) -> Tuple[Any, Optional[BaseException]]:
        """Returns the job's result, or its exception; abandons a job that takes too long."""
        self.busy = True
        self._jobs.put(job)
        try:
            answer: Tuple[Any, Optional[BaseException]] = self._answers.get(timeout=min(seconds, 1e8))
        except queue.Empty:
            self.abandon()
            answer = (None, _Interrupted())
        return answer

    def abandon(self) -> None:
        """Stops waiting for the job, and interrupts it."""
        self.abandoned = True
        self._answers.put((None, _Interrupted()))
        self.interrupt()

    def interrupt(self) -> None:
        thread = self._thread.ident
        if self.busy and thread is not None and self._thread.is_alive():
            raise_in_thread(thread, _Interrupted)

    def shut_down(self) -> None:
        self._jobs.put(None)
        if not self.abandoned:
            self._thread.join(timeout=1.0)


def _printable(text: str) -> str:
    """The text with lone surrogates escaped, so that it can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class _PythonBot:
    """A Python bot as the compiled part calls it."""

    def __init__(self, bot: Any, patience: float) -> None:
        self.name = _bot_name(bot)
        #: The first few tracebacks.
        self.errors: List[str] = []
        self._bot = bot
        self._patience = patience
        self._is_class = isinstance(bot, type)
        self._calling_convention: Any = None
        self._threads: List[_BotThread] = []
        self._idle: List[_BotThread] = []
        if self._is_class:
            if not callable(getattr(bot, "choose", None)) and "__call__" not in dir(bot):
                raise TypeError(f"the class {self.name} has no method choose(position)")
        else:
            self._calling_convention = _calling_convention(_choose_method(bot))

    def start_game(self, seed: int, stopped: Callable[[], bool]) -> Tuple[Any, Optional[str]]:
        """Returns the player for one game, or an error message."""
        try:
            thread = self._idle.pop()
        except IndexError:
            thread = _BotThread()
            self._threads.append(thread)
        choose, problem = self.ask(thread, lambda: self._prepare(seed), self._patience)
        if problem is not None:
            self.release(thread)
            return None, problem
        return _GamePlayer(self, thread, choose, stopped), None

    def _prepare(self, seed: int) -> Callable[[Position, Limits], Any]:
        bot = self._bot() if self._is_class else self._bot
        choose = _choose_method(bot)
        if self._calling_convention is None:
            self._calling_convention = _calling_convention(choose)
        call = self._calling_convention
        new_game = getattr(bot, "new_game", None)
        if callable(new_game):
            new_game(seed)
        if isinstance(bot, Engine):
            engine = bot
            return lambda position, limits: call(choose, position, engine._with_default_time(limits))
        return lambda position, limits: call(choose, position, limits)

    def ask(self, thread: _BotThread, job: Callable[[], Any], seconds: float) -> Tuple[Any, Optional[str]]:
        answer, error = thread.run(job, seconds)
        if error is None:
            return answer, None
        if isinstance(error, _Interrupted):
            return None, f"it didn't answer within {seconds:.3g} s"
        return None, self._describe_error(error)

    def release(self, thread: _BotThread) -> None:
        if not thread.abandoned:
            self._idle.append(thread)

    def interrupt_abandoned(self) -> None:
        """Interrupts abandoned calls again, in case they caught the exception."""
        for thread in list(self._threads):
            if thread.abandoned:
                thread.interrupt()

    def interrupt(self) -> None:
        """Abandons all running calls."""
        for thread in list(self._threads):
            if thread.busy:
                thread.abandon()

    def shut_down(self) -> None:
        for thread in list(self._threads):
            thread.shut_down()

    def _describe_error(self, error: BaseException) -> str:
        try:
            tb = error.__traceback__
            while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
                tb = tb.tb_next
            if len(self.errors) < 10 and not isinstance(error, _Interrupted):
                self.errors.append(_printable("".join(traceback.format_exception(type(error), error, tb))))
            message = " ".join(str(error).split())[:300]
            frames = traceback.extract_tb(tb)
        except Exception as second_error:
            return f"{type(error).__name__}, then {type(second_error).__name__} while formatting it"
        text = type(error).__name__ + (f": {message}" if message else "")
        if frames:
            text += f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})"
        return _printable(text)


class _GamePlayer:
    """A Python bot in one game. Called for each move; returns the move, or an error message."""

    def __init__(
        self,
        python_bot: _PythonBot,
        thread: _BotThread,
        choose: Callable[[Position, Limits], Any],
        stopped: Callable[[], bool],
    ) -> None:
        self._python_bot = python_bot
        self._thread = thread
        self._choose = choose
        self._stopped = stopped

    def __call__(
        self,
        position: Position,
        time: Optional[float],
        nodes: Optional[int],
        depth: Optional[int],
        clocks: Any,
        allowed: float,
    ) -> Tuple[Any, Optional[str]]:
        if clocks is not None:
            clocks = {side: Clock(*clock) for side, clock in zip("xo", clocks)}
        limits = Limits(time=time, nodes=nodes, depth=depth, clocks=clocks, stopped=self._stopped)
        choose = self._choose
        # A little more than allowed, so that a bot that is abandoned is certainly late.
        return self._python_bot.ask(self._thread, lambda: choose(position, limits), allowed + 0.001)

    def close(self) -> None:
        self._python_bot.release(self._thread)


def _bot_name(bot: Any) -> str:
    name = getattr(bot, "name", None)
    if not isinstance(name, str) or not name.strip():
        name = getattr(bot, "__name__", None)
    if not isinstance(name, str) or not name.strip():
        name = type(bot).__name__
    return "".join(c if c.isprintable() else " " for c in name)[:60]


def _choose_method(bot: Any) -> Callable[..., Any]:
    for choose in (getattr(bot, "choose", None), bot):
        if callable(choose):
            found: Callable[..., Any] = choose
            return found
    raise TypeError(
        "a bot must be a string such as 'mcts', an object with a method choose(position), a function or "
        f"a class, not {_describe_type(bot)}"
    )


def _calling_convention(choose: Callable[..., Any]) -> Callable[[Any, Position, Limits], Any]:
    """Chooses the arguments for a bot by its signature."""
    try:
        parameters = list(inspect.signature(choose).parameters.values())
    except (TypeError, ValueError):
        return lambda choose, position, limits: choose(position)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) > 1 and (positional[1].name == "limits" or positional[1].default is inspect.Parameter.empty):
        return lambda choose, position, limits: choose(position, limits)
    named = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    limit_names = [name for name in ("time", "nodes", "depth") if name in named]

    def call(choose: Any, position: Position, limits: Limits) -> Any:
        kwargs: Dict[str, Any] = {name: getattr(limits, name) for name in limit_names}
        if "limits" in named:
            kwargs["limits"] = limits
        return choose(position, **kwargs)

    return call


# ---- checking a bot ----


class Step(NamedTuple):
    """One step of checking a bot.

    >>> noughts.arena.Step("answers in time", "warn", "5 ms late", "leave a margin").ok
    True
    """

    #: What was checked.
    what: str
    #: The result: ``'ok'``, ``'warn'`` (the arena tolerates it) or ``'fail'`` (it loses games).
    grade: str
    #: What happened.
    seen: str
    #: How to fix it; ``None`` if nothing is wrong.
    mend: Optional[str]

    @property
    def ok(self) -> bool:
        """Whether the step didn't fail."""
        return self.grade != "fail"


def check(bot: str, game: Union[str, Game] = "classic", *, patience: float = 10.0) -> List[Step]:
    """Checks a bot step by step and explains what is wrong with it.

    >>> for step in noughts.arena.check("random", "classic"):
    ...     print(step.grade, step.what)
    ok plays this game
    ok plays full games against itself
    """
    if not isinstance(bot, str):
        raise TypeError(f"bot must be a string such as 'ugi:python3 bot.py', not {_describe_type(bot)}")
    seconds = float(_seconds("patience", patience)[:-1])
    return [Step(*step) for step in _noughts.arena_check(bot, game, seconds)]


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
        low, high = math.isfinite(self.elo_low), math.isfinite(self.elo_high)
        if low and high:
            return f"Elo {self.elo:.1f} ± {self.elo_error:.1f}"
        if not low and not high:
            return "Elo unknown"
        bound = f"at least {self.elo_low:.1f}" if low else f"at most {self.elo_high:.1f}"
        return f"Elo {self.elo:.1f} ({bound})" if math.isfinite(self.elo) else f"Elo {bound}"


#: The number of game pairs by points: 0, ½, 1, 1½ and 2.
Pentanomial = Sequence[int]

#: An upper bound for counts of games, against overflow.
_MAX_COUNT = 10**15


def _pentanomial(pairs: Any) -> List[int]:
    try:
        counts = list(pairs)
    except TypeError:
        raise TypeError(f"pentanomial must be a list of five counts, not {_describe_type(pairs)}") from None
    if len(counts) != 5:
        raise PlanError(f"pentanomial must have five counts (0, ½, 1, 1½ and 2 points), not {len(counts)}")
    return [_integer("a count of pairs", count, 0, _MAX_COUNT) for count in counts]


def elo_of(wins: int, draws: int, losses: int) -> Estimate:
    """Estimates the difference in Elo from independent games.

    Pairs of games from the same opening give better estimates; see :func:`estimate`.

    >>> figures = noughts.arena.elo_of(wins=30, draws=40, losses=30)
    >>> figures.elo, figures.los
    (0.0, 0.5)
    >>> print(f"{noughts.arena.elo_of(60, 20, 20).elo:.1f}")
    147.2
    """
    named = {"wins": wins, "draws": draws, "losses": losses}
    counts = [_integer(name, count, 0, _MAX_COUNT) for name, count in named.items()]
    return Estimate(*_noughts.arena_estimate_games(*counts))


def estimate(pentanomial: Pentanomial) -> Estimate:
    """Estimates the difference in Elo from pairs of games, with the same formulas as fastchess.

    >>> figures = noughts.arena.estimate([379, 10170, 21828, 10640, 343])
    >>> print(f"{figures.nelo:.2f} ± {figures.nelo_error:.2f}")
    3.05 ± 2.31
    """
    return Estimate(*_noughts.arena_estimate(_pentanomial(pentanomial)))


def sprt_llr(pentanomial: Pentanomial, elo0: float, elo1: float) -> float:
    """Returns the log-likelihood ratio of "better by ``elo1``" to "better by ``elo0``", in normalized
    Elo.

    >>> round(noughts.arena.sprt_llr([379, 10170, 21828, 10640, 343], 0, 2), 2)
    2.95
    """
    return _noughts.arena_llr(_pentanomial(pentanomial), _number("elo0", elo0), _number("elo1", elo1))


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> Tuple[float, float]:
    """Returns the log-likelihood ratios at which an SPRT accepts H0 and H1.

    >>> [round(bound, 3) for bound in noughts.arena.sprt_bounds()]
    [-2.944, 2.944]
    """
    return _noughts.arena_bounds(_number("alpha", alpha), _number("beta", beta))


def expected_score(elo: float) -> float:
    """Returns the expected share of the points for an advantage of ``elo``.

    >>> noughts.arena.expected_score(0)
    0.5
    >>> round(noughts.arena.expected_score(400), 3)
    0.909
    """
    return _noughts.arena_expected_score(_number("elo", elo))


def ratings(met: Mapping[Tuple[str, str], Pentanomial]) -> Dict[str, Tuple[float, float]]:
    """Returns the maximum-likelihood rating of each bot and half the width of its 95% confidence
    interval, best bot first.

    ``met`` maps each pairing ``(first, second)`` to its pairs of games, counted by the first bot's
    points.

    >>> rated = noughts.arena.ratings({("a", "b"): [0, 1, 2, 3, 4], ("b", "c"): [0, 1, 2, 3, 4]})
    >>> list(rated)
    ['a', 'b', 'c']
    """
    if not isinstance(met, Mapping):
        raise TypeError(f"met must be a dictionary, not {_describe_type(met)}")
    indices: Dict[Any, int] = {}
    pairings = []
    for names, pairs in met.items():
        if not isinstance(names, tuple) or len(names) != 2 or names[0] == names[1]:
            raise PlanError(f"a pairing must be (first, second), two different names, not {names!r}")
        first, second = (indices.setdefault(name, len(indices)) for name in names)
        pairings.append((first, second, _pentanomial(pairs)))
    rated = zip(indices, _noughts.arena_ratings(len(indices), pairings))
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
        points = _number("points", points)
        if points not in (0.0, 0.5, 1.0):
            raise PlanError(f"points must be 1, 0.5 or 0, not {points}")
        listed.append((first, second, points))
    rated = _noughts.arena_glicko(listed)
    return {name: GlickoRating(r, deviation, v, count) for name, r, deviation, v, count in rated}
