"""Vectors, compared with a slow loop over positions, and all kinds of bad arguments."""

from __future__ import annotations

import _thread
import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import noughts
from interrupted import interrupted

VARIANTS = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:5,4,4,misere",
    "mnk:16,16,4",
    "tic-tac-two",
    "tic-tac-two:board=3,pieces=5",
    "ultimate",
    "ception:end=most",
    "ception:4b",
    "ception:5a",
    "ception:5c",
    "ception:5d",
    "ception:4b,5d,end=most",
    "ception:depth=1",
    "ception:depth=3",
    "ception:5c,depth=3,trail=history",
]

REWARDS = {"x": [1, -1], "o": [-1, 1], "draw": [0, 0], None: [0, 0]}


class SlowVector:
    """A vector as a plain loop over positions."""

    def __init__(self, game: noughts.Game, n: int) -> None:
        self.game = game
        self.positions = [game.start()] * n
        self.outcomes: list = [None] * n

    def step(self, actions) -> None:
        self.positions = [
            position.play(int(action)) for position, action in zip(self.positions, actions)
        ]
        self.outcomes = [position.outcome for position in self.positions]
        self.positions = [
            self.game.start() if position.is_over else position for position in self.positions
        ]

    def check(self, vector: noughts.Vector) -> None:
        for index, (position, outcome) in enumerate(zip(self.positions, self.outcomes)):
            context = f"{self.game} game {index} at {position.text}"
            assert vector.rewards[index].tolist() == REWARDS[outcome], context
            assert vector.ends[index] == (outcome is not None), context
            assert vector.players[index] == "xo".index(position.side), context
            assert (vector.observations[index] == position.observation()).all(), context
            assert (vector.action_masks[index] == position.action_mask()).all(), context


@pytest.mark.parametrize("name", VARIANTS)
def test_vector_matches_loop_over_positions(name: str) -> None:
    game = noughts.Game(name)
    n, steps = (3, 300) if "16,16" in name or "depth=3" in name else (8, 200)
    vector, slow = noughts.Vector(game, n, seed=5), SlowVector(game, n)
    slow.check(vector)
    assert (vector.actions == -1).all(), "no move has been made yet"
    for step in range(steps):
        if step % 3 == 0:
            actions = vector.random_actions()
            vector.step(actions)
            assert (vector.actions == actions).all()
        else:
            vector.step_random()
        slow.step(vector.actions)
        slow.check(vector)
    assert vector.positions() == slow.positions
    assert vector.moves == n * steps


@pytest.mark.parametrize("name", ["classic", "ultimate", "tic-tac-two", "ception:5d,depth=3"])
def test_games_are_independent_of_n(name: str) -> None:
    few, many = noughts.Vector(name, 3, seed=9), noughts.Vector(name, 50, seed=9)
    other = noughts.Vector(name, 50, seed=10)
    differs = False
    for _ in range(100):
        for vector in (few, many, other):
            vector.step_random()
        assert (few.actions == many.actions[:3]).all()
        assert (few.observations == many.observations[:3]).all()
        differs |= bool((many.actions != other.actions).any())
    assert differs, "another seed gives other games"
    assert len(np.unique(many.observations, axis=0)) > 10, "games of one vector differ"


def test_neighboring_generators_are_independent() -> None:
    # The first actions are uniformly distributed, over games and over seeds.
    over_games = noughts.Vector("ultimate", 81 * 200, seed=0)
    over_games.step_random()
    counts = np.bincount(over_games.actions, minlength=81)
    assert counts.min() > 130 and counts.max() < 270, counts
    firsts = []
    for seed in range(9 * 200):
        vector = noughts.Vector("classic", 1, seed=seed)
        vector.step_random()
        firsts.append(vector.actions[0])
    counts = np.bincount(firsts, minlength=9)
    assert counts.min() > 140 and counts.max() < 260, counts


def test_random_play_matches_published_averages() -> None:
    vector = noughts.Vector("ultimate", 1000, seed=3, observe=False, mask=False)
    vector.step_random(4000)
    results = vector.results
    games = sum(results.values())
    assert abs(vector.moves / games - 58.9) < 0.5
    assert abs(results["x"] / games - 0.412) < 0.01
    assert abs(results["o"] / games - 0.366) < 0.01


