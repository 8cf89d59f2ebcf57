"""All games with IArena's interface, so that IArena's players and tournaments can play them, and
classic tic-tac-toe as described on IArena's page.

You don't need IArena itself: the interface is duck-typed.

>>> import noughts.iarena
>>> rules = noughts.iarena.GameRules("ultimate")
>>> position = rules.first_position()
>>> position.next_player(), len(rules.possible_movements(position))
(0, 81)
>>> position = rules.next_position(rules.possible_movements(position)[40], position)
>>> position.next_player(), [str(movement) for movement in rules.possible_movements(position)][:3]
(1, ['ea', 'eb', 'ec'])

>>> rules = noughts.iarena.TicTacToeRules(initial_position=[[1, 1, 0], [2, 2, 0], [0, 0, 0]])
>>> position = rules.first_position()
>>> movement = noughts.iarena.TicTacToeMovement(row=0, column=2)
>>> position = rules.next_position(movement, position)
>>> position[0][2], rules.finished(position), rules.score(position).score
(1, True, [1, -1])
"""

from __future__ import annotations

import json
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Callable, Protocol, runtime_checkable

from . import Game, IllegalMove, NoughtsError, Position
from ._adapt import check_choice, check_position
from ._noughts import describe_type
from ._opponent import Opponent, check_limits, make_chooser

__all__ = [
    "SCORES",
    "BotPlayer",
    "ConsolePlayer",
    "GamePosition",
    "GameRules",
    "IGameRules",
    "IMovement",
    "IPlayer",
    "IPosition",
    "Movement",
    "Player",
    "ScoreBoard",
    "TicTacToeMovement",
    "TicTacToePosition",
    "TicTacToeRules",
]

Score = float

#: The scores of the winner, of the loser, and of both players in a draw. `modern`: as in IArena's
#: code today, where the highest score wins. `documented`: as on its page about tic-tac-toe.
SCORES: Mapping[str, tuple[Score, Score, Score]] = {
    "modern": (1, -1, 0),
    "documented": (0, 3, 1),
}


@runtime_checkable
class IMovement(Protocol):
    """A movement. It only has to support comparison.

    >>> isinstance(noughts.iarena.Movement("ee"), noughts.iarena.IMovement)
    True
    """

    def __eq__(self, other: object) -> bool: ...


@runtime_checkable
class IPosition(Protocol):
    """IArena's interface for positions. Players with a cache also hash and compare positions.

    >>> position = noughts.iarena.GameRules("ultimate").first_position()
    >>> isinstance(position, noughts.iarena.IPosition)
    True
    """

    def next_player(self) -> int:
        """Returns the player to move: 0 or 1."""

    def get_rules(self) -> IGameRules:
        """Returns the rules of the position."""


@runtime_checkable
class IGameRules(Protocol):
    """IArena's interface for rules.

    >>> isinstance(noughts.iarena.TicTacToeRules(), noughts.iarena.IGameRules)
    True
    """

    def n_players(self) -> int:
        """Returns the number of players."""

    def first_position(self) -> Any:
        """Returns the position that the game starts from."""

    def next_position(self, movement: Any, position: Any) -> Any:
        """Returns the position after a movement."""

    def possible_movements(self, position: Any) -> Iterable[Any]:
        """Returns the legal movements."""

    def finished(self, position: Any) -> bool:
        """Returns whether the game is over."""

    def score(self, position: Any) -> ScoreBoard:
        """Returns the players' scores."""

    def is_movement_possible(self, movement: Any, position: Any) -> bool:
        """Returns whether a movement is legal."""


@runtime_checkable
class IPlayer(Protocol):
    """IArena's interface for players.

    >>> isinstance(noughts.iarena.BotPlayer("easy"), noughts.iarena.IPlayer)
    True
    """

    def play(self, position: Any) -> Any:
        """Returns the movement to make."""

    def starting_game(self, rules: Any, player_index: int) -> None:
        """Called before each game, with the player's index in it."""

    def name(self) -> str:
        """Returns the player's name."""


