"""OpenSpiel versions of all games.

Importing this module registers a game for each game of this package, with its options as parameters, and one
for each variant with a name of its own, without parameters:

| OpenSpiel | noughts |
|---|---|
| `noughts_classic`, `noughts_ultimate`, `noughts_connect_four` | `classic`, `ultimate`, `connect-four` |
| `noughts_mnk(columns=4,rows=3,line=3,lines=loses)` | `mnk:4,3,3,misere` |
| `noughts_tic_tac_two(board=7)` | `tic-tac-two:board=7` |

`Game.options` has the names and values of a game's parameters. A game of your own is registered when you `load` it.

X is player 0. The rules decide whose turn it is: after a move that earns an extra move, the same
player moves again.

>>> import noughts.openspiel
>>> game = noughts.openspiel.load("ception:4b,depth=3")
>>> game
noughts_ception(depth=3,owning=4b)
>>> state = game.new_initial_state()
>>> state.apply_action(noughts.Game("ception:4b,depth=3").action("eai"))
>>> state.current_player(), state.action_to_string(1, 0), len(state.legal_actions())
(1, 'aaa', 9)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as missing:
    raise ImportError(
        "noughts.openspiel needs the open-spiel package; run: pip install open-spiel"
    ) from missing

from . import Game, Position, _observation
from ._noughts import describe_type, game_specs, variant_name

__all__ = ["NoughtsGame", "NoughtsState", "Observer", "game_string", "load"]

#: The largest game length that OpenSpiel can represent.
_MAX_GAME_LENGTH = 2**31 - 1

class _Spec(NamedTuple):
    """A registered game."""

    #: The name of the game or variant in this package.
    name: str
    title: str
    #: The parameters with their default values.
    parameters: dict[str, Any]
    #: The parameters that are part of the name even with their default value.
    required: frozenset[str]


def _specs() -> dict[str, _Spec]:
    """All games of this package by their names in OpenSpiel."""
    specs = {}
    for name, title, options, own_names in game_specs():
        parameters = {field: value for field, value, _ in options}
        required = frozenset(field for field, _, is_default in options if not is_default)
        specs[_short_name(name)] = _Spec(name, title, parameters, required)
        for own_name, own_title in own_names:
            specs[_short_name(own_name)] = _Spec(own_name, own_title, {}, frozenset())
    return specs


def _short_name(name: str) -> str:
    return "noughts_" + name.replace("-", "_")


#: The registered games by name.
_SPECS: dict[str, _Spec] = {}


def load(game: Game | str) -> NoughtsGame:
    """Loads a game by its name in this package.

    >>> noughts.openspiel.load("ultimate").num_distinct_actions()
    81
    """
    # Games of one's own can be defined at any time.
    _register()
    return pyspiel.load_game(game_string(game))


def game_string(game: Game | str) -> str:
    """Returns the OpenSpiel name of a game.

    >>> noughts.openspiel.game_string("mnk:4,3,3,misere")
    'noughts_mnk(columns=4,rows=3,line=3,lines=loses)'
    >>> noughts.openspiel.game_string("ception:end=most,5a")
    'noughts_ception(sent=5a,end=most)'
    """
    game = Game(game)
    short_name = _short_name(game.name.partition(":")[0])
    spec = _specs()[short_name]
    given = _given(spec, {key: value for key, value in game.options.items() if key in spec.parameters})
    listed = ",".join(f"{key}={value}" for key, value in given.items())
    return f"{short_name}({listed})" if listed else short_name


def _given(spec: _Spec, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are part of the name."""
    return {
        key: value for key, value in options.items() if key in spec.required or value != spec.parameters[key]
    }


def _game_type(short_name: str, spec: _Spec) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=f"Noughts: {spec.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=spec.parameters,
    )


