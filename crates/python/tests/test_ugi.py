"""UGI engines: the exact protocol, and the behavior that bot authors rely on."""

from __future__ import annotations

import doctest
import queue
import random
import re
import shlex
import subprocess
import sys
import threading
from typing import Iterator

import pytest

import noughts
from noughts import arena, ugi


class First(ugi.Engine):
    """Always plays the first legal move."""

    author = "the tests"

    def choose(self, position, limits):
        return position.legal_moves[0]


def run_session(engine, *lines):
    """Runs a session with these input lines; returns all output lines."""
    output = []
    engine.run(list(lines), output.append)
    return output


def test_docstring_examples_pass():
    results = doctest.testmod(ugi, extraglobs={"noughts": noughts})
    assert results.attempted > 0 and results.failed == 0


# ---- the protocol ----

SESSIONS = [
    # Identification.
    (
        ["ugi"],
        [
            "id name First",
            "id author the tests",
            "option name Variant type string default classic",
            "option name Seed type string default 0",
            "option name Overhead type spin default 10 min 0 max 10000",
            "ugiok",
        ],
    ),
    (["isready", "isready"], ["readyok", "readyok"]),
    # The example session of docs/protocol.md.
    (
        [
            "setoption name Variant value misere",
            "isready",
            "uginewgame",
            "position startpos moves b2 a1 c3 c1 a2 c2 a3",
            "query p1turn",
            "query result",
            "position fen o.o/xxo/x.x o moves b1",
            "query gameover",
            "query result",
            "setoption name Variant value classic",
            "isready",
            "position fen xox/xoo/ox. x",
            "go movetime 100",
            "position startpos moves b2 b2",
        ],
        [
            "readyok",
            "response false",
            "response none",
            "response true",
            "response p1win",
            "readyok",
            "bestmove c3",
            "info string error: position: move 2: b2 is taken",
        ],
    ),
    # An invalid position changes nothing.
    (
        ["position startpos moves b2", "position startpos moves z9", "query p1turn"],
        [re.compile("info string error: position: move 1: .*z9"), "response false"],
    ),
    (["position"], ["info string error: position: expected `startpos` or `fen POSITION`"]),
    (["position fen"], ["info string error: position: expected `startpos` or `fen POSITION`"]),
    (["position fen xxx"], [re.compile("info string error: position: ")]),
    (["position startpos moves"], []),
    (["position startpos moves b2\ta1", "query p1turn"], ["response true"]),
    # The text of a position may contain spaces.
    (
        [
            "setoption name Variant value tic-tac-two",
            "position fen ...../.xo../...x./..o../..... x @c3 moves @b3",
            "query p1turn",
        ],
        ["response false"],
    ),
    # Setting another variant resets the position.
    (
        ["position startpos moves b2", "setoption name Variant value misere", "query p1turn"],
        ["response true"],
    ),
    # All limits.
    *(
        (["position fen xox/xoo/ox. x", f"go {limit}".strip()], ["bestmove c3"])
        for limit in [
            "movetime 50",
            "nodes 100",
            "depth 5",
            "p1time 1000 p2time 1000 p1inc 10 p2inc 10",
            "p1time 0 p2time 0",
            "p1time -5 p2time 99999999999999999999",
            "p2time 1000",
            "p1time 1000 p2time 1000 movestogo 1",
            "movestogo 0 p1time 1000",
            "infinite",
            "away nodes 1 position",
            "",
        ]
    ),
    (
        ["position fen xox/xoo/ox. x", "go movetime soon"],
        ["info string error: go: movetime needs a whole number", "bestmove c3"],
    ),
    (
        ["position fen xox/xoo/ox. x", "go nodes ten depth 1"],
        ["info string error: go: nodes needs a whole number", "bestmove c3"],
    ),
    (["go depth"], ["info string error: go: depth needs a whole number", "bestmove a1"]),
    # The game is over.
    (
        ["position startpos moves b2 a1 b1 a2 b3", "go movetime 100", "isready"],
        ["info string error: go: the game is over: X wins", "bestmove none", "readyok"],
    ),
    # Invalid options.
    (
        ["setoption name Variant value mnk:3,3,9"],
        [re.compile("info string error: setoption: .*mnk:3,3,9")],
    ),
    (
        ["setoption name Ponder value true"],
        [
            "info string error: setoption: unknown option \"Ponder\"; use one of Variant, "
            "Seed, Overhead"
        ],
    ),
    *(
        ([line], ["info string error: setoption: expected `name NAME value VALUE`"])
        for line in ["setoption", "setoption name Seed", "setoption name Seed value", "setoption Seed 3"]
    ),
    (
        ["setoption name Seed value x"],
        [f"info string error: setoption: Seed must be a whole number from 0 to {2**64 - 1}"],
    ),
    (["setoption name seed value 18446744073709551615", "isready"], ["readyok"]),
    (["setoption name OVERHEAD value 0", "isready"], ["readyok"]),
    # Unknown commands are ignored.
    (
        ["hello", "", "   ", "xboard", "query", "query weather", "ugi2", "__init__", "stop", "isready"],
        ["readyok"],
    ),
    ([b"\xff\xfe\x00", b"isready\r\n"], ["readyok"]),
    # Quitting.
    (["quit", "isready"], []),
    (["go infinite", "stop", "quit"], ["bestmove a1"]),
]


