"""IArena's interface: a small reimplementation of its players and tournaments, written from its
documentation, plays every game."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import random

import noughts
import numpy as np
import pytest
from adapter_games import GAMES, random_game
from noughts import iarena
from noughts.iarena import (
    BotPlayer,
    ConsolePlayer,
    GamePosition,
    GameRules,
    Movement,
    ScoreBoard,
    TicTacToeMovement,
    TicTacToePosition,
    TicTacToeRules,
)

# The reimplementation. It only uses the documented methods, nothing else of this package.


class IndexPlayer:
    """Picks a movement by its index among the possible ones, as some of IArena's players do."""

    def __init__(self, index):
        self.index = index

    def name(self):
        return f"index {self.index}"

    def starting_game(self, rules, player_index):
        pass

    def play(self, position):
        return position.get_rules().possible_movements(position)[self.index]


class RandomPlayer:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def name(self):
        return "at random"

    def starting_game(self, rules, player_index):
        self.rules = rules

    def play(self, position):
        return self.rng.choice(list(self.rules.possible_movements(position)))


class CachingPlayer:
    """A full search that caches values by position."""

    def __init__(self):
        self.values = {}
        self.cache_hits = 0

    def name(self):
        return "remembers"

    def starting_game(self, rules, player_index):
        self.me = player_index

    def value(self, position):
        key = (self.me, position)
        if key in self.values:
            self.cache_hits += 1
            return self.values[key]
        rules = position.get_rules()
        if rules.finished(position):
            value = rules.score(position).get_score(self.me)
        else:
            after = [
                self.value(rules.next_position(move, position))
                for move in rules.possible_movements(position)
            ]
            value = max(after) if position.next_player() == self.me else min(after)
        self.values[key] = value
        return value

    def play(self, position):
        rules = position.get_rules()
        return max(
            rules.possible_movements(position),
            key=lambda move: self.value(rules.next_position(move, position)),
        )


def play_game(rules, players):
    """Plays one game and checks every movement, like IArena's arena."""
    assert rules.n_players() == len(players)
    for index, player in enumerate(players):
        player.starting_game(rules, index)
    position = rules.first_position()
    while not rules.finished(position):
        movement = players[position.next_player()].play(position)
        assert rules.is_movement_possible(movement, position), f"{movement} in\n{position}"
        position = rules.next_position(movement, position)
    return rules.score(position)


def tournament(rules, players):
    """A round robin on both sides; returns the total scores."""
    total = ScoreBoard()
    for (first, one), (second, other) in itertools.permutations(enumerate(players), 2):
        score = play_game(rules, [one, other])
        total.add_score(first, score[0])
        total.add_score(second, score[1])
    return total


@pytest.mark.parametrize("name", GAMES)
def test_players_and_tournaments_run_on_every_game(name):
    rules = GameRules(name)
    bot = BotPlayer(lambda position: position.legal_actions[-1], name="ours")
    players = [IndexPlayer(0), IndexPlayer(-1), RandomPlayer(1), bot]
    total = tournament(rules, players)
    assert len(total.score) == len(players)
    assert sum(total.score) == 0, "what one wins the other loses"
    for player in (*players, BotPlayer(), ConsolePlayer()):
        assert isinstance(player, iarena.IPlayer)


def test_caching_player_never_loses_classic():
    rules = TicTacToeRules()
    player = CachingPlayer()
    assert play_game(rules, [player, CachingPlayer()]).score == [0, 0]
    assert player.cache_hits > 1000, "equal positions must be found again"
    for seed in range(20):
        assert play_game(rules, [player, RandomPlayer(seed)])[0] >= 0
        assert play_game(rules, [RandomPlayer(seed), player])[1] >= 0


@pytest.mark.parametrize("name", ["ception:depth=1", "misere", "mnk:4,2,3", "mnk:3,3,2,misere"])
def test_caching_player_agrees_with_full_search(name):
    def full_search(position, cache):
        if position.is_over:
            return {"x": 1, "o": -1, "draw": 0}[position.outcome]
        if position.text not in cache:
            after = [full_search(position.play(move), cache) for move in position.legal_moves]
            cache[position.text] = max(after) if position.side == "x" else min(after)
        return cache[position.text]

    score = play_game(GameRules(name), [CachingPlayer(), CachingPlayer()])
    assert score[0] == full_search(noughts.Game(name).start(), {})


