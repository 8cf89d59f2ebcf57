"""The Gymnasium environments: Gymnasium's own checker without a warning, and the rules."""

from __future__ import annotations

import copy
import pickle
import random

import noughts
import numpy as np
import pytest
from adapter_games import GAMES

gymnasium = pytest.importorskip("gymnasium")

import noughts.gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

#: In this one X's first move is the last.
ONE_MOVE = "mnk:1,1,1"


def first_move(position):
    return position.legal_moves[0]


@pytest.mark.parametrize("illegal", ["lose", "random"])
@pytest.mark.parametrize("side", ["x", "o", "random"])
@pytest.mark.parametrize("name", [name for name in GAMES if name != ONE_MOVE])
@pytest.mark.filterwarnings("error")
def test_gymnasiums_own_checker_passes_without_a_warning(name, side, illegal):
    env = noughts.gymnasium.make(name, opponent="random", side=side, illegal=illegal)
    check_env(env.unwrapped)


@pytest.mark.parametrize("mode", ["ansi", "human", "rgb_array"])
@pytest.mark.filterwarnings("error")
def test_the_checker_passes_with_the_opponents_of_every_kind_and_when_drawing(mode):
    class Last:
        def choose(self, position):
            return position.legal_moves[-1]

    bot = noughts.Bot("alpha-beta", "classic", seed=7)
    for opponent in ("easy", "medium", bot, first_move, Last()):
        limits = {"nodes": 100} if opponent is bot else None
        env = noughts.gymnasium.make("classic", opponent, limits=limits, render_mode=mode)
        check_env(env.unwrapped)


def play(env, seed):
    """A random game, followed on a position of its own; gives rewards and actions."""
    chance = random.Random(seed)
    observation, info = env.reset(seed=seed)
    position = noughts.Game(env.unwrapped.game).start()
    side = info["side"]
    story, reward = [], 0.0
    while True:
        for move in info["replies"]:
            assert position.side != side, "the opponent moved out of turn"
            position = position.play(move)
        assert info["position"] == position.text
        assert info["outcome"] == position.outcome
        legal = position.legal_actions
        assert info["action_mask"].nonzero()[0].tolist() == legal
        np.testing.assert_array_equal(env.unwrapped.action_masks(), info["action_mask"])
        assert observation in env.observation_space
        if position.is_over:
            return position, side, reward, story
        assert position.side == side, "it must be the learner's turn"
        action = chance.choice(legal)
        position = position.play(action)
        observation, reward, terminated, truncated, info = env.step(action)
        story.append((action, info["replies"]))
        assert not truncated
        assert terminated == (info["outcome"] is not None)
        assert "illegal" not in info
        assert terminated or reward == 0


@pytest.mark.parametrize("name", [name for name in GAMES if name != ONE_MOVE])
def test_turns_masks_and_rewards_are_those_of_the_rules(name):
    env = noughts.gymnasium.Env(name, opponent="random", side="random")
    sides = set()
    for seed in range(2 if "depth=3" in name else 12):
        position, side, reward, story = play(env, seed)
        sides.add(side)
        assert reward == {side: 1, "draw": 0}.get(position.outcome, -1)
        assert play(env, seed)[3] == story, "the same seed must give the same game"
    assert "depth=3" in name or sides == {"x", "o"}


def test_games_after_a_seed_differ_from_each_other_and_come_again():
    env = noughts.gymnasium.Env("ultimate", opponent="random", side="o")

    def three():
        _, info = env.reset(seed=5)
        infos = [info] + [env.reset()[1] for _ in range(8)]
        return [info["position"] for info in infos]

    assert three() == three()
    assert len(set(three())) > 1, "a new game must not repeat the old one's chance"
    first = noughts.gymnasium.Env("ultimate", opponent="random", side="o", seed=5)
    assert first.reset()[1]["position"] == three()[0]


