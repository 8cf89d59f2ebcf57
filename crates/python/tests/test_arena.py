"""The arena from Python: bots, arguments, results, faults and stopping."""

from __future__ import annotations

import copy
import csv
import doctest
import inspect
import io
import math
import os
import pickle
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts import arena


def first(position):
    return position.legal_moves[0]


class Seeded:
    """Random moves that depend only on the game's seed."""

    def new_game(self, seed):
        self.rng = random.Random(seed)

    def choose(self, position):
        return self.rng.choice(position.legal_moves)


def moves(result):
    return [(game.x, game.o, game.moves, game.result, game.ending) for game in result.games]


#: Inherited by all processes that this test run starts.
os.environ["NOUGHTS_TESTS"] = RUN_ID = uuid.uuid4().hex


def running_programs():
    """The bot programs started by these tests that are still running (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            environment = path.read_bytes()
            if b"NOUGHTS_ARENA=" in environment and RUN_ID.encode() in environment:
                state = (path.parent / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state not in "ZX":
                    found.append(path.parent.name)
        except OSError:
            pass
    return found


@pytest.mark.parametrize("module", [noughts.arena, noughts.Limits.__module__])
def test_docstring_examples_pass(module):
    module = sys.modules[module] if isinstance(module, str) else module
    found = doctest.testmod(module, extraglobs={"noughts": noughts})
    assert found.attempted > 0 and found.failed == 0


# ---- results ----


def test_match_result_is_consistent():
    result = arena.match("perfect", "random", games=20, nodes=10, seed=3)
    assert result.bots == ["perfect", "random"] and result.game == "classic" and result.seed == 3
    assert len(result) == len(result.games) == 20 and result.is_complete and result.aside == 0
    assert result.wins + result.draws + result.losses == 20
    assert result.points == result.wins + result.draws / 2
    assert result.penalty == 3 * result.losses + result.draws
    assert sum(result.pentanomial) == 10
    assert result.score == pytest.approx(result.points / 20)
    assert result.between("perfect", "random") == (result.wins, result.draws, result.losses)
    assert result.between("random", "perfect") == (result.losses, result.draws, result.wins)
    figures = arena.estimate(result.pentanomial)
    for name in ("elo", "elo_error", "elo_low", "elo_high", "nelo", "nelo_error", "los", "score"):
        assert getattr(result, name) == pytest.approx(getattr(figures, name), nan_ok=True)
    assert result.llr is None and result.llr_bounds is None and result.decision is None


def test_result_formats_contain_all_games():
    result = arena.match("easy", "random", games=6, nodes=10)
    lines = str(result).splitlines()
    assert lines[0] == "Results of easy vs random (10 nodes, 1t, 64MB, random2):"
    assert lines[3].startswith("Games: 6, Wins: ")
    assert not str(result).endswith("\n")
    rows = list(csv.DictReader(io.StringIO(result.csv())))
    assert [row["reason"] for row in rows] == [game.ending for game in result.games]
    assert result.records() == "\n".join(game.record for game in result.games)
    page = result.html(title="A <title>")
    assert page.startswith("<!doctype html>") and "A &lt;title>" in page.replace("&gt;", ">")
    assert result._repr_html_().count("<tr>") == 3
    assert "easy" in repr(result)


def test_bot_names_are_escaped():
    odd = Seeded()
    odd.name = "<b>\n'x' & \"y\""
    result = arena.match(odd, "random", games=2)
    assert "<b>" not in result._repr_html_()
    assert result.bots[0] == "<b> 'x' & \"y\""
    assert "\n" not in repr(result.games[0])


def test_played_games_are_consistent():
    result = arena.match("medium", Seeded, "ultimate", games=4, nodes=50, seed=5)
    for game in result.games:
        position = game.position
        assert position.moves == game.moves and position.outcome == game.result
        assert game.ending in ("line", "no-move") and not game.is_fault and game.note is None
        winner = {"x": game.x, "o": game.o, "draw": None}[game.result]
        assert game.winner == winner
        assert len(game.times) == len(game.values) == len(game.moves) - game.opening
        assert all(time >= 0 for time in game.times)
        assert noughts.Position("ultimate", moves=game.moves) == position
    # Both games of a pair have the same opening, and each bot plays X once.
    one, two = result.games[:2]
    assert one.moves[: one.opening] == two.moves[: two.opening] and one.opening == 2
    assert (one.x, one.o, one.round) == (two.o, two.x, two.round) == ("medium", "Seeded", 1)


def test_tournaments_have_a_table_and_ratings():
    bots = ["perfect", "easy", Seeded]
    result = arena.tournament(bots, games=8, nodes=20)
    assert len(result) == 4 * 2 * 3
    assert [row["rank"] for row in result.standings] == sorted(row["rank"] for row in result.standings)
    assert {row["name"] for row in result.standings} == {"perfect", "easy", "Seeded"}
    assert all(row["games"] == 16 for row in result.standings)
    assert list(result.ratings)[0] == result.standings[0]["name"] == "perfect"
    assert sum(rating for rating, _ in result.ratings.values()) == pytest.approx(0, abs=1e-6)
    assert "Rank Name" in str(result)
    gauntlet = arena.tournament(bots, games=8, nodes=20, format="gauntlet")
    assert len(gauntlet) == 4 * 2 * 2
    assert all("perfect" in (game.x, game.o) for game in gauntlet.games)
    assert gauntlet.between("easy", "Seeded") == (0, 0, 0)


def test_sprt_stops_when_decided():
    better = arena.sprt("perfect", first, "classic", 0, 200, nodes=10, games=1000)
    assert better.decision == "H1" and better.is_complete and len(better) < 1000
    assert better.llr >= better.llr_bounds[1]
    worse = arena.sprt(first, "perfect", "classic", 0, 200, nodes=10, games=1000)
    assert worse.decision == "H0" and worse.llr <= worse.llr_bounds[0]
    assert "was accepted" in str(worse) and "accepted" in worse._repr_html_()
    assert arena.sprt_llr(better.pentanomial, 0, 200) == pytest.approx(better.llr)
    undecided = arena.sprt("random", "random", "classic", 0, 5, games=2)
    assert undecided.decision is None and undecided.llr is not None


def test_sprt_with_repeating_games_gives_up():
    """Guards against a test that gave up but looked complete."""
    with pytest.warns(UserWarning, match="the test can't be decided") as warned:
        result = arena.sprt("a=random:seed=1", "b=random:seed=2", openings="start", nodes=1)
    assert "1 different pair so far" in str(warned[0].message)
    assert warned[0].filename == __file__, "attributed to the caller"
    assert result.decision is None and not result.is_complete
    assert result.repeated >= 50 and sum(result.pentanomial) == 1


def test_perfect_scores_have_a_finite_elo_bound():
    """Guards against ten wins out of ten with only inf and nan as estimates."""
    result = arena.match("perfect", first, games=10, nodes=10, openings="random:2", seed=4)
    winner = arena.match("random", raises, games=10, nodes=10, seed=4)
    assert winner.wins == 10 and winner.elo == math.inf and math.isnan(winner.elo_error)
    assert 0 < winner.elo_low < winner.elo_high == math.inf
    loser = arena.match(raises, "random", games=10, nodes=10, seed=4)
    assert -math.inf == loser.elo_low < loser.elo_high < 0
    for played in (winner, loser, result):
        for row in played.standings:
            assert row["elo_low"] <= row["elo"] <= row["elo_high"]
        for text in (str(played), played._repr_html_(), str(arena.estimate(played.pentanomial))):
            assert "inf" not in text and "nan" not in text and "∞" not in text, text
    bound = f"at least {winner.elo_low:.1f}"
    assert bound in winner._repr_html_() and bound in str(arena.estimate(winner.pentanomial))


def test_repeated_pairs_count_for_score_but_not_for_estimates():
    """Guards against a score that isn't points divided by games."""
    bots = [lambda position: position.legal_moves[0], lambda position: position.legal_moves[-1]]
    # Two of the four pairs are equal.
    openings = ["a1", "b2", "c3 a1", "a1"]
    result = arena.match(*bots, games=8, openings=openings)
    assert result.repeated == 1 and sum(result.pentanomial) == 3
    assert result.wins + result.draws + result.losses == 8
    assert result.score == pytest.approx(result.points / 8)
    assert result.elo == pytest.approx(arena.estimate(result.pentanomial).elo)
    for row in result.standings:
        assert row["repeated"] == 1 and row["score"] == pytest.approx(row["points"] / 8)


