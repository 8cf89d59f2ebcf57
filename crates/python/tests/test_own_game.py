"""Games written in Python: they play like all others, and their mistakes reach the caller."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import subprocess
import sys
import threading
import traceback
import weakref
from typing import Any, Callable, Dict, List

import numpy as np
import pytest
from own_games import CELLS, Heaps, OwnClassic, OwnNim, Walk, broken
from variants import random_game

import noughts

CLASSIC = noughts.Game("classic")


@pytest.fixture(autouse=True)
def own_classic() -> None:
    """Makes sure that a test which broke the game by redefining it doesn't disturb the next."""
    assert noughts.Game("own-classic") == OwnClassic()


# ---- the same game twice ----


def test_perft_is_that_of_classic() -> None:
    ours, theirs = OwnClassic().start(), CLASSIC.start()
    assert [ours.perft(depth) for depth in range(6)] == [theirs.perft(depth) for depth in range(6)]
    assert ours.divide(3) == theirs.divide(3)


@pytest.mark.parametrize("seed", range(20))
def test_random_games_are_those_of_classic(seed: int) -> None:
    position = OwnClassic().start()
    for expected in random_game("classic", seed):
        if expected.last_move is not None:
            position = position.play(expected.last_move)
        assert position.text == expected.text
        assert (position.side, position.outcome, position.is_over) == (expected.side, expected.outcome, expected.is_over)
        assert position.ending == expected.ending
        assert position.legal_moves == expected.legal_moves
        assert position.legal_actions == expected.legal_actions
        assert position.moves == expected.moves and position.ply == expected.ply
        assert position.choices() == expected.choices()
        assert position.cells.tolist() == expected.cells.tolist()
        np.testing.assert_array_equal(position.action_mask(), expected.action_mask())
        np.testing.assert_array_equal(position.observation()[:2], expected.observation())
        assert str(position).replace("(", " ").replace(")", " ").replace("[", " ").replace("]", " ") == str(
            expected
        ).replace("(", " ").replace(")", " ").replace("[", " ").replace("]", " ")
        assert noughts.Position(OwnClassic, position.text) == position
        if expected.moves:
            assert position.undo().text == expected.undo().text


@pytest.mark.parametrize("text", ["x../.../... o", "xo./.x./... o", "xox/.o./... x", "xx./oo./... x", "xox/oxo/... x"])
def test_values_are_those_of_classic(text: str) -> None:
    ours = noughts.solve(noughts.Position(OwnClassic, text))
    theirs = noughts.solve(noughts.Position("classic", text))
    assert (ours.value, ours.plies) == (theirs.value, theirs.plies)
    values = [{ranked.move: (ranked.value, ranked.plies) for ranked in found.moves} for found in (ours, theirs)]
    assert values[0] == values[1]


def test_the_start_is_solved() -> None:
    solution = noughts.solve(OwnClassic().start(), time=60)
    assert solution.value == "draw"
    assert all(ranked.value == "draw" for ranked in solution.moves)


@pytest.mark.parametrize("kind", noughts.bots("classic"))
def test_every_bot_of_classic_plays_it(kind: str) -> None:
    bot = noughts.Bot(kind, OwnClassic, seed=1)
    position = noughts.Position(OwnClassic, "xx./oo./... x")
    assert bot.choose(position, nodes=2000) in position.legal_moves
    if kind not in ("random", "easy"):
        assert bot.choose(position, nodes=2000) == "c1", f"{kind} takes the win"
    assert bot.game == OwnClassic() and bot.about


def test_bots_are_reproducible_with_nodes() -> None:
    for kind in ("mcts", "alpha-beta", "monte-carlo"):
        reports = [noughts.Bot(kind, OwnClassic, seed=4).think(OwnClassic().start(), nodes=300) for _ in range(2)]
        assert reports[0].move == reports[1].move and reports[0].nodes == reports[1].nodes


