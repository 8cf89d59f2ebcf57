"""Random calls of everything that is public, with values of any type, shape and size.

By introspection over `noughts.__all__` (and the public modules of the package): what is added
to the package is called without a word here. The calls are made in a Python of their own, so
that a crash of the interpreter is seen as such.

`NOUGHTS_CALLS` says how many calls are made: 5,000, or 100,000 with `NOUGHTS_SOAK`. A failure
names its seed; `python test_fuzz.py SEED CALLS` does it again.
"""

from __future__ import annotations

import contextlib
import faulthandler
import inspect
import io
import os
import pathlib
import random
import signal
import subprocess
import sys
import traceback
from typing import Any, Callable, Dict, Iterator, List, Tuple

#: What may be raised: each says in a sentence what is wrong with what was given.
EXPECTED = (ValueError, TypeError, OverflowError, ImportError, OSError, MemoryError)
#: What Python's own machinery raises, with words of its own.
PLAIN = (AttributeError, IndexError, KeyError, StopIteration)

#: What is not called at random: it would read, write, wait or start programs for good.
LEFT_OUT = {
    # Takes minutes, and writes where it is told to; its arguments are tested on their own.
    "noughts.Table.build",
    # Reads and answers standard input.
    "noughts.ugi.Engine.run",
}
#: Whole modules that start programs, play tournaments or talk to frameworks.
MODULES_LEFT_OUT = {"noughts.arena", "noughts.ugi"}

#: A call that takes longer is interrupted, as by Ctrl-C, and must end soon.
PATIENCE = 0.5


def calls_asked_for() -> int:
    usual = 100_000 if os.environ.get("NOUGHTS_SOAK") else 5_000
    return int(os.environ.get("NOUGHTS_CALLS", usual))


# ---- what is called with ----


class Odd:
    """Pretends to be a number, a text and a sequence, and is none."""

    def __init__(self, dice: random.Random) -> None:
        self.answer = dice.choice([0, -1, 2**70, 1.5, "b2", None, ZeroDivisionError])

    def _say(self, *_: object) -> Any:
        if isinstance(self.answer, type):
            raise self.answer("odd things happen")
        return self.answer

    __index__ = __float__ = __len__ = __iter__ = __getitem__ = __fspath__ = __call__ = _say


NUMBERS = [
    0, 1, -1, 2, 3, 7, 8, 9, 40, 64, 65, 255, 256, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1,
    2**64, 10**12, -(2**63), 10**100, 0.0, -0.0, 0.001, 0.01, 0.5, 1.0, -1.5, 1e-300, 1e300,
    float("nan"), float("inf"), float("-inf"), True, False, 1j,
]  # fmt: skip

TEXTS = [
    "", " ", "a", "a1", "b2", "c3", "ee", "ai", "@c3", "b2-c4", "zz", "x", "o", "draw", "win",
    "classic", "misere", "ultimate", "tic-tac-two", "mnk:4,3,3", "mnk:99,1,1", "ception:depth=1",
    "ception:5c,depth=3", "ception:depth=7", "random", "easy", "hard", "mcts", "alpha-beta",
    "best", "deep-blue", "identity", "rotate90", ".../.x./... o", "x.o/.x./... o", "xxx/oo./... o",
    "120010000", "[[0,0,0],[0,1,0],[0,0,0]]", "[[[[", '[Variant "classic"] 1. b2 *', "{", "1-0",
    "\0", "\ud800", "é", "𝔛" * 3, "x" * 10_000, "a1 b2", "a1 a1", "%s%n", "../../etc", "\n",
]  # fmt: skip


def anything(dice: random.Random, made: List[Any], depth: int = 0) -> Any:
    """A value of any type. Things that were made before come often."""
    kind = dice.randrange(16 if depth < 3 else 9)
    if kind < 3 and made:
        return dice.choice(made)
    if kind < 5:
        return dice.choice(NUMBERS)
    if kind < 7:
        return dice.choice(TEXTS)
    if kind == 7:
        return dice.randrange(-5, 100)
    if kind == 8:
        return dice.choice([None, None, b"bytes", bytearray(3), object(), int, len, ..., range(5)])
    if kind == 9:
        return Odd(dice)
    if kind in (10, 11):
        return array(dice)
    several = [anything(dice, made, depth + 1) for _ in range(dice.randrange(5))]
    if kind == 12:
        return tuple(several)
    if kind == 13:
        with contextlib.suppress(TypeError):
            return dict(zip(several, reversed(several)))
    if kind == 14:
        return iter(several)
    return several


