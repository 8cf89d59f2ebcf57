"""The Gymnasium environments: Gymnasium's checker passes without warnings, and the rules hold."""

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

#: A game that ends with the first move.
ONE_MOVE_GAME = "mnk:1,1,1"


def first_move(position):
    return position.legal_moves[0]


@pytest.mark.parametrize("illegal", ["lose", "random"])
@pytest.mark.parametrize("side", ["x", "o", "random"])
@pytest.mark.parametrize("name", [name for name in GAMES if name != ONE_MOVE_GAME])
@pytest.mark.filterwarnings("error")
def test_check_env_passes_without_warnings(name, side, illegal):
    env = noughts.gymnasium.make(name, opponent="random", side=side, illegal=illegal)
    check_env(env.unwrapped)


@pytest.mark.parametrize("mode", ["ansi", "human", "rgb_array"])
@pytest.mark.filterwarnings("error")
def test_check_env_passes_with_all_opponents_and_render_modes(mode):
    class Last:
        def choose(self, position):
            return position.legal_moves[-1]

    bot = noughts.Bot("alpha-beta", "classic", seed=7)
    for opponent in ("easy", "medium", bot, first_move, Last()):
        limits = {"nodes": 100} if opponent is bot else None
        env = noughts.gymnasium.make("classic", opponent, limits=limits, render_mode=mode)
        check_env(env.unwrapped)


def play(env, seed):
    """Plays a random game and checks it against a `noughts.Position` at each step."""
    rng = random.Random(seed)
    observation, info = env.reset(seed=seed)
    position = noughts.Game(env.unwrapped.game).start()
    side = info["side"]
    history, reward = [], 0.0
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
            return position, side, reward, history
        assert position.side == side, "it must be the learner's turn"
        action = rng.choice(legal)
        position = position.play(action)
        observation, reward, terminated, truncated, info = env.step(action)
        history.append((action, info["replies"]))
        assert not truncated
        assert terminated == (info["outcome"] is not None)
        assert "illegal" not in info
        assert terminated or reward == 0


@pytest.mark.parametrize("name", [name for name in GAMES if name != ONE_MOVE_GAME])
def test_turns_masks_and_rewards_follow_rules(name):
    env = noughts.gymnasium.Env(name, opponent="random", side="random")
    sides = set()
    for seed in range(2 if "depth=3" in name else 12):
        position, side, reward, history = play(env, seed)
        sides.add(side)
        assert reward == {side: 1, "draw": 0}.get(position.outcome, -1)
        assert play(env, seed)[3] == history, "the same seed must give the same game"
    assert "depth=3" in name or sides == {"x", "o"}


def test_seeded_resets_are_reproducible_and_varied():
    env = noughts.gymnasium.Env("ultimate", opponent="random", side="o")

    def positions():
        _, info = env.reset(seed=5)
        infos = [info] + [env.reset()[1] for _ in range(8)]
        return [info["position"] for info in infos]

    assert positions() == positions()
    assert len(set(positions())) > 1, "a new game must not repeat the old one's chance"
    first = noughts.gymnasium.Env("ultimate", opponent="random", side="o", seed=5)
    assert first.reset()[1]["position"] == positions()[0]


def test_illegal_action_policies():
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

    lenient = noughts.gymnasium.Env("tic-tac-two", opponent=first_move, illegal="random")
    lenient.reset(seed=1)
    _, reward, terminated, _, info = lenient.step(0)
    assert "illegal" in info and not terminated and lenient.position.ply == 2


def test_illegal_opponent_move_is_reported_as_such():
    for policy in ("lose", "raise", "random"):
        env = noughts.gymnasium.Env("classic", opponent=lambda position: "b2", illegal=policy)
        env.reset()
        with pytest.raises(
            noughts.IllegalMove, match="the opponent's move 'b2' is illegal: b2 is taken"
        ):
            env.step(4)
    env = noughts.gymnasium.Env("classic", opponent=lambda position: None, side="o")
    with pytest.raises(TypeError, match="the opponent didn't return a move"):
        env.reset()


def test_reset_from_position():
    env = noughts.gymnasium.Env("classic", opponent=first_move)
    _, info = env.reset(options={"position": "x../.../... o", "side": "o"})
    assert info["replies"] == () and info["side"] == "o"
    _, info = env.reset(options={"position": noughts.Position("classic", "x../.../... o")})
    assert info["position"] == "x../o../... x", "the learner is X again"
    with pytest.raises(ValueError, match="first move ends the game"):
        env.reset(options={"position": "xoo/x../... x", "side": "o"})
    with pytest.raises(ValueError, match="first move ends the game"):
        noughts.gymnasium.Env(ONE_MOVE_GAME, opponent=first_move, side="o").reset()


def test_text_render_modes(capsys):
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
def test_rgb_array_render_mode(name):
    """Guards against environments whose games can't be recorded as videos."""
    if name == ONE_MOVE_GAME:
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