def test_analysis_proves_it() -> None:
    found = []
    for game in (OwnClassic, "classic"):
        for report in noughts.analyze(noughts.Position(game, "xo./.x./... o")):
            pass
        found.append((report.value, report.plies, sorted((ranked.move, ranked.value) for ranked in report.moves)))
    assert found[0] == found[1] and found[0][0] == "loss"


def test_playouts_are_those_of_classic() -> None:
    ours = OwnClassic().start().playouts(200, seed=1)
    theirs = CLASSIC.start().playouts(200, seed=1)
    assert ours == theirs
    assert OwnClassic().start().playouts(200, seed=1, threads=3) == theirs


def test_symmetry_is_the_identity_only() -> None:
    position = OwnClassic().start().play("c3")
    assert OwnClassic().symmetries == ["identity"]
    assert position.canonical() == (position, "identity") and position.images() == [position]


# ---- what a class says ----


def test_names_titles_and_rules() -> None:
    assert OwnClassic().name == "own-classic" and str(OwnClassic()) == "own-classic"
    assert "own-classic" in noughts.variants()
    assert noughts.Game("own-classic") == OwnClassic() == noughts.Game(OwnClassic)
    assert hash(noughts.Game("own-classic")) == hash(OwnClassic())
    assert isinstance(OwnClassic().start().game, OwnClassic)
    assert OwnNim().name == "own-nim" and OwnNim().max_plies == 1000
    assert Walk().max_plies is None and OwnClassic().max_plies == 9
    assert OwnNim().options == {} and OwnNim().levels == ((2, 1),)


def test_start_is_the_rule_in_the_class_and_a_position_on_a_game() -> None:
    class Twice(OwnNim):
        def start(self) -> Heaps:  # type: ignore[override]
            return Heaps(super().start().sizes * 2)  # type: ignore[attr-defined]

    assert Twice().start().data == Heaps((1, 2, 1, 2))
    assert OwnNim().start().data == Heaps((1, 2))
    assert CLASSIC.start().data is None


def test_numbers_are_drawn_and_observed() -> None:
    position = OwnNim().start()
    assert "│ 1 │ 2 │" in str(position)
    assert position.cells.tolist() == [[1, 2]]
    planes = position.observation()
    assert planes.shape == (13, 1, 2)
    # X, the numbers 0 to 9, O, and whether X is to move.
    assert planes[:, 0, :].sum(axis=1).tolist() == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert noughts.observe(position, "o")[..., -1].tolist() == [[0, 0]]


def test_no_move_is_a_draw() -> None:
    position = OwnNim().position(moves="0:1 1:2")
    assert (position.outcome, position.ending, position.legal_moves) == ("draw", "no-move", [])
    assert noughts.solve(OwnNim().start()).value == "draw"


def test_sides_alternate_and_are_part_of_the_text() -> None:
    position = OwnNim().start()
    assert position.text == "Heaps(sizes=(1, 2)) x"
    after = position.play("1:1")
    assert (after.side, after.text) == ("o", "Heaps(sizes=(1, 1)) o")
    assert noughts.Position(OwnNim, after.text).data == Heaps((1, 1))
    assert noughts.Position(OwnNim, "Heaps(sizes=(1, 1)) x") != after
    for text, reason in [
        ("Heaps(sizes=(1, 1))", "must end with the side"),
        ("Heaps(sizes=(1,1)) o", "which would be Heaps"),
        ("Other(sizes=(1, 1)) o", "isn't a position|malformed"),
        ("__import__('os').getcwd() o", "malformed"),
        (" o", "must end with the side"),
    ]:
        with pytest.raises(noughts.PositionError, match=reason):
            noughts.Position(OwnNim, text)


def test_repetition_draws() -> None:
    position = Walk().start()
    for move in ["left", "right"] * 2:
        assert not position.is_over
        position = position.play(move)
    assert (position.outcome, position.ending, position.occurrences) == ("draw", "repetition", 3)
    assert Walk().start().playouts(50, seed=1).draws > 0
    assert noughts.Bot("mcts", Walk).choose(Walk().start(), nodes=200) in ("left", "right")