class NoughtsGame(pyspiel.Game):
    """A game for OpenSpiel, created by `load` or `pyspiel.load_game`.

    >>> noughts.openspiel.load("tic-tac-two").game
    noughts.Game('tic-tac-two')
    """

    #: OpenSpiel's description of the game type. Each type has its own class.
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        spec = _SPECS[self.kind.short_name]
        # OpenSpiel also passes the defaults; the name is shorter without them.
        given = _given(spec, {**spec.parameters, **(params or {})})
        game = Game(variant_name(spec.name, given) if given else spec.name)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Where positions can recur, their third occurrence ends the game, but not within a useful number of moves.
            max_game_length=_MAX_GAME_LENGTH if game.max_plies is None else game.max_plies,
        )
        super().__init__(self.kind, info, given)
        self.game = game

    def new_initial_state(self, state: Any = None) -> NoughtsState:
        """Returns the state at the start of the game, or at another position, given as a
        dictionary such as `{"position": "x../.../... o"}`.

        >>> state = noughts.openspiel.load("classic").new_initial_state({"position": "x../.../... o"})
        >>> state.current_player(), state.legal_actions()
        (1, [1, 2, 3, 4, 5, 6, 7, 8])
        """
        return NoughtsState(self, state)

    def __reduce__(self) -> Any:
        return pyspiel.load_game, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns an observer of states; see `Observer`."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class NoughtsState(pyspiel.State):
    """A state of a game. Its `position` is a `noughts.Position`.

    >>> state = noughts.openspiel.load("classic").new_initial_state()
    >>> state.apply_action(4)
    >>> state.position
    noughts.Position('classic', '.../.x./... o')
    """

    def __init__(self, game: NoughtsGame, state: Any = None) -> None:
        # OpenSpiel would crash on an object of another type.
        if not isinstance(game, NoughtsGame):
            raise TypeError(f"game must be a NoughtsGame, not {describe_type(game)}")
        super().__init__(game)
        self.position: Position = _initial_position(game.game, state)

    def current_player(self) -> int:
        """Returns the side to move: 0 for X, 1 for O."""
        if self.position.is_over:
            return pyspiel.PlayerId.TERMINAL
        return "xo".index(self.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.move(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Returns both players' rewards: 1 for a win, −1 for a loss, 0 for a draw or a game in
        progress."""
        results = {"x": [1.0, -1.0], "o": [-1.0, 1.0]}
        return results.get(self.position.outcome or "", [0.0, 0.0])

    def __str__(self) -> str:
        return self.position.text

    def __reduce__(self) -> Any:
        return _again, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def _to_struct(self) -> dict[str, Any]:
        return {"position": self.position.text}


class Observer:
    """Observations for OpenSpiel: arrays of 0 and 1 with the shape (planes, rows, columns).

    The planes are those of `Position.observation` from the player's point of view (its own marks
    first), then one that is all ones if the player is X, and one that is all ones if it is the
    player's turn. As a string, an observation is the position as text.

    >>> from open_spiel.python.observation import make_observation
    >>> game = noughts.openspiel.load("ultimate")
    >>> observation = make_observation(game)
    >>> observation.set_from(game.new_initial_state(), player=0)
    >>> observation.dict["observation"].shape
    (7, 9, 9)
    """

    def __init__(self, game: Game, params: Any = None) -> None:
        if params:
            raise ValueError(f"observers of these games take no parameters, but got {params!r}")
        rows, columns, planes = _observation.observation_shape(game)
        self.tensor = np.zeros((planes + 1) * rows * columns, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes + 1, rows, columns)}

    def set_from(self, state: NoughtsState, player: int) -> None:
        """Fills `tensor` with a player's observation."""
        side = "xo"[player]
        planes = self.dict["observation"]
        planes[:-1] = np.moveaxis(_observation.observe(state.position, side), -1, 0)
        planes[-1] = not state.position.is_over and state.position.side == side

    def string_from(self, state: NoughtsState, player: int) -> str:
        """Returns the position as text."""
        return state.position.text


def _again(text: str) -> NoughtsState:
    """Restores a pickled state."""
    _, state = pyspiel.deserialize_game_and_state(text)
    return state


def _initial_position(game: Game, state: Any) -> Position:
    if state is None:
        return game.start()
    if isinstance(state, pyspiel.StateStruct):
        state = state.to_dict()
    if not isinstance(state, Mapping) or not isinstance(state.get("position"), str):
        raise ValueError("state must be a dictionary such as {'position': 'x../.../... o'}")
    return game.position(state["position"])


def _register() -> None:
    """Registers the games that aren't registered yet."""
    for short_name, spec in _specs().items():
        if short_name in _SPECS:
            continue
        # Classes, not functions: OpenSpiel keeps a reference until after the interpreter has shut down,
        # and freeing a function then would crash.
        body: dict[str, Any] = {
            "kind": _game_type(short_name, spec),
            "__doc__": NoughtsGame.__doc__,
            "__module__": __name__,
        }
        # Module attributes, so that pickle finds the classes by name.
        globals()[short_name] = type(short_name, (NoughtsGame,), body)
        _SPECS[short_name] = spec
        pyspiel.register_game(body["kind"], globals()[short_name])


_register()
