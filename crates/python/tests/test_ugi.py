"""Bots as programs: the protocol word for word, and what a bot's author may expect of it."""

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
    """The first legal move, always."""

    author = "the tests"

    def choose(self, position, limits):
        return position.legal_moves[0]


def talk(engine, *lines):
    """What it answers, all of it."""
    said = []
    engine.run(list(lines), said.append)
    return said


def test_the_examples_are_true():
    found = doctest.testmod(ugi, extraglobs={"noughts": noughts})
    assert found.attempted > 0 and found.failed == 0


# ---- the protocol ----

CONVERSATIONS = [
    # Who it is.
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
    # The session of docs/protocol.md.
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
    # A refused position changes nothing.
    (
        ["position startpos moves b2", "position startpos moves z9", "query p1turn"],
        [re.compile("info string error: position: move 1: .*z9"), "response false"],
    ),
    (["position"], ["info string error: position: `startpos` or `fen` and a position is needed"]),
    (["position fen"], ["info string error: position: `startpos` or `fen` and a position is needed"]),
    (["position fen xxx"], [re.compile("info string error: position: ")]),
    (["position startpos moves"], []),
    (["position startpos moves b2\ta1", "query p1turn"], ["response true"]),
    # The text of a position has blanks in it.
    (
        [
            "setoption name Variant value tic-tac-two",
            "position fen ...../.xo../...x./..o../..... x @c3 moves @b3",
            "query p1turn",
        ],
        ["response false"],
    ),
    # Another variant begins at its start.
    (
        ["position startpos moves b2", "setoption name Variant value misere", "query p1turn"],
        ["response true"],
    ),
    # Every limit.
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
    # After the end.
    (
        ["position startpos moves b2 a1 b1 a2 b3", "go movetime 100", "isready"],
        ["info string error: go: the game is over: X wins", "bestmove none", "readyok"],
    ),
    # What is refused, and why.
    (
        ["setoption name Variant value mnk:3,3,9"],
        [re.compile("info string error: setoption: .*mnk:3,3,9")],
    ),
    (
        ["setoption name Ponder value true"],
        [
            "info string error: setoption: there is no option 'Ponder'; the options are Variant, "
            "Seed, Overhead"
        ],
    ),
    *(
        ([line], ["info string error: setoption: `name`, a name, `value` and a value are needed"])
        for line in ["setoption", "setoption name Seed", "setoption name Seed value", "setoption Seed 3"]
    ),
    (
        ["setoption name Seed value x"],
        [f"info string error: setoption: Seed must be a whole number from 0 to {2**64 - 1}"],
    ),
    (["setoption name seed value 18446744073709551615", "isready"], ["readyok"]),
    (["setoption name OVERHEAD value 0", "isready"], ["readyok"]),
    # What is unknown is ignored.
    (
        ["hello", "", "   ", "xboard", "query", "query weather", "ugi2", "__init__", "stop", "isready"],
        ["readyok"],
    ),
    ([b"\xff\xfe\x00", b"isready\r\n"], ["readyok"]),
    # Leaving.
    (["quit", "isready"], []),
    (["go infinite", "stop", "quit"], ["bestmove a1"]),
]


@pytest.mark.parametrize("lines, expected", CONVERSATIONS)
def test_conversations(lines, expected):
    said = talk(First(), *lines)
    assert len(said) == len(expected), said
    for line, wanted in zip(said, expected):
        assert wanted.match(line) if isinstance(wanted, re.Pattern) else line == wanted


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
        # Not calling the base class is no mistake.
        self.seen = []

    def choose(self, position, limits):
        self.seen.append(dict(self.values))
        return position.legal_moves[0]