@pytest.mark.parametrize("lines, expected", SESSIONS)
def test_protocol_sessions(lines, expected):
    output = run_session(First(), *lines)
    assert len(output) == len(expected), output
    for line, pattern in zip(output, expected):
        assert pattern.match(line) if isinstance(pattern, re.Pattern) else line == pattern


class Options(ugi.Engine):
    name = "With options"
    variants = ("ultimate", "classic")
    options = {
        "Depth": ugi.Spin(4, 1, 20),
        "Greedy": ugi.Check(False),
        "File": ugi.String(""),
        "Style": ugi.Combo("bold", ["bold", "very shy"]),
    }

    def __init__(self):
        # Subclasses needn't call the base class.
        self.seen = []

    def choose(self, position, limits):
        self.seen.append(dict(self.values))
        return position.legal_moves[0]


def test_options_are_listed_and_set():
    engine = Options()
    output = run_session(
        engine,
        "ugi",
        "go nodes 1",
        "setoption name depth value 7",
        "setoption name Greedy value TRUE",
        "setoption name File value a b c",
        "setoption name Style value VERY SHY",
        "go nodes 1",
        "setoption name Depth value 21",
        "setoption name Greedy value 1",
        "setoption name Style value wild",
        "setoption name Variant value misere",
        "setoption name Variant value mnk:3,3,3",
        "go nodes 1",
    )
    assert output == [
        "id name With options",
        "id author unknown",
        "option name Variant type combo default ultimate var ultimate var classic",
        "option name Seed type string default 0",
        "option name Overhead type spin default 10 min 0 max 10000",
        "option name Depth type spin default 4 min 1 max 20",
        "option name Greedy type check default false",
        "option name File type string default",
        "option name Style type combo default bold var bold var very shy",
        "ugiok",
        "bestmove aa",
        "bestmove aa",
        "info string error: setoption: Depth must be a whole number from 1 to 20",
        "info string error: setoption: Greedy must be true or false",
        "info string error: setoption: Style must be one of bold, very shy",
        "info string error: setoption: Variant must be one of ultimate, classic",
        "bestmove a1",
    ]
    assert engine.seen[0] == {"Depth": 4, "Greedy": False, "File": "", "Style": "bold"}
    assert engine.seen[1] == {"Depth": 7, "Greedy": True, "File": "a b c", "Style": "very shy"}
    assert Options().values["Depth"] == 4, "others are as they were"


def test_options_cannot_shadow_standard_ones():
    class ShadowingOptions(First):
        options = {"seed": ugi.Spin(1)}

    with pytest.raises(ValueError, match="seed"):
        run_session(ShadowingOptions())


class LimitsRecorder(ugi.Engine):
    def __init__(self):
        self.seen = []

    def choose(self, position, limits):
        self.seen.append(limits)
        return position.legal_actions[0]