def test_without_a_list_of_moves_there_are_no_action_numbers() -> None:
    position = OwnNim().start()
    calls: List[Callable[[], Any]] = [
        lambda: OwnNim().actions,
        lambda: OwnNim().action("0:1"),
        lambda: OwnNim().move(0),
        lambda: position.play(0),
        lambda: position.action_mask(),
        lambda: position.legal_actions,
        lambda: noughts.Vector(OwnNim, 2),
    ]
    for call in calls:
        with pytest.raises(noughts.NoughtsError, match="own-nim doesn't list its moves.*all_moves"):
            call()
    with pytest.raises(noughts.NoughtsError, match="walk has no board.*cells"):
        Walk().start().observation()
    assert "0" in str(Walk().start()), "the position is drawn as its text"


def test_unknown_moves_are_illegal() -> None:
    for move in ("d4", "a1-a2", "nonsense"):
        with pytest.raises(noughts.IllegalMove, match="isn't a move of this game; moves look like a1 and c3"):
            OwnClassic().start().play(move)
    with pytest.raises(noughts.IllegalMove, match="b2 is taken"):
        OwnClassic().start().play("b2").play("b2")
    with pytest.raises(noughts.IllegalMove, match="9:9 isn't allowed now"):
        OwnNim().start().play("9:9")
    assert not OwnNim().start().is_legal("")


# ---- arena, records, vector, adapters ----


def test_matches_between_bots_and_python_bots() -> None:
    def first(position: noughts.Position) -> str:
        assert isinstance(position.data, str)
        return position.legal_moves[0]

    result = noughts.arena.tournament(["alpha-beta", "random", first], OwnClassic, games=4, nodes=300, seed=1)
    assert len(result) == 12 and not result.tracebacks
    assert result.game == "own-classic"
    assert "own-classic" in result.games[0].record and result.html()
    again = pickle.loads(pickle.dumps(result))
    assert [game.moves for game in again.games] == [game.moves for game in result.games]
    strong = noughts.arena.match("mcts", "random", "own-classic", games=10, nodes=200, seed=1, concurrency=2)
    assert strong.losses == 0


def test_records_round_trip() -> None:
    for game, moves in [(OwnClassic, "b2 a1 c1 a3"), (OwnNim, "0:1"), (Walk, "left right left")]:
        position = game().position(moves=moves)
        [record] = noughts.read_records(position.record(x="Ada"))
        assert record.position == position and record.position.moves == position.moves


def test_vector_is_that_of_classic() -> None:
    ours, theirs = noughts.Vector(OwnClassic, 10, seed=1, threads=3), noughts.Vector("classic", 10, seed=1)
    for _ in range(30):
        ours.step_random()
        theirs.step_random()
        np.testing.assert_array_equal(ours.actions, theirs.actions)
        np.testing.assert_array_equal(ours.action_masks, theirs.action_masks)
        np.testing.assert_array_equal(ours.observations[:, :2], theirs.observations)
        np.testing.assert_array_equal(ours.rewards, theirs.rewards)
    again = pickle.loads(pickle.dumps(ours))
    assert [position.text for position in again.positions()] == [position.text for position in theirs.positions()]
    against = noughts.Vector(OwnClassic, 3, opponent="medium", seed=2)
    against.step_random(5)


# ---- copies ----


def test_pickles_and_copies() -> None:
    position = OwnClassic().position(moves="b2 a1")
    for again in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), copy.copy(position)):
        assert again == position and again.moves == position.moves and hash(again) == hash(position)
    assert pickle.loads(pickle.dumps(OwnClassic())) == OwnClassic()
    bot = pickle.loads(pickle.dumps(noughts.Bot("mcts", OwnClassic, seed=7)))
    assert bot.game == OwnClassic()
    halfway = noughts.Position(OwnClassic, "xo./.x./... o").play("c3")
    assert pickle.loads(pickle.dumps(halfway)).moves == ("c3",)