def _as_integer(value: Any) -> int | None:
    """The value as an integer, by `__index__`; None if it isn't one, or is a bool."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


class ScoreBoard:
    """The players' scores.

    >>> board = noughts.iarena.ScoreBoard()
    >>> board.define_score(0, 1)
    >>> board.add_score(1, 2.5)
    >>> board.score, board[1], board.winner()
    ([1, 2.5], 2.5, 1)
    >>> board.join(board)
    >>> print(board.pretty_print())
    player 0: 2
    player 1: 5.0
    """

    def __init__(self, score: Iterable[Score] = ()) -> None:
        self.score: list[Score] = list(score)

    def _ensure_player(self, player: int) -> None:
        number = _as_integer(player)
        if number is None or number < 0:
            raise ValueError(f"player must be a whole number, 0 or higher, not {player!r}")
        self.score += [0] * (number + 1 - len(self.score))

    def define_score(self, player: int, score: Score) -> None:
        """Sets a player's score."""
        self._ensure_player(player)
        self.score[player] = score

    def add_score(self, player: int, score: Score) -> None:
        """Adds to a player's score."""
        self._ensure_player(player)
        self.score[player] += score

    def get_score(self, player: int) -> Score:
        """Returns a player's score."""
        number = _as_integer(player)
        if number is None or not 0 <= number < len(self.score):
            raise IndexError(f"player {player!r} has no score; players on the scoreboard: {len(self.score)}")
        return self.score[number]

    def __getitem__(self, player: int) -> Score:
        return self.get_score(player)

    def winner(self) -> int | None:
        """Returns the player with the highest score; None if several have it.

        >>> noughts.iarena.ScoreBoard([1, 1]).winner()
        """
        best = max(self.score, default=0)
        winners = [player for player, score in enumerate(self.score) if score == best]
        return winners[0] if len(winners) == 1 else None

    def join(self, other: ScoreBoard) -> None:
        """Adds the scores of another scoreboard, player by player."""
        for player, score in enumerate(list(other.score)):
            self.add_score(player, score)

    def pretty_print(self) -> str:
        """Returns the scores as text, one line for each player."""
        return "\n".join(f"player {player}: {score}" for player, score in enumerate(self.score))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreBoard) and self.score == other.score

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.score)

    def __repr__(self) -> str:
        return f"noughts.iarena.ScoreBoard({self.score})"