@pytest.mark.parametrize(
    "go, time, nodes, depth",
    [
        ("movetime 100", 0.09, None, None),
        ("movetime 4", 0.002, None, None),
        ("nodes 5", 1.0, 5, None),
        ("depth 3", 1.0, None, 3),
        ("nodes 5 movetime 500", 0.49, 5, None),
        ("nodes 0", 1.0, 1, None),
        ("", 1.0, None, None),
        ("infinite", None, None, None),
        ("infinite movetime 100", 0.09, None, None),
    ],
)
def test_go_limits(go, time, nodes, depth):
    engine = LimitsRecorder()
    run_session(engine, f"go {go}")
    (limits,) = engine.seen
    assert limits.time == pytest.approx(time) if time else limits.time is None
    assert (limits.nodes, limits.depth, limits.clocks) == (nodes, depth, None)


def test_counting_engine_gets_no_default_time():
    class CountingEngine(LimitsRecorder):
        counts_nodes = True
        counts_depth = True

    engine = CountingEngine()
    run_session(engine, "go nodes 5", "go depth 3", "go")
    assert [limits.time for limits in engine.seen] == [None, None, 1.0]


def test_time_is_allocated_from_clocks():
    engine = LimitsRecorder()
    run_session(
        engine,
        "go p1time 60000 p2time 30000 p1inc 500 p2inc 0",
        "position startpos moves b2",
        "go p1time 60000 p2time 30000 p1inc 500 p2inc 0 movestogo 1",
        "go p1time 60000",
    )
    x, o, other = engine.seen
    assert x.clocks == {"x": (60.0, 0.5, None), "o": (30.0, 0.0, None)}
    assert 0.5 < x.time <= 30
    assert o.clocks["o"] == (30.0, 0.0, 1) and 15 < o.time < 30
    assert other.time == 1.0, "only the other's clock is known"


def test_moves_by_action_number_and_seeded_games():
    seeds = []

    class Numbers(ugi.Engine):
        def new_game(self, seed):
            super().new_game(seed)
            seeds.append(seed)

        def choose(self, position, limits):
            return self.random.choice(position.legal_actions)

    def play():
        return run_session(Numbers(), "setoption name Seed value 5", "uginewgame", "isready", "go", "go", "go")

    assert play() == play()
    assert seeds == [5, 5], "once for each game, before the first question"


def test_info_output():
    class Informing(ugi.Engine):
        def choose(self, position, limits):
            self.info(depth=3, score=0.5, nodes=17, time=0.25, pv=["a1", "b2"], string="a\nb")
            self.info(mate=-4)
            self.info(score="draw")
            self.info(score=1.0)
            self.info(score=-1)
            self.info(score="win", pv="a1  b2")
            self.info()
            return "a1"

    assert run_session(Informing(), "go") == [
        "info depth 3 score cp 110 nodes 17 time 250 pv a1 b2",
        "info string a b",
        "info score mate -4",
        "info score cp 0",
        "info string exact draw",
        "info score cp 9999",
        "info score cp -9999",
        "info score cp 10000 pv a1 b2",
        "info string exact win",
        "bestmove a1",
    ]
    engine = Informing()
    assert engine.choose(noughts.Game().start(), noughts.Limits()) == "a1", "nobody listens"


class InteractiveSession:
    """A session on another thread, with lines sent one at a time."""

    def __init__(self, engine):
        self.lines = queue.Queue()
        self.output = queue.Queue()
        self.error = None
        self.thread = threading.Thread(target=self.run, args=(engine,), daemon=True)
        self.thread.start()

    def run(self, engine):
        try:
            engine.run(iter(self.lines.get, None), self.output.put)
        except BaseException as error:
            self.error = error

    def send(self, line):
        self.lines.put(line)

    def receive(self):
        return self.output.get(timeout=60)

    def end(self):
        self.lines.put(None)
        self.thread.join(timeout=60)
        assert not self.thread.is_alive() and self.output.empty()
        return self.error


class Patient(ugi.Engine):
    """Thinks until it is stopped."""

    def choose(self, position, limits):
        self.info(string="thinking")
        while not limits.stopped:
            pass
        return position.legal_moves[0]