def test_random_actions_and_step_equal_step_random() -> None:
    one, other = noughts.Vector("ception:5c", 20, seed=4), noughts.Vector("ception:5c", 20, seed=4)
    for _ in range(90):
        one.step(one.random_actions())
        other.step_random()
        assert (one.actions == other.actions).all()
        assert (one.observations == other.observations).all()
    other.step_random(7)
    for _ in range(7):
        one.step_random()
    assert (one.action_masks == other.action_masks).all(), "several steps are steps"
    assert (one.ends == other.ends).all() and (one.rewards == other.rewards).all()
    assert one.moves == other.moves and one.results == other.results


def test_reset() -> None:
    vector = noughts.Vector("ultimate", 10, seed=6)
    initial = vector.observations.copy()

    def five_steps() -> np.ndarray:
        return np.array([(vector.step_random(), vector.actions.copy())[1] for _ in range(5)])

    first = five_steps()
    vector.reset()
    assert (vector.observations == initial).all() and not vector.players.any()
    assert (vector.action_masks == 1).all() and (vector.actions == -1).all()
    assert vector.moves == 0 and set(vector.results.values()) == {0}
    assert (five_steps() != first).any(), "without a seed, the random numbers continue"
    vector.reset(seed=6)
    assert (five_steps() == first).all(), "with one, all is as in a new vector"


def test_tic_tac_two_draw_by_repetition() -> None:
    game = noughts.Game("tic-tac-two")
    # Both sides place two pieces; then the grid of the first game moves back and forth, and that of
    # the second moves in a circle, so that no position repeats there.
    opening = "b2 c2 d3 c4".split()
    first = opening + "@b3 @c3".split() * 4
    second = opening + "@b3 @b2 @c2 @d2 @d3 @d4 @c4 @b4".split()
    vector, slow = noughts.Vector(game, 2), SlowVector(game, 2)
    for step, actions in enumerate(zip(map(game.action, first), map(game.action, second))):
        vector.step(actions)
        slow.step(actions)
        slow.check(vector)
        for index in range(2):
            assert vector[index].moves == slow.positions[index].moves, "they decide the draw"
        assert not vector.ends[1]
        if vector.ends[0]:
            break
    assert step == 7, "the position after c4 is there again after the second and the fourth @c3"


def test_array_types_and_shapes() -> None:
    game = noughts.Game("ception:5c")
    vector = noughts.Vector(game, 7)
    shapes = {
        "observations": (np.uint8, (7, *game.observation_shape)),
        "action_masks": (np.int8, (7, game.actions)),
        "rewards": (np.float32, (7, 2)),
        "ends": (np.bool_, (7,)),
        "players": (np.int8, (7,)),
        "actions": (np.int64, (7,)),
    }
    for name, (dtype, shape) in shapes.items():
        array = getattr(vector, name)
        assert array.dtype == dtype and array.shape == shape, name
    assert vector.game == game and len(vector) == 7
    assert repr(vector) == "<noughts.Vector ception:5c: 7 games>"


def test_arrays_are_updated_in_place_and_optional() -> None:
    vector = noughts.Vector("classic", 5, seed=2)
    planes, ends = vector.observations, vector.ends
    without_arrays = noughts.Vector("classic", 5, seed=2, observe=False, mask=False)
    for _ in range(20):
        vector.step_random()
        without_arrays.step_random()
        assert (planes == vector.observations).all() and (ends == vector.ends).all()
        assert (without_arrays.ends == ends).all() and (without_arrays.actions == vector.actions).all()
    for name in ("observations", "action_masks"):
        with pytest.raises(noughts.NoughtsError, match="=False"):
            getattr(without_arrays, name)
    del vector
    gc.collect()
    assert planes.sum() >= 0, "an array outlives its vector"


def test_indexing() -> None:
    vector = noughts.Vector("ultimate", 4, seed=1)
    vector.step_random(10)
    assert [vector[n] for n in range(4)] == vector.positions() == list(vector)
    assert vector[-1] == vector[3] and vector[np.int32(2)] == vector[2]
    assert vector[0].ply == 10
    for out_of_range in (4, -5, 10**30, -(10**30)):
        with pytest.raises(IndexError, match="the games are 0 to 3"):
            vector[out_of_range]
    for wrong in ("1", None, 1.0, slice(2), [1]):
        with pytest.raises(TypeError, match="whole number"):
            vector[wrong]