def test_the_same_seed_gives_the_same_games():
    def play(seed, **more):
        return moves(arena.match(Seeded, "mcts:nodes=30", "ultimate", games=6, seed=seed, **more))

    first_run = play(7)
    assert play(7) == first_run
    assert play(7, concurrency=4) == first_run, "one player for each game, whatever the threads"
    assert play(8) != first_run


def test_games_start_from_openings():
    def openings(given, games=2):
        result = arena.match(first, "random", games=games, openings=given)
        return [game.moves[: game.opening] for game in result.games]

    assert openings("start") == [(), ()]
    assert [len(moves) for moves in openings("random:3")] == [3, 3]
    assert len(set(openings("all:1", games=6))) == 3, "centre, edge, corner"
    assert openings(["b2 a1"]) == [("b2", "a1")] * 2
    position = noughts.Position("classic", "x../.o./... x")
    result = arena.match(first, "random", games=2, openings=[position])
    assert all(game.position.first == position for game in result.games)


def test_penalty_scoring():
    result = arena.match("perfect", first, games=2, openings="start", scoring="penalty")
    assert (result.penalty, result.standings[1]["penalty"]) == (0, 6)
    assert result.scoring == "penalty" and "Penalty" in result._repr_html_()
    assert "Penalty (lower is better): 0 - 6" in str(result)