def test_search_can_be_stopped_and_queries_answered_meanwhile():
    session = InteractiveSession(Patient())
    for ending in ["stop", "position startpos moves b2", "uginewgame", "setoption name Seed value 1"]:
        session.send("go infinite")
        assert session.receive() == "info string thinking"
        session.send("isready")
        assert session.receive() == "readyok"
        session.send("query gameover")
        assert session.receive() == "response false"
        session.send(ending)
        assert session.receive() == "bestmove a1"
    session.send("go infinite")
    assert session.receive() == "info string thinking"
    session.send("go movetime 1")
    assert session.receive() == "bestmove a1"
    assert session.receive() == "info string thinking"
    session.send("quit")
    assert session.receive() == "bestmove a1"
    assert session.end() is None


def test_end_of_input_stops_infinite_search():
    session = InteractiveSession(Patient())
    session.send("go infinite")
    assert session.receive() == "info string thinking"
    session.lines.put(None)
    assert session.receive() == "bestmove a1"
    assert session.end() is None
    assert run_session(First(), "go depth 3") == ["bestmove a1"]


def test_unresponsive_engine_is_interrupted_on_quit():
    class Unresponsive(ugi.Engine):
        def choose(self, position, limits):
            self.info(string="thinking")
            while True:
                pass

    session = InteractiveSession(Unresponsive())
    session.send("go movetime 1")
    assert session.receive() == "info string thinking"
    session.send("quit")
    assert session.end() is None


@pytest.mark.parametrize(
    "answer, error",
    [(None, TypeError), ("", ValueError), ("a1 a2", ValueError), ("a1\nquit", ValueError), (99, noughts.IllegalMove)],
)
def test_bad_return_value_raises(answer, error):
    class BadReturn(ugi.Engine):
        def choose(self, position, limits):
            return answer

    with pytest.raises(error):
        run_session(BadReturn(), "go", "isready", "isready")


def test_exceptions_propagate():
    class Broken(First):
        def new_game(self, seed):
            raise KeyError("no model")

    for lines in (["isready"], ["go"], ["isready", "go", "position startpos", "isready"]):
        with pytest.raises(KeyError):
            run_session(Broken(), *lines)
    with pytest.raises(NotImplementedError, match="choose"):
        run_session(ugi.Engine(), "go")


def test_run_is_repeatable_but_not_reentrant():
    engine = First()
    assert run_session(engine, "go") == run_session(engine, "go") == ["bestmove a1"]
    session = InteractiveSession(engine)
    session.send("isready")
    assert session.receive() == "readyok"
    with pytest.raises(RuntimeError, match="running"):
        run_session(engine, "go")
    assert session.end() is None


WORDS = (
    "ugi isready setoption name value Variant Seed Overhead classic ultimate misere uginewgame position "
    "startpos fen moves a1 b2 c3 ee xox/xoo/ox. x o - go movetime nodes depth infinite p1time p2time "
    "movestogo 0 1 -1 99999999999999999999 stop query gameover p1turn result hello \t \\ \x00 ü"
).split(" ")


def test_random_input_is_answered():
    rng = random.Random(1)
    for _ in range(300):
        lines = [
            " ".join(rng.choice(WORDS) for _ in range(rng.randrange(8)))
            for _ in range(rng.randrange(12))
        ]
        output = run_session(First(), *lines, "isready")
        # During a search `isready` is answered immediately.
        assert "readyok" in output[-2:], lines
        go_count = sum(line.split()[:1] == ["go"] for line in lines)
        assert sum(line.startswith("bestmove") for line in output) == go_count, lines


# ---- as a program ----

PROGRAM = """
import sys
import noughts

class Mine(noughts.ugi.Engine):
    name = "Mine"
    counts_nodes = True

    def choose(self, position, limits):
        print("a remark")
        self.info(score=0.25, nodes=1)
        {body}

Mine().run()
"""
RANDOM_MOVE = "return self.random.choice(position.legal_moves)"


@pytest.fixture
def program(tmp_path):
    def write(body):
        path = tmp_path / "mine.py"
        path.write_text(PROGRAM.format(body=body))
        return [sys.executable, str(path)]

    return write


def command(words):
    return "mine=ugi:" + shlex.join(words)