@pytest.mark.parametrize("name", VARIANTS)
def test_set_position(name: str) -> None:
    source, vector = noughts.Vector(name, 6, seed=8), noughts.Vector(name, 6)
    source.step_random(23)
    for index, position in enumerate(source.positions()):
        vector.set_position(index, position)
    assert vector.positions() == source.positions()
    assert (vector.observations == source.observations).all()
    assert (vector.action_masks == source.action_masks).all()
    for _ in range(60):
        source.step_random()
        vector.step(source.actions)
        assert (vector.ends == source.ends).all() and (vector.rewards == source.rewards).all()
        assert (vector.observations == source.observations).all()


def test_set_position_rejects_bad_arguments() -> None:
    vector = noughts.Vector("classic", 2)
    over = noughts.Position("classic", "xxx/oo./... o")
    with pytest.raises(noughts.PositionError, match="over"):
        vector.set_position(0, over)
    with pytest.raises(noughts.PositionError, match="vector of classic"):
        vector.set_position(0, noughts.Game("misere").start())
    with pytest.raises(IndexError):
        vector.set_position(2, noughts.Game("classic").start())
    with pytest.raises(TypeError):
        vector.set_position(0, "x../.../... o")
    assert (vector.action_masks == 1).all()


# ---- bad actions ----


def full_state(vector: noughts.Vector) -> list:
    """Copies of all arrays of a vector, its positions and its counts."""
    arrays = "observations action_masks rewards ends players actions".split()
    return [getattr(vector, name).copy() for name in arrays] + [
        vector.positions(),
        vector.moves,
        vector.results,
    ]


def same(one: list, other: list) -> bool:
    return all(
        (a == b).all() if isinstance(a, np.ndarray) else a == b for a, b in zip(one, other)
    )


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 1, 4, 2], noughts.IllegalMove, r"game 2: action 4 \(b2\) is illegal: b2 is taken"),
        ([0, 9, 1, 2], noughts.IllegalMove, r"game 1: action 9 is out of range; .* 0 to 8"),
        ([0, 1, 2, -1], noughts.IllegalMove, r"game 3: action -1 is out of range"),
        ([0, 1, 2, 2**62], noughts.IllegalMove, r"game 3: action 4611\d* is out of range"),
        (np.array([0, 2**64 - 1, 1, 1], np.uint64), noughts.IllegalMove, r"game 1: action 18446744\d* is out of range; .* 0 to 8"),
        ([0, 2**70, 1, 1], TypeError, "whole numbers"),
        ([0, 1, 2], noughts.NoughtsError, r"shape \(4,\), one for each game, not \(3,\)"),
        ([0, 1, 2, 3, 5], noughts.NoughtsError, r"shape \(4,\), one for each game, not \(5,\)"),
        ([], noughts.NoughtsError, r"shape \(4,\), one for each game, not \(0,\)"),
        ([[0], [1], [2], [3]], noughts.NoughtsError, r"not \(4, 1\)"),
        (3, noughts.NoughtsError, r"shape \(4,\), one for each game, not \(\)"),
        (None, noughts.NoughtsError, r"shape \(4,\)"),
        ("abcd", noughts.NoughtsError, r"shape \(4,\)"),
        ([0.0, 1.0, 2.0, 3.0], TypeError, "integer type, not float64"),
        ([True, False, True, False], TypeError, "integer type, not bool"),
        (["0", "1", "2", "3"], TypeError, "integer type"),
        ([None] * 4, TypeError, "integer type"),
        ([1j] * 4, TypeError, "integer type"),
        (np.zeros(4, "M8[s]"), TypeError, "integer type"),
        (np.zeros(4, [("a", "i8")]), TypeError, "integer type"),
        ([[0], [1, 2], [3], [4]], ValueError, "inhomogeneous"),
    ],
)
def test_bad_actions_raise_and_change_nothing(actions, error, message) -> None:
    vector = noughts.Vector("classic", 4, seed=1)
    vector.step([4, 8, 4, 8])
    before = full_state(vector)
    with pytest.raises(error, match=message):
        vector.step(actions)
    assert same(before, full_state(vector))
    vector.step([0, 1, 2, 3])