def test_adjudication_and_move_limit():
    assert {
        game.ending for game in arena.match(first, first, games=2, move_limit=1).games
    } == {"move-limit"}
    adjudicated = arena.match(first, first, games=2, adjudicate=True).games
    assert {game.ending for game in adjudicated} == {"table"}


# ---- bots ----


class Limited:
    def __init__(self):
        self.seen = []

    def choose(self, position, limits):
        self.seen.append(limits)
        return position.legal_actions[0]


class Keywords:
    name = "by keywords"

    def choose(self, position, *, time=None, nodes=None, depth=None):
        assert (time, nodes, depth) == (None, 7, None)
        return position.legal_moves[0]


class Optional_:
    def choose(self, position, temperature=1.0):
        assert temperature == 1.0
        return position.legal_moves[0]


class Callable_:
    def __call__(self, position, limits):
        assert limits.nodes == 7
        return position.legal_moves[0]


PLAYERS = [
    (first, "first"),
    (lambda position: position.legal_moves[-1], "<lambda>"),
    (Seeded, "Seeded"),
    (Limited(), "Limited"),
    (Limited, "Limited"),
    (Keywords(), "by keywords"),
    (Keywords, "by keywords"),
    (Optional_(), "Optional_"),
    (Callable_(), "Callable_"),
    (Callable_, "Callable_"),
    (lambda position, limits: position.legal_moves[limits.nodes - 7], "<lambda>"),
    (lambda *args: args[0].legal_moves[0], "<lambda>"),
    (lambda position, *, limits: position.legal_moves[limits.nodes - 7], "<lambda>"),
]


@pytest.mark.parametrize("bot, name", PLAYERS)
def test_supported_kinds_of_python_bots(bot, name):
    result = arena.match(bot, "random", games=4, nodes=7)
    assert result.bots == [name, "random"]
    assert not any(game.is_fault for game in result.games), result.tracebacks
    assert result.tracebacks == {}


@pytest.mark.parametrize("bot", [None, 3, object(), object, b"random", ["random"]])
def test_object_without_choose_raises(bot):
    with pytest.raises(TypeError, match="choose"):
        arena.match(bot, "random")


def test_duplicate_names_are_numbered():
    result = arena.tournament(["random", "random", first, first, "a=random"], games=2)
    assert result.bots == ["random", "random 2", "first", "first 2", "a"]


def test_limits_follow_time_control():
    def seen(**time_control):
        bot = Limited()
        arena.match(bot, "random", games=2, **time_control)
        return bot.seen[0]

    assert 0.25 < seen(time=0.3).time <= 0.3
    limits = seen(tc=(30, 0.5))
    assert 0 < limits.time < 15 and set(limits.clocks) == {"x", "o"}
    assert limits.clocks["x"] == (30, 0.5, None) and not limits.stopped
    assert seen(tc="30s+500ms").clocks == limits.clocks
    limits = seen(nodes=12)
    assert (limits.time, limits.nodes, limits.depth, limits.clocks) == (None, 12, None, None)
    assert seen(depth=3).depth == 3
    assert seen(time="200ms").elapsed >= 0


def test_class_is_instantiated_per_game():
    made = []

    class Counted(Limited):
        def __init__(self):
            super().__init__()
            made.append(self)

    arena.match(Counted, "random", games=6, time=1)
    assert len(made) == 6
    arena.match(Counted(), "random", games=6, time=1)
    assert len(made) == 7