def test_pickling_in_the_middle_of_a_game():
    """Guards against environments that can't be sent to a worker process."""
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
            # After seeding, all random choices are the same.
            one, two = (play(each, 6) for each in (env, other))
            assert one[0].moves == two[0].moves and one[3] == two[3]
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(noughts.gymnasium.Env("classic", lambda position: 0))


def vector_envs(name, **options):
    yield noughts.gymnasium.SelfPlay(name, 6, seed=2, **options)
    yield noughts.gymnasium.VectorEnv(name, 6, "easy", "random", seed=2, **options)


@pytest.mark.parametrize("name", ["classic", "ultimate", "ception:5c"])
def test_final_obs_in_infos(name):
    """Guards against learners that can't see how a game ended."""
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
            for index in range(6):
                seen = infos["final_obs"][index]
                if not ends[index]:
                    assert seen is None
                    continue
                position = next(finals)
                ended += 1
                side = "xo"[learners[index]]
                if isinstance(envs, noughts.gymnasium.SelfPlay):
                    side = position.side
                assert seen in envs.single_observation_space
                np.testing.assert_array_equal(seen, noughts.observe(position, side))
                reward = {None: 0, "draw": 0, "xo"[learners[index]]: 1}.get(position.outcome, -1)
                assert rewards[index] == reward
        assert ended > 1


@pytest.mark.parametrize("side", ["x", "o", "random"])
def test_vector_env_against_bots(side):
    envs = noughts.gymnasium.VectorEnv("classic", 30, "hard", side)
    observations, infos = envs.reset(seed=1)
    losses = 0
    for _ in range(60):
        assert observations in envs.observation_space
        for index, position in enumerate(envs.vector.positions()):
            learner = "xo"[infos["player"][index]]
            assert side in (learner, "random") and position.side == learner
            np.testing.assert_array_equal(observations[index], noughts.observe(position, learner))
            assert infos["action_mask"][index].nonzero()[0].tolist() == position.legal_actions
        actions = envs.vector.random_actions()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any() and not rewards[~terminations].any()
        losses += int((rewards < 0).sum())
    assert losses > 100, "hard beats random moves"
    again = pickle.loads(pickle.dumps(envs))
    np.testing.assert_array_equal(again.step(actions := infos["action_mask"].argmax(axis=1))[0],
                                  envs.step(actions)[0])  # fmt: skip


def test_vector_env_render_modes():
    for envs in vector_envs("classic", render_mode="ansi"):
        envs.reset()
        assert len(envs.render()) == 6 and all("┌" in drawing for drawing in envs.render())
    for envs in vector_envs("classic", render_mode="rgb_array"):
        envs.reset()
        assert np.stack(envs.render()).shape[::4] == (6,)


def test_limits_are_passed_to_opponent():
    class Recorder:
        def choose(self, position, **limits):
            self.limits = limits
            return position.legal_moves[0]

    recorder = Recorder()
    env = noughts.gymnasium.Env("classic", opponent=recorder, limits={"nodes": 7})
    env.reset()
    env.step(4)
    assert recorder.limits == {"nodes": 7}


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: noughts.gymnasium.Env("chess", "random"), noughts.VariantError, "chess"),
        (lambda: noughts.gymnasium.make(5, "random"), TypeError, "game must be"),
        (lambda: noughts.gymnasium.Env("classic", "nobody"), noughts.BotError, "nobody"),
        (lambda: noughts.gymnasium.Env("classic", 5), TypeError, "a bot must be"),
        (
            lambda: noughts.gymnasium.Env("classic", first_move, limits={"nodes": 1}),
            TypeError,
            "limits can't be used with a function",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits={"node": 1}),
            TypeError,
            'unknown limit "node"',
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits={"nodes": "many"}),
            TypeError,
            "nodes must be a whole number",
        ),
        (
            lambda: noughts.gymnasium.Env("classic", "mcts", limits=7),
            TypeError,
            "limits must be a dictionary",
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
def test_bad_arguments_raise(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.filterwarnings("error")
def test_registry_has_every_game():
    for name in noughts.gymnasium.register():
        env = gymnasium.make(name, opponent="random")
        env.reset(seed=1)
    for name in GAMES:
        env = gymnasium.make("noughts/game-v0", game=name, opponent="random")
        assert env.unwrapped.game.name == name
    env = gymnasium.make("noughts.gymnasium:noughts/tic-tac-two-v0", opponent="random")
    assert env.unwrapped.game.name == "tic-tac-two"


def test_sync_vector_env():
    envs = gymnasium.make_vec(
        "noughts/classic-v0", num_envs=3, vectorization_mode="sync", opponent="random"
    )
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, 3, 3, 3)
    assert infos["action_mask"].shape == (3, 9)


@pytest.mark.parametrize("name", GAMES)
def test_self_play_follows_rules(name):
    count = 5
    envs = noughts.gymnasium.SelfPlay(name, count)
    rng = np.random.default_rng(1)
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
        actions = np.array([rng.choice(position.legal_actions) for position in positions])
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


def test_illegal_action_in_self_play_changes_nothing():
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