def test_options_are_listed_and_set():
    engine = Options()
    said = talk(
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
    assert said == [
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


def test_own_options_cannot_hide_the_usual_ones():
    class Hiding(First):
        options = {"seed": ugi.Spin(1)}

    with pytest.raises(ValueError, match="seed"):
        talk(Hiding())


class Watching(ugi.Engine):
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
def test_limits_are_what_was_asked_for(go, time, nodes, depth):
    engine = Watching()
    talk(engine, f"go {go}")
    (limits,) = engine.seen
    assert limits.time == pytest.approx(time) if time else limits.time is None
    assert (limits.nodes, limits.depth, limits.clocks) == (nodes, depth, None)


def test_who_counts_gets_no_time():
    class Counting(Watching):
        counts_nodes = True
        counts_depth = True

    engine = Counting()
    talk(engine, "go nodes 5", "go depth 3", "go")
    assert [limits.time for limits in engine.seen] == [None, None, 1.0]


def test_clocks_are_shared_out():
    engine = Watching()
    talk(
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


def test_moves_may_be_numbers_and_new_games_have_seeds():
    seeds = []

    class Numbers(ugi.Engine):
        def new_game(self, seed):
            super().new_game(seed)
            seeds.append(seed)

        def choose(self, position, limits):
            return self.random.choice(position.legal_actions)

    def play():
        return talk(Numbers(), "setoption name Seed value 5", "uginewgame", "isready", "go", "go", "go")

    assert play() == play()
    assert seeds == [5, 5], "once for each game, before the first question"


def test_info_is_told_as_documented():
    class Telling(ugi.Engine):
        def choose(self, position, limits):
            self.info(depth=3, score=0.5, nodes=17, time=0.25, pv=["a1", "b2"], string="a\nb")
            self.info(mate=-4)
            self.info(score="draw")
            self.info(score=1.0)
            self.info(score=-1)
            self.info(score="win", pv="a1  b2")
            self.info()
            return "a1"

    assert talk(Telling(), "go") == [
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
    telling = Telling()
    assert telling.choose(noughts.Game().start(), noughts.Limits()) == "a1", "nobody listens"


class Script:
    """Lines one after the other, as they are put in."""

    def __init__(self, engine):
        self.lines = queue.Queue()
        self.said = queue.Queue()
        self.error = None
        self.thread = threading.Thread(target=self.run, args=(engine,), daemon=True)
        self.thread.start()

    def run(self, engine):
        try:
            engine.run(iter(self.lines.get, None), self.said.put)
        except BaseException as error:
            self.error = error

    def tell(self, line):
        self.lines.put(line)

    def hear(self):
        return self.said.get(timeout=60)

    def end(self):
        self.lines.put(None)
        self.thread.join(timeout=60)
        assert not self.thread.is_alive() and self.said.empty()
        return self.error


class Patient(ugi.Engine):
    """Thinks until it is told to stop."""

    def choose(self, position, limits):
        self.info(string="thinking")
        while not limits.stopped:
            pass
        return position.legal_moves[0]


def test_a_search_is_stopped_and_questions_are_answered_meanwhile():
    script = Script(Patient())
    for ending in ["stop", "position startpos moves b2", "uginewgame", "setoption name Seed value 1"]:
        script.tell("go infinite")
        assert script.hear() == "info string thinking"
        script.tell("isready")
        assert script.hear() == "readyok"
        script.tell("query gameover")
        assert script.hear() == "response false"
        script.tell(ending)
        assert script.hear() == "bestmove a1"
    script.tell("go infinite")
    assert script.hear() == "info string thinking"
    script.tell("go movetime 1")
    assert script.hear() == "bestmove a1"
    assert script.hear() == "info string thinking"
    script.tell("quit")
    assert script.hear() == "bestmove a1"
    assert script.end() is None


def test_the_end_of_the_input_stops_only_what_has_no_end():
    script = Script(Patient())
    script.tell("go infinite")
    assert script.hear() == "info string thinking"
    script.lines.put(None)
    assert script.hear() == "bestmove a1"
    assert script.end() is None
    assert talk(First(), "go depth 3") == ["bestmove a1"]


def test_who_does_not_listen_is_left():
    class Deaf(ugi.Engine):
        def choose(self, position, limits):
            self.info(string="thinking")
            while True:
                pass

    script = Script(Deaf())
    script.tell("go movetime 1")
    assert script.hear() == "info string thinking"
    script.tell("quit")
    assert script.end() is None


@pytest.mark.parametrize(
    "answer, error",
    [(None, TypeError), ("", ValueError), ("a1 a2", ValueError), ("a1\nquit", ValueError), (99, noughts.IllegalMove)],
)
def test_what_is_no_move_is_the_authors_to_see(answer, error):
    class Odd(ugi.Engine):
        def choose(self, position, limits):
            return answer

    with pytest.raises(error):
        talk(Odd(), "go", "isready", "isready")


def test_exceptions_come_out_wherever_they_are_raised():
    class Broken(First):
        def new_game(self, seed):
            raise KeyError("no model")

    for lines in (["isready"], ["go"], ["isready", "go", "position startpos", "isready"]):
        with pytest.raises(KeyError):
            talk(Broken(), *lines)
    with pytest.raises(NotImplementedError, match="choose"):
        talk(ugi.Engine(), "go")


def test_it_can_run_again_but_not_twice_at_once():
    engine = First()
    assert talk(engine, "go") == talk(engine, "go") == ["bestmove a1"]
    script = Script(engine)
    script.tell("isready")
    assert script.hear() == "readyok"
    with pytest.raises(RuntimeError, match="running"):
        talk(engine, "go")
    assert script.end() is None


WORDS = (
    "ugi isready setoption name value Variant Seed Overhead classic ultimate misere uginewgame position "
    "startpos fen moves a1 b2 c3 ee xox/xoo/ox. x o - go movetime nodes depth infinite p1time p2time "
    "movestogo 0 1 -1 99999999999999999999 stop query gameover p1turn result hello \t \\ \x00 ü"
).split(" ")


def test_whatever_comes_in_it_answers():
    chance = random.Random(1)
    for _ in range(300):
        lines = [
            " ".join(chance.choice(WORDS) for _ in range(chance.randrange(8)))
            for _ in range(chance.randrange(12))
        ]
        said = talk(First(), *lines, "isready")
        # During a search it is answered at once.
        assert "readyok" in said[-2:], lines
        asked = sum(line.split()[:1] == ["go"] for line in lines)
        assert sum(line.startswith("bestmove") for line in said) == asked, lines


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
SOUND = "return self.random.choice(position.legal_moves)"


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
def test_it_passes_every_check(program, game):
    steps = arena.check(command(program(SOUND)), game)
    wrong = [step for step in steps if step.grade == "fail"]
    assert not wrong, wrong
    doubtful = {step.what for step in steps if step.grade == "warn"}
    # A tenth of a second is little for Python to leave in when the machine is busy.
    assert doubtful <= {"leaves at `quit`"}, doubtful
    assert len(steps) > 10


def test_it_plays_in_the_arena_as_in_process(program):
    bot = command(program(SOUND))
    first = arena.match(bot, "random", "ultimate", games=4, nodes=10, seed=3)
    again = arena.match(bot, "random", "ultimate", games=4, nodes=10, seed=3)
    assert not any(game.is_fault for game in first.games)
    assert [g.moves for g in first.games] == [g.moves for g in again.games], "it follows its seed"
    values = [v for game in first.games for v in game.values if isinstance(v, float)]
    assert values and max(values) <= 1

    class Mine(ugi.Engine):
        def choose(self, position, limits):
            return self.random.choice(position.legal_moves)

    inside = arena.match(Mine, "random", "ultimate", games=4, nodes=10, seed=3)
    assert [g.moves for g in inside.games] == [g.moves for g in first.games]


@pytest.mark.parametrize(
    "body, reason, words",
    [
        ("raise KeyError('lost')", "crash", "KeyError: 'lost'"),
        ("return None", "crash", "TypeError: a move is its name"),
        ("return 'z9'", "illegal-move", "z9"),
        ("sys.exit(4)", "crash", "exit code 4"),
        ("return position.legal_moves[0] if limits.nodes else 1", None, None),
    ],
)
def test_what_goes_wrong_is_told(program, body, reason, words):
    result = arena.match(command(program(body)), "random", games=2, nodes=5)
    if reason is None:
        assert not any(game.is_fault for game in result.games)
    else:
        assert {game.reason for game in result.games} == {reason}
        assert all(words in game.note for game in result.games), result.games[0].note


def run(words, lines):
    return subprocess.run(words, input=lines, capture_output=True, timeout=120)


def test_lines_go_through_real_pipes(program):
    done = run(program(SOUND), b"ugi\r\nisready\ngo nodes 1\nposition startpos moves b2")
    assert done.returncode == 0
    out = done.stdout.decode().splitlines()
    assert out[0] == "id name Mine" and "readyok" in out and out[-1].startswith("bestmove ")
    assert "a remark" not in out and done.stderr.decode().splitlines() == ["a remark"]


def test_a_failure_ends_the_program_with_its_traceback(program):
    child = subprocess.Popen(
        program("raise KeyError('lost')"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # The input stays open: it must not wait for it.
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


def test_long_lines_are_read_and_endless_ones_dropped(program):
    moves = "position startpos moves " + "b2 " * 100_000
    done = run(program(SOUND), moves.encode() + b"\n" + b"x" * (17 << 20) + b"\nisready\n")
    out = done.stdout.decode().splitlines()
    assert out[-1] == "readyok" and "b2 is taken" in out[0] and done.returncode == 0


def test_what_goes_wrong_with_the_input_is_told_to_the_caller() -> None:
    """Guards against a program that ended as if all were well."""

    class First(noughts.ugi.Engine):
        def choose(self, position: noughts.Position, limits: noughts.Limits) -> str:
            return position.legal_moves[0]

    def lines() -> Iterator[str]:
        yield "ugi"
        raise OSError("the line is cut")

    with pytest.raises(OSError, match="the line is cut"):
        First().run(lines(), lambda line: None)


def test_at_the_end_of_the_input_nobody_thinks_for_ever() -> None:
    """Guards against a program that nobody can stop any more."""

    class Deaf(noughts.ugi.Engine):
        def choose(self, position: noughts.Position, limits: noughts.Limits) -> str:
            while True:
                pass

    Deaf().run(["position startpos", "go movetime 50"], lambda line: None)
