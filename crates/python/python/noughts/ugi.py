"""Bots as programs that use UGI, the Universal Game Interface.

A bot is a class with a method ``choose``. This module handles the rest of the protocol:

    import noughts

    class Hasty(noughts.ugi.Engine):
        def choose(self, position, limits):
            return self.random.choice(position.legal_moves)

    if __name__ == "__main__":
        Hasty().run()

Save it as ``bot.py``. In the arena, it is ``"ugi:python3 bot.py"``; other match runners run
``python3 bot.py``.
The class also plays without a separate program: ``noughts.arena.match(Hasty, "easy")``.

- While the bot runs, everything it prints goes to standard error, because standard output is for the
  protocol.
- An exception in ``choose`` ends the program with a traceback, and the arena reports a ``crash`` with
  the last line of it. If your bot should make a legal move instead, catch the exception in
  ``choose``.
- Bad input never ends the program: invalid commands are answered with ``info string error: …``, and
  unknown ones are ignored.
"""

from __future__ import annotations

import functools
import os
import queue
import sys
import threading
from dataclasses import dataclass, field
from random import Random
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _noughts
from ._interrupt import raise_in_thread
from ._limits import Clock, Limits
from ._noughts import Position

__all__ = ["Check", "Clock", "Combo", "Engine", "Limits", "Spin", "String"]


# ---- options ----


class Spin(NamedTuple):
    """An option that is a whole number.

    >>> noughts.ugi.Spin(4, 1, 20).read("7")
    7
    """

    default: int
    min: int = 0
    max: int = 2**31 - 1

    def describe(self) -> str:
        """Returns the option's UGI description, without its name."""
        return f"type spin default {self.default} min {self.min} max {self.max}"

    def read(self, text: str) -> int:
        """Parses a value. Raises ``ValueError`` with the allowed values if it is invalid."""
        try:
            number = int(text)
        except ValueError:
            number = self.min - 1
        if not self.min <= number <= self.max:
            raise ValueError(f"must be a whole number from {self.min} to {self.max}")
        return number


class Check(NamedTuple):
    """An option that is true or false.

    >>> noughts.ugi.Check().read("true")
    True
    """

    default: bool = False

    def describe(self) -> str:
        """Returns the option's UGI description, without its name."""
        return f"type check default {str(bool(self.default)).lower()}"

    def read(self, text: str) -> bool:
        """Parses a value. Raises ``ValueError`` with the allowed values if it is invalid."""
        if text.lower() not in ("true", "false"):
            raise ValueError("must be true or false")
        return text.lower() == "true"


class String(NamedTuple):
    """An option that is any text.

    >>> noughts.ugi.String("book.txt").describe()
    'type string default book.txt'
    """

    default: str = ""

    def describe(self) -> str:
        """Returns the option's UGI description, without its name."""
        return f"type string default {_single_line(self.default)}".rstrip()

    def read(self, text: str) -> str:
        """Parses a value. Raises ``ValueError`` with the allowed values if it is invalid."""
        return text


class Combo(NamedTuple):
    """An option that is one of several words.

    >>> noughts.ugi.Combo("calm", ["calm", "wild"]).read("Wild")
    'wild'
    """

    default: str
    choices: Sequence[str]

    def describe(self) -> str:
        """Returns the option's UGI description, without its name."""
        return " ".join([f"type combo default {self.default}", *(f"var {word}" for word in self.choices)])

    def read(self, text: str) -> str:
        """Parses a value. Raises ``ValueError`` with the allowed values if it is invalid."""
        for word in self.choices:
            if word.lower() == text.lower():
                return word
        raise ValueError(f"must be one of {', '.join(self.choices)}")


Option = Union[Spin, Check, String, Combo]


# ---- the bot ----