def test_bot_player_plays():
    rules = TicTacToeRules()
    perfect = CachingPlayer()
    for seed in range(5):
        bot = BotPlayer("random", seed=seed)
        assert bot.name() == "random"
        assert play_game(rules, [perfect, bot])[0] >= 0
    for name in ("classic", "ultimate", "tic-tac-two"):
        score = play_game(GameRules(name), [BotPlayer("easy", seed=1), BotPlayer("random", seed=1)])
        assert sorted(score.score) in ([-1, 1], [0, 0])
        again = play_game(GameRules(name), [BotPlayer("easy", seed=1), BotPlayer("random", seed=1)])
        assert score == again, "the same seeds must give the same game"


@pytest.mark.parametrize("name", GAMES)
def test_rules_agree_with_positions(name):
    rules = GameRules(name)
    wrapped = rules.first_position()
    assert isinstance(rules, iarena.IGameRules) and isinstance(wrapped, iarena.IPosition)
    for position in random_game(name, 5):
        if position.last_move is not None:
            before, wrapped = wrapped, rules.next_position(Movement(position.last_move), wrapped)
            assert wrapped != before
        assert wrapped == GamePosition(position) and hash(wrapped) == hash(GamePosition(position))
        assert wrapped.next_player() == "xo".index(position.side)
        assert wrapped.get_rules() is rules
        assert rules.finished(wrapped) == position.is_over
        movements = rules.possible_movements(wrapped)
        assert [
            noughts.Game(name).action(move.text) for move in movements
        ] == position.legal_actions
        assert all(rules.is_movement_possible(move, wrapped) for move in movements)
        won = {"x": 1, "o": -1}.get(position.outcome, 0)
        assert rules.score(wrapped).score == [won, -won]
        assert str(wrapped) == str(position)


# Classic, as in IArena's documentation.


def test_every_classic_position_as_numbers():
    rules = TicTacToeRules()
    queue, seen = [rules.first_position()], set()
    while queue:
        position = queue.pop()
        if position in seen:
            continue
        seen.add(position)
        board = position.board
        assert [position[row] for row in range(3)] == board
        marks = position.position.text.split()[0].split("/")
        for row, column in itertools.product(range(3), range(3)):
            assert position[row][column] == {".": 0, "x": 1, "o": 2}[marks[row][column]]
            movement = TicTacToeMovement(row=row, column=column)
            empty = board[row][column] == 0 and not rules.finished(position)
            assert rules.is_movement_possible(movement, position) == empty
            assert (movement in rules.possible_movements(position)) == empty
        assert TicTacToePosition(board) == position
        queue += [rules.next_position(move, position) for move in rules.possible_movements(position)]
    assert len(seen) == 5478, "this many positions of classic can be reached"


@pytest.mark.parametrize(
    "scores, win, draw", [("modern", [1, -1], [0, 0]), ("documented", [0, 3], [1, 1])]
)
def test_both_scoring_schemes(scores, win, draw):
    rules = TicTacToeRules([[1, 1, 0], [2, 2, 0], [0, 0, 0]], scores=scores)
    position = rules.next_position(TicTacToeMovement(0, 2), rules.first_position())
    assert rules.finished(position) and rules.score(position).score == win
    rules = TicTacToeRules([[2, 2, 0], [1, 1, 0], [1, 0, 0]], scores=scores)
    position = rules.next_position(TicTacToeMovement(row=0, column=2), rules.first_position())
    assert rules.score(position).score == win[::-1]
    rules = TicTacToeRules([[1, 2, 1], [1, 2, 2], [2, 1, 1]], scores=scores)
    assert rules.finished(rules.first_position())
    assert rules.score(rules.first_position()).score == draw


def test_modern_scoring_is_the_default():
    rules = TicTacToeRules([[1, 1, 1], [2, 2, 0], [0, 0, 0]])
    assert rules.score(rules.first_position()).winner() == 0
    assert TicTacToeRules().scores == GameRules("ultimate").scores == "modern"


def test_initial_position_aliases():
    lines = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    given = [
        TicTacToeRules(lines),
        TicTacToeRules(initial_position=lines),
        TicTacToeRules(original_lines=lines),
        TicTacToeRules(initial_position=TicTacToePosition(lines)),
        TicTacToeRules(tuple(map(tuple, lines))),
        TicTacToeRules(np.array(lines)),
    ]
    for rules in given:
        assert rules.first_position().board == lines
        assert rules.first_position().next_player() == 1
    assert TicTacToeRules().first_position().board == [[0] * 3] * 3


def test_board_is_a_copy():
    position = TicTacToeRules().first_position()
    position.board[1][1] = 2
    position[0][0] = 1
    assert position == TicTacToeRules().first_position() and position[1][1] == 0