def test_positions_are_freed() -> None:
    class Token:
        """An object that can be watched."""

        def __init__(self, count: int) -> None:
            self.count = count

    alive: weakref.WeakSet[Token] = weakref.WeakSet()

    class Counting(noughts.Game):
        """Three moves."""

        def start(self) -> Token:  # type: ignore[override]
            return self.token(0)

        def token(self, count: int) -> Token:
            token = Token(count)
            alive.add(token)
            return token

        def moves(self, position: Token) -> List[str]:
            return ["on"] if position.count < 3 else []

        def apply(self, position: Token, move: str) -> Token:
            return self.token(position.count + 1)

        def outcome(self, position: Token) -> None:
            return None

        def text(self, position: Token) -> str:
            return str(position.count)

    for _ in range(20):
        Counting().position(moves="on on on").playouts(10)
        noughts.Bot("mcts", Counting).choose(Counting().start(), nodes=50)
    gc.collect()
    # What other threads dropped is freed the next time that the package is used.
    Counting().start()
    gc.collect()
    # The class's own start remains.
    assert len(alive) <= 5


def test_a_class_of_the_same_name_replaces_the_older_one() -> None:
    def define(last: str) -> type:
        class Redefined(OwnNim):
            """The same as before, except for the first heap."""

            sizes = (1, 2) if last == "two" else (1, 3)

        return Redefined

    two, three = define("two"), define("three")
    assert noughts.Game("redefined") == three() != two()
    assert [game().start().data.sizes for game in (two, three)] == [(1, 2), (1, 3)]
    assert two().start() != three().start()
    assert noughts.variants().count("redefined") == 1
    old = two().start()
    assert old.play("1:2").legal_moves == ["0:1"], "positions of the older class still work"
    with pytest.raises(noughts.BotError, match="plays redefined"):
        noughts.Bot("mcts", three).choose(old)


def test_threads_share_a_game() -> None:
    expected = OwnClassic().start().perft(4)
    counts: List[int] = []

    def work() -> None:
        counts.append(OwnClassic().start().perft(4))
        bot = noughts.Bot("mcts", OwnClassic, threads=2)
        assert bot.choose(noughts.Position(OwnClassic, "xx./oo./... x"), nodes=100) == "c1"

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [expected] * 4


# ---- mistakes ----


def play_to_the_end(game: type) -> None:
    position = game().start()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
        assert str(position) and position.text


def exhaust(analysis: Any) -> None:
    for _ in analysis:
        pass


#: Everything that asks for rules.
USES: Dict[str, Callable[[Any], Any]] = {
    "play": play_to_the_end,
    "perft": lambda game: game().start().perft(5),
    "divide": lambda game: game().start().divide(5),
    "playouts": lambda game: game().start().playouts(50),
    "playouts on threads": lambda game: game().start().playouts(500, threads=3),
    "mcts": lambda game: noughts.Bot("mcts", game).choose(game().start(), nodes=300),
    "mcts without a limit": lambda game: noughts.Bot("mcts", game).choose(game().start(), time=1e6),
    "mcts on threads": lambda game: noughts.Bot("mcts", game, threads=3).choose(game().start(), nodes=300),
    "alpha-beta": lambda game: noughts.Bot("alpha-beta", game).choose(game().start(), depth=5),
    "monte-carlo": lambda game: noughts.Bot("monte-carlo", game).choose(game().start(), nodes=300),
    "negamax": lambda game: noughts.Bot("negamax", game).choose(game().start(), nodes=5000),
    "solve": lambda game: noughts.solve(game().start()),
    "analyze": lambda game: exhaust(noughts.analyze(game().start())),
    "match": lambda game: noughts.arena.match("random", "random", game, games=4),
    "vector": lambda game: noughts.Vector(game, 4).step_random(9),
    "vector on threads": lambda game: noughts.Vector(game, 400, threads=3).step_random(9),
}

