"""Bots as programs that use UGI, the universal game interface.

A bot is a class with a method ``choose``. This module handles the rest of the protocol:

    import noughts

    class Hasty(noughts.ugi.Engine):
        def choose(self, position, limits):
            return self.random.choice(position.legal_moves)

    if __name__ == "__main__":
        Hasty().run()

Save it as ``bot.py``, and it is ``"ugi:python3 bot.py"`` for the arena and for other match runners.
The class also plays without a separate program: ``noughts.arena.match(Hasty, "easy")``.

- While the bot runs, everything it prints goes to standard error, because standard output is for the
  protocol.
- An exception in ``choose`` ends the program with a traceback, and the arena reports a ``crash`` with
  the last line of it. If your bot should make a legal move instead, catch the exception in
  ``choose``.
- Input never ends the program: invalid commands are answered with ``info string error: …``, and
  unknown ones are ignored.
"""

from __future__ import annotations

import math
import os
import queue
import sys
import threading
import time as _time
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
from ._noughts import Game, Position

__all__ = ["Check", "Clock", "Combo", "Engine", "Limits", "Spin", "String"]


# ---- options ----


class Spin(NamedTuple):
    """An option that is a whole number.

    >>> noughts.ugi.Spin(4, 1, 20).read("7")
    7
    """

    default: int
    least: int = 0
    most: int = 2**31 - 1

    def describe(self) -> str:
        """Returns the option's UGI description, without its name."""
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def read(self, text: str) -> int:
        """Parses a value. Raises ``ValueError`` with the allowed values if it is invalid."""
        try:
            number = int(text)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            raise ValueError(f"must be a whole number from {self.least} to {self.most}")
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

_SEED = Spin(0, 0, 2**64 - 1)
_OVERHEAD = Spin(10, 0, 10_000)
_STANDARD_OPTIONS = ("Variant", "Seed", "Overhead")


# ---- the bot ----


class Engine:
    """A bot that uses UGI. Subclasses define ``choose``; everything else is optional.

    >>> class First(noughts.ugi.Engine):
    ...     def choose(self, position, limits):
    ...         return position.legal_moves[0]
    >>> talk = ["position startpos moves b2", "query p1turn", "go movetime 100", "quit"]
    >>> First().run(talk, print)
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
    usual_time: float = 1.0
    #: Whether the bot respects ``limits.nodes`` and ``limits.depth``. If it doesn't, and no time is
    #: given, ``limits.time`` is ``usual_time``, so that a bot that only checks the time always stops.
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
        """Called before each game. Override it to reset the bot's state or for slow preparations.

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
        words: List[str] = []
        if depth is not None:
            words.append(f"depth {int(depth)}")
        exact = None
        if mate is not None:
            words.append(f"score mate {int(mate)}")
        elif isinstance(score, str):
            exact = score
            words.append(f"score cp {_EXACT_SCORES[score]}")
        elif score is not None:
            words.append(f"score cp {_centipawns(float(score))}")
        if nodes is not None:
            words.append(f"nodes {int(nodes)}")
        if time is not None:
            words.append(f"time {round(float(time) * 1000)}")
        if pv is not None:
            words.append("pv " + " ".join((pv if isinstance(pv, str) else " ".join(pv)).split()))
        if words:
            session.write("info " + " ".join(words))
        if exact is not None:
            session.write(f"info string exact {exact}")
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
            send = _line_writer(sys.stdout)
            # Standard output is for the protocol: send what bots print to standard error.
            sys.stdout = sys.stderr
        try:
            self._session = _Session(self, send)
            self._session.run(lines)
        finally:
            self._session = None
            sys.stdout = original_stdout

    def _with_default_time(self, limits: Limits) -> Limits:
        """The limits, with the usual time if the bot would otherwise never stop."""
        has_limit = (limits.nodes is not None and self.counts_nodes) or (
            limits.depth is not None and self.counts_depth
        )
        if limits.time is None and not has_limit:
            limits.time = self.usual_time
        return limits


_EXACT_SCORES = {"win": 10_000, "draw": 0, "loss": -10_000}


