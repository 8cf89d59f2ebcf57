"""The games in OpenSpiel: its simulation tests, and its own games compared with ours."""

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
from own_games import OwnClassic

pyspiel = pytest.importorskip("pyspiel")

import noughts.openspiel  # noqa: E402
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation  # noqa: E402

#: The number of random games that each of OpenSpiel's games is compared in.
COMPARED_GAMES = 1000


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test_passes(name):
    game = noughts.openspiel.load(name)
    num_sims = 1 if "depth=3" in name else 5
    pyspiel.random_sim_test(game, num_sims=num_sims, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_names_round_trip(name):
    game = noughts.openspiel.load(name)
    assert game.game.name == name
    assert pyspiel.load_game(str(game)).game.name == name
    assert game.num_distinct_actions() == game.game.actions
    assert game.get_type().short_name.startswith("noughts_")


@pytest.mark.parametrize("name", GAMES)
def test_states_follow_rules(name):
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


def test_max_game_length_is_an_upper_bound():
    # Where positions can recur, nothing better is known than the largest number that OpenSpiel can represent.
    assert noughts.openspiel.load("tic-tac-two").max_game_length() == 2**31 - 1
    assert noughts.openspiel.load("ception:depth=3").max_game_length() == 729
    assert noughts.openspiel.load("connect-four").max_game_length() == 42


def test_games_written_in_python_are_registered_when_loaded():
    game = noughts.openspiel.load(OwnClassic)
    assert str(game) == "noughts_own_classic()" and game.game == OwnClassic()
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_observations_are_player_relative():
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


def test_child_does_not_change_parent():
    state = noughts.openspiel.load("classic").new_initial_state()
    after = state.child(4)
    assert str(state) == ".../.../... x" and str(after) == ".../.x./... o"


def test_initial_state_from_position():
    game = noughts.openspiel.load("classic")
    state = game.new_initial_state({"position": "xx./oo./... x"})
    state.apply_action(2)
    assert state.returns() == [1.0, -1.0]
    with pytest.raises(noughts.PositionError):
        game.new_initial_state({"position": "xx./.../... x"})
    for bad_state in ({}, {"position": 5}, [1]):
        with pytest.raises(ValueError, match="a dictionary such as {'position'"):
            game.new_initial_state(bad_state)


@pytest.mark.parametrize(
    "text, kind, words",
    [
        ("noughts_mnk(columns=0)", noughts.VariantError, "must be from 1 to 16"),
        ("noughts_mnk(columns=3,rows=3,line=4)", noughts.VariantError, "K"),
        ("noughts_ception(owning=4c)", noughts.VariantError, "4c"),
        ("noughts_ception(owning=4b,free=any)", noughts.VariantError, "free"),
        ("noughts_tic_tac_two(board=4)", noughts.VariantError, "board"),
        ("noughts_mnk(columns=wide)", pyspiel.SpielError, "kInt"),
        ("noughts_ultimate(depth=2)", pyspiel.SpielError, "depth"),
    ],
)
def test_bad_parameters_raise(text, kind, words):
    with pytest.raises(kind, match=words):
        pyspiel.load_game(text)


def test_illegal_action_raises_and_changes_nothing():
    state = noughts.openspiel.load("classic").new_initial_state()
    state.apply_action(4)
    with pytest.raises(noughts.IllegalMove, match="b2 is taken"):
        state.apply_action(4)
    assert str(state) == ".../.x./... o"
    with pytest.raises(noughts.VariantError):
        noughts.openspiel.load("chess")


def test_interpreter_exits_cleanly():
    # OpenSpiel keeps registered objects until after the interpreter has shut down.
    code = "import noughts.openspiel; noughts.openspiel.load('ultimate').new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)


# OpenSpiel's own games compared with ours.


def compare(openspiel_game, our_game, seed):
    """Plays a random game on a flat board in both implementations."""
    rng = random.Random(seed)
    state, position = openspiel_game.new_initial_state(), our_game.start()
    while True:
        won = {"x": 1.0, "o": -1.0}.get(position.outcome, 0.0)
        assert state.is_terminal() == position.is_over
        assert state.returns() == [won, -won], position.text
        assert state.legal_actions() == position.legal_actions, position.text
        # The same board: OpenSpiel prints one row per line.
        assert str(state).split() == position.text.split()[0].split("/")
        if position.is_over:
            return position.outcome
        assert state.current_player() == "xo".index(position.side)
        action = rng.choice(position.legal_actions)
        state.apply_action(action)
        position = position.play(action)


def test_openspiel_tic_tac_toe_matches_classic():
    openspiel_game, our_game = pyspiel.load_game("tic_tac_toe"), noughts.Game("classic")
    seen = {compare(openspiel_game, our_game, seed) for seed in range(COMPARED_GAMES)}
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
def test_openspiel_mnk_matches_mnk(m, n, k):
    openspiel_game, our_game = pyspiel.load_game(f"mnk(m={m},n={n},k={k})"), noughts.Game(f"mnk:{m},{n},{k}")
    for seed in range(COMPARED_GAMES):
        compare(openspiel_game, our_game, seed)


def compare_ultimate(openspiel_game, our_game, seed):
    """Plays a random game of `ultimate` in both. In OpenSpiel a free move is two actions, the board and
    then the cell, so every board that it offers is examined."""
    rng = random.Random(seed)
    state, position = openspiel_game.new_initial_state(), our_game.start()
    free_moves = 0
    while True:
        won = {"x": 1.0, "o": -1.0}.get(position.outcome, 0.0)
        assert state.is_terminal() == position.is_over, position.text
        assert state.returns() == [won, -won], position.text
        if position.is_over:
            assert state.legal_actions() == []
            return position.outcome, free_moves
        player = "xo".index(position.side)
        assert state.current_player() == player
        chooses_board = state.action_to_string(state.legal_actions()[0]).startswith("Choose local board")
        # OpenSpiel's legal moves: board and cell, both counted from 0 in reading order.
        if chooses_board:
            free_moves += 1
            offered = set()
            for board in state.legal_actions():
                child = state.child(board)
                assert child.current_player() == player, "choosing a board isn't a turn of its own"
                offered |= {9 * board + cell for cell in child.legal_actions()}
        else:
            (board,) = {action // 9 for action in position.legal_actions}
            offered = {9 * board + cell for cell in state.legal_actions()}
        assert offered == set(position.legal_actions), position.text
        action = rng.choice(position.legal_actions)
        if chooses_board:
            state.apply_action(action // 9)
        state.apply_action(action % 9)
        position = position.play(action)


def test_openspiel_ultimate_matches_ultimate():
    openspiel_game, our_game = pyspiel.load_game("ultimate_tic_tac_toe"), noughts.Game("ultimate")
    outcomes = [compare_ultimate(openspiel_game, our_game, seed) for seed in range(COMPARED_GAMES)]
    assert {outcome for outcome, _ in outcomes} == {"x", "o", "draw"}
    assert sum(free_moves for _, free_moves in outcomes) > 5 * COMPARED_GAMES, "free moves must come up often"


def test_openspiel_minimax_values():
    # A full search with OpenSpiel's own algorithm.
    from open_spiel.python.algorithms import minimax

    value, _ = minimax.alpha_beta_search(noughts.openspiel.load("classic"))
    assert value == 0.0
    value, _ = minimax.alpha_beta_search(noughts.openspiel.load("mnk:4,3,3"))
    assert value == 1.0


def test_openspiel_mcts_and_rl_environment_work():
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import mcts

    game = noughts.openspiel.load("classic")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        game, 2, 200, mcts.RandomRolloutEvaluator(random_state=rng), random_state=rng
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
def test_state_of_wrong_game_type_raises(other: object) -> None:
    """Guards against a crash in OpenSpiel when a state is created without a game."""
    with pytest.raises(TypeError, match="game must be a NoughtsGame"):
        noughts.openspiel.NoughtsState(other)  # type: ignore[arg-type]