def test_exception_in_array_conversion_propagates() -> None:
    class Raising:
        def __array__(self, *args, **kwargs):
            raise KeyError("mine")

    vector = noughts.Vector("classic", 4)

    class Reentrant:
        def __array__(self, *args, **kwargs):
            vector.step([0, 0, 0, 0])
            return np.zeros(4, np.int64)

    with pytest.raises(KeyError, match="mine"):
        vector.step(Raising())
    with pytest.raises(RuntimeError, match="already in use"):
        vector.step(Reentrant())
    assert vector.moves == 0
    vector.step([0, 0, 0, 0])


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8", ">i8"])
def test_any_integer_type_and_layout_is_accepted(dtype: str) -> None:
    expected = noughts.Vector("classic", 4)
    expected.step([0, 5, 8, 2])
    plain = np.array([0, 5, 8, 2], dtype)
    strided = np.array([0, 9, 5, 9, 8, 9, 2, 9], dtype)[::2]
    raw = np.zeros(4 * plain.itemsize + 1, np.uint8)
    unaligned = raw[1:].view(dtype)
    unaligned[:] = plain
    locked = plain.copy()
    locked.flags.writeable = False
    for given in (plain, strided, plain[::-1].copy()[::-1], unaligned, locked, memoryview(locked)):
        if isinstance(given, memoryview) and dtype.startswith(">"):
            continue
        vector = noughts.Vector("classic", 4)
        vector.step(given)
        assert (vector.observations == expected.observations).all()
    for given in ([0, 5, 8, 2], (0, 5, 8, 2), [np.int8(n) for n in plain]):
        vector = noughts.Vector("classic", 4)
        vector.step(given)
        assert (vector.actions == expected.actions).all()


def test_own_arrays_as_actions() -> None:
    vector = noughts.Vector("mnk:16,16,16", 3)
    vector.actions[:] = [3, 5, 7]
    vector.step(vector.actions)
    assert vector.actions.tolist() == [3, 5, 7]
    vector.step(vector.players)
    assert vector.actions.tolist() == [1, 1, 1], "O was to move in all of them"
    vector.step(vector.observations[:, 0, 0, 1])
    assert vector.actions.tolist() == [0, 0, 0], "X has no mark on the second cell"


# ---- misuse of the arrays ----


def test_writing_into_arrays_does_not_change_games() -> None:
    vector, expected = noughts.Vector("ultimate", 5, seed=3), noughts.Vector("ultimate", 5, seed=3)
    for _ in range(100):
        for name in "observations action_masks rewards ends players actions".split():
            getattr(vector, name)[...] = 1
        vector.step_random()
        expected.step_random()
        assert same(full_state(vector)[:-3], full_state(expected)[:-3])


def test_changing_a_view_does_not_affect_vector() -> None:
    vector = noughts.Vector("classic", 4)
    planes, ends = vector.observations, vector.ends
    planes.shape = (72,)
    planes.flags.writeable = False
    ends.dtype = np.uint8
    vector.step([0, 1, 2, 3])
    assert vector.observations.shape == (4, 2, 3, 3) and vector.ends.dtype == np.bool_
    for array in (vector.observations, vector.rewards):
        with pytest.raises(ValueError):
            array.resize((1000,))