def _centipawns(score: float) -> int:
    """The score as centipawns: hundredths of a logit."""
    score = min(max(score, -1.0), 1.0)
    points = math.copysign(9999, score) if abs(score) == 1.0 else 200 * math.atanh(score)
    return round(min(max(points, -9999), 9999))


# ---- the session ----


class _StopThinking(BaseException):
    """Raised in a bot that keeps thinking after the session has ended."""


class _Search:
    """One `go` command."""

    def __init__(self, position: Position, limits: Limits, limited: bool, stop: threading.Event) -> None:
        self.position = position
        self.limits = limits
        self.limited = limited
        self.stop = stop
        self.done = threading.Event()


#: How long to wait for a bot's move after `stop`, in seconds.
_GRACE_SECONDS = 1.0


class _Session:
    """One session of the protocol. A second thread reads commands and answers them; the bot thinks on
    the calling thread, where its exceptions propagate and where many libraries expect to run."""

    def __init__(self, engine: Engine, send: Callable[[str], Any]) -> None:
        self.engine = engine
        self.send = send
        self.lock = threading.Lock()
        self.jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.search: Optional[_Search] = None
        self.reader_error: Optional[BaseException] = None
        self.game = Game(engine.variants[0] if engine.variants else "classic")
        self.position = self.game.start()
        self.seed = 0
        self.overhead = _OVERHEAD.default
        #: `new_game` has to be called before the next search.
        self.needs_new_game = True
        #: The output is closed, or the bot has stopped.
        self.closed = False
        for name in engine.options:
            if name.lower() in (standard.lower() for standard in _STANDARD_OPTIONS):
                raise ValueError(f"the option {name} already exists; use another name")

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
            while True:
                # Release everyone who waits for these jobs.
                try:
                    job = self.jobs.get_nowait()
                except queue.Empty:
                    break
                if job is not None:
                    job[1].set()
        if self.reader_error is not None:
            raise self.reader_error

    def run_job(self, search: Optional[_Search], done: threading.Event) -> None:
        try:
            if self.needs_new_game:
                self.engine.new_game(self.seed)
                self.needs_new_game = False
            if search is not None:
                chosen = self.engine.choose(search.position, search.limits)
                self.write(f"bestmove {_move_name(search.position, chosen)}")
        except BaseException:
            self.closed = True
            raise
        finally:
            done.set()

    # -- reading commands --

    def read_commands(self, lines: Iterator[str], bot_thread: int) -> None:
        finish_search = True
        try:
            for line in lines:
                if self.closed:
                    break
                if not self.handle_line(line):
                    finish_search = False
                    break
        except BaseException as error:
            # Raised again by `run`: an exception in a thread doesn't reach the caller.
            finish_search = False
            self.reader_error = error
        finally:
            search = self.search
            if search is not None:
                if finish_search and search.limited:
                    # No `stop` can arrive anymore, so let the search use its time.
                    time_limit = search.limits.time
                    search.done.wait(None if time_limit is None else time_limit + _GRACE_SECONDS)
                if not search.done.is_set():
                    search.stop.set()
                    search.done.wait(_GRACE_SECONDS)
                    while not search.done.is_set():
                        # The bot ignores `limits.stopped`.
                        raise_in_thread(bot_thread, _StopThinking)
                        search.done.wait(0.1)
                search.done.wait()
            self.jobs.put(None)

    def handle_line(self, line: str) -> bool:
        """Executes a command; returns false for `quit`."""
        command, rest = (*line.split(None, 1), "", "")[:2]
        rest = rest.strip()
        if command == "quit":
            return False
        handler = getattr(self, "do_" + command, None) if command.isidentifier() else None
        if handler is not None:
            try:
                handler(rest)
            except Exception as error:
                self.write_error(f"{command}: {error}")
        return True

    def do_ugi(self, _: str) -> None:
        engine = self.engine
        names = engine.variants
        variant: Option = Combo(names[0], names) if names else String(self.game.name)
        lines = [
            f"id name {_single_line(engine.name or type(engine).__name__)}",
            f"id author {_single_line(engine.author)}",
            f"option name Variant {variant.describe()}",
            # A string, because a spin of 64 bits is too large for many match runners.
            f"option name Seed {String(str(self.seed)).describe()}",
            f"option name Overhead {_OVERHEAD.describe()}",
            *(f"option name {name} {option.describe()}" for name, option in engine.options.items()),
            "ugiok",
        ]
        self.write("\n".join(lines))

    def do_isready(self, _: str) -> None:
        if self.search is None or self.search.done.is_set():
            self.search = None
            done = threading.Event()
            self.submit(None, done)
            done.wait()
        if not self.closed:
            self.write("readyok")

    def do_setoption(self, text: str) -> None:
        self.stop_search()
        before, found, value = text.partition(" value ")
        key, _, name = before.partition(" ")
        name, value = name.strip(), value.strip()
        if key != "name" or not found or not name or not value:
            raise ValueError("expected `name NAME value VALUE`")
        lowered = name.lower()
        if lowered == "variant":
            game = Game(value)
            names = [Game(each).name for each in self.engine.variants]
            if names and game.name not in names:
                raise ValueError(f"Variant must be one of {', '.join(names)}")
            self.game, self.position = game, game.start()
        elif lowered == "seed":
            self.seed = _read_option("Seed", _SEED, value)
        elif lowered == "overhead":
            self.overhead = _read_option("Overhead", _OVERHEAD, value)
            return
        else:
            for option_name, option in self.engine.options.items():
                if option_name.lower() == lowered:
                    self.engine.values[option_name] = _read_option(option_name, option, value)
                    break
            else:
                known = ", ".join([*_STANDARD_OPTIONS, *self.engine.options])
                raise ValueError(f"there is no option {name!r}; the options are {known}")
        self.needs_new_game = True

    def do_uginewgame(self, _: str) -> None:
        self.stop_search()
        self.needs_new_game = True

    def do_position(self, text: str) -> None:
        self.stop_search()
        start, moves = text, ""
        split_at = text.find(" moves")
        if split_at >= 0 and text[split_at + 6 : split_at + 7] in ("", " ", "\t"):
            start, moves = text[:split_at].strip(), text[split_at + 6 :]
        kind, _, fen = start.partition(" ")
        if start == "startpos":
            self.position = self.game.position(moves=moves)
        elif kind == "fen" and fen.strip():
            self.position = self.game.position(fen.strip(), moves=moves)
        else:
            raise ValueError("expected `startpos` or `fen POSITION`")

    def do_go(self, text: str) -> None:
        began = _time.monotonic()
        self.stop_search()
        stop = threading.Event()
        limits, infinite = self.parse_go(text, began, stop.is_set)
        if self.position.is_over:
            # Match runners don't ask for this, but one that does must not wait forever.
            words = {"x": "X wins", "o": "O wins", "draw": "draw"}
            self.write_error(f"go: the game is over: {words[self.position.outcome or 'draw']}")
            self.write("bestmove none")
            return
        if not infinite:
            limits = self.engine._with_default_time(limits)
        self.search = _Search(self.position, limits, not infinite, stop)
        self.submit(self.search, self.search.done)

    def do_stop(self, _: str) -> None:
        if self.search is not None:
            self.search.stop.set()
            if self.search.done.wait(_GRACE_SECONDS):
                self.search = None

    def do_query(self, question: str) -> None:
        outcome = self.position.outcome
        results = {None: "none", "x": "p1win", "o": "p2win", "draw": "draw"}
        answers = {
            "gameover": str(outcome is not None).lower(),
            "p1turn": str(self.position.side == "x").lower(),
            "result": results[outcome],
        }
        if question in answers:
            self.write(f"response {answers[question]}")

    # -- helpers --

    def submit(self, search: Optional[_Search], done: threading.Event) -> None:
        self.jobs.put((search, done))
        if self.closed:
            # The bot's thread may have stopped before it could see this job.
            done.set()

    def stop_search(self) -> None:
        """Stops a running search, which writes its move."""
        if self.search is not None:
            self.search.stop.set()
            self.search.done.wait()
            self.search = None

    def parse_go(self, text: str, began: float, stopped: Callable[[], bool]) -> Tuple[Limits, bool]:
        """The limits of a `go` command, and whether it is infinite."""
        numbers: Dict[str, int] = {}
        infinite = False
        words = text.split()
        for i, word in enumerate(words):
            if word == "infinite":
                infinite = True
            elif word in _GO_NUMBERS:
                # If the next word isn't a number, it may be the next keyword.
                amount = _parse_amount(words[i + 1]) if i + 1 < len(words) else None
                if amount is None:
                    self.write_error(f"go: {word} needs a whole number")
                else:
                    numbers[word] = amount
        overhead = self.overhead / 1000
        clocks = None
        times: List[float] = []
        if "movetime" in numbers:
            move_time = numbers["movetime"] / 1000
            times.append(max(move_time - overhead, move_time / 2))
        if "p1time" in numbers or "p2time" in numbers:
            to_go = max(numbers["movestogo"], 1) if "movestogo" in numbers else None
            clocks = {
                side: Clock(numbers[f"{p}time"] / 1000, numbers.get(f"{p}inc", 0) / 1000, to_go)
                for side, p in (("x", "p1"), ("o", "p2"))
                if f"{p}time" in numbers
            }
            own_clock = clocks.get(self.position.side)
            if own_clock is not None:
                times.append(
                    _noughts.arena_share(self.position, own_clock.left, own_clock.increment, to_go, overhead)
                )
        limits = Limits(
            time=min(times) if times else None,
            nodes=max(numbers["nodes"], 1) if "nodes" in numbers else None,
            depth=max(numbers["depth"], 1) if "depth" in numbers else None,
            clocks=clocks,
            stopped=stopped,
            began=began,
        )
        # `infinite` has no effect together with a limit.
        unlimited = limits.time is None and limits.nodes is None and limits.depth is None
        return limits, infinite and unlimited

    def write_error(self, reason: str) -> None:
        self.write("info string error: " + _single_line(reason)[:1000])

    def write(self, text: str) -> None:
        with self.lock:
            for line in text.split("\n"):
                try:
                    self.send(line)
                except (OSError, ValueError):
                    # The reader of the output is gone.
                    self.closed = True