def test_python_bots_play_one_game_at_a_time_by_default():
    active, maximum = [0], [0]
    lock = threading.Lock()
    both = threading.Barrier(2)

    def alone(position):
        with lock:
            active[0] += 1
            maximum[0] = max(maximum[0], active[0])
        with lock:
            active[0] -= 1
        return position.legal_moves[0]

    arena.match(alone, "random", games=8)
    assert maximum == [1]

    def together(position):
        if position.ply == 2:
            both.wait(timeout=60)
        return position.legal_moves[0]

    # Passes the barrier only if two games are played at once: in one game of each pair the bot is
    # to move after the opening.
    result = arena.match(together, together, games=4, concurrency=2, time=60, openings="random:2")
    assert not any(game.is_fault for game in result.games)


# ---- faults ----


def raises(position):
    raise KeyError("where is it?")


class FailsToStart:
    def __init__(self):
        raise OSError("no model here")

    def choose(self, position):
        return None


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


def unprintable(position):
    raise Unprintable


def exits(position):
    sys.exit(3)


FAULTS = [
    (raises, "crash", "KeyError: 'where is it?' (test_arena.py, line"),
    (FailsToStart, "start", "OSError: no model here (test_arena.py, line"),
    (unprintable, "crash", "Unprintable, then RuntimeError while formatting it"),
    (exits, "crash", "SystemExit: 3"),
    (lambda position: "z9", "illegal-move", "z9"),
    (lambda position: 99, "illegal-move", "99"),
    (lambda position: -1, "illegal-move", "-1"),
    (lambda position: position.moves[0], "illegal-move", "taken"),
    (lambda position: None, "protocol", "it didn't return a move: a move must be a name"),
    (lambda position: ["a1"], "protocol", "an object of type list"),
    (lambda position: True, "protocol", "bool"),
    (lambda position: 1.5, "protocol", "float"),
    (lambda position: "\ud800", "protocol", "surrogates"),
    (lambda: "a1", "crash", "TypeError"),
]


@pytest.mark.parametrize("bot, reason, words", FAULTS)
def test_faulty_bot_only_loses_its_game(bot, reason, words):
    result = arena.match("random", bot, games=4, openings="random:2")
    assert result.losses == 0 and len(result) == 4
    for game in result.games:
        if game.winner == "random" and game.is_fault:
            assert game.ending == reason and words in game.note, game.note
    assert any(game.is_fault for game in result.games)


def test_tracebacks_are_recorded():
    result = arena.match(raises, "random", games=40)
    texts = result.tracebacks["raises"]
    assert len(texts) == 10, "not more than anybody reads"
    assert 'raise KeyError("where is it?")' in texts[0] and "_try" not in texts[0]
    assert "Crashed: 40" in str(result)


def test_late_bot_loses_on_time():
    def slow(position, limits):
        while limits.elapsed < 0.3:
            pass
        return position.legal_moves[0]

    result = arena.match("random", slow, games=2, time=0.05, margin=0.05)
    assert {game.ending for game in result.games} == {"time"}
    assert "Timeouts: 2" in str(result)


def test_endless_bot_is_interrupted():
    def stuck(position):
        while True:
            pass

    result = arena.match("random", stuck, games=2, time=0.02, margin=0)
    assert [game.ending for game in result.games] == ["time", "time"]
    assert all("the limit is" in game.note for game in result.games)
    assert result.tracebacks == {}


def test_uninterruptible_bot_is_abandoned():
    never = threading.Event()

    def waits(position):
        never.wait()
        return position.legal_moves[0]

    result = arena.match("random", waits, games=4, time=0.02, margin=0)
    never.set()
    assert [game.ending for game in result.games] == ["time"] * 4


def test_no_thread_leaks():
    before = set(threading.enumerate())
    arena.match(first, Seeded, games=8, concurrency=3, time=5)
    assert set(threading.enumerate()) <= before


def test_on_game_receives_each_game_and_can_stop():
    received = []
    main_thread = threading.get_ident()

    def on_game(game):
        assert threading.get_ident() == main_thread
        received.append(game)

    result = arena.match("random", "easy", games=10, on_game=on_game)
    assert sorted(g.record for g in received) == sorted(g.record for g in result.games)
    stopped = arena.match("random", first, games=10_000, on_game=lambda game: False)
    assert not stopped.is_complete and 1 <= len(stopped) < 10_000


def test_exception_in_on_game_propagates():
    class Enough(Exception):
        pass

    def on_game(game):
        raise Enough

    with pytest.raises(Enough):
        arena.match("random", first, games=100_000, on_game=on_game)


