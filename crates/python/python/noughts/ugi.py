"""A bot as a program of its own, by UGI, the universal game interface.

A bot is a class with a method ``choose``; the rest of the protocol is done here:

    import noughts

    class Hasty(noughts.ugi.Engine):
        def choose(self, position, limits):
            return self.random.choice(position.legal_moves)

    if __name__ == "__main__":
        Hasty().run()

Saved as ``bot.py`` it is ``"ugi:python3 bot.py"`` for the arena and for other match runners. The
class also plays without being a program: ``noughts.arena.match(Hasty, "easy")``.

- What a bot prints goes to standard error while it runs: standard output belongs to the protocol.
- An exception in ``choose`` ends the program with its traceback, so that its author sees it and the
  arena says what happened (``crash``, and the exception's last line). A bot that would rather make
  any legal move catches it itself.
- What comes in cannot end it: what is refused is answered by ``info string error: …``, and what is
  unknown is ignored.
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
from ._interrupt import raise_in
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
        """The option as a bot lists it, without its name."""
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def read(self, text: str) -> int:
        """The value that a text means; a ``ValueError`` says what is allowed."""
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
        """The option as a bot lists it, without its name."""
        return f"type check default {str(bool(self.default)).lower()}"

    def read(self, text: str) -> bool:
        """The value that a text means; a ``ValueError`` says what is allowed."""
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
        """The option as a bot lists it, without its name."""
        return f"type string default {_line(self.default)}".rstrip()

    def read(self, text: str) -> str:
        """The value that a text means; a ``ValueError`` says what is allowed."""
        return text


class Combo(NamedTuple):
    """An option that is one of several words.

    >>> noughts.ugi.Combo("calm", ["calm", "wild"]).read("Wild")
    'wild'
    """

    default: str
    choices: Sequence[str]

    def describe(self) -> str:
        """The option as a bot lists it, without its name."""
        return " ".join([f"type combo default {self.default}", *(f"var {word}" for word in self.choices)])

    def read(self, text: str) -> str:
        """The value that a text means; a ``ValueError`` says what is allowed."""
        for word in self.choices:
            if word.lower() == text.lower():
                return word
        raise ValueError(f"must be one of {', '.join(self.choices)}")


Option = Union[Spin, Check, String, Combo]

_SEED = Spin(0, 0, 2**64 - 1)
_OVERHEAD = Spin(10, 0, 10_000)
_OWN = ("Variant", "Seed", "Overhead")


# ---- the bot ----


class Engine:
    """A bot that speaks UGI. Subclasses have a method ``choose``; everything else is optional.

    >>> class First(noughts.ugi.Engine):
    ...     def choose(self, position, limits):
    ...         return position.legal_moves[0]
    >>> talk = ["position startpos moves b2", "query p1turn", "go movetime 100", "quit"]
    >>> First().run(talk, print)
    response false
    bestmove a1
    """

    #: What it is called; the name of its class, where nothing is said.
    name: str = ""
    #: Who wrote it.
    author: str = "unknown"
    #: The games it plays, the usual one first; all games, where none is named.
    variants: ClassVar[Sequence[str]] = ()
    #: Its own options. Their values are in ``values``.
    options: ClassVar[Mapping[str, Option]] = {}
    #: How many seconds it thinks where nobody says how long.
    usual_time: float = 1.0
    #: Does it heed ``limits.nodes`` and ``limits.depth``? Where it does not, it also gets its usual
    #: time when nothing else is said, so that a bot which goes by time alone comes to an end.
    counts_nodes: bool = False
    counts_depth: bool = False

    #: The values of its own options, by their names.
    values: Dict[str, Any]
    #: Random choices that follow from the seed of the game.
    random: Random

    _session: Optional[_Session]

    def __new__(cls, *_: Any, **__: Any) -> Engine:
        # Not in `__init__`, which bots write themselves.
        self = super().__new__(cls)
        self.values = {name: option.default for name, option in cls.options.items()}
        self.random = Random(0)
        self._session = None
        return self

    def choose(self, position: Position, limits: Limits) -> Union[str, int]:
        """The move it makes, by name or number. Bots write this."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose(self, position, limits)")

    def new_game(self, seed: int) -> None:
        """A game begins: what was known of the last one is to be forgotten.

        It is the time for what takes long. As it stands, ``self.random`` begins anew.
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
        """Tells what was found so far.

        - ``score``: what the side to move may expect, from −1 to 1, or ``'win'``, ``'loss'`` or
          ``'draw'`` where that is proved.
        - ``mate``: proved, in so many plies; negative for a loss.
        - ``time``: seconds. ``pv``: the moves it expects. ``string``: anything.

        A bot that is not a program is heard by nobody.
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
            words.append(f"score cp {_EXACT[score]}")
        elif score is not None:
            words.append(f"score cp {_points(float(score))}")
        if nodes is not None:
            words.append(f"nodes {int(nodes)}")
        if time is not None:
            words.append(f"time {round(float(time) * 1000)}")
        if pv is not None:
            words.append("pv " + " ".join((pv if isinstance(pv, str) else " ".join(pv)).split()))
        if words:
            session.say("info " + " ".join(words))
        if exact is not None:
            session.say(f"info string exact {exact}")
        if string is not None:
            session.say("info string " + _line(string))

    def run(
        self,
        input: Optional[Iterable[Union[str, bytes]]] = None,
        output: Optional[Callable[[str], Any]] = None,
    ) -> None:
        """Answers until ``quit`` or the end of the input, by default of the program's own.

        Another ``input`` is anything with lines in it; another ``output`` is called with each line.
        """
        if self._session is not None:
            raise RuntimeError("it is running already")
        lines = _stdin() if input is None else (_text(line) for line in input)
        own, speak = sys.stdout, output
        if speak is None:
            speak = _writer(sys.stdout)
            # What bots print is for people.
            sys.stdout = sys.stderr
        try:
            self._session = _Session(self, speak)
            self._session.run(lines)
        finally:
            self._session = None
            sys.stdout = own

    def _fit(self, limits: Limits) -> Limits:
        """With a time, where it would know no end."""
        heeded = (limits.nodes is not None and self.counts_nodes) or (
            limits.depth is not None and self.counts_depth
        )
        if limits.time is None and not heeded:
            limits.time = self.usual_time
        return limits