_GO_NUMBERS = ("movetime", "nodes", "depth", "movestogo", "p1time", "p2time", "p1inc", "p2inc")

#: Larger numbers are treated as this one.
_MAX_AMOUNT = 2**31 - 1


def _parse_amount(word: str) -> Optional[int]:
    """An integer; negative ones become 0, since some runners send them for clocks that ran out."""
    digits = word[1:] if word.startswith("-") else word
    if not (digits.isascii() and digits.isdigit()):
        return None
    if digits != word:
        return 0
    return _MAX_AMOUNT if len(digits) > 10 else min(int(digits), _MAX_AMOUNT)


def _read_option(name: str, option: Option, text: str) -> Any:
    try:
        return option.read(text)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None


def _move_name(position: Position, chosen: Any) -> str:
    if isinstance(chosen, str):
        if len(chosen.split()) != 1:
            raise ValueError(f"{chosen!r} isn't a move: the name of a move is one word")
        return chosen.strip()
    return position.game.move(chosen)


def _single_line(text: str) -> str:
    return " ".join(str(text).split())


# ---- lines ----

#: A whole game of the deepest board has 3.5 MiB; longer lines are dropped.
_MAX_LINE_BYTES = 16 << 20


def _decode_line(line: Union[str, bytes]) -> str:
    text = line.decode("utf-8", "replace") if isinstance(line, (bytes, bytearray)) else line
    return text.rstrip("\r\n")


def _stdin_lines() -> Iterator[str]:
    # Unbuffered: a thread that is blocked in Python's buffered reader holds a lock that the
    # interpreter needs at exit.
    descriptor = sys.stdin.fileno()
    parts: List[bytes] = []
    length = 0
    while True:
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            break
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            parts.append(line)
            if length + len(line) <= _MAX_LINE_BYTES:
                yield _decode_line(b"".join(parts))
            parts, length = [], 0
        length += len(rest)
        # A line that is too long is read to its end and dropped.
        parts = [*parts, rest] if length <= _MAX_LINE_BYTES else []
    if parts:
        yield _decode_line(b"".join(parts))


def _line_writer(stream: Any) -> Callable[[str], None]:
    raw = getattr(stream, "buffer", None)

    def write(line: str) -> None:
        if raw is None:
            stream.write(line + "\n")
            stream.flush()
        else:
            raw.write(line.encode("utf-8", "replace") + b"\n")
            raw.flush()

    return write