BAD_ARGUMENTS = [
    (dict(games=3), noughts.PlanError, "even number"),
    (dict(games=0), noughts.PlanError, "games must be .*, not 0"),
    (dict(games=2.0), TypeError, "games must be a whole number .*, not an object of type float"),
    (dict(games="2"), TypeError, "games"),
    (dict(game="chess"), noughts.VariantError, "chess"),
    (dict(game=3), TypeError, "game must be"),
    (dict(time=1, nodes=5), noughts.PlanError, "only one of"),
    (dict(time=-1), noughts.PlanError, "time must be .*, not -1"),
    (dict(time=math.nan), noughts.PlanError, "time must be .*, not nan"),
    (dict(time=0), noughts.PlanError, "isn't a time control"),
    (dict(time="soon"), noughts.PlanError, "'soon'|soon"),
    (dict(time=[1]), TypeError, "time must be a number"),
    (dict(tc=5), TypeError, "tc must be"),
    (dict(nodes=0), noughts.PlanError, "nodes must be .*, not 0"),
    (dict(depth=2**40), noughts.PlanError, "depth"),
    (dict(openings="sicilian"), noughts.PlanError, "random:PLIES"),
    (dict(openings="random:x"), noughts.PlanError, "random:PLIES"),
    (dict(openings="random:99999"), noughts.PlanError, "99999"),
    (dict(openings=["z9"]), noughts.PlanError, "z9"),
    (dict(openings=[]), noughts.PlanError, "opening"),
    (dict(openings=[3]), TypeError, "an opening must be"),
    (dict(openings=3), TypeError, "openings must be"),
    (dict(seed=-1), noughts.PlanError, "seed must be .*, not -1"),
    (dict(seed=2**64), noughts.PlanError, "seed"),
    (dict(seed=None), TypeError, "seed"),
    (dict(concurrency=0), noughts.PlanError, "concurrency"),
    (dict(move_limit=0), noughts.PlanError, "move_limit"),
    (dict(margin=-1), noughts.PlanError, "margin"),
    (dict(margin="x"), noughts.PlanError, "margin"),
    (dict(patience=0), noughts.PlanError, "patience"),
    (dict(scoring="golf"), noughts.PlanError, "penalty"),
    (dict(agree_win=0), noughts.PlanError, "agree_win"),
    (dict(on_game=3), TypeError, "on_game"),
    (dict(b="stockfish"), noughts.BotError, "unknown bot"),
    (dict(b="ugi:"), noughts.BotError, "needs a command"),
    (dict(b="mcts:speed=3"), noughts.BotError, "speed"),
    (dict(b="negamax", game="ultimate"), noughts.PlanError, "doesn't play"),
]


@pytest.mark.parametrize("given, error, words", BAD_ARGUMENTS)
def test_bad_match_arguments_raise(given, error, words):
    given = {"a": first, "b": "random", **given}
    with pytest.raises(error, match=words):
        arena.match(**given)


@pytest.mark.parametrize(
    "play",
    [
        lambda: arena.match("random", "easy", rounds=5),
        lambda: arena.tournament(["random", "easy"], rounds=5),
        lambda: arena.sprt("random", "easy", rounds=5),
    ],
)
def test_rounds_argument_is_rejected(play):
    """Guards against two arguments for the length of a match."""
    with pytest.raises(TypeError, match="has no rounds argument; pass games="):
        play()


@pytest.mark.parametrize("function", [arena.match, arena.tournament, arena.sprt])
def test_shared_options_are_in_signature(function):
    shown = inspect.signature(function).parameters
    assert set(arena.PlanOptions.__annotations__) < set(shown)
    assert (shown["margin"].default, shown["time"].default, shown["scoring"].default) == (0.05, None, "points")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tmie'"):
        function("random", "easy", tmie=1)


def test_bad_tournament_and_sprt_arguments_raise():
    with pytest.raises(noughts.PlanError, match="even number"):
        arena.tournament(["random", "easy"], games=3)
    with pytest.raises(TypeError, match="list"):
        arena.tournament("random")
    with pytest.raises(noughts.PlanError, match="round-robin"):
        arena.tournament(["random", "easy"], format="swiss")
    with pytest.raises(noughts.PlanError, match="only one bot"):
        arena.tournament(["random"])
    with pytest.raises(noughts.PlanError, match="elo0 must be less"):
        arena.sprt("random", "easy", elo0=3, elo1=2)
    with pytest.raises(noughts.PlanError, match="alpha"):
        arena.sprt("random", "easy", alpha=0)
    with pytest.raises(TypeError, match="elo0 must be a number"):
        arena.sprt("random", "easy", elo0="0")


