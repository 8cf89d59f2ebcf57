"""Gymnasium environments for all games: a learner plays against a bot.

Importing this module registers the environments: named ones such as `noughts/ultimate-v0`, and
`noughts/game-v0` with `game=` for any game. Gymnasium imports the module for you if you include
its name: `gymnasium.make("noughts.gymnasium:noughts/ultimate-v0", opponent="easy")`.

>>> import noughts.gymnasium
>>> env = noughts.gymnasium.make("classic", opponent=lambda position: position.legal_moves[0])
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"]
((3, 3, 3), array([1, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8))
>>> observation, reward, terminated, truncated, info = env.step(4)
>>> info["position"], info["replies"]
('o../.x./... x', ('a1',))
>>> for action in (2, 6):
...     observation, reward, terminated, truncated, info = env.step(action)
>>> reward, terminated, info["outcome"]
(1.0, True, 'x')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as missing:
    raise ImportError(
        "noughts.gymnasium needs the gymnasium package; run: pip install gymnasium"
    ) from missing

from . import Game, IllegalMove, Position, Vector, _observation
from ._adapt import (
    NAMED,
    NO_RENDER_MODE,
    RENDER_MODES,
    check_choice,
    env_ids,
    initial_position,
    render_position,
)
from ._opponent import Move, Opponent, make_chooser, play_chosen_move

__all__ = ["NAMED", "Env", "SelfPlay", "VectorEnv", "make", "register"]

_SIDES = ("x", "o", "random")
_ILLEGAL_POLICIES = ("lose", "raise", "random")


class Env(gymnasium.Env):
    """A game against an opponent.

    - `opponent`: the name of a bot (see `noughts.bots()`), a `noughts.Bot` or another object with
      `choose(position)`, or a function of a position. If you pass a seed to `reset`, a bot given
      by name is created again with a seed derived from it, and a `noughts.Bot` restarts with its
      own seed.
    - `limits`: the bot's search limits for each move, such as `{"nodes": 1000}`.
    - `side`: the learner's side: `"x"` (moves first), `"o"`, or `"random"` (chosen at each reset).
    - `illegal`: what happens after an illegal action. `"lose"`: the game ends with a reward of
      −1. `"raise"`: `noughts.IllegalMove` is raised, and the game doesn't change. `"random"`: a
      random legal move is made instead. For `"lose"` and `"random"`, `info["illegal"]` has the
      reason.
    - `seed`: the seed of the first reset, if you don't pass one to `reset`.
    - `render_mode`: `"ansi"` (`render` returns text), `"human"` (the board is printed after each
      step), `"rgb_array"` (`render` returns pixels), or None.

    `info["action_mask"]` has a 1 for each legal action;
    `action_space.sample(info["action_mask"])` picks a random one. An observation is
    `noughts.observe(position, side)` for the learner's side: an array of 0 and 1 with the shape
    (rows, columns, planes). The learner's own marks come first; the last plane is all ones if the
    learner is X. The reward is 1, −1 or 0 at the end of the game, and 0 before. `info` also has
    the `"position"` as text, the learner's `"side"`, the `"outcome"`, and the opponent's moves
    since the last step in `"replies"`. In games with extra moves, there can be several or none.

    `reset(options={"position": ..., "side": ...})` starts from that position with that side.

    You can pickle an environment if you can pickle its opponent, even in the middle of a game. A
    bot's memory and random state aren't included: the copy's bot restarts from its seed.

    >>> env = noughts.gymnasium.Env("classic", opponent="random", side="o", illegal="raise")
    >>> observation, info = env.reset(seed=3)
    >>> int(observation[..., 1].sum()), info["side"], len(info["replies"])
    (1, 'o', 1)
    >>> env.step(9)
    Traceback (most recent call last):
      ...
    noughts.IllegalMove: action 9 is out of range; the actions of classic are 0 to 8
    """

    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game | str = "ultimate",
        opponent: Opponent = "medium",
        side: str = "x",
        *,
        illegal: str = "lose",
        limits: Mapping[str, Any] | None = None,
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = Game(game)
        self.side_option = check_choice("side", side, _SIDES)
        self.illegal = check_choice("illegal", illegal, _ILLEGAL_POLICIES)
        self.render_mode = check_choice("render_mode", render_mode, RENDER_MODES)
        self.opponent = opponent
        self.limits = limits
        # Created here so that a bad opponent fails now, not when a game starts.
        self._choose: Callable[[Position], Move] = make_chooser(opponent, self.game, limits=limits)
        self._seed = seed
        self._seeded = False
        self.action_space: spaces.Discrete = spaces.Discrete(self.game.actions)
        shape = _observation.observation_shape(self.game)
        self.observation_space: spaces.Box = spaces.Box(0, 1, shape, np.uint8)
        self.position: Position | None = None
        self.side = "x"
        self._over = True

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts a game. If the opponent moves first, its move is made."""
        if seed is None and not self._seeded:
            seed = self._seed
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            bot_seed = int(self.np_random.integers(2**63))
            self._choose = make_chooser(self.opponent, self.game, seed=bot_seed, limits=self.limits)
            self._seeded = True
        options = options or {}
        side = check_choice("side", options.get("side", self.side_option), _SIDES)
        if side == "random":
            side = "xo"[self.np_random.integers(2)]
        position = initial_position(self.game, options.get("position"))
        self.side, self.position, self._over = side, position, False
        replies = self._play_replies()
        if self._over:
            raise ValueError("the opponent's first move ends the game, so the learner can't move")
        if self.render_mode == "human":
            self.render()
        return _observation.observe(self.position, side), self._info(replies)

    def step(self, action: Move) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Makes the learner's move and the opponent's reply."""
        if self._over or self.position is None:
            raise gymnasium.error.ResetNeeded("no game is in progress; call reset() first")
        reason: str | None = None
        try:
            self.position = self.position.play(action)
        except IllegalMove as error:
            if self.illegal == "raise":
                raise
            reason = str(error)
            if self.illegal == "lose":
                self._over = True
                observation = _observation.observe(self.position, self.side)
                return observation, -1.0, True, False, {**self._info(()), "illegal": reason}
            legal = self.position.legal_actions
            self.position = self.position.play(legal[self.np_random.integers(len(legal))])
        replies = self._play_replies()
        outcome = self.position.outcome
        reward = {None: 0.0, "draw": 0.0, self.side: 1.0}.get(outcome, -1.0)
        info = self._info(replies)
        if reason is not None:
            info["illegal"] = reason
        if self.render_mode == "human":
            self.render()
        return _observation.observe(self.position, self.side), reward, self._over, False, info

    def _play_replies(self) -> tuple[str, ...]:
        """Makes the opponent's moves until it is the learner's turn, and returns them."""
        position, replies = self.position, []
        assert position is not None
        while not position.is_over and position.side != self.side:
            position = play_chosen_move(self._choose, position)
            replies.append(position.moves[-1])
        self.position, self._over = position, position.is_over
        return tuple(replies)

    def _info(self, replies: tuple[str, ...]) -> dict[str, Any]:
        position = self.position
        assert position is not None
        mask = _observation.legal_mask(position, self.side)
        return {
            "action_mask": np.zeros_like(mask) if self._over else mask,
            "position": position.text,
            "side": self.side,
            "outcome": position.outcome,
            "replies": replies,
        }

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions as booleans, as expected by sb3-contrib."""
        if self.position is None:
            raise gymnasium.error.ResetNeeded("no game is in progress; call reset() first")
        return self._info(())["action_mask"].astype(bool)

    def render(self) -> str | np.ndarray | None:
        """Prints the position (`"human"`), or returns it as text (`"ansi"`) or pixels
        (`"rgb_array"`)."""
        if self.position is None:
            raise gymnasium.error.ResetNeeded("no game is in progress; call reset() first")
        if self.render_mode is None:
            gymnasium.logger.warn(NO_RENDER_MODE)
            return None
        return render_position(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


class _VectorEnvBase(gymnasium.vector.VectorEnv):
    """What the environments of many games share."""

    metadata: dict[str, Any] = {
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
        "render_modes": ["ansi", "rgb_array"],
    }

    def __init__(self, vector: Vector, render_mode: str | None) -> None:
        self.vector = vector
        self.game = vector.game
        self.num_envs = len(vector)
        self.render_mode = check_choice("render_mode", render_mode, ("ansi", "rgb_array", None))
        self.single_action_space = spaces.Discrete(self.game.actions)
        shape = _observation.observation_shape(self.game)
        self.single_observation_space = spaces.Box(0, 1, shape, np.uint8)
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, self.num_envs
        )
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, self.num_envs
        )

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Restarts all games."""
        super().reset(seed=seed)
        self.vector.reset(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Makes a move in every game."""
        movers = self.vector.players.copy()
        self.vector.step(actions)
        rewards = np.take_along_axis(self.vector.rewards, movers[:, None].astype(np.intp), 1)[:, 0]
        ends = self.vector.ends.copy()
        infos = self._infos()
        if ends.any():
            infos["final_obs"] = self._final_obs(ends, movers)
            infos["_final_obs"] = ends.copy()
        return self._observations(), rewards, ends, np.zeros_like(ends), infos

    def _final_obs(self, ends: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """The final observations of the games that ended, by index; None for the others."""
        planes, players = self.vector.final_observations()
        viewers = self._viewers(movers[ends], players)
        for player, side in enumerate("xo"):
            other = (viewers != players) & (players == player)
            planes[other] = planes[other][:, _observation.swapped_planes(self.game, side)]
        observations = np.full(self.num_envs, None, object)
        for index, final in zip(ends.nonzero()[0], _observation.arrange(self.game, planes, viewers == 0)):
            observations[index] = final
        return observations

    def _viewers(self, movers: np.ndarray, players: np.ndarray) -> np.ndarray:
        """The side whose point of view each final observation has."""
        raise NotImplementedError

    def _observations(self) -> np.ndarray:
        return _observation.arrange(
            self.game, self.vector.observations, self.vector.players == 0
        )

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self.vector.action_masks.copy(),
            "player": self.vector.players.copy(),
        }

    def render(self) -> tuple[Any, ...] | None:
        """Returns every game as text (`"ansi"`) or pixels (`"rgb_array"`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: 'ansi' or 'rgb_array'")
            return None
        return tuple(render_position(position, self.render_mode) for position in self.vector.positions())


class SelfPlay(_VectorEnvBase):
    """Many games in parallel for self-play: a `noughts.Vector` for Gymnasium.

    The learner plays both sides. Observations are like those of `Env`, for the side to move.
    `infos["action_mask"]` has the legal actions and `infos["player"]` the side to move (0 for X).
    The reward is for the side that made the move. When a game ends, the next one starts in the
    same step (`AutoresetMode.SAME_STEP`): where `terminations` is true, the observation is from
    the next game, and `infos["final_obs"]` has the final observation of the side that would move
    next.

    An illegal action raises `noughts.IllegalMove`, and the games don't change.

    >>> envs = noughts.gymnasium.SelfPlay("classic", 2)
    >>> observations, infos = envs.reset(seed=1)
    >>> for actions in ([0, 0], [3, 3], [1, 1], [4, 4], [2, 8]):
    ...     observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards, terminations, infos["player"]
    (array([1., 0.], dtype=float32), array([ True, False]), array([0, 1], dtype=int8))
    >>> infos["final_obs"][0][..., 1].tolist(), infos["final_obs"][1]
    ([[1, 1, 1], [0, 0, 0], [0, 0, 0]], None)
    """

    def __init__(
        self,
        game: Game | str = "ultimate",
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(Vector(game, num_envs, seed=seed, threads=threads), render_mode)

    def _viewers(self, movers: np.ndarray, players: np.ndarray) -> np.ndarray:
        return players


class VectorEnv(_VectorEnvBase):
    """Many games in parallel, a learner against bots: a `noughts.Vector` with opponents.

    `opponent` is the name of a bot, or a list with a name for each game. Bots that search need
    `limits`, such as `{"nodes": 100}`. `side` is the learner's side: `"x"`, `"o"` or `"random"`
    (chosen for each game). Each step makes the learner's moves and the opponents' replies, in
    compiled code on several threads. For an opponent written in Python, use `Env` in Gymnasium's
    `SyncVectorEnv`.

    Observations, `infos` (including `infos["final_obs"]`) and rewards are like those of
    `SelfPlay`, from the learner's point of view.

    An illegal action raises `noughts.IllegalMove`, and the games don't change.

    >>> envs = noughts.gymnasium.VectorEnv("ultimate", 100, opponent="easy", side="random")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, sorted(set(infos["player"].tolist()))
    ((100, 9, 9, 6), [0, 1])
    """

    def __init__(
        self,
        game: Game | str = "ultimate",
        num_envs: int = 1,
        opponent: str | Sequence[str] = "medium",
        side: str = "x",
        *,
        limits: Mapping[str, Any] | None = None,
        seed: int = 0,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if callable(opponent) or callable(getattr(opponent, "choose", None)):
            raise TypeError(
                "opponent must be the name of a bot; for an opponent written in Python, use "
                "noughts.gymnasium.Env in gymnasium.vector.SyncVectorEnv"
            )
        vector = Vector(
            game,
            num_envs,
            seed=seed,
            threads=threads,
            opponent=opponent,
            side=side,
            limits=None if limits is None else dict(limits),
        )
        super().__init__(vector, render_mode)

    def _viewers(self, movers: np.ndarray, players: np.ndarray) -> np.ndarray:
        return movers


def make(
    game: Game | str = "ultimate", opponent: Opponent = "medium", **kwargs: Any
) -> gymnasium.Env:
    """Calls `gymnasium.make` for any game: returns an `Env` in Gymnasium's standard wrappers.

    >>> noughts.gymnasium.make("mnk:4,4,3", opponent="random").action_space
    Discrete(16)
    """
    name = Game(game).name
    return gymnasium.make("noughts/game-v0", game=name, opponent=opponent, **kwargs)


def register() -> list[str]:
    """Registers the environments with Gymnasium and returns their names. Importing this module
    already does this; calling it again is safe.

    >>> noughts.gymnasium.register()[:2]
    ['noughts/game-v0', 'noughts/classic-v0']
    """
    for name, kwargs in env_ids().items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="noughts.gymnasium:Env", kwargs=kwargs)
    return list(env_ids())


register()