def test_movements_compare_hash_and_pickle():
    movements = [TicTacToeMovement(row, column) for row in range(3) for column in range(3)]
    assert len(set(movements)) == 9
    assert TicTacToeMovement(1, 2) == TicTacToeMovement(row=1, column=2) == Movement("c2")
    assert TicTacToeMovement(1, 2) != Movement("b3") and TicTacToeMovement(1, 2) != "c2"
    for movement in (*movements, Movement("ee")):
        for again in (pickle.loads(pickle.dumps(movement)), copy.deepcopy(movement)):
            assert again == movement and repr(again) == repr(movement)
    assert isinstance(movements[0], iarena.IMovement)
    assert TicTacToeMovement(np.int64(1), np.int8(2)) == TicTacToeMovement(1, 2)


@pytest.mark.parametrize("name", ["classic", "tic-tac-two", "ception:5c"])
def test_positions_pickle(name):
    rules = GameRules(name)
    for position in random_game(name, 6):
        wrapped = GamePosition(position, rules)
        again = pickle.loads(pickle.dumps(wrapped))
        assert again == wrapped and again.get_rules().game == rules.game
        assert copy.deepcopy(wrapped) == wrapped


def test_score_boards():
    board = ScoreBoard()
    assert board.winner() is None and board.pretty_print() == ""
    board.define_score(2, 5)
    assert board.score == [0, 0, 5] and board.winner() == 2
    board.add_score(0, 5)
    assert board.winner() is None, "a tie has no winner"
    board.join(ScoreBoard([1, 2, 3, 4]))
    assert board.score == [6, 2, 8, 4]
    assert (
        [board[player] for player in range(4)]
        == board.score
        == [board.get_score(i) for i in range(4)]
    )
    assert "8" in board.pretty_print() and str(board) == "[6, 2, 8, 4]"
    assert ScoreBoard([-1, -2]).winner() == 0
    for player in (4, -1, None, "0", True):
        with pytest.raises(IndexError, match="has no score"):
            board.get_score(player)
    for player in (-1, 1.5, None):
        with pytest.raises(ValueError, match="whole number, 0 or higher"):
            board.add_score(player, 1)


def test_console_player_asks_until_move_is_legal():
    shown, typed = [], iter(["", "1", "z9", "0 0", "3 1", "1,1", "b2", "c2"])
    rules = TicTacToeRules([[1, 0, 0], [0, 2, 0], [0, 0, 0]])
    human = ConsolePlayer("Ada", ask=lambda prompt: next(typed), show=shown.append)
    assert human.name() == "Ada"
    assert human.play(rules.first_position()) == TicTacToeMovement(1, 2)
    assert len(shown) == 8, "the board once, and a reason for each refusal"
    assert "b2 is taken" in shown

    deep = GameRules("ultimate")
    typed = iter(["1 1", "ee"])
    human = ConsolePlayer(ask=lambda prompt: next(typed), show=shown.append)
    assert human.play(deep.first_position()) == Movement("ee")


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: GameRules("chess"), noughts.VariantError, "chess"),
        (lambda: GameRules("classic", scores="golf"), ValueError, "'modern' or 'documented'"),
        (lambda: GameRules("classic", "xx"), noughts.PositionError, "rows"),
        (
            lambda: GameRules("classic", noughts.Game("misere").start()),
            ValueError,
            "from misere, not from classic",
        ),
        (
            lambda: TicTacToeRules([[0] * 3] * 3, original_lines=[[0] * 3] * 3),
            TypeError,
            "pass only one",
        ),
        (
            lambda: TicTacToeRules([[3, 0, 0], [0] * 3, [0] * 3]),
            noughts.PositionError,
            "0 .empty., 1",
        ),
        (lambda: TicTacToeRules([[0, 0], [0, 0]]), noughts.PositionError, ""),
        (lambda: TicTacToeRules([[2, 0, 0], [0] * 3, [0] * 3]), noughts.PositionError, ""),
        (lambda: TicTacToeRules({1, 2}), TypeError, "board must be a list"),
        (lambda: TicTacToeRules(5), noughts.PositionError, ""),
        (lambda: TicTacToeRules("x"), noughts.PositionError, ""),
        (lambda: TicTacToePosition(noughts.Game("misere").start()), ValueError, "not from classic"),
        (lambda: TicTacToeMovement(3, 0), noughts.IllegalMove, "row must be a whole number from 0 to 2"),
        (lambda: TicTacToeMovement(0, -1), noughts.IllegalMove, "column must be a whole number from 0 to 2"),
        (lambda: TicTacToeMovement("0", 0), TypeError, "row must be a whole number"),
        (lambda: TicTacToeMovement(0, True), TypeError, "column must be a whole number"),
        (lambda: Movement(4), TypeError, "the name of a move"),
        (lambda: GamePosition("x"), TypeError, "noughts.Position"),
        (lambda: GameRules().finished("x"), TypeError, "must be a position of these rules"),
        (
            lambda: GameRules().finished(GameRules("misere").first_position()),
            ValueError,
            "not from classic",
        ),
        (
            lambda: GameRules().next_position("d4", GameRules().first_position()),
            noughts.IllegalMove,
            "d4",
        ),
        (
            lambda: GameRules().next_position(None, GameRules().first_position()),
            TypeError,
            "a move must be",
        ),
        (
            lambda: BotPlayer("nobody").play(GameRules().first_position()),
            noughts.BotError,
            "nobody",
        ),
        (lambda: BotPlayer(5).play(GameRules().first_position()), TypeError, "a bot must be"),
    ],
)
def test_bad_arguments_raise(make, kind, words):
    with pytest.raises(kind, match=words or None):
        make()