def array(dice: random.Random) -> Any:
    import numpy as np

    shape = tuple(dice.choice([0, 1, 2, 3, 9, 81]) for _ in range(dice.randrange(4)))
    if len(shape) == 3 and max(shape) > 9:
        shape = shape[:2]
    kind = dice.choice("int8 uint8 int32 int64 uint64 float32 float64 bool complex64 object U3".split())
    numbers = np.random.default_rng(dice.randrange(2**32)).integers(-2, 90, shape)
    whole = np.asarray(numbers).astype(kind)
    return dice.choice([whole, whole[..., ::2] if whole.ndim else whole, whole.T])


def fitting(name: str, dice: random.Random, made: List[Any]) -> Any:
    """A value that may well be right for a parameter of this name, or anything."""
    import noughts

    if dice.random() < 0.25:
        return anything(dice, made)
    of = lambda kind: [thing for thing in made if isinstance(thing, kind)]  # noqa: E731
    if name in ("position",) and of(noughts.Position):
        return dice.choice(of(noughts.Position))
    if name in ("game", "variant"):
        return dice.choice(of(noughts.Game) + ["classic", "ultimate", "tic-tac-two", "mnk:4,4,3"])
    if name == "kind":
        return dice.choice(noughts.bots())
    if name in ("mv", "move", "action"):
        return dice.choice(["a1", "b2", "c3", "ee", "@b3", 0, 1, 4, 8, 40])
    if name == "symmetry":
        return dice.choice(noughts.Game("classic").symmetries)
    if name == "time":
        return dice.choice([0.001, 0.01, None])
    if name in ("nodes", "n", "games"):
        return dice.randrange(1, 300)
    if name == "depth":
        return dice.randrange(4)
    if name in ("threads", "memory"):
        return dice.randrange(1, 4)
    if name == "seed":
        return dice.randrange(2**64)
    if name == "tables":
        return dice.choice([None, False])
    if name in ("actions",):
        return array(dice)
    return anything(dice, made)


# ---- what is called ----


def modules() -> Iterator[Any]:
    import importlib
    import pkgutil

    import noughts

    yield noughts
    for found in pkgutil.iter_modules(noughts.__path__, "noughts."):
        if found.name.rsplit(".", 1)[1].startswith("_") or found.name in MODULES_LEFT_OUT:
            continue
        with contextlib.suppress(ImportError):
            yield importlib.import_module(found.name)


def public() -> Dict[str, Callable[..., Any]]:
    """All functions and classes, by their full names."""
    found = {}
    for module in modules():
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            whole = f"{module.__name__}.{name}"
            if callable(thing) and whole not in LEFT_OUT:
                found[whole] = thing
            if inspect.isclass(thing) and not issubclass(thing, BaseException):
                # From the class itself: what needs no object, and methods without one.
                for part in [part for part in vars(thing) if part in ASKED or part[0] != "_"]:
                    member = getattr(thing, part)
                    if callable(member) and f"{whole}.{part}" not in LEFT_OUT:
                        found[f"{whole}.{part}"] = member
    return found


#: Operators and protocols that every object is asked for.
ASKED = """__repr__ __str__ __hash__ __eq__ __ne__ __lt__ __iter__ __next__ __len__ __getitem__
__contains__ __bool__ __int__ __float__ __call__ __enter__ __exit__ __reduce__ __copy__ __format__
__sizeof__ __dir__ _repr_pretty_ _repr_svg_ _again""".split()


def names(thing: Any) -> List[str]:
    own = [name for name in dir(thing) if not name.startswith("_")]
    return own + [name for name in ASKED if hasattr(type(thing), name)]