#: What each method can do wrong, and the message.
MISTAKES = [
    ("outcome", "X", r"outcome\(\) must return 'x', 'o', 'draw' or None, not 'X'"),
    ("outcome", 1, r"outcome\(\) must return"),
    ("moves", None, r"moves\(\) must return a list of moves, not None"),
    ("moves", "a1", r"moves\(\) must return a list of moves, not 'a1'"),
    ("moves", ["a1", 5], r"moves\(\) must return strings such as 'b2', not 5"),
    ("moves", ["a1", "a1"], r"moves\(\) returned 'a1' more than once"),
    ("moves", ["a9"], r"""moves\(\) returned "a9", which isn't in all_moves"""),
    ("moves", itertools.repeat("a1"), r"moves\(\) returned more than 10000 moves"),
    ("apply", ["x"], r"apply\(\) returned an object of type list, which can change"),
    ("apply", None, r"apply\(\) returned None instead of a position"),
    ("side", "z", r"side\(\) must return 'x' or 'o', not 'z'"),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("method", ["moves", "apply", "outcome", "side"])
def test_exceptions_reach_the_caller(method: str, use: str) -> None:
    game = broken(method, ZeroDivisionError("a mistake in the rules"))
    with pytest.raises(ZeroDivisionError, match="a mistake in the rules") as caught:
        USES[use](game)
    frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "wrong" in frames, "the traceback leads to the method"
    # Nothing of it remains.
    assert game().start().play("b2").legal_moves
    assert OwnClassic().start().perft(3) == 504


@pytest.mark.parametrize("method, value, message", MISTAKES)
def test_wrong_values_name_the_method(method: str, value: Any, message: str) -> None:
    game = broken(method, value)
    for use in ("play", "mcts", "match"):
        with pytest.raises(noughts.GameError, match=message):
            USES[use](game)


@pytest.mark.parametrize(
    "method, value, message",
    [
        ("cells", None, "must return rows of cells"),
        ("cells", ["..", "..."], "rows of different lengths"),
        ("cells", ["...", "..."], "a board of 3×2, but at the start it is 3×3"),
        ("cells", ["..?", "...", "..."], "the cell '[?]'"),
        ("cells", [], "1 to 26 rows"),
        ("text", 5, r"text\(\) must return a string"),
        ("text", "two\nlines", r"text\(\) must return a string of one line"),
    ],
)
def test_wrong_texts_and_boards_name_the_method(method: str, value: Any, message: str) -> None:
    position = broken(method, value)().position(moves="b2 a1 c1")
    with pytest.raises(noughts.GameError, match=message):
        str(position) if method == "cells" else position.text


def test_exceptions_in_parse_and_init() -> None:
    class BadParse(OwnClassic):
        """Parses nothing."""

        def parse(self, text: str) -> str:
            raise (KeyError if "x" in text else ValueError)("no")

    with pytest.raises(KeyError):
        noughts.Position(BadParse, "x../.../... o")
    with pytest.raises(noughts.PositionError, match="no"):
        noughts.Position(BadParse, "…")

    class BadInit(OwnClassic):
        """Can't be created."""

        def __init__(self) -> None:
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        noughts.Game("bad-init").start()
    with pytest.raises(RuntimeError, match="not today"):
        noughts.Position(BadInit)
    # What other games report doesn't depend on it.
    with pytest.raises(noughts.NoughtsError, match="tic-tac-two can't be written as digits, unlike classic"):
        noughts.Game("tic-tac-two").start().digits


def test_endless_games_are_errors() -> None:
    class Endless(noughts.Game):
        """Counts."""

        def start(self) -> int:  # type: ignore[override]
            return 0

        def moves(self, position: int) -> List[str]:
            return ["on"]

        def apply(self, position: int, move: str) -> int:
            return position + 1

        def outcome(self, position: int) -> None:
            return None

    for use in ("playouts", "match", "mcts"):
        with pytest.raises(noughts.GameError, match="isn't over after 1000 moves"):
            USES[use](Endless)


@pytest.mark.parametrize(
    "namespace, message",
    [
        ({"name": "Upper"}, "lowercase"),
        ({"name": 5}, "lowercase"),
        ({"name": ""}, "lowercase"),
        ({"title": "two\nlines"}, "one line"),
    ],
)
def test_bad_names(namespace: Dict[str, Any], message: str) -> None:
    with pytest.raises(noughts.GameError, match=message):
        type("BadName", (OwnClassic,), namespace)


def test_names_of_built_in_games_are_taken() -> None:
    for name in ("classic", "mnk", "connect-four"):
        with pytest.raises(noughts.VariantError, match="already is a game"):
            type("Taken", (OwnClassic,), {"name": name})
    assert noughts.Game("classic") == CLASSIC


def test_incomplete_classes() -> None:
    class Half(noughts.Game):
        """Has no rules but one."""

        def moves(self, position: Any) -> List[str]:
            return []

    assert "half" not in noughts.variants()
    with pytest.raises(TypeError, match=r"the class Half isn't a game yet; define start\(\), apply\(\) and outcome\(\)"):
        Half()
    with pytest.raises(TypeError, match="takes no arguments"):
        OwnClassic("classic")
    for attribute, value in (("max_plies", 0), ("max_plies", "9"), ("numbers", [300])):
        with pytest.raises(noughts.GameError, match=attribute):
            type("BadAttribute", (OwnClassic,), {attribute: value})().start()


@pytest.mark.parametrize("move", ["", "two words", "1-0", "*", "1.a", "a{b", "x" * 41])
def test_moves_that_records_cannot_have(move: str) -> None:
    game = type("OddMoves", (OwnNim,), {"moves": lambda self, position: [move]})
    with pytest.raises(noughts.GameError, match=r"moves\(\) returned the move"):
        game().start().legal_moves  # type: ignore[attr-defined]


def test_an_exception_in_one_thread_leaves_another_game_alone() -> None:
    failing = broken("apply", ZeroDivisionError())
    found: List[str] = []

    def search() -> None:
        bot = noughts.Bot("mcts", OwnClassic, seed=1)
        found.append(bot.choose(noughts.Position(OwnClassic, "xx./oo./... x"), nodes=1000))

    thread = threading.Thread(target=search)
    thread.start()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            noughts.solve(failing().start())
    thread.join()
    assert found == ["c1"]


def test_a_python_bot_that_meets_an_exception_loses_only_its_game() -> None:
    """A bot tries a move, as searches of one's own do; the rules fail only there."""

    class Trap(OwnClassic):
        """Nobody may look at c3 after b2."""

        def apply(self, position: str, move: str) -> str:
            if move == "c3" and position.count(".") == 9:
                raise LookupError("c3")
            return super().apply(position, move)

        def moves(self, position: str) -> List[str]:
            return [move for move in super().moves(position) if move != "c3" or position.count(".") == 9]

    def looks(position: noughts.Position) -> str:
        position.play("c3")
        return position.legal_moves[0]

    def first(position: noughts.Position) -> str:
        return position.legal_moves[0]

    result = noughts.arena.match(looks, first, Trap, games=2, openings="start")
    assert "LookupError: c3" in result.tracebacks["looks"][0]
    assert result.losses >= 1 and len(result) == 2


def test_system_exit_is_not_lost() -> None:
    game = broken("moves", SystemExit(3))
    for use in ("play", "solve"):
        with pytest.raises(SystemExit):
            USES[use](game)


def test_interpreter_exits_while_a_game_is_analyzed() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import noughts, own_games\n"
        "analysis = noughts.analyze(own_games.OwnNim().start())\n"
        "other = noughts.analyze(own_games.Walk().start())\n"
        "print(next(other).move is not None)"
    )
    from pathlib import Path

    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_all_moves_are_the_actions() -> None:
    assert OwnClassic().actions == 9
    assert [OwnClassic().move(action) for action in range(9)] == CELLS
    assert OwnClassic().start().play(4).last_move == "b2"