class Engine:
    """A bot that uses UGI. Subclasses define ``choose``; everything else is optional.

    >>> class First(noughts.ugi.Engine):
    ...     def choose(self, position, limits):
    ...         return position.legal_moves[0]
    >>> commands = ["position startpos moves b2", "query p1turn", "go movetime 100", "quit"]
    >>> First().run(commands, print)
    response false
    bestmove a1
    """

    #: The bot's name. The default is the name of the class.
    name: str = ""
    #: The bot's author.
    author: str = "unknown"
    #: The games that the bot plays, the default one first. If empty, it plays all games.
    variants: ClassVar[Sequence[str]] = ()
    #: The bot's own options. Their values are in ``values``.
    options: ClassVar[Mapping[str, Option]] = {}
    #: The time for a move, in seconds, if ``go`` doesn't give a limit.
    default_time: float = 1.0
    #: Whether the bot respects ``limits.nodes`` and ``limits.depth``. If it doesn't, and no time is
    #: given, ``limits.time`` is ``default_time``, so that a bot that only checks the time always stops.
    counts_nodes: bool = False
    counts_depth: bool = False

    #: The values of the bot's own options, by name.
    values: Dict[str, Any]
    #: A random generator, seeded for each game.
    random: Random

    _session: Optional[_Session]

    def __new__(cls, *_: Any, **__: Any) -> Engine:
        # Not in `__init__`, which subclasses may override without calling it.
        self = super().__new__(cls)
        self.values = {name: option.default for name, option in cls.options.items()}
        self.random = Random(0)
        self._session = None
        return self

    def choose(self, position: Position, limits: Limits) -> Union[str, int]:
        """Returns the bot's move, as a name or action number. Subclasses define this."""
        raise NotImplementedError(f"{type(self).__name__} must define choose(self, position, limits)")

    def new_game(self, seed: int) -> None:
        """Called before each game. Override it to reset the bot's state or to do slow setup.

        By default, it seeds ``self.random``.
        """
        self.random = Random(seed)

    def info(
        self,
        *,
        depth: Optional[int] = None,
        score: Optional[Union[float, str]] = None,
        mate: Optional[int] = None,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        pv: Optional[Union[str, Iterable[str]]] = None,
        string: Optional[str] = None,
    ) -> None:
        """Sends information about the search so far.

        - ``score``: the expected result for the side to move, from −1 to 1, or ``'win'``, ``'loss'``
          or ``'draw'`` if proved.
        - ``mate``: a proved win in this many plies; negative for a loss.
        - ``time``: seconds. ``pv``: the principal variation. ``string``: any text.

        It has no effect if the bot doesn't run as a program.
        """
        session = self._session
        if session is None:
            return
        points = score if mate is None else None
        figures: Tuple[Tuple[str, Any, Callable[[Any], Any]], ...] = (
            ("depth", depth, int),
            ("score mate", mate, int),
            ("score cp", points, _noughts.centipawns),
            ("nodes", nodes, int),
            ("time", time, lambda seconds: round(float(seconds) * 1000)),
            ("pv", pv, lambda moves: _single_line(moves if isinstance(moves, str) else " ".join(moves))),
        )
        words = [f"{name} {write(value)}" for name, value, write in figures if value is not None]
        if words:
            session.write("info " + " ".join(words))
        if isinstance(points, str):
            session.write(f"info string exact {points}")
        if string is not None:
            session.write("info string " + _single_line(string))

    def run(
        self,
        input: Optional[Iterable[Union[str, bytes]]] = None,
        output: Optional[Callable[[str], Any]] = None,
    ) -> None:
        """Runs the protocol until ``quit`` or the end of the input.

        ``input`` is an iterable of lines, and ``output`` is called with each line. The defaults are
        standard input and output.
        """
        if self._session is not None:
            raise RuntimeError("this bot is already running")
        lines = _stdin_lines() if input is None else (_decode_line(line) for line in input)
        original_stdout, send = sys.stdout, output
        if send is None:
            send = functools.partial(print, file=sys.stdout, flush=True)
            # Standard output is for the protocol: send what bots print to standard error.
            sys.stdout = sys.stderr
        try:
            self._session = _Session(self, send)
            self._session.run(lines)
        finally:
            self._session = None
            sys.stdout = original_stdout

    def _with_default_time(self, limits: Limits) -> Limits:
        """The limits, with the default time if the bot would otherwise never stop."""
        has_limit = (limits.nodes is not None and self.counts_nodes) or (
            limits.depth is not None and self.counts_depth
        )
        if limits.time is None and not has_limit:
            limits.time = self.default_time
        return limits


# ---- the session ----


class _StopThinking(BaseException):
    """Raised in a bot that keeps thinking after the session has ended."""


@dataclass
class _Search:
    """One `go` command; without a position, only the preparation for a game."""

    position: Optional[Position] = None
    limits: Limits = field(default_factory=Limits)
    is_infinite: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)


#: How long to wait for a bot's move after `stop`, in seconds.
_GRACE_SECONDS = 1.0


