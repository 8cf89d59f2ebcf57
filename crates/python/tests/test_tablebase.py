"""Tablebases: their location, and errors with files.

Building the one of Tic-Tac-Two takes a minute, so that is only tested if `NOUGHTS_SOAK` is set.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import random

import pytest

import noughts
from interrupted import interrupted
from variants import random_game

START = noughts.Game("tic-tac-two").start()


def test_default_path_is_in_data_folder(data_folder: pathlib.Path) -> None:
    assert noughts.Tablebase.default_path("tic-tac-two") == data_folder / "tables" / "tic-tac-two.table"


def test_default_data_folder_is_platform_specific(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_DATA")
    monkeypatch.setenv("HOME", "/somebody")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    path = noughts.Tablebase.default_path("tic-tac-two")
    assert path.parts[-3:] == ("noughts", "tables", "tic-tac-two.table")
    assert os.name == "nt" or path.parts[:2] == ("/", "somebody")


def test_missing_table_only_fails_if_requested(data_folder: pathlib.Path) -> None:
    path = noughts.Tablebase.default_path("tic-tac-two")
    with pytest.raises(noughts.TablebaseError) as raised:
        noughts.Tablebase.open("tic-tac-two")
    assert str(raised.value) == f"{path} doesn't exist; build it with noughts.Tablebase.build(\"tic-tac-two\")"
    assert not noughts.Bot("perfect", "tic-tac-two").is_perfect
    report = noughts.Bot("perfect", "tic-tac-two").think(START, nodes=10)
    assert report.note is not None and "there's no tablebase for tic-tac-two" in report.note
    assert not data_folder.exists(), "looking for a table has made a folder"


@pytest.mark.parametrize(
    "contents, message",
    [
        (b"", "isn't a tic-tac-two tablebase"),
        (b"SQLite format 3\0", "isn't a tic-tac-two tablebase"),
        (b"NOUGHTS\n", "is truncated"),
        (b"NOUGHTS\n\1\0\0\0" + bytes(4), "is truncated"),
        (b"NOUGHTS\n\7\0\0\0" + bytes(100), "has version 7, but this program reads version 1"),
        (b"NOUGHTS\n\1\0\0\0" + bytes(10_000), "is corrupted: the checksum of the header is wrong"),
    ],
)
def test_malformed_files_raise(contents: bytes, message: str) -> None:
    path = noughts.Tablebase.default_path("tic-tac-two")
    path.parent.mkdir(parents=True)
    path.write_bytes(contents)
    for arguments in [("tic-tac-two",), ("tic-tac-two", path)]:
        with pytest.raises(noughts.TablebaseError) as raised:
            noughts.Tablebase.open(*arguments)
        assert str(path) in str(raised.value) and message in str(raised.value)
        assert "rebuild it with noughts.Tablebase.build(\"tic-tac-two\", force=True)" in str(raised.value)
    # Bots play without it, and warn.
    with pytest.warns(UserWarning, match="continuing without the tablebase"):
        bot = noughts.Bot("perfect", "tic-tac-two")
    assert bot.choose(START, nodes=10) in START.legal_moves
    # A file of another program isn't overwritten.
    if "isn't a" in message:
        with pytest.raises(noughts.TablebaseError, match="isn't a tic-tac-two tablebase"):
            noughts.Tablebase.build("tic-tac-two")
        assert path.read_bytes() == contents


def test_bad_paths_and_arguments_raise(tmp_path: pathlib.Path) -> None:
    with pytest.raises(noughts.TablebaseError, match="^can't read "):
        noughts.Tablebase.open("morris", tmp_path)
    file = tmp_path / "a file"
    file.write_text("here")
    with pytest.raises(noughts.TablebaseError):
        noughts.Tablebase.build("morris", file / "table")
    with pytest.raises(TypeError):
        noughts.Tablebase.open()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        noughts.Tablebase.open("morris", 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^progress must be a function that takes a stage and a number"):
        noughts.Tablebase.build("morris", tmp_path / "table", progress="often")  # type: ignore[arg-type]
    with pytest.raises(noughts.NoughtsError, match="^threads must be a whole number"):
        noughts.Tablebase.build("morris", tmp_path / "table", threads=0)
    assert sorted(tmp_path.iterdir()) == [file]


def test_small_game_is_built_and_used(data_folder: pathlib.Path) -> None:
    table = noughts.Tablebase.build("morris")
    assert table.path == data_folder / "tables" / "morris.table" and table.game == "morris"
    assert noughts.Tablebase.default_path(noughts.Game("morris")) == table.path
    start = noughts.Game("morris").start()
    known = table.probe(start)
    assert (known.value, known.plies, known.moves[0].move) == ("win", 9, "b2")
    assert table.check() == 744
    [summary] = table.summary()
    assert summary["positions"] == 744 and summary["mine"] is None
    assert pickle.loads(pickle.dumps(table)).probe(start).value == "win"
    assert noughts.Tablebase.open("morris").bytes == table.path.stat().st_size
    with pytest.raises(noughts.TablebaseError, match="the tablebase is for morris, not for vanishing"):
        table.probe(noughts.Game("vanishing").start())
    with pytest.raises(noughts.TablebaseError, match="classic needs no tablebase"):
        noughts.Tablebase.build("classic")
    with pytest.raises(noughts.TablebaseError, match='build it with noughts.Tablebase.build\\("vanishing"\\)'):
        noughts.Tablebase.open("vanishing")


def test_tablebase_of_redefined_game_is_not_used() -> None:
    """Guards against values of older rules, from a tablebase or from its cache."""

    def define(goal: int) -> type:
        class Walk(noughts.Game):
            """Walk in a circle. The player who reaches the goal wins."""

            can_repeat = True

            def start(self):
                return (2, "x")

            def side(self, position):
                return position[1]

            def moves(self, position):
                return ["left", "right"]

            def apply(self, position, move):
                place, side = position
                return ((place + (1 if move == "right" else -1)) % 5, "o" if side == "x" else "x")

            def outcome(self, position):
                place, side = position
                return None if place != goal else "o" if side == "x" else "x"

        return Walk

    first = define(3)
    table = noughts.Tablebase.build(first)
    noughts.Bot("perfect", first)
    assert noughts.solve(first().start(), tablebase=table).plies == 1
    second = define(0)
    with pytest.raises(noughts.TablebaseError, match="walk has been redefined"):
        table.probe(second().start())
    with pytest.raises(noughts.TablebaseError, match="walk has been redefined"):
        noughts.solve(second().start(), tablebase=table)
    with pytest.warns(UserWarning, match="continuing without the tablebase"):
        noughts.Bot("perfect", second)


def test_small_games_need_no_tablebase() -> None:
    solved = noughts.solve(noughts.Game("morris").start())
    assert (solved.value, solved.plies) == ("win", 9)
    assert noughts.Bot("perfect", "morris").is_perfect


def test_exception_in_progress_cancels_build(tmp_path: pathlib.Path) -> None:
    """An exception in the callback propagates, and no file is left behind."""

    class Enough(Exception):
        pass

    def progress(stage: str, done: float) -> None:
        assert stage == "solving" and 0.0 <= done <= 1.0
        raise Enough

    folder = tmp_path / "new"
    with pytest.raises(Enough):
        noughts.Tablebase.build("tic-tac-two", folder / "table", progress=progress)
    assert list(folder.iterdir()) == []


def test_ctrl_c_cancels_build(tmp_path: pathlib.Path) -> None:
    assert interrupted(f"send_ctrl_c_soon()\nnoughts.Tablebase.build('tic-tac-two', {str(tmp_path / 'table')!r})")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif("NOUGHTS_SOAK" not in os.environ, reason="it takes a minute or two")
def test_built_table_is_correct_and_used(data_folder: pathlib.Path) -> None:
    reports: list[tuple[str, float]] = []
    table = noughts.Tablebase.build("tic-tac-two", progress=lambda *report: reports.append(report))
    assert {stage for stage, _ in reports} == {"solving", "packing"}
    assert table.path == noughts.Tablebase.default_path("tic-tac-two") and table.bytes == table.path.stat().st_size
    assert table.check() > 0 and sum(layer["positions"] or 0 for layer in table.summary()) > 0
    assert noughts.Tablebase.build("tic-tac-two").path == table.path, "an existing tablebase was rebuilt"
    assert table.probe(START).value == "draw"
    assert pickle.loads(pickle.dumps(table)).path == table.path
    # It is used by default, and not with `tablebase=False`.
    assert noughts.Bot("perfect", "tic-tac-two").is_perfect
    assert not noughts.Bot("perfect", "tic-tac-two", tablebase=False).is_perfect
    assert noughts.solve(START).value == "draw"
    assert noughts.solve(START, tablebase=False, nodes=1000).value is None
    rng = random.Random(1)
    for seed in range(100):
        position = rng.choice(list(random_game("tic-tac-two", seed))[:-1])
        known = table.probe(position)
        assert noughts.solve(position, tablebase=table).value == known.value
        for ranked in known.moves:
            after = table.probe(position.play(ranked.move))
            assert {after.value, ranked.value} in ({"win", "loss"}, {"draw"})
    with pytest.raises(noughts.TablebaseError, match="not for classic"):
        table.probe(noughts.Game("classic").start())
    with pytest.raises(noughts.TablebaseError, match="not for tic-tac-two:board=7"):
        table.probe(noughts.Game("tic-tac-two:board=7").start())
    # Corruption in the middle of the file is detected when that part is read.
    corrupted = bytearray(table.path.read_bytes())
    corrupted[len(corrupted) // 2] ^= 1
    table.path.write_bytes(corrupted)
    with pytest.raises(noughts.TablebaseError, match="corrupted"):
        noughts.Tablebase.open("tic-tac-two").check()