_EXACT = {"win": 10_000, "draw": 0, "loss": -10_000}


def _points(score: float) -> int:
    """Hundredths of a logit."""
    score = min(max(score, -1.0), 1.0)
    points = math.copysign(9999, score) if abs(score) == 1.0 else 200 * math.atanh(score)
    return round(min(max(points, -9999), 9999))


# ---- the conversation ----


class _Leave(BaseException):
    """Raised inside of a bot that thinks on when all is over."""


class _Search:
    """A question: one `go`."""

    def __init__(self, position: Position, limits: Limits, limited: bool, stop: threading.Event) -> None:
        self.position = position
        self.limits = limits
        self.limited = limited
        self.stop = stop
        self.done = threading.Event()


#: How long a bot has to answer when it is told to stop, before one goes on without.
_GRACE = 1.0


class _Session:
    """One conversation. A thread reads and answers; the bot thinks on the thread that called it,
    which is where its exceptions go, and where many libraries want to be."""

    def __init__(self, engine: Engine, speak: Callable[[str], Any]) -> None:
        self.engine = engine
        self.speak = speak
        self.lock = threading.Lock()
        self.jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.search: Optional[_Search] = None
        self.trouble: Optional[BaseException] = None
        self.game = Game(engine.variants[0] if engine.variants else "classic")
        self.position = self.game.start()
        self.seed = 0
        self.overhead = _OVERHEAD.default
        #: No game was begun since anything changed.
        self.fresh = True
        #: Nobody hears what is said any more, or nobody thinks.
        self.over = False
        for name in engine.options:
            if name.lower() in (own.lower() for own in _OWN):
                raise ValueError(f"the option {name} is there already")

    # -- thinking --

    def run(self, lines: Iterator[str]) -> None:
        me = threading.get_ident()
        reader = threading.Thread(target=self.listen, args=(lines, me), name="ugi", daemon=True)
        reader.start()
        try:
            while True:
                job = self.jobs.get()
                if job is None:
                    break
                self.work(*job)
        except _Leave:
            pass
        finally:
            self.over = True
            # One that still reads cannot be waited for; one that has ended is.
            reader.join(0.1)
            while True:
                # Nobody is to wait for an answer.
                try:
                    job = self.jobs.get_nowait()
                except queue.Empty:
                    break
                if job is not None:
                    job[1].set()
        if self.trouble is not None:
            raise self.trouble

    def work(self, search: Optional[_Search], done: threading.Event) -> None:
        try:
            if self.fresh:
                self.engine.new_game(self.seed)
                self.fresh = False
            if search is not None:
                chosen = self.engine.choose(search.position, search.limits)
                self.say(f"bestmove {_move(search.position, chosen)}")
        except BaseException:
            self.over = True
            raise
        finally:
            done.set()

    # -- listening --

    def listen(self, lines: Iterator[str], thinker: int) -> None:
        finish = True
        try:
            for line in lines:
                if self.over:
                    break
                if not self.obey(line):
                    finish = False
                    break
        except BaseException as error:
            # Whoever called is told: a thread's exceptions go nowhere.
            finish = False
            self.trouble = error
        finally:
            search = self.search
            if search is not None:
                if finish and search.limited:
                    # Nobody can say `stop` any more: its time has to do.
                    spent = search.limits.time
                    search.done.wait(None if spent is None else spent + _GRACE)
                if not search.done.is_set():
                    search.stop.set()
                    search.done.wait(_GRACE)
                    while not search.done.is_set():
                        # It does not listen.
                        raise_in(thinker, _Leave)
                        search.done.wait(0.1)
                search.done.wait()
            self.jobs.put(None)

    def obey(self, line: str) -> bool:
        """Does what a line asks for; false when it asks to leave."""
        command, rest = (*line.split(None, 1), "", "")[:2]
        rest = rest.strip()
        if command == "quit":
            return False
        obey = getattr(self, "do_" + command, None) if command.isidentifier() else None
        if obey is not None:
            try:
                obey(rest)
            except Exception as error:
                self.error(f"{command}: {error}")
        return True

    def do_ugi(self, _: str) -> None:
        engine = self.engine
        names = engine.variants
        variant: Option = Combo(names[0], names) if names else String(self.game.name)
        lines = [
            f"id name {_line(engine.name or type(engine).__name__)}",
            f"id author {_line(engine.author)}",
            f"option name Variant {variant.describe()}",
            # Larger than many a runner's numbers.
            f"option name Seed {String(str(self.seed)).describe()}",
            f"option name Overhead {_OVERHEAD.describe()}",
            *(f"option name {name} {option.describe()}" for name, option in engine.options.items()),
            "ugiok",
        ]
        self.say("\n".join(lines))

    def do_isready(self, _: str) -> None:
        if self.search is None or self.search.done.is_set():
            self.search = None
            done = threading.Event()
            self.give(None, done)
            done.wait()
        if not self.over:
            self.say("readyok")

    def do_setoption(self, text: str) -> None:
        self.settle()
        before, found, value = text.partition(" value ")
        key, _, name = before.partition(" ")
        name, value = name.strip(), value.strip()
        if key != "name" or not found or not name or not value:
            raise ValueError("`name`, a name, `value` and a value are needed")
        low = name.lower()
        if low == "variant":
            game = Game(value)
            names = [Game(each).name for each in self.engine.variants]
            if names and game.name not in names:
                raise ValueError(f"Variant must be one of {', '.join(names)}")
            self.game, self.position = game, game.start()
        elif low == "seed":
            self.seed = _read("Seed", _SEED, value)
        elif low == "overhead":
            self.overhead = _read("Overhead", _OVERHEAD, value)
            return
        else:
            for own, option in self.engine.options.items():
                if own.lower() == low:
                    self.engine.values[own] = _read(own, option, value)
                    break
            else:
                known = ", ".join([*_OWN, *self.engine.options])
                raise ValueError(f"there is no option {name!r}; the options are {known}")
        self.fresh = True

    def do_uginewgame(self, _: str) -> None:
        self.settle()
        self.fresh = True

    def do_position(self, text: str) -> None:
        self.settle()
        start, moves = text, ""
        at = text.find(" moves")
        if at >= 0 and text[at + 6 : at + 7] in ("", " ", "\t"):
            start, moves = text[:at].strip(), text[at + 6 :]
        kind, _, fen = start.partition(" ")
        if start == "startpos":
            self.position = self.game.position(moves=moves)
        elif kind == "fen" and fen.strip():
            self.position = self.game.position(fen.strip(), moves=moves)
        else:
            raise ValueError("`startpos` or `fen` and a position is needed")

    def do_go(self, text: str) -> None:
        began = _time.monotonic()
        self.settle()
        stop = threading.Event()
        limits, infinite = self.limits(text, began, stop.is_set)
        if self.position.is_over:
            # No runner asks for this; one that does should not wait for ever.
            words = {"x": "X wins", "o": "O wins", "draw": "draw"}
            self.error(f"go: the game is over: {words[self.position.outcome or 'draw']}")
            self.say("bestmove none")
            return
        if not infinite:
            limits = self.engine._fit(limits)
        self.search = _Search(self.position, limits, not infinite, stop)
        self.give(self.search, self.search.done)

    def do_stop(self, _: str) -> None:
        if self.search is not None:
            self.search.stop.set()
            if self.search.done.wait(_GRACE):
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
            self.say(f"response {answers[question]}")

    # -- parts of that --

    def give(self, search: Optional[_Search], done: threading.Event) -> None:
        self.jobs.put((search, done))
        if self.over:
            # It may have left before it could see this.
            done.set()

    def settle(self) -> None:
        """Ends a search that goes on; it says its move."""
        if self.search is not None:
            self.search.stop.set()
            self.search.done.wait()
            self.search = None

    def limits(self, text: str, began: float, stopped: Callable[[], bool]) -> Tuple[Limits, bool]:
        """What `go` asks for, and whether that has no end."""
        found: Dict[str, int] = {}
        infinite = False
        words = text.split()
        for i, word in enumerate(words):
            if word == "infinite":
                infinite = True
            elif word in _NUMBERS:
                # A word that is no number may be the next one.
                amount = _amount(words[i + 1]) if i + 1 < len(words) else None
                if amount is None:
                    self.error(f"go: {word} needs a whole number")
                else:
                    found[word] = amount
        overhead = self.overhead / 1000
        clocks = None
        times: List[float] = []
        if "movetime" in found:
            given = found["movetime"] / 1000
            times.append(max(given - overhead, given / 2))
        if "p1time" in found or "p2time" in found:
            to_go = max(found["movestogo"], 1) if "movestogo" in found else None
            clocks = {
                side: Clock(found[f"{p}time"] / 1000, found.get(f"{p}inc", 0) / 1000, to_go)
                for side, p in (("x", "p1"), ("o", "p2"))
                if f"{p}time" in found
            }
            mine = clocks.get(self.position.side)
            if mine is not None:
                times.append(
                    _noughts.arena_share(self.position, mine.left, mine.increment, to_go, overhead)
                )
        limits = Limits(
            time=min(times) if times else None,
            nodes=max(found["nodes"], 1) if "nodes" in found else None,
            depth=max(found["depth"], 1) if "depth" in found else None,
            clocks=clocks,
            stopped=stopped,
            began=began,
        )
        # Beside a limit `infinite` says nothing.
        endless = limits.time is None and limits.nodes is None and limits.depth is None
        return limits, infinite and endless

    def error(self, reason: str) -> None:
        self.say("info string error: " + _line(reason)[:1000])

    def say(self, text: str) -> None:
        with self.lock:
            for line in text.split("\n"):
                try:
                    self.speak(line)
                except (OSError, ValueError):
                    # Whoever listened has gone.
                    self.over = True