@pytest.mark.parametrize("game", ["classic", "ultimate", "tic-tac-two"])
def test_arena_check_passes(program, game):
    steps = arena.check(command(program(RANDOM_MOVE)), game)
    failures = [step for step in steps if step.status == "fail"]
    assert not failures, failures
    warnings = {step.step for step in steps if step.status == "warn"}
    # On a busy machine Python may need more than a tenth of a second to exit.
    assert warnings <= {"exits on `quit`"}, warnings
    assert len(steps) > 10


def test_program_and_in_process_engine_play_alike(program):
    bot = command(program(RANDOM_MOVE))
    first = arena.match(bot, "random", "ultimate", games=4, nodes=10, seed=3)
    again = arena.match(bot, "random", "ultimate", games=4, nodes=10, seed=3)
    assert not any(game.is_fault for game in first.games)
    assert [g.moves for g in first.games] == [g.moves for g in again.games], "it follows its seed"
    values = [v for game in first.games for v in game.values if isinstance(v, float)]
    assert values and max(values) <= 1

    class Mine(ugi.Engine):
        def choose(self, position, limits):
            return self.random.choice(position.legal_moves)

    in_process = arena.match(Mine, "random", "ultimate", games=4, nodes=10, seed=3)
    assert [g.moves for g in in_process.games] == [g.moves for g in first.games]


@pytest.mark.parametrize(
    "body, reason, words",
    [
        ("raise KeyError('lost')", "crash", "KeyError: 'lost'"),
        ("return None", "crash", "TypeError: a move must be a name"),
        ("return 'z9'", "illegal-move", "z9"),
        ("sys.exit(4)", "crash", "exited with code 4"),
        ("return position.legal_moves[0] if limits.nodes else 1", None, None),
    ],
)
def test_program_faults_are_reported(program, body, reason, words):
    result = arena.match(command(program(body)), "random", games=2, nodes=5)
    if reason is None:
        assert not any(game.is_fault for game in result.games)
    else:
        assert {game.ending for game in result.games} == {reason}
        assert all(words in game.note for game in result.games), result.games[0].note


def run(words, lines):
    return subprocess.run(words, input=lines, capture_output=True, timeout=120)


def test_protocol_over_pipes(program):
    process = run(program(RANDOM_MOVE), b"ugi\r\nisready\ngo nodes 1\nposition startpos moves b2")
    assert process.returncode == 0
    out = process.stdout.decode().splitlines()
    assert out[0] == "id name Mine" and "readyok" in out and out[-1].startswith("bestmove ")
    assert "a remark" not in out and process.stderr.decode().splitlines() == ["a remark"]


def test_exception_exits_with_traceback(program):
    child = subprocess.Popen(
        program("raise KeyError('lost')"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # The input stays open: the program must not wait for it.
    child.stdin.write(b"go\n")
    child.stdin.flush()
    try:
        assert child.wait(timeout=120) == 1
        errors = child.stderr.read().decode()
    finally:
        child.kill()
        for pipe in (child.stdin, child.stdout, child.stderr):
            pipe.close()
    assert errors.strip().endswith("KeyError: 'lost'") and "Fatal" not in errors


def test_long_lines_are_read_and_oversized_ones_dropped(program):
    moves = "position startpos moves " + "b2 " * 100_000
    process = run(program(RANDOM_MOVE), moves.encode() + b"\n" + b"x" * (17 << 20) + b"\nisready\n")
    out = process.stdout.decode().splitlines()
    assert out[-1] == "readyok" and "b2 is taken" in out[0] and process.returncode == 0


def test_input_error_propagates_to_caller() -> None:
    """Guards against a program that exits successfully after an error."""

    class First(noughts.ugi.Engine):
        def choose(self, position: noughts.Position, limits: noughts.Limits) -> str:
            return position.legal_moves[0]

    def lines() -> Iterator[str]:
        yield "ugi"
        raise OSError("the line is cut")

    with pytest.raises(OSError, match="the line is cut"):
        First().run(lines(), lambda line: None)


def test_end_of_input_interrupts_endless_engine() -> None:
    """Guards against a program that can no longer be stopped."""

    class Unresponsive(noughts.ugi.Engine):
        def choose(self, position: noughts.Position, limits: noughts.Limits) -> str:
            while True:
                pass

    Unresponsive().run(["position startpos", "go movetime 50"], lambda line: None)