def parameters(function: Callable[..., Any]) -> List[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return []


def arguments(
    function: Callable[..., Any], dice: random.Random, made: List[Any]
) -> Tuple[List[Any], Dict[str, Any]]:
    """Mostly those that it has; sometimes too many, too few, or with wrong names."""
    given: List[Any] = []
    named: Dict[str, Any] = {}
    for parameter in parameters(function):
        if parameter.default is not parameter.empty and dice.random() < 0.5:
            # Nothing is to think or count for as long as it usually would.
            if parameter.name != "time":
                continue
        if dice.random() < 0.02:
            continue
        value = fitting(parameter.name, dice, made)
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            given.append(value)
        elif parameter.kind == parameter.POSITIONAL_OR_KEYWORD and not named:
            given.append(value)
        else:
            named[parameter.name] = value
    if dice.random() < 0.03:
        given.append(anything(dice, made))
    if dice.random() < 0.03:
        named[dice.choice(["time", "nodes", "wrong", "self"])] = anything(dice, made)
    return given, named


class Late(BaseException):
    """The call took longer than anybody would wait."""


def late(*_: object) -> None:
    raise Late


def call(dice: random.Random, things: Dict[str, Any], made: List[Any]) -> Tuple[str, Any]:
    """One random call; its name, and what came of it."""
    if dice.random() < 0.4 or not made:
        name = dice.choice(list(things))
        function = things[name]
    else:
        thing = dice.choice(made)
        attribute = dice.choice(names(thing))
        name = f"{type(thing).__module__}.{type(thing).__name__}.{attribute}"
        if name in LEFT_OUT or name.startswith("builtins."):
            return name, None
        if dice.random() < 0.1:
            what = dice.choice([lambda: setattr(thing, attribute, 1), lambda: delattr(thing, attribute)])
            what()
            return name, None
        function = getattr(thing, attribute)
        if not callable(function):
            return name, function
    given, named = arguments(function, dice, made)
    with contextlib.redirect_stdout(io.StringIO()):
        return name, function(*given, **named)


def fuzz(seed: int, calls: int) -> None:
    """Makes the calls; raises where something is wrong."""
    import warnings

    faulthandler.enable()
    # What holds up longest is shown with all its threads before the parent gives up.
    faulthandler.dump_traceback_later(240, exit=True)
    warnings.simplefilter("ignore")
    import noughts

    dice = random.Random(seed)
    things = public()
    # Whatever stands for a class, the class itself is called often.
    often = {name: thing for name, thing in things.items() if name.count(".") == 1}
    own = tuple(thing for thing in things.values() if inspect.isclass(thing))
    made: List[Any] = []
    kinds: Dict[str, int] = {}
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGALRM, late)
    for number in range(calls):
        # What was made is used for a while; a few things are always there.
        if number % 400 == 0:
            made = [
                noughts.Game("classic").start(),
                noughts.Game("ultimate").position(moves="ee ea"),
                noughts.Game("tic-tac-two").position(moves="b2 d2 b4 d4"),
                noughts.Position("classic", "xxx/oo./... o"),
                noughts.Game("ception:5c,depth=3"),
                noughts.Bot("mcts", "ultimate", memory=1),
                noughts.Bot("hard", "classic"),
            ]
        came = "fine"
        try:
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            try:
                name, result = call(dice, dice.choice([things, often]), made)
            finally:
                if alarm:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            if isinstance(result, (tuple, list)) and result:
                result = dice.choice(result)
            if isinstance(result, own) and not isinstance(result, BaseException):
                # Vectors and the like may be large: a few are enough.
                made.append(result)
                if len(made) > 60:
                    made.pop(7)
        except PLAIN as error:
            came = type(error).__name__
        except EXPECTED as error:
            came = type(error).__name__
            assert str(error).strip(), f"call {number}: {came} without a word"
        except ZeroDivisionError as error:
            assert str(error) == "odd things happen", f"call {number}: {error}"
        except Late:
            came = "late"
        except BaseException as error:
            came = type(error).__name__
            where = traceback.extract_tb(error.__traceback__)[-1].filename
            # A framework asserts what it wants in its own words.
            if not (came == "AssertionError" and "pettingzoo" in pathlib.Path(where).parts and str(error)):
                raise AssertionError(f"call {number}: {came}: {error}") from error
        kinds[came] = kinds.get(came, 0) + 1
    print(" ".join(f"{kind}={count}" for kind, count in sorted(kinds.items())))


# ---- the test ----

#: So many calls are made by one Python.
SHARE = 5_000


def test_nothing_that_is_given_breaks_the_interpreter(no_data: pathlib.Path) -> None:
    calls = calls_asked_for()
    for seed, first in enumerate(range(0, calls, SHARE)):
        count = min(SHARE, calls - first)
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", __file__, str(seed), str(count)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            cwd=no_data.parent,
        )
        sayings = f"seed {seed}: exit {done.returncode}\n{done.stdout}\n{done.stderr[-4000:]}"
        assert done.returncode == 0, sayings
        assert "panicked" not in done.stderr, sayings
        said = dict(word.split("=") for word in done.stdout.split())
        assert sum(map(int, said.values())) == count, sayings
        # Calls that are all refused, or all too slow, would test nothing.
        assert int(said["fine"]) > count // 5, sayings
        assert int(said.get("late", 0)) < count // 50, sayings


if __name__ == "__main__":
    fuzz(int(sys.argv[1]), int(sys.argv[2]))