@pytest.mark.parametrize(
    "modify",
    [
        lambda base: base.setflags(write=False),
        lambda base: setattr(base, "shape", (2, -1)),
        lambda base: setattr(base, "dtype", np.dtype("i2")),
        lambda base: setattr(base, "strides", (0,)),
    ],
)
@pytest.mark.parametrize("name", ["observations", "rewards", "actions"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_modified_base_array_is_detected(modify, name) -> None:
    vector = noughts.Vector("classic", 4)
    base = getattr(vector, name).base
    try:
        modify(base)
    except (AttributeError, ValueError):
        pytest.skip("this NumPy does not let one")
    for call in (vector.step_random, vector.reset, lambda: vector.step([0, 1, 2, 3])):
        with pytest.raises(noughts.NoughtsError, match="can't be written"):
            call()
    assert vector.moves == 0, "nothing was done"


def test_invalid_bool_bytes_are_harmless() -> None:
    vector = noughts.Vector("classic", 4)
    vector.ends.view(np.uint8)[:] = 255
    vector.step([0, 1, 2, 3])
    assert vector.ends.tolist() == [False] * 4


# ---- threads ----


def test_concurrent_steps_raise() -> None:
    vector = noughts.Vector("ultimate", 2000, seed=1)
    errors = []
    started = threading.Event()

    def work() -> None:
        started.set()
        vector.step_random(3000)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    while thread.is_alive():
        try:
            vector.step_random()
        except RuntimeError as error:
            errors.append(str(error))
        vector.observations[0].sum()
    thread.join()
    assert all("already in use" in message for message in errors)
    assert errors, "Python is free while a vector works"
    vector.step_random()


# ---- constructor ----


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("chess", 4), noughts.VariantError, "chess"),
        ((3, 4), TypeError, "game must be"),
        (("classic", 0), noughts.NoughtsError, r"n \(the number of games\) must be .* from 1"),
        (("classic", -1), noughts.NoughtsError, "from 1"),
        (("classic", 2**40), noughts.NoughtsError, "from 1 to 4294967295"),
        (("classic", 10**30), noughts.NoughtsError, "from 1 to 4294967295"),
        (("classic", 2.0), TypeError, "not an object of type float"),
        (("classic", True), TypeError, "not an object of type bool"),
        (("classic", None), TypeError, "whole number"),
        (("classic",), TypeError, "missing 1 required"),
        (("classic", 4, 5), TypeError, "takes 2 positional"),
        (("classic", 4_000_000_000), noughts.NoughtsError, "enough for at most .* games"),
        (("ception:depth=6", 2000), noughts.NoughtsError, "memory=4096 is enough for at most"),
    ],
)
def test_bad_constructor_arguments_raise(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        noughts.Vector(*arguments)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seed": -1}, noughts.NoughtsError, "seed must be a whole number from 0"),
        ({"seed": 2**64}, noughts.NoughtsError, "seed"),
        ({"seed": "1"}, TypeError, "seed"),
        ({"memory": 0}, noughts.NoughtsError, "memory"),
        ({"memory": 2**50}, noughts.NoughtsError, "memory"),
        ({"memory": 1.5}, TypeError, "memory"),
        ({"observe": "no"}, TypeError, "observe"),
        ({"mask": 1}, TypeError, "mask"),
        ({"threads": 0}, noughts.NoughtsError, "threads must be a whole number from 1 to 512"),
        ({"threads": 1.0}, TypeError, "threads"),
        ({"opponent": "nobody"}, noughts.BotError, "nobody"),
        ({"opponent": 3}, TypeError, "the name of a bot"),
        ({"opponent": ["easy", 3, "easy", "easy"]}, TypeError, "the name of a bot"),
        ({"opponent": ["easy"] * 3}, noughts.NoughtsError, "one for each of the 4 games"),
        ({"opponent": ["easy"] * 5}, noughts.NoughtsError, "this one has more"),
        ({"opponent": "easy", "side": "X"}, noughts.NoughtsError, "'x', 'o' or 'random'"),
        ({"side": "o"}, noughts.NoughtsError, "side and limits need an opponent"),
        ({"limits": {"nodes": 1}}, noughts.NoughtsError, "side and limits need an opponent"),
        ({"opponent": "mcts"}, noughts.NoughtsError, 'pass limits, such as {"nodes": 100}'),
        ({"opponent": "mcts", "limits": {"depth": 3}}, noughts.NoughtsError, "pass limits"),
        ({"opponent": "mcts", "limits": {"node": 3}}, TypeError, 'unknown limit "node"'),
        ({"opponent": "mcts", "limits": {"nodes": 0}}, noughts.NoughtsError, "nodes must be"),
        ({"colour": 1}, TypeError, "colour"),
    ],
)
def test_bad_options_raise(options, error, message) -> None:
    with pytest.raises(error, match=message):
        noughts.Vector("classic", 4, **options)


