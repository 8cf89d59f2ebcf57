"""The PettingZoo environments: PettingZoo's tests pass without warnings, and the rules hold."""

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
def test_api_and_seed_tests_pass_without_warnings(name, make):
    api_test(make(name), num_cycles=1000)
    seed_test(lambda: make(name), num_cycles=100)


@pytest.mark.parametrize("name", ["classic", "tic-tac-two", "ception:5c"])
def test_mask_in_observation_only_warns_about_dict(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(noughts.pettingzoo.env(name, mask="observation"), num_cycles=1000)
        seed_test(lambda: noughts.pettingzoo.env(name, mask="observation"), num_cycles=100)
    # PettingZoo only allows this for a fixed list of its own games.
    known = {
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
        "Action mask numpy array is all zeros (no legal actions).",
    }
    assert {str(warning.message) for warning in caught} <= known


def play(env, name, seed):
    """Plays a random game and checks it against a `noughts.Position` at each step."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    position = noughts.Game(name).start()
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert not truncation
        if termination:
            assert position.is_over
            assert not info["action_mask"].any()
            rewards[agent] = reward
            env.step(None)
            continue
        assert SIDES[agent] == position.side, "the wrong agent is to move"
        assert info["action_mask"].nonzero()[0].tolist() == position.legal_actions
        assert reward == 0
        (other,) = set(SIDES) - {agent}
        assert not env.infos[other]["action_mask"].any(), "the other agent has no moves"
        action = rng.choice(position.legal_actions)
        position = position.play(action)
        env.step(action)
        assert env.unwrapped.position == position
    return position, rewards


@pytest.mark.parametrize("name", GAMES)
def test_turns_masks_and_rewards_follow_rules(name):
    env = noughts.pettingzoo.env(name)
    results = set()
    for seed in range(3 if "depth=3" in name else 20):
        position, rewards = play(env, name, seed)
        results.add(position.outcome)
        won = {"draw": 0, "x": 1, "o": -1}[position.outcome]
        assert rewards == {"player_1": won, "player_2": -won}
    if name == "ultimate":
        assert results == {"x", "o", "draw"}, "twenty games should show every result"


def test_agent_with_extra_move_is_selected_again():
    env = noughts.pettingzoo.raw_env("ception:5c")
    again = 0
    for seed in range(20):
        rng = random.Random(seed)
        env.reset()
        while not env.position.is_over:
            agent = env.agent_selection
            env.step(rng.choice(env.position.legal_actions))
            again += not env.position.is_over and env.agent_selection == agent
    assert again > 0


def test_completing_opponents_line_with_grid_move_loses():
    # O's line c3-d3-e3 extends beyond the grid; X moves the grid over it.
    env = noughts.pettingzoo.raw_env("tic-tac-two")
    env.reset(options={"position": "...../xx.../..ooo/...../...x. x @c3"})
    env.step(env.game.action("@d3"))
    assert env.rewards == {"player_1": -1.0, "player_2": 1.0}
    assert all(env.terminations.values())


def slow_observation(position, side):
    """The planes of marks and of the side, computed slowly from the position's text."""
    name = position.game.name
    board_text = position.text.split()[0]
    if name == "ultimate" or name.startswith("ception"):
        cells = board_text.replace("/", "")
        depth = {9**levels: levels for levels in range(1, 7)}[len(cells)]
        size = 3**depth
        marks = [["."] * size for _ in range(size)]
        for number, mark in enumerate(cells):
            row = column = 0
            for level in reversed(range(depth)):
                index = number // 9**level % 9
                row, column = 3 * row + index // 3, 3 * column + index % 3
            marks[row][column] = mark
    else:
        marks = [list(row) for row in board_text.split("/")]
    marks = np.array(marks)
    other = {"x": "o", "o": "x"}[side]
    is_x_plane = np.full(marks.shape, side == "x")
    return marks == side, marks == other, is_x_plane


#: Games on one board whose first two planes are the marks of either side.
OWN_AND_OTHER = [
    name
    for name in GAMES
    if noughts.Game(name)._opponents_planes("x")[:2] == [1, 0] and "//" not in noughts.Game(name).start().text
]


@pytest.mark.parametrize("name", OWN_AND_OTHER)
def test_observation_is_laid_out_as_drawn(name):
    env = noughts.pettingzoo.raw_env(name)
    positions = list(random_game(name, 1))
    for position in positions[:: max(1, len(positions) // 12)]:
        if position.is_over:
            continue
        env.reset(options={"position": position})
        observations = {agent: env.observe(agent) for agent in SIDES}
        for agent, side in SIDES.items():
            observation = observations[agent]
            assert observation.dtype == np.uint8 and env.observation_space(agent).contains(observation)
            own, other, is_x = slow_observation(position, side)
            np.testing.assert_array_equal(observation[..., 0], own, position.text)
            np.testing.assert_array_equal(observation[..., 1], other, position.text)
            np.testing.assert_array_equal(observation[..., -1], is_x)
        np.testing.assert_array_equal(env.state(), observations["player_1"])


@pytest.mark.parametrize(
    "name", [name for name in GAMES if noughts.Game(name).name.startswith(("ult", "cep"))]
)
def test_owner_planes_are_swapped_between_agents(name):
    game = noughts.Game(name)
    pairs = len(game.observation_shape) - 1
    env = noughts.pettingzoo.raw_env(name)
    owned = 0
    for position in list(random_game(name, 2))[:-1]:
        env.reset(options={"position": position})
        first, second = (env.observe(agent) for agent in SIDES)
        for pair in range(pairs):
            np.testing.assert_array_equal(first[..., 2 * pair], second[..., 2 * pair + 1])
            np.testing.assert_array_equal(first[..., 2 * pair + 1], second[..., 2 * pair])
        np.testing.assert_array_equal(first[..., 2 * pairs : -1], second[..., 2 * pairs : -1])
        owned += int(first[..., 2 : 2 * pairs].sum())
    assert owned > 0 or pairs == 1, "a game in which no board was ever owned tests nothing"


def test_illegal_move_loses_with_wrappers_and_raises_without():
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
    with pytest.raises(noughts.IllegalMove, match="action 9 is out of range"):
        env.step(9)
    with pytest.raises(TypeError, match="a move must be a name"):
        env.step(2.5)
    assert env.position == before and env.agent_selection == "player_2"


def test_text_render_modes(capsys):
    env = noughts.pettingzoo.env("classic", render_mode="ansi")
    env.reset()
    env.step(4)
    assert "X" in env.render()
    assert capsys.readouterr().out == ""
    env = noughts.pettingzoo.env("classic", render_mode="human")
    env.reset()
    env.step(4)
    assert capsys.readouterr().out.count("┌") == 2, "printed at the start and after the move"


def test_environment_can_be_copied_and_pickled():
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
        (lambda: noughts.pettingzoo.env(5), TypeError, "game must be"),
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
            "use 'player_1' or 'player_2'",
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
            "already over",
        ),
        (
            lambda: noughts.pettingzoo.raw_env("classic").reset(
                options={"position": noughts.Game("ultimate").start()}
            ),
            ValueError,
            "from ultimate, not from classic",
        ),
    ],
)
def test_bad_arguments_raise(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.filterwarnings("error")
def test_registry_has_every_game():
    for name in noughts.pettingzoo.register():
        env = pettingzoo.make("aec", name)
        env.reset()
        assert env.unwrapped.game.actions > 0
    for name in GAMES:
        env = pettingzoo.make("aec", "noughts/game-v0", game=name)
        assert env.unwrapped.game.name == name
    assert pettingzoo.make("aec", "noughts/tic-tac-two-v0").unwrapped.game.name == "tic-tac-two"


def test_rgb_array_render_mode_and_pickling():
    env = noughts.pettingzoo.env("ultimate", render_mode="rgb_array")
    env.reset()
    empty = env.render()
    env.step(40)
    assert env.render().dtype == np.uint8 and env.render().shape == empty.shape == (480, 480, 3)
    assert (env.render() != empty).any()
    again = pickle.loads(pickle.dumps(env))
    assert again.unwrapped.position == env.unwrapped.position
    assert again.agent_selection == env.agent_selection == "player_2"