class _Session:
    """One session of the protocol. A second thread reads commands, which the compiled module executes; the
    bot thinks on the calling thread, where its exceptions propagate and where many libraries expect to
    run."""

    def __init__(self, engine: Engine, send: Callable[[str], Any]) -> None:
        self.engine = engine
        self.send = send
        self.lock = threading.Lock()
        self.jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.search: Optional[_Search] = None
        self.reader_error: Optional[BaseException] = None
        #: `new_game` has to be called before the next search.
        self.needs_new_game = True
        #: The output is closed, or the bot has stopped.
        self.closed = False
        self.ugi = _noughts.PythonUgiSession(self, engine.variants)
        for name in engine.options:
            if name.lower() in ("variant", "seed", "overhead"):
                raise ValueError(f"the {name} option already exists; use another name")

    # -- thinking --

    def run(self, lines: Iterator[str]) -> None:
        bot_thread = threading.get_ident()
        reader = threading.Thread(target=self.read_commands, args=(lines, bot_thread), name="ugi", daemon=True)
        reader.start()
        try:
            while True:
                job = self.jobs.get()
                if job is None:
                    break
                self.run_job(*job)
        except _StopThinking:
            pass
        finally:
            self.closed = True
            # Don't wait for a reader that is blocked on input, only for one that is about to end.
            reader.join(0.1)
            while not self.jobs.empty():
                # Release everyone who waits for these jobs.
                job = self.jobs.get()
                if job is not None:
                    job[0].done.set()
        if self.reader_error is not None:
            raise self.reader_error

    def run_job(self, search: _Search, seed: int) -> None:
        try:
            if self.needs_new_game:
                self.engine.new_game(seed)
                self.needs_new_game = False
            if search.position is not None:
                chosen = self.engine.choose(search.position, search.limits)
                self.write(f"bestmove {_move_name(search.position, chosen)}")
        except BaseException:
            self.closed = True
            raise
        finally:
            search.done.set()

    # -- reading commands --

    def read_commands(self, lines: Iterator[str], bot_thread: int) -> None:
        is_complete = False
        try:
            for line in lines:
                if self.closed or not self.ugi.handle_line(line):
                    break
            else:
                is_complete = True
        except BaseException as error:
            # Raised again by `run`: an exception in a thread doesn't reach the caller.
            self.reader_error = error
        finally:
            search = self.search
            if search is not None:
                if is_complete and not search.is_infinite:
                    # No `stop` can arrive anymore, so let the search use its time.
                    time_limit = search.limits.time
                    search.done.wait(None if time_limit is None else time_limit + _GRACE_SECONDS)
                self.stop()
                while not search.done.wait(0.1):
                    # The bot ignores `limits.stopped`.
                    raise_in_thread(bot_thread, _StopThinking)
            self.jobs.put(None)

    # -- called by the compiled module --

    def identify(self, seed: str, overhead: str) -> str:
        engine, names = self.engine, self.engine.variants
        variant: Option = Combo(names[0], names) if names else String("classic")
        lines = [
            f"id name {_single_line(engine.name or type(engine).__name__)}",
            f"id author {_single_line(engine.author)}",
            f"option name Variant {variant.describe()}",
            seed,
            overhead,
            *(f"option name {name} {option.describe()}" for name, option in engine.options.items()),
        ]
        return "\n".join(lines)

    def option_names(self) -> List[str]:
        return list(self.engine.options)

    def set_option(self, name: str, value: str) -> bool:
        for own_name, option in self.engine.options.items():
            if own_name.lower() == name.lower():
                try:
                    self.engine.values[own_name] = option.read(value)
                except ValueError as error:
                    raise ValueError(f"{own_name} {error}") from None
                return True
        return False

    def start_new_game(self) -> None:
        self.needs_new_game = True

    def prepare(self, seed: int) -> None:
        if self.search is None or self.search.done.is_set():
            self.search = None
            preparation = _Search()
            self.submit(preparation, seed)
            preparation.done.wait()

    def start_search(
        self,
        seed: int,
        position: Position,
        time: Optional[float],
        nodes: Optional[int],
        depth: Optional[int],
        clocks: List[Optional[Tuple[float, float, Optional[int]]]],
        is_infinite: bool,
    ) -> None:
        stop = threading.Event()
        given = {side: Clock(*clock) for side, clock in zip("xo", clocks) if clock is not None}
        limits = Limits(time=time, nodes=nodes, depth=depth, clocks=given or None, stopped=stop.is_set)
        if not is_infinite:
            limits = self.engine._with_default_time(limits)
        self.search = _Search(position, limits, is_infinite, stop)
        self.submit(self.search, seed)

    def stop(self) -> None:
        if self.search is not None:
            self.search.stop.set()
            if self.search.done.wait(_GRACE_SECONDS):
                self.search = None

    def write(self, line: str) -> None:
        with self.lock:
            if not self.closed:
                try:
                    self.send(line)
                except (OSError, ValueError):
                    # The reader of the output is gone.
                    self.closed = True

    def submit(self, search: _Search, seed: int) -> None:
        self.jobs.put((search, seed))
        if self.closed:
            # The bot's thread may have stopped before it could see this job.
            search.done.set()


def _move_name(position: Position, chosen: Any) -> str:
    if isinstance(chosen, str):
        if len(chosen.split()) != 1:
            raise ValueError(f"{chosen!r} isn't a move: the name of a move is one word")
        return chosen.strip()
    return position.game.move(chosen)


def _single_line(text: str) -> str:
    return " ".join(str(text).split())


# ---- lines ----

#: Longer lines are rejected.
_MAX_LINE_BYTES = 16 << 20


def _decode_line(line: Union[str, bytes]) -> str:
    return line.decode("utf-8", "replace") if isinstance(line, (bytes, bytearray)) else line


def _stdin_lines() -> Iterator[str]:
    # Unbuffered: a thread that is blocked in Python's buffered reader holds a lock that the
    # interpreter needs at exit.
    rest = b""
    while True:
        chunk = os.read(sys.stdin.fileno(), 1 << 16)
        *lines, rest = (rest + chunk).split(b"\n")
        yield from map(_decode_line, lines)
        if not chunk:
            break
        # Enough to be rejected.
        rest = rest[: _MAX_LINE_BYTES + 1]
    if rest:
        yield _decode_line(rest)