def test_memory_limit_error_reports_maximum() -> None:
    with pytest.raises(noughts.NoughtsError) as raised:
        noughts.Vector("ultimate", 10_000, memory=2)
    fits = int(str(raised.value).split("at most ")[1].split()[0])
    vector = noughts.Vector("ultimate", fits, memory=2)
    assert 1000 < fits < 10_000
    assert vector.observations.nbytes + vector.action_masks.nbytes < 2 << 20
    with pytest.raises(noughts.NoughtsError):
        noughts.Vector("ultimate", fits + 1, memory=2)
    with pytest.raises(noughts.NoughtsError, match="at most 0 games"):
        noughts.Vector("ception:depth=6", 1, memory=1)


def test_deepest_board() -> None:
    vector = noughts.Vector("ception:depth=6", 2, seed=1)
    vector.step_random(3)
    assert vector.observations.shape == (2, 13) + (9,) * 6
    for index, position in enumerate(vector):
        assert (vector.observations[index] == position.observation()).all()
        assert (vector.action_masks[index] == position.action_mask()).all()


@pytest.mark.parametrize("steps", [0, -1, 2**63, 1.0, "1", None.__class__])
def test_bad_step_counts_raise(steps) -> None:
    vector = noughts.Vector("classic", 2)
    with pytest.raises((TypeError, noughts.NoughtsError), match="steps"):
        vector.step_random(steps)
    assert vector.moves == 0


def test_step_random_can_be_interrupted(ctrl_c: None) -> None:
    vector = noughts.Vector("classic", 100)

    def interrupt() -> None:
        try:
            while True:
                _ = vector.moves
        except RuntimeError:  # A step is running.
            _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        vector.step_random(2**62)
    thread.join()
    for index, position in enumerate(vector):
        assert (vector.observations[index] == position.observation()).all(), "shown as they stand"


def test_replaced_array_memory_is_detected() -> None:
    """Guards against writing outputs into freed memory."""
    vector = noughts.Vector("classic", 4)
    base = vector.observations.base
    base.__setstate__((1, (base.size,), np.dtype("u1"), False, b"\1" * base.size))
    with pytest.raises(noughts.NoughtsError, match="can't be written"):
        vector.step_random()


def test_out_of_memory_raises() -> None:
    """Guards against an interpreter that aborts when memory runs out."""
    program = (
        "import resource, noughts\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30,) * 2)\n"
        "try:\n"
        "    noughts.Vector('ultimate', 20_000_000, observe=False, mask=False)\n"
        "except MemoryError as error:\n"
        "    print('caught:', error)\n"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert process.stdout.startswith("caught:"), process


# ---- threads ----


def all_arrays(vector: noughts.Vector) -> list:
    """Copies of all arrays of a vector, including the final observations."""
    arrays = [vector.observations, vector.action_masks, vector.rewards, vector.ends]
    arrays += [vector.players, vector.actions, *vector.final_observations()]
    return [array.copy() for array in arrays]


def assert_equal(one: list, other: list, context: object) -> None:
    for number, (mine, theirs) in enumerate(zip(one, other)):
        np.testing.assert_array_equal(mine, theirs, err_msg=f"{context}, array {number}")


@pytest.mark.parametrize("opponent", [None, "random", "medium"])
@pytest.mark.parametrize("name", ["classic", "tic-tac-two", "ultimate", "ception:5d,depth=3"])
def test_games_are_independent_of_threads(name: str, opponent: str) -> None:
    n, steps = (100, 15) if "depth=3" in name else (300, 30)
    options = {} if opponent is None else {"opponent": opponent, "side": "random"}
    vectors = [noughts.Vector(name, n, seed=8, threads=count, **options) for count in (1, 2, 7)]
    one = vectors[0]
    for step in range(steps):
        for vector in vectors:
            if step % 3 == 0:
                vector.step(vector.random_actions())
            else:
                vector.step_random(1 + step % 2)
        for vector in vectors[1:]:
            assert_equal(all_arrays(one), all_arrays(vector), (name, step))
    for vector in vectors[1:]:
        assert vector.moves == one.moves and vector.results == one.results
        assert vector.positions() == one.positions()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_first_illegal_action_is_reported_with_any_threads(threads: int) -> None:
    vector = noughts.Vector("ultimate", 5000, seed=1, threads=threads)
    vector.step_random(7)
    before = all_arrays(vector)
    actions = vector.random_actions()
    for wrong in (4999, 1234, 2600):
        actions[wrong] = 81
    for _ in range(20):
        with pytest.raises(noughts.IllegalMove, match="^game 1234: action 81 is out of range"):
            vector.step(actions)
    assert_equal(before, all_arrays(vector), "nothing was done")


def _step_in_child(vector: noughts.Vector, answers: object) -> None:
    vector.step_random(3)
    answers.put([position.text for position in vector.positions()])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_vector_works_after_fork() -> None:
    """Guards against waiting for threads that only exist in the parent process."""
    vector = noughts.Vector("ultimate", 600, seed=3, threads=3)
    vector.step_random(5)
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=_step_in_child, args=(vector, answers))
    child.start()
    child_positions = answers.get()
    child.join()
    vector.step_random(3)
    assert [position.text for position in vector.positions()] == child_positions


