"""Positions are immutable values, and equal positions agree in every attribute."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any, Callable

import numpy as np
import pytest

import noughts
from variants import VARIANTS, random_game, random_position

SEEDS = range(3)
each_variant = pytest.mark.parametrize("variant", VARIANTS)
Position = noughts.Position


def state(position: Position) -> tuple[Any, ...]:
    """All observable attributes of a position."""
    return (
        position.text,
        position.side,
        position.ply,
        position.outcome,
        position.legal_moves,
        position.moves,
        position.first.text,
        position.last_move,
        position.occurrences,
        hash(position),
        str(position),
    )


@each_variant
def test_play_and_undo_do_not_change_position(variant: str) -> None:
    for seed in SEEDS:
        for before, after in zip(list(random_game(variant, seed)), list(random_game(variant, seed))[1:]):
            expected = state(before)
            assert after.undo() == before and state(after.undo()) == expected
            assert state(before) == expected, "a move changed the position that it was made in"


@each_variant
def test_attributes_cannot_be_set(variant: str) -> None:
    position = noughts.Game(variant).start()
    for name in ["text", "side", "moves", "anything"]:
        with pytest.raises(AttributeError):
            setattr(position, name, 1)


@each_variant
@pytest.mark.parametrize(
    "again",
    [
        lambda p: pickle.loads(pickle.dumps(p)),
        lambda p: pickle.loads(pickle.dumps(p, 0)),
        copy.copy,
        copy.deepcopy,
        lambda p: p.first.game.position(p.first.text, moves=p.moves),
        lambda p: p.first.game.position(p.first.text, moves=" ".join(p.moves)),
        lambda p: p.first.game.position(
            p.first.text, moves=[p.game.action(mv) for mv in p.moves]
        ),
    ],
    ids="pickle oldest copy deepcopy list text numbers".split(),
)
def test_copies_are_identical(
    variant: str, again: Callable[[Position], Position]
) -> None:
    for seed in SEEDS:
        position = list(random_game(variant, seed))[-1]
        other = again(position)
        assert other == position and state(other) == state(position)
    game = noughts.Game(variant)
    assert again is copy.copy or pickle.loads(pickle.dumps(game)) == game


@each_variant
def test_text_round_trips_and_equality(variant: str) -> None:
    seen: dict[Position, str] = {}
    for seed in SEEDS:
        for position in random_game(variant, seed):
            if position.ending == "repetition":
                continue
            again = Position(variant, position.text)
            assert again.text == position.text
            assert again.legal_moves == position.legal_moves
            # Equality ignores the history, except for a draw by repetition.
            if again.outcome == position.outcome:
                assert again == position and hash(again) == hash(position)
            assert seen.setdefault(position, position.text) == position.text
            assert eval(repr(position), {"noughts": noughts}).text == position.text


def test_positions_of_different_games_differ() -> None:
    starts = {noughts.Game(variant).start() for variant in VARIANTS}
    assert len(starts) == len(VARIANTS)
    text = noughts.Game("classic").start()
    assert text != noughts.Game("misere").start()
    assert text != text.text and text != None and not text == 3  # noqa: E711


@each_variant
def test_moves_by_action_number(variant: str) -> None:
    for position in random_game(variant, 0):
        game = position.game
        pairs = sorted((game.action(mv), mv) for mv in position.legal_moves)
        assert [number for number, _ in pairs] == position.legal_actions
        for number, mv in pairs[:20]:
            assert game.move(number) == mv and game.action(number) == number
            assert position.play(np.int64(number)) == position.play(mv)
            assert position.is_legal(number) and position.is_legal(mv)


@each_variant
def test_symmetries(variant: str) -> None:
    """Images have the mapped moves, and all share one canonical position."""
    game = noughts.Game(variant)
    for seed in SEEDS:
        position = random_position(variant, seed)
        canonical, name = position.canonical()
        assert canonical == position.image(name)
        images = position.images()
        assert len(images) == len(game.symmetries) and images[0] == position
        # Several boards have thousands of symmetries: about fifty of them.
        step = len(images) // 50 + 1
        for symmetry, image in list(zip(game.symmetries, images))[::step]:
            assert image == position.image(symmetry)
            assert image.canonical()[0] == canonical
            assert image.outcome == position.outcome
            mapped = sorted(game.map_move(mv, symmetry) for mv in position.legal_moves)
            assert mapped == image.legal_moves
            for mv in position.legal_moves[:5]:
                image_after = image.play(game.map_move(mv, symmetry))
                assert image_after == position.play(mv).image(symmetry)


def test_known_position_counts() -> None:
    """The numbers of positions of classic, and of those up to symmetry."""
    queue = [noughts.Game("classic").start()]
    seen = set(queue)
    while queue:
        position = queue.pop()
        for mv in position.legal_moves:
            after = position.play(mv)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    assert len(seen) == 5478
    assert len({position.canonical()[0] for position in seen}) == 765


@pytest.mark.parametrize(
    "variant, counts",
    [
        ("classic", [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("tic-tac-two", [9, 72, 504, 3024, 69552]),
        ("ultimate", [81, 720, 6336, 55080]),
        ("ception:5a", [81, 720, 6336, 55080, 473256]),
    ],
)
def test_perft(variant: str, counts: list[int]) -> None:
    start = noughts.Game(variant).start()
    assert [start.perft(depth + 1) for depth in range(len(counts))] == counts
    divided = start.divide(len(counts))
    assert list(divided) == start.legal_moves and sum(divided.values()) == counts[-1]
    assert start.perft(0) == 1 and start.divide(0) == {}
    for mv in start.legal_moves[:3]:
        assert start.play(mv).perft(len(counts) - 1) == divided[mv]


def test_perft_and_playouts_of_finished_game() -> None:
    over = noughts.Game("classic").position("xxx/oo./... o")
    assert [over.perft(depth) for depth in range(3)] == [1, 0, 0]
    assert over.divide(1) == {}
    counts = over.playouts(7)
    assert (counts.x, counts.o, counts.draws, counts.plies) == (7, 0, 0, 0)


@each_variant
def test_playouts(variant: str) -> None:
    start = noughts.Game(variant).start()
    counts = start.playouts(100, seed=5)
    assert counts.games == 100 and counts.plies >= 100
    assert start.playouts(100, seed=5, threads=3) == counts, "threads change the games"
    assert start.playouts(0).games == 0 and start.playouts(0).mean_plies == 0.0
    assert pickle.loads(pickle.dumps(counts)) == counts


def test_playouts_match_published_averages() -> None:
    """The published averages of ultimate, within three standard errors of 20,000 games."""
    counts = noughts.Game("ultimate").start().playouts(20_000, seed=1)
    assert abs(counts.x / counts.games - 0.412) < 0.011
    assert abs(counts.o / counts.games - 0.366) < 0.011
    assert abs(counts.mean_plies - 58.9) < 0.3


@pytest.mark.parametrize(
    "variant", [name for name in VARIANTS if name.startswith(("classic", "mis", "mnk", "tic", "ult", "cep"))]
)
def test_cells_match_text(variant: str) -> None:
    """Compared with the text: cells in reading order, or in the order of paths."""
    position = random_position(variant, 1)
    cells = position.cells
    assert cells.dtype == np.uint8
    marks = [".xo".index(mark) for mark in position.text.split(" ")[0].replace("/", "")]
    game = position.game
    for number, mark in enumerate(marks):
        name = game.move(number)
        if variant.startswith(("ception", "ultimate")):
            row = column = 0
            for letter in name:
                index = "abcdefghi".index(letter)
                row, column = row * 3 + index // 3, column * 3 + index % 3
        else:
            row, column = int(name[1:]) - 1, ord(name[0]) - ord("a")
        assert cells[row, column] == mark, name
    assert cells.size == len(marks)
    cells[:] = 9
    assert position.cells.max() < 3, "the array shares memory with the position"


def test_digits_and_lists() -> None:
    for seed in range(20):
        for position in random_game("classic", seed):
            assert Position("classic", position.digits) == position
            assert Position("classic", str(position.lists)) == position
            assert position.lists == position.cells.tolist()
        for position in random_game("ultimate", seed):
            assert len(position.digits) == 93


def test_repetition_depends_on_history() -> None:
    opening = "b2 d2 b4 d4"
    grid_moves = ["@b3", "@c3"] * 4
    position = noughts.Game("tic-tac-two").position(moves=opening)
    first = position
    seen = []
    for mv in grid_moves:
        seen.append(position.occurrences)
        if position.is_over:
            break
        position = position.play(mv)
    assert seen == [1, 1, 2, 2, 3]
    assert (position.outcome, position.ending) == ("draw", "repetition")
    assert position.legal_moves == [] and position.perft(1) == 0
    # The same board without its history isn't over, and is a different position.
    fresh = Position("tic-tac-two", position.text)
    assert fresh.outcome is None and fresh != position and fresh == first
    assert pickle.loads(pickle.dumps(position)).is_over
    assert position.undo().outcome is None and position.image("rotate90").is_over


def test_pretty_printing() -> None:
    position = noughts.Game("classic").position(moves="b2")

    class Printer:
        output = ""

        def text(self, text: str) -> None:
            self.output += text

    printer = Printer()
    position._repr_pretty_(printer, False)
    assert printer.output == str(position)


def test_records() -> None:
    for variant in VARIANTS:
        for seed in SEEDS:
            *_, end = random_game(variant, seed, 30)
            comments = {0: "first", end.ply: 'last } " \\ \n'}
            record = noughts.Record(
                end, x="Ada", o='the "best"', tags={"Site": "here"}, comments=comments
            )
            [again] = noughts.read_records(str(record))
            assert again == record and hash(again) == hash(record)
            assert again.position == end and again.position.moves == end.moves
            assert again.tags == {"Site": "here", "X": "Ada", "O": 'the "best"'}
            assert (again.x, again.o, again.date) == ("Ada", 'the "best"', None)
            assert again.comments == comments if end.ply else again.comments.keys() == {0}
            assert again.result == end.outcome
            assert pickle.loads(pickle.dumps(record)) == record
            assert end.record(x="Ada") == str(noughts.Record(end, x="Ada"))
    resigned = noughts.Record(noughts.Game("classic").start(), result="o")
    assert resigned.result == "o" and "0-1" in str(resigned)
    both = noughts.read_records(str(resigned) + str(resigned))
    assert both == [resigned, resigned] and noughts.read_records("") == []


start = noughts.Game("classic").start()
two = noughts.Game("tic-tac-two").start()
won = Position("classic", "xxx/oo./... o")

BAD_CALLS = [
    # call, exception type, part of the message
    (lambda: noughts.Game("chess"), noughts.VariantError, "`chess`: unknown game; use one of classic, misere, mnk:M,N,K, tic-tac-two, ultimate, ception"),
    (lambda: noughts.Game("mnk:3"), noughts.VariantError, "mnk"),
    (lambda: noughts.Game(3), TypeError, "game must be a noughts.Game or the name of one, not an object of type int"),
    (lambda: noughts.bots(3.5), TypeError, "game must be a noughts.Game or the name of one, not an object of type float"),
    (lambda: start.play("d1"), noughts.IllegalMove, "d1"),
    (lambda: start.play(9), noughts.IllegalMove, "action 9 is out of range; the actions of classic are 0 to 8"),
    (lambda: start.play(-1), noughts.IllegalMove, "action -1 is out of range; the actions of classic are 0 to 8"),
    (lambda: start.play(10**30), noughts.IllegalMove, "action 1000000000000000000000000000000 is out of range; the actions of classic are 0 to 8"),
    (lambda: start.play(True), TypeError, "a move must be a name such as \"a1\" or an action number, not an object of type bool"),
    (lambda: start.play(1.0), TypeError, "a move must be a name such as \"a1\" or an action number, not an object of type float"),
    (lambda: start.play("b2").play("b2"), noughts.IllegalMove, "b2 is taken"),
    (lambda: start.undo(), noughts.IllegalMove, "no move to take back"),
    (lambda: won.play("c2"), noughts.IllegalMove, "the game is over"),
    (lambda: noughts.Game("classic").position(moves="a1 a1"), noughts.IllegalMove, "move 2: a1 is taken"),
    (lambda: noughts.Game("classic").position(moves=[0, 0]), noughts.IllegalMove, "move 2: a1 is taken"),
    (lambda: noughts.Game("classic").position(moves=7), TypeError, "'int' object is not iterable"),
    (lambda: Position("classic", "xxx/xxx/... z"), noughts.PositionError, "side"),
    (lambda: start.image("upside-down"), noughts.NoughtsError, "this board has no symmetry \"upside-down\"; its symmetries are identity, rotate180, left-right, top-bottom, rotate90, rotate270, transpose, anti-transpose"),
    (lambda: noughts.Game("mnk:4,3,3").map_move("a1", "rotate90"), noughts.NoughtsError, "its symmetries are identity, rotate180, left-right, top-bottom"),
    (lambda: start.perft(-1), noughts.NoughtsError, "depth must be a whole number from 0 to 64, not -1"),
    (lambda: start.perft(65), noughts.NoughtsError, "depth must be a whole number from 0 to 64, not 65"),
    (lambda: start.divide(2.0), TypeError, "depth must be a whole number from 0 to 64, not an object of type float"),
    (lambda: start.playouts(-3), noughts.NoughtsError, "n must be a whole number from 0 to 17592186044416, not -3"),
    (lambda: start.playouts(1, seed=-1), noughts.NoughtsError, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
    (lambda: start.playouts(1, threads=0), noughts.NoughtsError, "threads must be a whole number from 1 to 512, not 0"),
    (lambda: two.digits, noughts.NoughtsError, "tic-tac-two can't be written as digits, unlike classic, misere and ultimate"),
    (lambda: two.lists, noughts.NoughtsError, "tic-tac-two can't be written as lists, unlike classic and misere"),
    (lambda: start.record(result="1-0"), noughts.RecordError, "result must be 'x', 'o' or 'draw'"),
    (lambda: won.record(result="o"), noughts.RecordError, "result is \"o\", but by the rules this game ended with \"x\""),
    (lambda: start.record(tags={"Result": "x"}), noughts.RecordError, "the Result tag follows from the game"),
    (lambda: start.record(comments={1: "too far"}), noughts.NoughtsError, "the key of a comment must be a whole number from 0 to 0, not 1"),
    (lambda: noughts.read_records("1. b2"), noughts.RecordError, "line 1: the Variant tag is missing"),
]


@pytest.mark.parametrize("number", range(len(BAD_CALLS)))
def test_bad_arguments_raise(number: int) -> None:
    call, kind, message = BAD_CALLS[number]
    with pytest.raises(kind) as raised:
        call()  # type: ignore[no-untyped-call]
    assert message in str(raised.value)
    assert type(raised.value) is kind
    assert kind is TypeError or isinstance(raised.value, (noughts.NoughtsError, ValueError))


def test_position_is_thread_safe() -> None:
    """Guards against locks and crashes during concurrent reads."""
    import threading

    position = random_position("ultimate", 3)
    expected = state(position)
    wrong: list[object] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(50):
            if state(position) != expected:
                wrong.append(seed)
            position.play(rng.choice(position.legal_moves))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_exception_in_index_propagates() -> None:
    """Guards against a lost Ctrl-C."""

    class Interrupting:
        def __index__(self) -> int:
            raise KeyboardInterrupt

        __float__ = __index__

    position = noughts.Game("classic").start()
    bot = noughts.Bot("random", "classic")
    for call in (
        lambda: position.play(Interrupting()),
        lambda: position.perft(Interrupting()),
        lambda: noughts.Vector("classic", Interrupting()),
        lambda: bot.choose(position, time=Interrupting()),
    ):
        with pytest.raises(KeyboardInterrupt):
            call()


@pytest.mark.parametrize("value", ["zz", "", "\ud800", -1, 9, 10**30])
def test_non_moves_are_not_legal(value: object) -> None:
    assert noughts.Game("classic").start().is_legal(value) is False