def test_an_illegal_action_does_what_was_asked_for():
    lose = noughts.gymnasium.Env("classic", opponent=first_move)
    lose.reset()
    lose.step(4)
    observation, reward, terminated, truncated, info = lose.step(4)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == "b2 is taken" and info["outcome"] is None
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        lose.step(5)

    strict = noughts.gymnasium.Env("classic", opponent=first_move, illegal="raise")
    strict.reset()
    strict.step(4)
    before = strict.position
    with pytest.raises(noughts.IllegalMove, match="b2 is taken"):
        strict.step(4)
    assert strict.position == before
    strict.step(8)

    kind = noughts.gymnasium.Env("tic-tac-two", opponent=first_move, illegal="random")
    kind.reset(seed=1)
    _, reward, terminated, _, info = kind.step(0)
    assert "illegal" in info and not terminated and kind.position.ply == 2


def test_an_opponent_that_breaks_the_rules_is_told_apart_from_the_learner():
    for policy in ("lose", "raise", "random"):
        env = noughts.gymnasium.Env("classic", opponent=lambda position: "b2", illegal=policy)
        env.reset()
        with pytest.raises(
            noughts.IllegalMove, match="the opponent's move 'b2' is refused: b2 is taken"
        ):
            env.step(4)
    env = noughts.gymnasium.Env("classic", opponent=lambda position: None, side="o")
    with pytest.raises(TypeError, match="the opponent's answer is no move"):
        env.reset()


def test_a_game_can_begin_anywhere():
    env = noughts.gymnasium.Env("classic", opponent=first_move)
    _, info = env.reset(options={"position": "x../.../... o", "side": "o"})
    assert info["replies"] == () and info["side"] == "o"
    _, info = env.reset(options={"position": noughts.Position("classic", "x../.../... o")})
    assert info["position"] == "x../o../... x", "the learner is X again"
    with pytest.raises(ValueError, match="first move ends the game"):
        env.reset(options={"position": "xoo/x../... x", "side": "o"})
    with pytest.raises(ValueError, match="first move ends the game"):
        noughts.gymnasium.Env(ONE_MOVE, opponent=first_move, side="o").reset()


def test_drawings(capsys):
    env = noughts.gymnasium.Env("classic", opponent=first_move, render_mode="ansi")
    env.reset()
    env.step(4)
    assert "X" in env.render() and "O" in env.render()
    assert capsys.readouterr().out == ""
    env = noughts.gymnasium.Env("classic", opponent=first_move, render_mode="human")
    env.reset()
    env.step(4)
    assert capsys.readouterr().out.count("┌") == 2


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_arrays_of_pixels(name):
    """Guards against films that could not be recorded."""
    if name == ONE_MOVE:
        return
    env = noughts.gymnasium.make(name, opponent=first_move, render_mode="rgb_array")
    env.reset(seed=1)
    empty = env.render()
    assert empty.dtype == np.uint8 and empty.ndim == 3 and empty.shape[2] == 3
    assert empty.shape[1] == 480
    env.step(int(env.unwrapped.action_masks().argmax()))
    played = env.render()
    assert played.shape == empty.shape
    assert (played != empty).any(axis=2).sum() > 20, "marks are seen"
    position = env.unwrapped.position
    assert (position.rgb() == played).all()
    assert position.rgb(width=100).shape[1] == 100
    for width in (0, 15, 5000, -1, 1.5, "wide"):
        with pytest.raises((noughts.NoughtsError, TypeError), match="width"):
            position.rgb(width)


def test_an_environment_can_be_pickled_in_the_middle_of_a_game():
    """Guards against environments that could not be sent to a worker."""
    for opponent in ("hard", noughts.Bot("alpha-beta", "ultimate", seed=3), first_move):
        limits = None if opponent is first_move or opponent == "hard" else {"depth": 2}
        env = noughts.gymnasium.make("ultimate", opponent, limits=limits, side="random")
        _, info = env.reset(seed=4)
        for _ in range(5):
            _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
        position, side = env.unwrapped.position, env.unwrapped.side
        for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            assert other.unwrapped.position == position and other.unwrapped.side == side
            assert other.unwrapped.position.moves == position.moves
            assert (other.unwrapped.action_masks() == position.action_mask()).all()
        for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            # A new seed makes all chance the same.
            one, two = (play(each, 6) for each in (env, other))
            assert one[0].moves == two[0].moves and one[3] == two[3]
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(noughts.gymnasium.Env("classic", lambda position: 0))