def test_non_movements_are_not_possible():
    rules = TicTacToeRules()
    for nonsense in (None, 9, -1, 1.5, "z9", "", [], object(), Movement("ee")):
        assert not rules.is_movement_possible(nonsense, rules.first_position())


def test_lists_match_command_line():
    # The same lists as `noughts show --as lists` prints, parsed by the same parser.
    lists = [[1, 2, 0], [0, 1, 0], [0, 0, 2]]
    assert TicTacToePosition(lists).position == noughts.Game("classic").position(json.dumps(lists))


def test_board_is_attribute_and_method():
    """Guards against breaking players written for IArena's code, where `board` is a method."""
    position = TicTacToeRules(initial_position=[[1, 0, 0], [0, 2, 0], [0, 0, 0]]).first_position()
    rows = [[1, 0, 0], [0, 2, 0], [0, 0, 0]]
    piece = TicTacToePosition.TicTacToePiece
    for board in (position.board, position.board()):
        assert board == rows and isinstance(board, list) and repr(board) == repr(rows)
        assert json.loads(json.dumps(board)) == rows
        assert [list(row) for row in board] == rows
        assert board[0][0] == 1 == piece.FirstPlayer and board[0][1] is piece.Empty
        assert board[1][1] == piece.SecondPlayer
        board[2][2] = piece.FirstPlayer
    assert position.board() == rows and position[1][1] == 2, "what was changed was a copy"
    assert TicTacToePosition(position.board()) == position == TicTacToePosition(position.board)
    assert copy.deepcopy(position.board()) == pickle.loads(pickle.dumps(position.board)) == rows


class BoardReader:
    """A player as written for IArena's code: it looks for empty cells itself."""

    def name(self):
        return "program"

    def starting_game(self, rules, player_index):
        pass

    def play(self, position):
        board = position.board()
        empty = TicTacToePosition.TicTacToePiece.Empty
        cells = [(r, c) for r in range(3) for c in range(3) if board[r][c] == empty]
        return TicTacToeMovement(*cells[0])


def test_player_written_for_iarena_code_plays():
    assert play_game(TicTacToeRules(), [BoardReader(), BoardReader()]).score == [1, -1]


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: BotPlayer("mcts", limits={"node": 5}), TypeError, 'unknown limit "node"'),
        (lambda: BotPlayer("mcts", node=5), TypeError, 'unknown limit "node"'),
        (lambda: BotPlayer("mcts", limits={"nodes": -1}), noughts.NoughtsError, "nodes must be"),
        (lambda: BotPlayer("mcts", limits={"nodes": "5"}), TypeError, "nodes must be"),
        (lambda: BotPlayer("mcts", time=0), noughts.NoughtsError, "time must be"),
        (lambda: BotPlayer("mcts", limits=5), TypeError, "limits must be a dictionary"),
        (lambda: BotPlayer("mcts", limits={"nodes": 5}, nodes=5), TypeError, "given twice"),
        (lambda: BotPlayer(lambda position: 0, nodes=5), TypeError, "limits can't be used with a function"),
        (lambda: BotPlayer("nobody"), noughts.BotError, "nobody"),
        (lambda: BotPlayer(5), TypeError, "a bot must be"),
    ],
)
def test_bot_player_checks_limits_on_creation(make, error, words):
    """Guards against limits that fail at the first move of a game."""
    with pytest.raises(error, match=words):
        make()


def test_limits_as_dict_or_keywords():
    rules = TicTacToeRules()
    for player in (BotPlayer("mcts", limits={"nodes": 50}), BotPlayer("mcts", nodes=50)):
        assert rules.is_movement_possible(player.play(rules.first_position()), rules.first_position())