# ---- external programs, and stopping ----

SLEEPER = """
import sys, threading
for line in sys.stdin:
    if line.strip() == "ugi":
        print("id name sleeper\\nugiok", flush=True)
    elif line.strip() == "isready":
        print("readyok", flush=True)
    elif line.startswith("go"):
        threading.Event().wait()
    elif line.strip() == "quit":
        break
"""


def command(path):
    return "ugi:" + shlex.join([sys.executable, str(path)])


def test_external_program_plays_and_exits(tmp_path):
    path = Path(__file__).parents[3] / "examples" / "python" / "bot.py"
    result = arena.match("mine=" + command(path), "random", "ultimate", games=2, time=5)
    assert result.bots[0] == "mine" and not any(game.is_fault for game in result.games)
    assert running_programs() == []


def test_missing_program_raises_before_first_game():
    """Guards against a missing program that just loses all its games."""
    for missing in ("ugi:/nowhere/at/all", "codingame:./not-here", "x=ugi:no-such-program-anywhere"):
        with pytest.raises(noughts.BotError, match="nowhere|not-here|no-such-program"):
            arena.match(missing, "random", "ultimate", games=2, on_game=lambda game: pytest.fail("played"))
    with pytest.raises(noughts.BotError, match="/nowhere"):
        arena.tournament(["random", "easy", "ugi:/nowhere/at/all"])