def vector_envs(name, **options):
    yield noughts.gymnasium.SelfPlay(name, 6, seed=2, **options)
    yield noughts.gymnasium.VectorEnv(name, 6, "easy", "random", seed=2, **options)


@pytest.mark.parametrize("name", ["classic", "ultimate", "ception:5c"])
def test_the_last_observation_of_a_game_is_in_the_infos(name):
    """Guards against learners that cannot see how a game ended."""
    for envs in vector_envs(name):
        _, infos = envs.reset(seed=3)
        ended = 0
        for _ in range(80):
            learners = infos["player"]
            _, rewards, ends, _, infos = envs.step(envs.vector.random_actions())
            assert ("final_obs" in infos) == ("_final_obs" in infos) == bool(ends.any())
            if not ends.any():
                continue
            assert (infos["_final_obs"] == ends).all()
            finals = iter(envs.vector.final_positions())
            for place in range(6):
                seen = infos["final_obs"][place]
                if not ends[place]:
                    assert seen is None
                    continue
                position = next(finals)
                ended += 1
                side = "xo"[learners[place]]
                if isinstance(envs, noughts.gymnasium.SelfPlay):
                    side = position.side
                assert seen in envs.single_observation_space
                np.testing.assert_array_equal(seen, noughts.observe(position, side))
                reward = {None: 0, "draw": 0, "xo"[learners[place]]: 1}.get(position.outcome, -1)
                assert rewards[place] == reward
        assert ended > 1


@pytest.mark.parametrize("side", ["x", "o", "random"])
def test_a_learner_meets_bots_in_many_games_at_once(side):
    envs = noughts.gymnasium.VectorEnv("classic", 30, "hard", side)
    observations, infos = envs.reset(seed=1)
    losses = 0
    for _ in range(60):
        assert observations in envs.observation_space
        for place, position in enumerate(envs.vector.positions()):
            learner = "xo"[infos["player"][place]]
            assert side in (learner, "random") and position.side == learner
            np.testing.assert_array_equal(observations[place], noughts.observe(position, learner))
            assert infos["action_mask"][place].nonzero()[0].tolist() == position.legal_actions
        actions = envs.vector.random_actions()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any() and not rewards[~terminations].any()
        losses += int((rewards < 0).sum())
    assert losses > 100, "hard beats whoever moves at random"
    again = pickle.loads(pickle.dumps(envs))
    np.testing.assert_array_equal(again.step(actions := infos["action_mask"].argmax(axis=1))[0],
                                  envs.step(actions)[0])  # fmt: skip


def test_many_games_can_be_drawn():
    for envs in vector_envs("classic", render_mode="ansi"):
        envs.reset()
        assert len(envs.render()) == 6 and all("┌" in drawing for drawing in envs.render())
    for envs in vector_envs("classic", render_mode="rgb_array"):
        envs.reset()
        assert np.stack(envs.render()).shape[::4] == (6,)


