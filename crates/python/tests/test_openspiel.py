"""The games in OpenSpiel: its own simulations, and OpenSpiel's games against ours."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import noughts
import numpy as np
import pytest
from adapter_games import GAMES, random_game

pyspiel = pytest.importorskip("pyspiel")

import noughts.openspiel  # noqa: E402
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation  # noqa: E402

#: How many games each of OpenSpiel's own games is compared over.
COMPARED = 1000


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_simulations_pass(name):
    game = noughts.openspiel.load(name)
    sims = 1 if "depth=3" in name else 5
    pyspiel.random_sim_test(game, num_sims=sims, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_name_there_and_back_is_the_same_game(name):
    game = noughts.openspiel.load(name)
    assert game.game.name == name
    assert pyspiel.load_game(str(game)).game.name == name
    assert game.num_distinct_actions() == game.game.actions
    assert game.get_type().short_name.startswith("noughts_")


@pytest.mark.parametrize("name", GAMES)
def test_states_follow_the_rules(name):
    game = noughts.openspiel.load(name)
    state = game.new_initial_state()
    for position in random_game(name, 3):
        if position.last_move is not None:
            state.apply_action(game.game.action(position.last_move))
        assert str(state) == position.text
        assert state.is_terminal() == position.is_over
        won = {"x": 1.0, "o": -1.0}.get(position.outcome, 0.0)
        assert state.returns() == [won, -won]
        if position.is_over:
            assert state.current_player() == pyspiel.PlayerId.TERMINAL
        else:
            assert state.current_player() == "xo".index(position.side)
            assert state.legal_actions() == position.legal_actions
            moves = [state.action_to_string(action) for action in state.legal_actions()]
            assert sorted(moves) == position.legal_moves
    assert position.ply <= game.max_game_length()


def test_no_game_is_longer_than_it_may_be():
    # The only game with positions that come again: a bound that can be reached is small here.
    small = noughts.openspiel.load("tic-tac-two:board=3,pieces=3")
    assert small.max_game_length() < 2**31 - 1
    positions = {small.game.start()}
    new = set(positions)
    while new:
        new = {after.play(move) for after in new for move in after.legal_moves} - positions
        # A position of the start of a line only: how often it came does not matter here.
        new = {
            noughts.Position(small.game, after.text) for after in new if not after.is_over
        } - positions
        positions |= new
    assert len(positions) > 1000
    assert 2 * len(positions) <= small.max_game_length()
    # A bound that does not fit into OpenSpiel's numbers is the largest that does.
    assert noughts.openspiel.load("tic-tac-two").max_game_length() == 2**31 - 1
    assert noughts.openspiel.load("ception:depth=3").max_game_length() == 729


def test_observations_are_planes_as_the_player_sees_them():
    game = noughts.openspiel.load("ultimate")
    observation = make_observation(game)
    state = game.new_initial_state()
    for action in (40, 36, 0):
        state.apply_action(action)
    assert game.observation_tensor_shape() == [7, 9, 9]
    # The marks: ee is X's, ea is O's, aa is X's; O is to move.
    cells = {"ee": (4, 4), "ea": (3, 3), "aa": (0, 0)}
    for player, (own, other) in enumerate([(["ee", "aa"], ["ea"]), (["ea"], ["ee", "aa"])]):
        observation.set_from(state, player)
        planes = observation.dict["observation"]
        for plane, marks in ((0, own), (1, other)):
            expected = np.zeros((9, 9))
            for mark in marks:
                expected[cells[mark]] = 1
            np.testing.assert_array_equal(planes[plane], expected)
        assert (planes[-2] == (player == 0)).all(), "who is X"
        assert (planes[-1] == (player == 1)).all(), "whose turn it is"
        np.testing.assert_array_equal(state.observation_tensor(player), observation.tensor)
        assert (
            state.observation_string(player) == observation.string_from(state, player) == str(state)
        )
        assert state.information_state_string(player) == "40, 36, 0"
    recall = make_observation(game, INFO_STATE_OBS_TYPE)
    assert recall.string_from(state, 0) == "40, 36, 0"
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"a": 1})


def test_states_are_copied_serialized_and_pickled():
    game = noughts.openspiel.load("ception:5c")
    state = game.new_initial_state()
    for position in random_game("ception:5c", 4):
        if position.last_move is not None:
            state.apply_action(game.game.action(position.last_move))
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        for again in (state.clone(), read, pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert again.position == position and again.history() == state.history()
            assert again.position.moves == position.moves
    again = pickle.loads(pickle.dumps(game))
    assert again.game == game.game and str(again) == str(game)


def test_a_copy_does_not_change_its_original():
    state = noughts.openspiel.load("classic").new_initial_state()
    after = state.child(4)
    assert str(state) == ".../.../... x" and str(after) == ".../.x./... o"


def test_a_game_can_begin_anywhere():
    game = noughts.openspiel.load("classic")
    state = game.new_initial_state({"position": "xx./oo./... x"})
    state.apply_action(2)
    assert state.returns() == [1.0, -1.0]
    with pytest.raises(noughts.PositionError):
        game.new_initial_state({"position": "xx./.../... x"})
    for nonsense in ({}, {"position": 5}, [1]):
        with pytest.raises(ValueError, match="the text of a 'position'"):
            game.new_initial_state(nonsense)


@pytest.mark.parametrize(
    "text, kind, words",
    [
        ("noughts_mnk(m=0)", noughts.VariantError, "must be from 1 to 16"),
        ("noughts_mnk(m=3,n=3,k=4)", noughts.VariantError, "K"),
        ("noughts_ception(owner=4c)", noughts.VariantError, "4c"),
        ("noughts_ception(owner=4b,free=open)", noughts.VariantError, "free"),
        ("noughts_tic_tac_two(board=4)", noughts.VariantError, "board"),
        ("noughts_mnk(m=wide)", pyspiel.SpielError, "kInt"),
        ("noughts_ultimate(depth=2)", pyspiel.SpielError, "depth"),
    ],
)
def test_what_is_wrong_is_said(text, kind, words):
    with pytest.raises(kind, match=words):
        pyspiel.load_game(text)


def test_an_illegal_action_is_refused_and_nothing_has_changed():
    state = noughts.openspiel.load("classic").new_initial_state()
    state.apply_action(4)
    with pytest.raises(noughts.IllegalMove, match="b2 is taken"):
        state.apply_action(4)
    assert str(state) == ".../.x./... o"
    with pytest.raises(noughts.VariantError):
        noughts.openspiel.load("chess")


def test_the_interpreter_ends_in_peace():
    # OpenSpiel keeps what was registered until after the interpreter is gone.
    code = "import noughts.openspiel; noughts.openspiel.load('ultimate').new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)


# OpenSpiel's own games against ours.


def compare(theirs, ours, seed):
    """A random game of a flat board in both at once."""
    chance = random.Random(seed)
    state, position = theirs.new_initial_state(), ours.start()
    while True:
        won = {"x": 1.0, "o": -1.0}.get(position.outcome, 0.0)
        assert state.is_terminal() == position.is_over
        assert state.returns() == [won, -won], position.text
        assert state.legal_actions() == position.legal_actions, position.text
        # The same board: theirs has a row to a line.
        assert str(state).split() == position.text.split()[0].split("/")
        if position.is_over:
            return position.outcome
        assert state.current_player() == "xo".index(position.side)
        action = chance.choice(position.legal_actions)
        state.apply_action(action)
        position = position.play(action)


def test_their_tic_tac_toe_is_our_classic():
    theirs, ours = pyspiel.load_game("tic_tac_toe"), noughts.Game("classic")
    seen = {compare(theirs, ours, seed) for seed in range(COMPARED)}
    assert seen == {"x", "o", "draw"}


@pytest.mark.parametrize(
    "m, n, k",
    [
        (3, 3, 3),
        (1, 1, 1),
        (2, 5, 2),
        (4, 3, 3),
        (3, 4, 4),
        (5, 5, 4),
        (7, 6, 4),
        (9, 9, 5),
        (16, 1, 3),
        (1, 16, 16),
    ],
)
def test_their_mnk_is_our_mnk(m, n, k):
    theirs, ours = pyspiel.load_game(f"mnk(m={m},n={n},k={k})"), noughts.Game(f"mnk:{m},{n},{k}")
    for seed in range(COMPARED):
        compare(theirs, ours, seed)


def compare_ultimate(theirs, ours, seed):
    """A random game of `ultimate`. A free move is two of their actions: the board, then the
    cell, and every board that they offer is looked into."""
    chance = random.Random(seed)
    state, position = theirs.new_initial_state(), ours.start()
    free = 0
    while True:
        won = {"x": 1.0, "o": -1.0}.get(position.outcome, 0.0)
        assert state.is_terminal() == position.is_over, position.text
        assert state.returns() == [won, -won], position.text
        if position.is_over:
            assert state.legal_actions() == []
            return position.outcome, free
        player = "xo".index(position.side)
        assert state.current_player() == player
        choosing = state.action_to_string(state.legal_actions()[0]).startswith("Choose local board")
        # What they would allow: board and cell, both counted from 0 in reading order.
        if choosing:
            free += 1
            offered = set()
            for board in state.legal_actions():
                inside = state.child(board)
                assert inside.current_player() == player, "choosing a board is no turn of its own"
                offered |= {9 * board + cell for cell in inside.legal_actions()}
        else:
            (board,) = {action // 9 for action in position.legal_actions}
            offered = {9 * board + cell for cell in state.legal_actions()}
        assert offered == set(position.legal_actions), position.text
        action = chance.choice(position.legal_actions)
        if choosing:
            state.apply_action(action // 9)
        state.apply_action(action % 9)
        position = position.play(action)


def test_their_ultimate_tic_tac_toe_is_our_ultimate():
    theirs, ours = pyspiel.load_game("ultimate_tic_tac_toe"), noughts.Game("ultimate")
    outcomes = [compare_ultimate(theirs, ours, seed) for seed in range(COMPARED)]
    assert {outcome for outcome, _ in outcomes} == {"x", "o", "draw"}
    assert sum(free for _, free in outcomes) > 5 * COMPARED, "free moves must come up often"


def test_ours_in_openspiel_is_theirs_with_the_same_values():
    # A whole tree, through OpenSpiel's own eyes.
    from open_spiel.python.algorithms import minimax

    value, _ = minimax.alpha_beta_search(noughts.openspiel.load("classic"))
    assert value == 0.0
    value, _ = minimax.alpha_beta_search(noughts.openspiel.load("mnk:4,3,3"))
    assert value == 1.0


def test_openspiels_search_and_learning_environment_take_our_games():
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import mcts

    game = noughts.openspiel.load("classic")
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        game, 2, 200, mcts.RandomRolloutEvaluator(random_state=chance), random_state=chance
    )
    state = game.new_initial_state({"position": "xx./oo./... x"})
    assert bot.step(state) == 2, "a search that sees one move ahead takes the line"

    env = rl_environment.Environment(noughts.openspiel.load("ception:5c"))
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"][player]
        assert len(step.observations["info_state"][player]) == np.prod(
            env.game.observation_tensor_shape()
        )
        step = env.step([legal[0]])
    assert sorted(step.rewards) in ([-1.0, 1.0], [0.0, 0.0])


@pytest.mark.parametrize("other", [None, 5, "classic"])
def test_a_state_of_no_game_is_refused(other: object) -> None:
    """Guards against OpenSpiel's look into what is no game, which ended the interpreter."""
    with pytest.raises(TypeError, match="a state belongs to a NoughtsGame"):
        noughts.openspiel.NoughtsState(other)  # type: ignore[arg-type]