class Movement:
    """A move, given by its name. Movements are immutable.

    >>> noughts.iarena.Movement("ee")
    noughts.iarena.Movement('ee')
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text must be the name of a move, not {describe_type(text)}")
        self._text = text

    @property
    def text(self) -> str:
        """The name of the move."""
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Movement) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"noughts.iarena.Movement({self.text!r})"


class TicTacToeMovement(Movement):
    """A mark in a cell of the classic board. Row and column count from 0 at the top left.

    >>> noughts.iarena.TicTacToeMovement(row=2, column=0).text
    'a3'
    """

    __slots__ = ("_column", "_row")

    def __init__(self, row: int, column: int) -> None:
        self._row = self._check_coordinate("row", row)
        self._column = self._check_coordinate("column", column)
        super().__init__("abc"[self._column] + "123"[self._row])

    @property
    def row(self) -> int:
        """The row, from the top."""
        return self._row

    @property
    def column(self) -> int:
        """The column, from the left."""
        return self._column

    @staticmethod
    def _check_coordinate(name: str, value: Any) -> int:
        number = _as_integer(value)
        if number is None:
            raise TypeError(f"{name} must be a whole number from 0 to 2, not {describe_type(value)}")
        if not 0 <= number <= 2:
            raise IllegalMove(f"{name} must be a whole number from 0 to 2, not {number}")
        return number

    def __reduce__(self) -> Any:
        return TicTacToeMovement, (self.row, self.column)

    def __str__(self) -> str:
        return f"[{self.row}, {self.column}]"

    def __repr__(self) -> str:
        return f"noughts.iarena.TicTacToeMovement(row={self.row}, column={self.column})"


class GamePosition:
    """A position of a game, with its rules. Positions are immutable, and equality doesn't depend on
    the moves that led to them, so players can use them as dictionary keys.

    >>> rules = noughts.iarena.GameRules("classic")
    >>> rules.first_position()
    noughts.iarena.GamePosition('classic', '.../.../... x')
    """

    def __init__(self, position: Position, rules: GameRules | None = None) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"position must be a noughts.Position, not {describe_type(position)}")
        self._position = position
        self._rules = GameRules(position.game) if rules is None else rules

    @property
    def position(self) -> Position:
        """The `noughts.Position`."""
        return self._position

    def next_player(self) -> int:
        """Returns the player to move: 0 for X, 1 for O."""
        return "xo".index(self._position.side)

    def get_rules(self) -> GameRules:
        """Returns the rules of the position."""
        return self._rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GamePosition) and self._position == other._position

    def __hash__(self) -> int:
        return hash(self._position)

    def __str__(self) -> str:
        return str(self._position)

    def __repr__(self) -> str:
        position = self._position
        return f"noughts.iarena.{type(self).__name__}('{position.game}', '{position.text}')"


class _Piece(IntEnum):
    """The contents of a cell: numbers as on IArena's page, with the names from its code.

    >>> noughts.iarena.TicTacToePosition.TicTacToePiece.SecondPlayer == 2
    True
    """

    Empty = 0
    FirstPlayer = 1
    SecondPlayer = 2

    # Printed as plain numbers.
    __repr__ = int.__repr__
    __str__ = int.__str__


class _Board(list):
    """The rows of a board. Calling it returns itself: in IArena's documentation `board` is an attribute
    of a position, and in its code a method."""

    def __call__(self) -> list[list[int]]:
        return self


class TicTacToePosition(GamePosition):
    """A position of the classic game. `position[row][column]` is 0 for an empty cell, 1 for the
    first player and 2 for the second; as in IArena's code, these are also
    `TicTacToePiece.Empty`, `.FirstPlayer` and `.SecondPlayer`. `board` has the rows, both as an
    attribute (as on IArena's page) and as a method (as in its code).

    >>> position = noughts.iarena.TicTacToePosition([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> position[1][1], position.board, position.next_player()
    (1, [[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1)
    >>> position.board() == position.board
    True
    >>> position.board()[1][1] == noughts.iarena.TicTacToePosition.TicTacToePiece.FirstPlayer
    True
    """

    #: The contents of a cell.
    TicTacToePiece = _Piece

    def __init__(
        self,
        board: Sequence[Sequence[int]] | Position,
        rules: TicTacToeRules | None = None,
    ) -> None:
        position = board if isinstance(board, Position) else _position_from_lists(board)
        rules = TicTacToeRules() if rules is None else rules
        super().__init__(check_position(rules.game, position), rules)

    @property
    def board(self) -> _Board:
        """The rows from the top, as `board` or `board()`. This is a copy: changing it doesn't
        change the position."""
        rows = self.position.text.split()[0].split("/")
        return _Board([_Piece(".xo".index(cell)) for cell in row] for row in rows)

    def __getitem__(self, row: int) -> list[int]:
        return self.board[row]


def _position_from_lists(board: Any) -> Position:
    """Converts a list of lists of 0, 1 and 2 to a position."""
    tolist = getattr(board, "tolist", None)  # NumPy arrays
    try:
        text = json.dumps(tolist() if callable(tolist) else board)
    except (TypeError, ValueError, RecursionError):
        raise TypeError(
            "board must be a list of three lists of three numbers (0 for an empty cell, 1 for the first "
            f"player, 2 for the second), not {board!r}"
        ) from None
    return Game("classic").position(text)


class GameRules:
    """The rules of any game of the family.

    `initial_position` is the position that games start from, as text or as a `noughts.Position`.
    `scores` is `"modern"` (1 for the winner, −1 for the loser, 0 for a draw) or `"documented"`
    (0 for the winner, 3 for the loser, 1 for a draw).

    >>> rules = noughts.iarena.GameRules("mnk:1,1,1", scores="documented")
    >>> position = rules.next_position("a1", rules.first_position())
    >>> rules.score(position).score
    [0, 3]
    """

    def __init__(
        self,
        game: Game | str = "classic",
        initial_position: Position | str | None = None,
        *,
        scores: str = "modern",
    ) -> None:
        self.game = Game(game)
        self.scores: str = check_choice("scores", scores, tuple(SCORES))
        if not isinstance(initial_position, Position):
            initial_position = self.game.position(initial_position)
        self.initial_position: Position = check_position(self.game, initial_position)

    def _wrap(self, position: Position) -> GamePosition:
        return GamePosition(position, self)

    def _movement(self, move: str) -> Movement:
        return Movement(move)

    def _unwrap(self, position: Any) -> Position:
        if not isinstance(position, GamePosition):
            raise TypeError(f"position must be a position of these rules, not {describe_type(position)}")
        return check_position(self.game, position.position)

    def n_players(self) -> int:
        """Returns 2, the number of players."""
        return 2

    def first_position(self) -> GamePosition:
        """Returns the position that the game starts from."""
        return self._wrap(self.initial_position)

    def next_position(self, movement: Movement | str | int, position: GamePosition) -> GamePosition:
        """Returns the position after a movement. Raises `noughts.IllegalMove` if it is illegal."""
        move = movement.text if isinstance(movement, Movement) else movement
        return self._wrap(self._unwrap(position).play(move))

    def possible_movements(self, position: GamePosition) -> list[Movement]:
        """Returns the legal movements, in the order of their action numbers; empty once the game is
        over."""
        inner = self._unwrap(position)
        return [self._movement(self.game.move(action)) for action in inner.legal_actions]

    def is_movement_possible(self, movement: Any, position: GamePosition) -> bool:
        """Returns whether a movement is legal; `False` for anything that isn't a movement.

        >>> rules = noughts.iarena.TicTacToeRules()
        >>> rules.is_movement_possible(None, rules.first_position())
        False
        """
        inner = self._unwrap(position)
        try:
            return inner.is_legal(movement.text if isinstance(movement, Movement) else movement)
        except (NoughtsError, TypeError):
            return False

    def finished(self, position: GamePosition) -> bool:
        """Returns whether the game is over."""
        return self._unwrap(position).is_over

    def score(self, position: GamePosition) -> ScoreBoard:
        """Returns both players' scores. While the game is in progress, they are those of a draw."""
        winner, loser, draw = SCORES[self.scores]
        outcome = self._unwrap(position).outcome
        results = {"x": (winner, loser), "o": (loser, winner)}
        return ScoreBoard(results.get(outcome or "", (draw, draw)))

    def __repr__(self) -> str:
        return f"noughts.iarena.{type(self).__name__}('{self.game}')"


class TicTacToeRules(GameRules):
    """Classic tic-tac-toe as described on IArena's page. The initial board is a list of lists, given
    as `initial_position` (the name in the page's text) or `original_lines` (in its example).

    >>> rules = noughts.iarena.TicTacToeRules(original_lines=[[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> rules.possible_movements(rules.first_position())[0]
    noughts.iarena.TicTacToeMovement(row=0, column=0)
    >>> noughts.iarena.TicTacToeRules([[1, 1, 0], [0, 0, 0], [0, 0, 0]])
    Traceback (most recent call last):
      ...
    noughts.PositionError: with O to move, X must have one more than O, but X has 2 and O has 0
    """

    def __init__(
        self,
        initial_position: Sequence[Sequence[int]] | TicTacToePosition | None = None,
        *,
        original_lines: Sequence[Sequence[int]] | None = None,
        scores: str = "modern",
    ) -> None:
        if initial_position is not None and original_lines is not None:
            raise TypeError("initial_position and original_lines mean the same thing; pass only one of them")
        board = original_lines if initial_position is None else initial_position
        position: Position | None = None
        if isinstance(board, GamePosition):
            position = board.position
        elif board is not None:
            position = _position_from_lists(board)
        super().__init__("classic", position, scores=scores)

    def _wrap(self, position: Position) -> TicTacToePosition:
        return TicTacToePosition(position, self)

    def _movement(self, move: str) -> TicTacToeMovement:
        return TicTacToeMovement(row="123".index(move[1]), column="abc".index(move[0]))


class Player(ABC):
    """A base class for players with a name.

    >>> class Last(noughts.iarena.Player):
    ...     def play(self, position):
    ...         return position.get_rules().possible_movements(position)[-1]
    >>> Last().name(), Last().play(noughts.iarena.TicTacToeRules().first_position()).text
    ('Last', 'c3')
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = type(self).__name__ if name is None else name

    def name(self) -> str:
        """Returns the player's name."""
        return self._name

    def starting_game(self, rules: IGameRules, player_index: int) -> None:
        """Called before each game, with the player's index in it."""

    @abstractmethod
    def play(self, position: GamePosition) -> Movement:
        """Returns the movement to make."""


class BotPlayer(Player):
    """A bot as a player.

    `bot` is the name of a bot (see `noughts.bots()`), an object with `choose(position)`, or a
    function of a `noughts.Position`. `limits` are the bot's search limits for each move, such as
    `{"nodes": 1000}`; you can also pass them as keyword arguments: `nodes=1000`.

    >>> player = noughts.iarena.BotPlayer(lambda position: position.legal_moves[-1], name="last")
    >>> rules = noughts.iarena.TicTacToeRules()
    >>> player.name(), player.play(rules.first_position())
    ('last', noughts.iarena.TicTacToeMovement(row=2, column=2))
    >>> noughts.iarena.BotPlayer("mcts", limits={"node": 1000})
    Traceback (most recent call last):
      ...
    TypeError: unknown limit "node"; use time, nodes or depth
    """

    def __init__(
        self,
        bot: Opponent = "medium",
        *,
        seed: int = 0,
        name: str | None = None,
        limits: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        super().__init__(name if name is not None or not isinstance(bot, str) else bot)
        duplicates = sorted(set(check_limits(bot, limits)) & set(named))
        if duplicates:
            raise TypeError(f"{duplicates[0]} is given twice: in limits and as a keyword argument")
        self._bot = bot
        self._seed = seed
        self._limits = check_limits(bot, {**(limits or {}), **named})
        # One for each game, because a bot is made for a single game.
        self._choosers: dict[Game, Callable[[Position], str | int]] = {}

    def play(self, position: GamePosition) -> Movement:
        """Returns the bot's move."""
        inner = position.position
        if inner.game not in self._choosers:
            self._choosers[inner.game] = make_chooser(
                self._bot, inner.game, seed=self._seed, limits=self._limits
            )
        move = self._choosers[inner.game](inner)
        text = move if isinstance(move, str) else inner.game.move(move)
        return position.get_rules()._movement(text)


class ConsolePlayer(Player):
    """A human player at the console. Shows the position and asks for a move until it is legal: a
    name, or on the classic board also `row column`, counted from 0.

    >>> answers = iter(["0 3", "b9", "1 1"])
    >>> player = noughts.iarena.ConsolePlayer(ask=lambda prompt: next(answers), show=lambda text: None)
    >>> rules = noughts.iarena.TicTacToeRules()
    >>> player.play(rules.first_position())
    noughts.iarena.TicTacToeMovement(row=1, column=1)
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        ask: Callable[[str], str] = input,
        show: Callable[[str], None] = print,
    ) -> None:
        super().__init__(name)
        self._ask = ask
        self._show = show

    def play(self, position: GamePosition) -> Movement:
        """Asks for a move and returns it."""
        rules, inner = position.get_rules(), position.position
        self._show(str(position))
        while True:
            typed = self._ask(f"{inner.prompt} ").strip()
            try:
                move = self._parse(rules, typed)
                inner.play(move.text)
                return move
            except NoughtsError as error:
                self._show(str(error))

    @staticmethod
    def _parse(rules: GameRules, typed: str) -> Movement:
        numbers = typed.replace(",", " ").split()
        if isinstance(rules, TicTacToeRules) and len(numbers) == 2:
            if all(number.isdecimal() and number.isascii() for number in numbers):
                return TicTacToeMovement(row=int(numbers[0]), column=int(numbers[1]))
        rules.game.action(typed)
        return rules._movement(typed)