def test_program_that_fails_to_start_loses(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/nowhere/at/all\n")
    broken.chmod(0o755)
    result = arena.match(f"ugi:{broken}", "random", games=2)
    assert {game.ending for game in result.games} == {"start"}


INTERRUPTED = """
import signal
import noughts

# A background process may have been started with SIGINT ignored (nohup, cron).
signal.signal(signal.SIGINT, signal.default_int_handler)

def stuck(position):
    print("begun", flush=True)
    while True:
        pass

def deaf(position):
    print("begun", flush=True)
    while True:
        try:
            list(range(1000))
        except BaseException:
            pass

def polite(position, limits):
    print("begun", flush=True)
    while not limits.stopped:
        pass
    return position.legal_moves[0]

def moves(position):
    print("begun", flush=True)
    return position.legal_moves[0]

try:
    noughts.arena.match({a}, {b}, "ultimate", games=1000, time=3600)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    "a, b",
    [
        ("stuck", "random"),
        # Python must be able to exit while the bot keeps running.
        ("deaf", "random"),
        ("polite", "random"),
        ("stuck", "SLEEPER"),
        ("moves", "SLEEPER"),
        ("moves", "mcts"),
    ],
)
def test_ctrl_c_stops_bots_and_programs(tmp_path, a, b):
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text(SLEEPER)
    script = INTERRUPTED.format(a=a, b=repr(b.replace("SLEEPER", command(sleeper))))
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "begun\n", child.stderr.read()
        child.send_signal(signal.SIGINT)
        rest, errors = child.communicate(timeout=60)
    finally:
        child.kill()
        child.wait()
    assert rest.splitlines()[-1] == "interrupted", errors
    assert child.returncode == 0 and errors == ""
    assert running_programs() == []


def is_running(pid):
    """Is the process running, and not a zombie? (Linux)"""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_programs_exit_when_arena_is_killed(tmp_path):
    sleeper, pid_file = tmp_path / "sleeper.py", tmp_path / "pid"
    first = f"import os, pathlib; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid()))\n"
    sleeper.write_text(SLEEPER.replace("import sys, threading\n", "import sys, threading\n" + first))
    script = f"import noughts.arena as a; print(1, flush=True); a.match({command(sleeper)!r}, 'random', time=3600)"
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    try:
        while not (pid_file.exists() and pid_file.read_text()):
            assert time.monotonic() < deadline and child.poll() is None
        pid = pid_file.read_text()
    finally:
        child.kill()
        child.wait()
    while is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} outlived its arena"


def test_concurrent_tournaments_are_independent():
    results = []

    def play(seed):
        results.append(moves(arena.match(Seeded, "random", games=20, seed=seed)))

    threads = [threading.Thread(target=play, args=(seed,)) for seed in (1, 1, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[1] == results[2] and len(results[0]) == 20


# ---- pickling ----


def test_results_and_games_can_be_pickled():
    """Guards against results that can't be sent to another process."""

    def raises(position):
        raise KeyError("no")

    plain = arena.match("alpha-beta:depth=2", "easy", "ultimate", games=4, seed=2)
    broken = arena.tournament(["random", raises, "easy"], "tic-tac-two", games=2, move_limit=60)
    test = arena.sprt("perfect", "random", "classic", 0, 200, nodes=10, games=1000)
    stopped = arena.match("random", "easy", games=10_000, on_game=lambda game: False)
    assert not stopped.is_complete and broken.tracebacks and test.decision
    for result in (plain, broken, test, stopped):
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert type(again) is arena.Result
            # As text, because NaN isn't equal to itself.
            assert str(again) == str(result) and str(again.standings) == str(result.standings)
            assert again.records() == result.records() and again.csv() == result.csv()
            assert again.games == result.games and again.tracebacks == result.tracebacks
            for name in ("is_complete", "seconds", "llr", "decision", "bots", "seed", "game"):
                assert getattr(again, name) == getattr(result, name), name
        game = result.games[-1]
        again = pickle.loads(pickle.dumps(game))
        assert type(again) is arena.PlayedGame and again == game and hash(again) == hash(game)
        for name in ("x", "o", "round", "result", "ending", "note", "moves", "times", "values", "record"):
            assert getattr(again, name) == getattr(game, name), name
        assert game != result.games[0]


def test_malformed_pickle_raises():
    result = arena.match("random", "easy", games=2)
    again, (plan, games) = result._tournament.__reduce__()
    move = result.games[0].moves[0]
    for parts in ((plan[:-5], games), (plan, games.replace(f'"{move} ', '"z9 '))):
        with pytest.raises(noughts.NoughtsError, match="this isn't a pickled result of the arena"):
            again(*parts)


# ---- policies ----


def last_legal(observation, mask):
    return np.flatnonzero(mask)[-1]


@pytest.mark.parametrize("name", ["classic", "ultimate", "tic-tac-two", "ception:5c"])
def test_policy_observation_matches_environment(name):
    """Guards against trained policies that need private functions to play."""
    gymnasium = pytest.importorskip("noughts.gymnasium")
    seen = []

    def act(observation, mask):
        seen.append((observation, mask))
        return mask.argmax()

    bot = arena.Policy(act)
    assert bot.name == "act" and repr(bot) == "noughts.arena.Policy('act')"
    result = arena.match(bot, "random", name, games=2, openings="start", seed=3, move_limit=40)
    assert not any(game.is_fault for game in result.games)
    shown = []
    for game in result.games:
        position, side = noughts.Game(name).start(), "x" if game.x == "act" else "o"
        for move in game.moves:
            if position.side == side:
                env = gymnasium.Env(name, opponent=first)
                observation, info = env.reset(options={"position": position, "side": side})
                shown.append((observation, info["action_mask"]))
            position = position.play(move)
    assert len(seen) == len(shown)
    for (observation, mask), (expected, legal) in zip(seen, shown):
        np.testing.assert_array_equal(observation, expected)
        np.testing.assert_array_equal(mask, legal)


def test_policy_batches_and_pickling():
    def batched(observation, mask):
        assert observation.shape == (1, 9, 9, 6) and mask.shape == (1, 81)
        return mask.argmax(axis=1)

    bot = arena.Policy(batched, "net", batch=True)
    assert bot.choose(noughts.Game("ultimate").start()) == 0
    again = pickle.loads(pickle.dumps(arena.Policy(last_legal)))
    assert again.choose(noughts.Game("classic").start()) == 8
    with pytest.raises(TypeError, match="act must be a function of an observation and a mask"):
        arena.Policy(3)
    for wrong in (None, "a1", 1.5, [1, 2]):
        with pytest.raises(TypeError, match="a policy must return an action number"):
            arena.Policy(lambda observation, mask: wrong).choose(noughts.Game("classic").start())


# ---- checking a bot ----


def test_check_reports_failing_steps(tmp_path):
    assert all(step.ok for step in arena.check("random", "classic"))
    steps = arena.check("negamax", "ultimate")
    assert not steps[-1].ok and "doesn't play" in steps[-1].observed and steps[-1].advice
    mute = tmp_path / "mute.py"
    mute.write_text("import sys\nsys.exit(3)\n")
    steps = arena.check(command(mute), patience=10)
    assert [step.status for step in steps] == ["ok", "fail"]
    with pytest.raises(TypeError):
        arena.check(first)
    with pytest.raises(noughts.BotError):
        arena.check("nobody")
    assert running_programs() == []


# ---- statistics ----


def test_published_sprt_values():
    pairs = [379, 10170, 21828, 10640, 343]
    figures = arena.estimate(pairs)
    assert f"{figures.nelo:.2f} {figures.nelo_error:.2f}" == "3.05 2.31"
    assert arena.sprt_llr(pairs, 0, 2) == pytest.approx(2.946, abs=1e-3)
    assert arena.sprt_bounds(0.05, 0.05) == pytest.approx((-math.log(19), math.log(19)))


def slow_elo(wins, draws, losses):
    """Elo and its error from the definition, over a list of all results."""
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    mean = sum(scores) / len(scores)
    error = math.sqrt(sum((s - mean) ** 2 for s in scores)) / len(scores)
    elo = lambda score: -400 * math.log10(1 / score - 1)
    return elo(mean), (elo(mean + 1.959964 * error) - elo(mean - 1.959964 * error)) / 2


@pytest.mark.parametrize("counts", [(30, 40, 30), (60, 20, 20), (5, 100, 9), (400, 1, 300)])
def test_elo_of_matches_definition(counts):
    figures = arena.elo_of(*counts)
    elo, error = slow_elo(*counts)
    assert figures.elo == pytest.approx(elo, abs=1e-9)
    assert figures.elo_error == pytest.approx(error, rel=1e-6)
    mirrored = arena.elo_of(*reversed(counts))
    assert mirrored.elo == pytest.approx(-figures.elo, abs=1e-9)
    assert mirrored.los == pytest.approx(1 - figures.los)


def test_estimates_without_results_are_nan():
    assert math.isnan(arena.elo_of(0, 0, 0).elo)
    assert arena.elo_of(1, 0, 0).elo == math.inf
    assert math.isnan(arena.estimate([0] * 5).nelo)
    assert arena.sprt_llr([0] * 5, 0, 5) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: arena.elo_of(-1, 0, 0),
        lambda: arena.elo_of(10**30, 0, 0),
        lambda: arena.estimate([1, 2, 3, 4]),
        lambda: arena.estimate([1, 2, 3, 4, -5]),
        lambda: arena.sprt_llr([1] * 5, 5, 0),
        lambda: arena.sprt_llr([1] * 5, 0, math.nan),
        lambda: arena.sprt_bounds(0.7, 0.7),
        lambda: arena.ratings({("a", "a"): [1] * 5}),
        lambda: arena.ratings({"ab": [1] * 5}),
        lambda: arena.glicko([("a", "b", 0.7)]),
        lambda: arena.glicko([("a", "b")]),
    ],
)
def test_impossible_results_raise(call):
    with pytest.raises(noughts.PlanError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: arena.elo_of("1", 0, 0),
        lambda: arena.elo_of(True, 0, 0),
        lambda: arena.estimate(5),
        lambda: arena.estimate([1.5] * 5),
        lambda: arena.expected_score("x"),
        lambda: arena.ratings([1]),
        lambda: arena.glicko([(1, 2, 1)]),
        lambda: arena.glicko(3),
    ],
)
def test_wrong_types_raise(call):
    with pytest.raises(TypeError):
        call()


def test_ratings_agree_with_tournament():
    result = arena.tournament(["easy", "random", "hard"], games=12, nodes=10)
    pairings = {}
    for number, one in enumerate(result.bots):
        for other in result.bots[number + 1 :]:
            pairs = [0] * 5
            games = [game for game in result.games if {game.x, game.o} == {one, other}]
            for a, b in zip(games[::2], games[1::2]):
                points = sum(2 if g.winner == one else g.winner is None for g in (a, b))
                pairs[points] += 1
            pairings[one, other] = pairs
    rated = arena.ratings(pairings)
    assert list(rated) == list(result.ratings)
    for name, (elo, error) in rated.items():
        assert result.ratings[name] == pytest.approx((elo, error))


def test_exception_with_lone_surrogate_only_loses_game() -> None:
    """Guards against a message that can't be encoded and ends the whole match."""

    def odd(position: noughts.Position) -> str:
        raise ValueError("caf\udce9")

    result = noughts.arena.match("random", odd, games=2)
    assert [game.ending for game in result.games] == ["crash", "crash"]
    assert all("caf\\udce9" in (game.note or "") for game in result.games)