_NUMBERS = ("movetime", "nodes", "depth", "movestogo", "p1time", "p2time", "p1inc", "p2inc")

#: What is more is for ever.
_MOST = 2**31 - 1


def _amount(word: str) -> Optional[int]:
    """A whole number. Clocks that ran out are sometimes sent as negative ones."""
    digits = word[1:] if word.startswith("-") else word
    if not (digits.isascii() and digits.isdigit()):
        return None
    if digits != word:
        return 0
    return _MOST if len(digits) > 10 else min(int(digits), _MOST)


def _read(name: str, option: Option, text: str) -> Any:
    try:
        return option.read(text)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None


def _move(position: Position, chosen: Any) -> str:
    if isinstance(chosen, str):
        if len(chosen.split()) != 1:
            raise ValueError(f"{chosen!r} is no move: a name is one word")
        return chosen.strip()
    return position.game.move(chosen)


def _line(text: str) -> str:
    return " ".join(str(text).split())


# ---- lines ----

#: A whole game of the deepest board has 3.5 MiB; what is longer is no line.
_LONGEST = 16 << 20


def _text(line: Union[str, bytes]) -> str:
    text = line.decode("utf-8", "replace") if isinstance(line, (bytes, bytearray)) else line
    return text.rstrip("\r\n")


def _stdin() -> Iterator[str]:
    # As bytes, and without Python's buffers: a thread that waits in one is in the way when the
    # program ends.
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
            if length + len(line) <= _LONGEST:
                yield _text(b"".join(parts))
            parts, length = [], 0
        length += len(rest)
        # Too long a line is read to its end, but not kept.
        parts = [*parts, rest] if length <= _LONGEST else []
    if parts:
        yield _text(b"".join(parts))


def _writer(stream: Any) -> Callable[[str], None]:
    raw = getattr(stream, "buffer", None)

    def write(line: str) -> None:
        if raw is None:
            stream.write(line + "\n")
            stream.flush()
        else:
            raw.write(line.encode("utf-8", "replace") + b"\n")
            raw.flush()

    return write
