"""The PettingZoo environments: PettingZoo's own tests without a warning, and the rules."""

from __future__ import annotations

import copy
import pickle
import random
import warnings

import noughts
import numpy as np
import pytest
from adapter_games import GAMES, random_game

pettingzoo = pytest.importorskip("pettingzoo")

import noughts.pettingzoo  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

SIDES = {"player_1": "x", "player_2": "o"}


@pytest.mark.parametrize("make", [noughts.pettingzoo.env, noughts.pettingzoo.raw_env])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("error")
def test_pettingzoos_own_tests_pass_without_a_warning(name, make):
    api_test(make(name), num_cycles=1000)
    seed_test(lambda: make(name), num_cycles=100)


@pytest.mark.parametrize("name", ["classic", "tic-tac-two", "ception:5c"])
def test_with_the_mask_in_the_observation_nothing_is_wrong_but_that_it_is_a_dictionary(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(noughts.pettingzoo.env(name, mask="observation"), num_cycles=1000)
        seed_test(lambda: noughts.pettingzoo.env(name, mask="observation"), num_cycles=100)
    # PettingZoo has a list of its own games that may do this, and of no others.
    known = {
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
        "Action mask numpy array is all zeros (no legal actions).",
    }
    assert {str(warning.message) for warning in caught} <= known


def play(env, name, seed):
    """A random game, checked against the positions at each step; gives the final rewards."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    position = noughts.Game(name).start()
    got = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert not truncation
        if termination:
            assert position.is_over
            assert not info["action_mask"].any()
            got[agent] = reward
            env.step(None)
            continue
        assert SIDES[agent] == position.side, "the wrong agent is to move"
        assert info["action_mask"].nonzero()[0].tolist() == position.legal_actions
        assert reward == 0
        (other,) = set(SIDES) - {agent}
        assert not env.infos[other]["action_mask"].any(), "whoever is not to move has no moves"
        action = chance.choice(position.legal_actions)
        position = position.play(action)
        env.step(action)
        assert env.unwrapped.position == position
    return position, got


@pytest.mark.parametrize("name", GAMES)
def test_turns_masks_and_rewards_are_those_of_the_rules(name):
    env = noughts.pettingzoo.env(name)
    results = set()
    for seed in range(3 if "depth=3" in name else 20):
        position, got = play(env, name, seed)
        results.add(position.outcome)
        won = {"draw": 0, "x": 1, "o": -1}[position.outcome]
        assert got == {"player_1": won, "player_2": -won}
    if name == "ultimate":
        assert results == {"x", "o", "draw"}, "twenty games should show every result"


def test_an_agent_that_earned_another_move_is_selected_again():
    env = noughts.pettingzoo.raw_env("ception:5c")
    again = 0
    for seed in range(20):
        chance = random.Random(seed)
        env.reset()
        while not env.position.is_over:
            agent = env.agent_selection
            env.step(chance.choice(env.position.legal_actions))
            again += not env.position.is_over and env.agent_selection == agent
    assert again > 0


def test_whoever_moves_the_grid_under_the_others_line_loses():
    # O's line c3-d3-e3 lies outside of the grid's left column; X moves the grid over it.
    env = noughts.pettingzoo.raw_env("tic-tac-two")
    env.reset(options={"position": "...../xx.../..ooo/...../...x. x @c3"})
    env.step(env.game.action("@d3"))
    assert env.rewards == {"player_1": -1.0, "player_2": 1.0}
    assert all(env.terminations.values())


def slow_picture(position, side):
    """Marks and sides by hand, from the position's text."""
    name = position.game.name
    first = position.text.split()[0]
    if name == "ultimate" or name.startswith("ception"):
        cells = first.replace("/", "")
        depth = {9**levels: levels for levels in range(1, 7)}[len(cells)]
        size = 3**depth
        marks = [["."] * size for _ in range(size)]
        for number, mark in enumerate(cells):
            row = column = 0
            for level in reversed(range(depth)):
                place = number // 9**level % 9
                row, column = 3 * row + place // 3, 3 * column + place % 3
            marks[row][column] = mark
    else:
        marks = [list(row) for row in first.split("/")]
    marks = np.array(marks)
    other = {"x": "o", "o": "x"}[side]
    everywhere = np.full(marks.shape, side == "x")
    return marks == side, marks == other, everywhere


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_shows_the_board_as_it_lies_on_paper(name):
    env = noughts.pettingzoo.raw_env(name)
    positions = list(random_game(name, 1))
    for position in positions[:: max(1, len(positions) // 12)]:
        if position.is_over:
            continue
        env.reset(options={"position": position})
        seen = {agent: env.observe(agent) for agent in SIDES}
        for agent, side in SIDES.items():
            picture = seen[agent]
            assert picture.dtype == np.uint8 and env.observation_space(agent).contains(picture)
            own, other, is_x = slow_picture(position, side)
            np.testing.assert_array_equal(picture[..., 0], own, position.text)
            np.testing.assert_array_equal(picture[..., 1], other, position.text)
            np.testing.assert_array_equal(picture[..., -1], is_x)
        np.testing.assert_array_equal(env.state(), seen["player_1"])


@pytest.mark.parametrize(
    "name", [name for name in GAMES if noughts.Game(name).name.startswith(("ult", "cep"))]
)
def test_the_other_agent_sees_the_same_owners_from_the_other_side(name):
    game = noughts.Game(name)
    pairs = len(game.observation_shape) - 1
    env = noughts.pettingzoo.raw_env(name)
    owned = 0
    for position in list(random_game(name, 2))[:-1]:
        env.reset(options={"position": position})
        mine, theirs = (env.observe(agent) for agent in SIDES)
        for pair in range(pairs):
            np.testing.assert_array_equal(mine[..., 2 * pair], theirs[..., 2 * pair + 1])
            np.testing.assert_array_equal(mine[..., 2 * pair + 1], theirs[..., 2 * pair])
        np.testing.assert_array_equal(mine[..., 2 * pairs : -1], theirs[..., 2 * pairs : -1])
        owned += int(mine[..., 2 : 2 * pairs].sum())
    assert owned > 0 or pairs == 1, "a game in which no board was ever owned tests nothing"


def test_an_illegal_move_loses_in_the_wrappers_and_raises_without():
    env = noughts.pettingzoo.env("classic")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.rewards == {"player_1": 0, "player_2": -1.0}

    env = noughts.pettingzoo.raw_env("classic")
    env.reset()
    env.step(4)
    before = env.position
    with pytest.raises(noughts.IllegalMove, match="b2 is taken"):
        env.step(4)
    with pytest.raises(noughts.IllegalMove, match="no move number 9"):
        env.step(9)
    with pytest.raises(TypeError, match="a move is its name"):
        env.step(2.5)
    assert env.position == before and env.agent_selection == "player_2"


def test_drawings(capsys):
    env = noughts.pettingzoo.env("classic", render_mode="ansi")
    env.reset()
    env.step(4)
    assert "X" in env.render()
    assert capsys.readouterr().out == ""
    env = noughts.pettingzoo.env("classic", render_mode="human")
    env.reset()
    env.step(4)
    assert capsys.readouterr().out.count("┌") == 2, "printed at the start and after the move"


def test_environments_can_be_copied_and_pickled():
    env = noughts.pettingzoo.raw_env("ultimate")
    env.reset()
    env.step(40)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        again.step(36)
        assert again.position.moves == ("ee", "ea")
    assert env.position.moves == ("ee",), "a copy must not change its original"


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: noughts.pettingzoo.env("chess"), noughts.VariantError, "chess"),
        (lambda: noughts.pettingzoo.env(5), TypeError, "a game is"),
        (
            lambda: noughts.pettingzoo.env("classic", mask="nowhere"),
            ValueError,
            "'info' or 'observation'",
        ),
        (
            lambda: noughts.pettingzoo.env("classic", render_mode="pixels"),
            ValueError,
            "'human', 'ansi', 'rgb_array' or None",
        ),
        (
            lambda: noughts.pettingzoo.raw_env("classic").observe("player_3"),
            KeyError,
            "'player_1' and 'player_2'",
        ),
        (
            lambda: noughts.pettingzoo.raw_env("classic").reset(options={"position": "xx"}),
            noughts.PositionError,
            "rows",
        ),
        (
            lambda: noughts.pettingzoo.raw_env("classic").reset(
                options={"position": "xxx/oo./... o"}
            ),
            ValueError,
            "it is over",
        ),
        (
            lambda: noughts.pettingzoo.raw_env("classic").reset(
                options={"position": noughts.Game("ultimate").start()}
            ),
            ValueError,
            "of ultimate, not of classic",
        ),
    ],
)
def test_what_is_wrong_is_said(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.filterwarnings("error")
def test_the_registry_has_every_game():
    for name in noughts.pettingzoo.register():
        env = pettingzoo.make("aec", name)
        env.reset()
        assert env.unwrapped.game.actions > 0
    for name in GAMES:
        env = pettingzoo.make("aec", "noughts/game-v0", game=name)
        assert env.unwrapped.game.name == name
    assert pettingzoo.make("aec", "noughts/tic-tac-two-v0").unwrapped.game.name == "tic-tac-two"


def test_an_environment_can_be_drawn_as_pixels_and_pickled():
    env = noughts.pettingzoo.env("ultimate", render_mode="rgb_array")
    env.reset()
    empty = env.render()
    env.step(40)
    assert env.render().dtype == np.uint8 and env.render().shape == empty.shape == (480, 480, 3)
    assert (env.render() != empty).any()
    again = pickle.loads(pickle.dumps(env))
    assert again.unwrapped.position == env.unwrapped.position
    assert again.agent_selection == env.agent_selection == "player_2"
