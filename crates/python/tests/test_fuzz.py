"""Random calls of everything public, with values of any type, shape and size.

By introspection over `noughts.__all__` and the public modules of the package, so that additions
are covered automatically. The calls run in a separate process, so that a crash of the interpreter
is detected.

`NOUGHTS_CALLS` sets the number of calls; the default is 5,000, or 100,000 with `NOUGHTS_SOAK`. A
failure reports its seed; `python test_fuzz.py SEED CALLS` reproduces it.
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

#: Exceptions that may be raised, with a message about the bad argument.
EXPECTED = (ValueError, TypeError, OverflowError, ImportError, OSError, MemoryError)
#: Exceptions that Python itself raises.
BUILT_IN = (AttributeError, IndexError, KeyError, StopIteration)

#: Not called at random, because they read, write, block or start programs.
SKIPPED = {
    # Takes minutes and writes files; its arguments are tested separately.
    "noughts.Tablebase.build",
    # Reads standard input.
    "noughts.ugi.Engine.run",
}
#: Modules that start programs or play tournaments.
SKIPPED_MODULES = {"noughts.arena", "noughts.ugi"}

#: A call that takes longer, in seconds, is interrupted as by Ctrl-C, and must end soon.
TIMEOUT = 0.5


def call_count() -> int:
    default = 100_000 if os.environ.get("NOUGHTS_SOAK") else 5_000
    return int(os.environ.get("NOUGHTS_CALLS", default))


# ---- arguments ----


class Misleading:
    """Has the methods of a number, a string and a sequence, but is none of them."""

    def __init__(self, rng: random.Random) -> None:
        self.answer = rng.choice([0, -1, 2**70, 1.5, "b2", None, ZeroDivisionError])

    def _answer(self, *_: object) -> Any:
        if isinstance(self.answer, type):
            raise self.answer("odd things happen")
        return self.answer

    __index__ = __float__ = __len__ = __iter__ = __getitem__ = __fspath__ = __call__ = _answer


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


def random_value(rng: random.Random, made: List[Any], depth: int = 0) -> Any:
    """A value of any type, often an object from an earlier call."""
    kind = rng.randrange(16 if depth < 3 else 9)
    if kind < 3 and made:
        return rng.choice(made)
    if kind < 5:
        return rng.choice(NUMBERS)
    if kind < 7:
        return rng.choice(TEXTS)
    if kind == 7:
        return rng.randrange(-5, 100)
    if kind == 8:
        return rng.choice([None, None, b"bytes", bytearray(3), object(), int, len, ..., range(5)])
    if kind == 9:
        return Misleading(rng)
    if kind in (10, 11):
        return random_array(rng)
    values = [random_value(rng, made, depth + 1) for _ in range(rng.randrange(5))]
    if kind == 12:
        return tuple(values)
    if kind == 13:
        with contextlib.suppress(TypeError):
            return dict(zip(values, reversed(values)))
    if kind == 14:
        return iter(values)
    return values


def random_array(rng: random.Random) -> Any:
    import numpy as np

    shape = tuple(rng.choice([0, 1, 2, 3, 9, 81]) for _ in range(rng.randrange(4)))
    if len(shape) == 3 and max(shape) > 9:
        shape = shape[:2]
    kind = rng.choice("int8 uint8 int32 int64 uint64 float32 float64 bool complex64 object U3".split())
    numbers = np.random.default_rng(rng.randrange(2**32)).integers(-2, 90, shape)
    array = np.asarray(numbers).astype(kind)
    return rng.choice([array, array[..., ::2] if array.ndim else array, array.T])


def plausible_value(name: str, rng: random.Random, made: List[Any]) -> Any:
    """A value that probably fits a parameter of this name, or any value."""
    import noughts

    if rng.random() < 0.25:
        return random_value(rng, made)
    made_of = lambda kind: [thing for thing in made if isinstance(thing, kind)]  # noqa: E731
    if name in ("position",) and made_of(noughts.Position):
        return rng.choice(made_of(noughts.Position))
    if name in ("game", "variant"):
        return rng.choice(made_of(noughts.Game) + ["classic", "ultimate", "tic-tac-two", "mnk:4,4,3"])
    if name == "kind":
        return rng.choice(noughts.bots())
    if name in ("mv", "move", "action"):
        return rng.choice(["a1", "b2", "c3", "ee", "@b3", 0, 1, 4, 8, 40])
    if name == "symmetry":
        return rng.choice(noughts.Game("classic").symmetries)
    if name == "time":
        return rng.choice([0.001, 0.01, None])
    if name in ("nodes", "n", "games"):
        return rng.randrange(1, 300)
    if name == "depth":
        return rng.randrange(4)
    if name in ("threads", "memory"):
        return rng.randrange(1, 4)
    if name == "seed":
        return rng.randrange(2**64)
    if name == "tablebase":
        return rng.choice([None, False])
    if name in ("actions",):
        return random_array(rng)
    return random_value(rng, made)


# ---- functions ----


def modules() -> Iterator[Any]:
    import importlib
    import pkgutil

    import noughts

    yield noughts
    for found in pkgutil.iter_modules(noughts.__path__, "noughts."):
        if found.name.rsplit(".", 1)[1].startswith("_") or found.name in SKIPPED_MODULES:
            continue
        with contextlib.suppress(ImportError):
            yield importlib.import_module(found.name)


def public() -> Dict[str, Callable[..., Any]]:
    """All public functions and classes by their full names."""
    found = {}
    for module in modules():
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            full_name = f"{module.__name__}.{name}"
            if callable(thing) and full_name not in SKIPPED:
                found[full_name] = thing
            if inspect.isclass(thing) and not issubclass(thing, BaseException):
                # Attributes of the class: static and class methods, and unbound methods.
                for part in [part for part in vars(thing) if part in SPECIAL_NAMES or part[0] != "_"]:
                    member = getattr(thing, part)
                    if callable(member) and f"{full_name}.{part}" not in SKIPPED:
                        found[f"{full_name}.{part}"] = member
    return found


#: Special methods that are called like public ones.
SPECIAL_NAMES = """__repr__ __str__ __hash__ __eq__ __ne__ __lt__ __iter__ __next__ __len__ __getitem__
__contains__ __bool__ __int__ __float__ __call__ __enter__ __exit__ __reduce__ __copy__ __format__
__sizeof__ __dir__ _repr_pretty_ _repr_svg_ _restore""".split()


def attribute_names(thing: Any) -> List[str]:
    own = [name for name in dir(thing) if not name.startswith("_")]
    return own + [name for name in SPECIAL_NAMES if hasattr(type(thing), name)]


def parameters(function: Callable[..., Any]) -> List[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return []


def arguments(
    function: Callable[..., Any], rng: random.Random, made: List[Any]
) -> Tuple[List[Any], Dict[str, Any]]:
    """Arguments that usually match the signature; sometimes too many, too few, or misnamed."""
    given: List[Any] = []
    named: Dict[str, Any] = {}
    for parameter in parameters(function):
        if parameter.default is not parameter.empty and rng.random() < 0.5:
            # Always pass `time`, because the default time limits are too long.
            if parameter.name != "time":
                continue
        if rng.random() < 0.02:
            continue
        value = plausible_value(parameter.name, rng, made)
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            given.append(value)
        elif parameter.kind == parameter.POSITIONAL_OR_KEYWORD and not named:
            given.append(value)
        else:
            named[parameter.name] = value
    if rng.random() < 0.03:
        given.append(random_value(rng, made))
    if rng.random() < 0.03:
        named[rng.choice(["time", "nodes", "wrong", "self"])] = random_value(rng, made)
    return given, named


class TimedOut(BaseException):
    """The call took too long."""


def on_alarm(*_: object) -> None:
    raise TimedOut


def call(rng: random.Random, things: Dict[str, Any], made: List[Any]) -> Tuple[str, Any]:
    """Makes one random call; returns its name and result."""
    if rng.random() < 0.4 or not made:
        name = rng.choice(list(things))
        function = things[name]
    else:
        thing = rng.choice(made)
        attribute = rng.choice(attribute_names(thing))
        name = f"{type(thing).__module__}.{type(thing).__name__}.{attribute}"
        if name in SKIPPED or name.startswith("builtins."):
            return name, None
        if rng.random() < 0.1:
            change = rng.choice([lambda: setattr(thing, attribute, 1), lambda: delattr(thing, attribute)])
            change()
            return name, None
        function = getattr(thing, attribute)
        if not callable(function):
            return name, function
    given, named = arguments(function, rng, made)
    with contextlib.redirect_stdout(io.StringIO()):
        return name, function(*given, **named)


def fuzz(seed: int, calls: int) -> None:
    """Makes the calls; raises an AssertionError if one fails unexpectedly."""
    import warnings

    faulthandler.enable()
    # Dumps the stacks of a call that hangs before the parent's timeout.
    faulthandler.dump_traceback_later(240, exit=True)
    warnings.simplefilter("ignore")
    import noughts

    rng = random.Random(seed)
    things = public()
    # Top-level functions and constructors are called more often than methods.
    top_level = {name: thing for name, thing in things.items() if name.count(".") == 1}
    own = tuple(thing for thing in things.values() if inspect.isclass(thing))
    made: List[Any] = []
    outcomes: Dict[str, int] = {}
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGALRM, on_alarm)
    for number in range(calls):
        # Objects are reused for a while; a few are always available.
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
        outcome = "fine"
        try:
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, TIMEOUT)
            try:
                name, result = call(rng, rng.choice([things, top_level]), made)
            finally:
                if alarm:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            if isinstance(result, (tuple, list)) and result:
                result = rng.choice(result)
            if isinstance(result, own) and not isinstance(result, BaseException):
                # Vectors and the like may be large, so keep only some.
                made.append(result)
                if len(made) > 60:
                    made.pop(7)
        except BUILT_IN as error:
            outcome = type(error).__name__
        except EXPECTED as error:
            outcome = type(error).__name__
            assert str(error).strip(), f"call {number}: {outcome} without a word"
        except ZeroDivisionError as error:
            assert str(error) == "odd things happen", f"call {number}: {error}"
        except TimedOut:
            outcome = "late"
        except BaseException as error:
            outcome = type(error).__name__
            where = traceback.extract_tb(error.__traceback__)[-1].filename
            # PettingZoo checks arguments with assertions.
            if not (outcome == "AssertionError" and "pettingzoo" in pathlib.Path(where).parts and str(error)):
                raise AssertionError(f"call {number}: {outcome}: {error}") from error
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    print(" ".join(f"{kind}={count}" for kind, count in sorted(outcomes.items())))


# ---- the test ----

#: The number of calls made by one process.
CALLS_PER_PROCESS = 5_000


def test_random_calls_do_not_crash(data_folder: pathlib.Path) -> None:
    calls = call_count()
    for seed, first in enumerate(range(0, calls, CALLS_PER_PROCESS)):
        count = min(CALLS_PER_PROCESS, calls - first)
        process = subprocess.run(
            [sys.executable, "-X", "faulthandler", __file__, str(seed), str(count)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            cwd=data_folder.parent,
        )
        details = f"seed {seed}: exit {process.returncode}\n{process.stdout}\n{process.stderr[-4000:]}"
        assert process.returncode == 0, details
        assert "panicked" not in process.stderr, details
        counts = dict(word.split("=") for word in process.stdout.split())
        assert sum(map(int, counts.values())) == count, details
        # If almost all calls fail or time out, nothing is tested.
        assert int(counts["fine"]) > count // 5, details
        assert int(counts.get("late", 0)) < count // 50, details


if __name__ == "__main__":
    fuzz(int(sys.argv[1]), int(sys.argv[2]))