# ---- final positions ----


@pytest.mark.parametrize("name", ["classic", "ultimate", "tic-tac-two:board=3,pieces=5", "ception:5c"])
def test_final_positions_and_observations(name: str) -> None:
    game = noughts.Game(name)
    vector, slow = noughts.Vector(game, 40, seed=2, threads=2), [game.start()] * 40
    ended = 0
    for _ in range(120):
        vector.step_random()
        slow = [position.play(int(action)) for position, action in zip(slow, vector.actions)]
        last = [position for position in slow if position.is_over]
        slow = [game.start() if position.is_over else position for position in slow]
        observations, players = vector.final_observations()
        assert observations.shape == (len(last), *game.observation_shape)
        assert observations.dtype == np.uint8 and players.dtype == np.int8
        assert [position.text for position in vector.final_positions()] == [
            position.text for position in last
        ]
        for position, seen, player in zip(last, observations, players):
            assert (seen == position.observation()).all()
            assert "xo"[player] == position.side
        ended += len(last)
    assert ended > 20
    vector.reset()
    assert vector.final_positions() == [] and len(vector.final_observations()[1]) == 0


# ---- opponents ----


@pytest.mark.parametrize("side", ["x", "o", "random"])
@pytest.mark.parametrize("opponent", ["random", "easy", "hard"])
@pytest.mark.parametrize("name", ["classic", "ultimate", "tic-tac-two", "ception:5d"])
def test_step_includes_opponents_replies(name: str, opponent: str, side: str) -> None:
    """Guards against opponents that don't reply."""
    n, steps = 20, 40
    vector = noughts.Vector(name, n, seed=5, opponent=opponent, side=side)
    start = noughts.Game(name).start()
    sides, ends = set(), 0

    def replies(position: noughts.Position, learner: str) -> dict:
        """All positions that the opponent's replies can lead to, by text."""
        found, queue = {}, [position]
        while queue:
            position = queue.pop()
            if position.is_over or position.side == learner:
                found[position.text] = position
            else:
                queue += [position.play(move) for move in position.legal_moves]
        return found

    for index in range(n):
        learner = "xo"[vector.players[index]]
        assert vector[index].text in replies(start, learner), "the opponent has made its first move"
        assert side in (learner, "random")
        sides.add(learner)
    for _ in range(steps):
        before, learners = vector.positions(), vector.players.copy()
        vector.step_random()
        finals = iter(vector.final_positions())
        for index, position in enumerate(before):
            learner = "xo"[learners[index]]
            assert position.side == learner
            after = replies(position.play(int(vector.actions[index])), learner)
            if vector.ends[index]:
                ends += 1
                last = next(finals)
                # A draw by repetition in Tic-Tac-Two isn't visible in the final position.
                outcome = after[last.text].outcome or "draw"
                assert vector.rewards[index].tolist() == REWARDS[outcome]
                now = "xo"[vector.players[index]]
                assert vector[index].text in replies(start, now)
                sides.add(now)
            else:
                assert vector[index].text in after
                assert vector.rewards[index].tolist() == [0, 0]
                assert "xo"[vector.players[index]] == learner
    assert ends > 0
    assert sides == ({"x", "o"} if side == "random" else {side})
    assert vector.moves > n * steps, "replies are moves, too"
    assert sum(vector.results.values()) == ends


