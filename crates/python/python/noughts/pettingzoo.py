"""PettingZoo environments (AEC) for all games.

Importing this module registers the environments, if your version of PettingZoo has a registry:
`pettingzoo.make("aec", "noughts/ultimate-v0")`, or for any game
`pettingzoo.make("aec", "noughts/game-v0", game="ception:4b")`.

>>> import noughts.pettingzoo
>>> env = noughts.pettingzoo.env("classic")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     legal = info["action_mask"].nonzero()[0]
...     env.step(None if termination or truncation else int(legal[0]))
...     if termination:
...         print(agent, reward)
player_2 -1.0
player_1 1.0
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import pettingzoo
    from gymnasium import logger, spaces
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError(
        "noughts.pettingzoo needs the pettingzoo package; run: pip install pettingzoo"
    ) from missing

from . import Game, Position, _observation
from ._adapt import (
    NAMED,
    NO_RENDER_MODE,
    RENDER_MODES,
    check_choice,
    env_ids,
    initial_position,
    render_position,
)

__all__ = ["NAMED", "env", "raw_env", "register"]

_SIDES = {"player_1": "x", "player_2": "o"}
_AGENTS = {side: agent for agent, side in _SIDES.items()}


def env(
    game: Game | str = "ultimate",
    *,
    mask: str = "info",
    render_mode: str | None = None,
) -> pettingzoo.AECEnv:
    """Returns an environment in PettingZoo's standard wrappers: an illegal move ends the game, and
    the agent that made it gets −1.

    The parameters are the same as for `raw_env`.

    >>> env = noughts.pettingzoo.env("ultimate")
    >>> env.reset()
    >>> env.agent_selection, env.observation_space("player_1").shape
    ('player_1', (9, 9, 6))
    """
    wrapped = raw_env(game, mask=mask, render_mode=render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(pettingzoo.AECEnv):  # noqa: N801 (the name that PettingZoo's users look for)
    """A game between `player_1`, who plays X and moves first, and `player_2`.

    The rules decide whose turn it is: after a move that earns an extra move, the same agent is
    selected again. At the end of the game, the winner gets 1 and the loser −1, no matter who
    moved last; in a draw, both get 0.

    An observation is an array of 0 and 1 with the shape (rows, columns, planes): the planes of
    `Position.observation` from the agent's point of view (its own marks first), plus a last one
    that is all ones if the agent is X. Nested boards are in rows and columns, as they are drawn:
    9 × 9 for `ultimate`.

    `mask` is where to find the mask of legal actions: `"info"` (observations are plain arrays) or
    `"observation"` (observations are dictionaries of `"observation"` and `"action_mask"`, as in
    PettingZoo's own board games; its `api_test` warns about dictionaries in all other games). An
    agent has no legal actions when it isn't its turn.

    `render_mode` is `"ansi"` (`render` returns text), `"human"` (the board is printed after each
    move), `"rgb_array"` (`render` returns pixels), or None.

    `reset(options={"position": ...})` starts from that position, given as text or as a
    `noughts.Position`. An illegal move raises `noughts.IllegalMove`, and the game doesn't change.

    >>> env = noughts.pettingzoo.raw_env("classic", render_mode="ansi")
    >>> env.reset(options={"position": "xx./oo./... x"})
    >>> env.step(2)
    >>> env.rewards
    {'player_1': 1.0, 'player_2': -1.0}
    >>> print(env.render())
        a   b   c
      ┌───┬───┬───┐
    1 │[X]│[X]│[X]│
      ├───┼───┼───┤
    2 │ O │ O │   │
      ├───┼───┼───┤
    3 │   │   │   │
      └───┴───┴───┘
    """

    metadata: dict[str, Any] = {
        "name": "noughts_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Game | str = "ultimate",
        *,
        mask: str = "info",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = Game(game)
        self.mask = check_choice("mask", mask, ("info", "observation"))
        self.render_mode = check_choice("render_mode", render_mode, RENDER_MODES)
        self.metadata = {**self.metadata, "name": f"noughts/{self.game.name}"}
        self.possible_agents: list[str] = list(_SIDES)
        self.agents: list[str] = []
        actions = self.game.actions
        space = spaces.Box(0, 1, _observation.observation_shape(self.game), np.uint8)
        self.state_space: spaces.Space = space
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in _SIDES}
        self.observation_spaces = {agent: self._agent_space(actions) for agent in _SIDES}
        self.position: Position = self.game.start()

    def _agent_space(self, actions: int) -> spaces.Space:
        space = spaces.Box(0, 1, _observation.observation_shape(self.game), np.uint8)
        if self.mask == "info":
            return space
        mask = spaces.Box(0, 1, (actions,), np.int8)
        return spaces.Dict({"observation": space, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space:
        """Returns the space of an agent's observations."""
        return self.observation_spaces[_check_agent(agent)]

    def action_space(self, agent: str) -> spaces.Space:
        """Returns the space of all actions of the game, legal or not."""
        return self.action_spaces[_check_agent(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. `seed` has no effect, because these games aren't random."""
        self.position = initial_position(self.game, (options or {}).get("position"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select_agent()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> np.ndarray | dict[str, np.ndarray]:
        """Returns the observation of an agent."""
        side = _SIDES[_check_agent(agent)]
        observation = _observation.observe(self.position, side)
        if self.mask == "info":
            return observation
        mask = _observation.legal_mask(self.position, side)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> np.ndarray:
        """Returns the observation of X, even if it is O's turn."""
        return _observation.observe(self.position, "x")

    def step(self, action: Any) -> None:
        """Makes the selected agent's move. Once the game is over, pass None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.position.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome != "draw":
                for other in self.agents:
                    self.rewards[other] = 1.0 if _SIDES[other] == outcome else -1.0
        self._select_agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select_agent(self) -> None:
        self.agent_selection = _AGENTS[self.position.side]
        self.infos = {
            agent: {"action_mask": _observation.legal_mask(self.position, _SIDES[agent])}
            for agent in self.agents
        }
        if self.mask == "observation":
            self.infos = {agent: {} for agent in self.agents}

    def _clear_rewards(self) -> None:
        self.rewards = dict.fromkeys(self.rewards, 0.0)

    def render(self) -> str | np.ndarray | None:
        """Prints the position (`"human"`), or returns it as text (`"ansi"`) or pixels
        (`"rgb_array"`)."""
        if self.render_mode is None:
            logger.warn(NO_RENDER_MODE)
            return None
        return render_position(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


def _check_agent(agent: str) -> str:
    if agent not in _SIDES:
        raise KeyError(f"unknown agent {agent!r}; use 'player_1' or 'player_2'")
    return agent


def register() -> list[str]:
    """Registers the environments with PettingZoo, if your version has a registry, and returns
    their names. Importing this module already does this; calling it again is safe.

    >>> noughts.pettingzoo.register()[:2]
    ['noughts/game-v0', 'noughts/classic-v0']
    """
    register_env = getattr(pettingzoo, "register", None)
    registry = getattr(pettingzoo, "aec_registry", {})
    if register_env is None:
        return []
    for name, kwargs in env_ids().items():
        if name not in registry:
            register_env("aec", name, "noughts.pettingzoo:env", kwargs=kwargs)
    return list(env_ids())


register()