def test_limits_reach_the_bot():
    class Told:
        def choose(self, position, **limits):
            self.limits = limits
            return position.legal_moves[0]

    told = Told()
    env = noughts.gymnasium.Env("classic", opponent=told, limits={"nodes": 7})
    env.reset()
    env.step(4)
    assert told.limits == {"nodes": 7}


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: noughts.gymnasium.Env("chess", "random"), noughts.VariantError, "chess"),
        (lambda: noughts.gymnasium.make(5, "random"), TypeError, "a game is"),
        (lambda: noughts.gymnasium.Env("classic", "nobody"), noughts.BotError, "nobody"),
        (lambda: noughts.gymnasium.Env("classic", 5), TypeError, "an opponent is"),
        (
            lambda: noughts.gymnasium.Env("classic", first_move, limits={"nodes": 1}),
            TypeError,
            "limits are for bots",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits={"node": 1}),
            TypeError,
            'no limit "node"',
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits={"nodes": "many"}),
            TypeError,
            "nodes must be a whole number",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits=7),
            TypeError,
            "limits are a dictionary",
        ),
        (
            lambda: noughts.gymnasium.VectorEnv("classic", 2, first_move),
            TypeError,
            "SyncVectorEnv",
        ),
        (
            lambda: noughts.gymnasium.VectorEnv("classic", 2, render_mode="human"),
            ValueError,
            "'ansi', 'rgb_array' or None",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random", "z"),
            ValueError,
            "'x', 'o' or 'random'",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random", ["x"]),
            ValueError,
            "'x', 'o' or 'random'",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random", illegal=1),
            ValueError,
            "'lose', 'raise' or 'random'",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random", render_mode="x"),
            ValueError,
            "'human', 'ansi', 'rgb_array' or None",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random").step(1),
            gymnasium.error.ResetNeeded,
            "reset",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random").render(),
            gymnasium.error.ResetNeeded,
            "reset",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "random").reset(options={"position": 3}),
            TypeError,
            "str",
        ),
    ],
)
def test_what_is_wrong_is_said(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.filterwarnings("error")
def test_the_registry_has_every_game():
    for name in noughts.gymnasium.register():
        env = gymnasium.make(name, opponent="random")
        env.reset(seed=1)
    for name in GAMES:
        env = gymnasium.make("noughts/game-v0", game=name, opponent="random")
        assert env.unwrapped.game.name == name
    env = gymnasium.make("noughts.gymnasium:noughts/tic-tac-two-v0", opponent="random")
    assert env.unwrapped.game.name == "tic-tac-two"


def test_many_environments_run_side_by_side():
    envs = gymnasium.make_vec(
        "noughts/classic-v0", num_envs=3, vectorization_mode="sync", opponent="random"
    )
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, 3, 3, 3)
    assert infos["action_mask"].shape == (3, 9)


@pytest.mark.parametrize("name", GAMES)
def test_games_of_a_learner_against_itself_follow_the_rules(name):
    count = 5
    envs = noughts.gymnasium.SelfPlay(name, count)
    chance = np.random.default_rng(1)
    observations, infos = envs.reset(seed=1)
    positions = [noughts.Game(name).start()] * count
    ended = 0
    for _ in range(40 if "depth=3" in name else 150):
        assert observations in envs.observation_space
        for index, position in enumerate(positions):
            assert "xo"[infos["player"][index]] == position.side
            assert infos["action_mask"][index].nonzero()[0].tolist() == position.legal_actions
            env = noughts.gymnasium.Env(name, opponent=first_move, side=position.side)
            seen, _ = env.reset(options={"position": position})
            np.testing.assert_array_equal(observations[index], seen)
        actions = np.array([chance.choice(position.legal_actions) for position in positions])
        before = positions
        positions = [position.play(action) for position, action in zip(positions, actions)]
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any()
        for index, position in enumerate(positions):
            mover = before[index].side
            assert terminations[index] == position.is_over
            expected = {None: 0, "draw": 0, mover: 1}.get(position.outcome, -1)
            assert rewards[index] == expected
            if position.is_over:
                ended += 1
                positions[index] = noughts.Game(name).start()
    assert ended or "depth=3" in name or "16,16" in name


def test_an_illegal_action_of_many_names_its_game_and_changes_nothing():
    envs = noughts.gymnasium.SelfPlay("classic", 3)
    envs.reset()
    envs.step([4, 4, 4])
    with pytest.raises(noughts.IllegalMove, match="game 1"):
        envs.step([0, 4, 0])
    _, _, _, _, infos = envs.step([0, 1, 2])
    assert infos["action_mask"].sum(axis=1).tolist() == [7, 7, 7]
    with pytest.raises(ValueError):
        envs.step([0])
    with pytest.raises((TypeError, ValueError)):
        noughts.gymnasium.SelfPlay("classic", 0)