def test_opponent_strength_follows_level() -> None:
    def score(opponent: str, **options: object) -> float:
        vector = noughts.Vector("ultimate", 100, opponent=opponent, seed=1, **options)
        vector.step_random(60)
        results = vector.results
        return (results["x"] + results["draw"] / 2) / sum(results.values())

    by_level = [score(level) for level in ("random", "easy", "hard")]
    assert 0.45 < by_level[0] < 0.65
    assert by_level[0] > by_level[1] + 0.1 > by_level[2] + 0.15, by_level
    assert score("alpha-beta", limits={"depth": 2}) < 0.2


def test_one_opponent_per_game() -> None:
    names = ["perfect", "random"] * 30
    vector = noughts.Vector("classic", 60, opponent=names, limits={"nodes": 100_000}, seed=4)
    won = np.zeros(60, int)
    for _ in range(30):
        movers = vector.players.copy()
        vector.step_random()
        won += vector.rewards[np.arange(60), movers] > 0
    assert won[::2].sum() == 0, "nobody beats perfect"
    assert won[1::2].sum() > 30


def test_opponent_cannot_start_a_one_move_game() -> None:
    vector = noughts.Vector("mnk:1,1,1", 3, opponent="random")
    vector.step([0, 0, 0])
    assert vector.ends.all() and (vector.rewards == [1, -1]).all()
    for side in ("o", "random"):
        with pytest.raises(noughts.NoughtsError, match="the first move ends a game of mnk:1,1,1"):
            noughts.Vector("mnk:1,1,1", 3, opponent="random", side=side)


def test_set_position_against_opponent() -> None:
    vector = noughts.Vector("classic", 2, opponent="easy", side="x")
    vector.set_position(0, noughts.Position("classic", "xx./oo./x.. o"))
    assert vector.players.tolist() == [1, 0], "the learner is the side to move"
    vector.step([5, 0])
    assert vector.ends[0] and vector.rewards[0].tolist() == [-1, 1]
    assert vector.players.tolist() == [0, 0], "and X again in the next game"


def test_searching_opponents_can_be_interrupted() -> None:
    assert interrupted(
        """
        vector = noughts.Vector("ultimate", 50, opponent="mcts", limits={"nodes": 10**7}, threads=1)
        send_ctrl_c_soon()
        vector.step_random()
        """
    )


# ---- pickling ----


@pytest.mark.parametrize("options", [{}, {"opponent": "medium", "side": "random"}, {"observe": False}])
@pytest.mark.parametrize("name", ["classic", "tic-tac-two", "ultimate", "ception:5c,depth=3"])
def test_pickled_vector_continues_identically(name: str, options: dict) -> None:
    """Guards against vectors that can't be pickled."""
    vector = noughts.Vector(name, 30, seed=6, threads=2, **options)
    vector.step_random(23)
    copies = [pickle.loads(pickle.dumps(vector)), copy.deepcopy(vector), copy.copy(vector)]
    for again in copies:
        assert again.game == vector.game and len(again) == 30
        assert again.final_positions() == vector.final_positions()
    # Compared with the original, because the copies may all be wrong in the same way.
    for _ in range(25):
        for again in copies:
            for array in ("action_masks", "rewards", "ends", "players", "actions"):
                np.testing.assert_array_equal(getattr(again, array), getattr(vector, array))
            if options.get("observe", True):
                np.testing.assert_array_equal(again.observations, vector.observations)
            assert [p.moves for p in again.positions()] == [p.moves for p in vector.positions()]
            assert again.results == vector.results and again.moves == vector.moves
            again.step_random()
        vector.step_random()
    for again in copies:
        assert again.results == vector.results and again.moves == vector.moves
        if not options.get("observe", True):
            with pytest.raises(noughts.NoughtsError):
                _ = again.observations


def test_malformed_pickle_raises() -> None:
    again, (options, state) = noughts.Vector("classic", 2).__reduce__()
    positions, rng_states, *rest = state
    for wrong in (
        (positions[:1], rng_states),
        (positions, rng_states[:1]),
        (positions, [b"short", b"short"]),
        ([("xxx/oo./... o", []), positions[1]], rng_states),
        ([(positions[0][0], ["z9"]), positions[1]], rng_states),
    ):
        with pytest.raises((noughts.NoughtsError, TypeError)):
            again(options, (*wrong, *rest))
    with pytest.raises(noughts.NoughtsError, match="this isn't a pickled vector"):
        again({}, state)
