"""The table of Tic-Tac-Two: where it is looked for, and what is wrong with files.

Building it takes a minute: that is done when `NOUGHTS_SOAK` is set.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import random

import pytest

import noughts
from interrupted import interrupted
from variants import game

START = noughts.Game("tic-tac-two").start()


def test_it_lies_where_the_program_looks(no_data: pathlib.Path) -> None:
    assert noughts.Table.usual_path() == no_data / "tables" / "tic-tac-two.table"


def test_the_usual_place_is_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_DATA")
    monkeypatch.setenv("HOME", "/somebody")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    path = noughts.Table.usual_path()
    assert path.parts[-3:] == ("noughts", "tables", "tic-tac-two.table")
    assert os.name == "nt" or path.parts[:2] == ("/", "somebody")


def test_no_table_is_nothing_wrong_unless_it_is_asked_for(no_data: pathlib.Path) -> None:
    path = noughts.Table.usual_path()
    with pytest.raises(noughts.TableError) as told:
        noughts.Table.open()
    assert str(told.value) == f"there is no {path}; noughts.Table.build() makes one"
    assert not noughts.Bot("perfect", "tic-tac-two").is_perfect
    report = noughts.Bot("perfect", "tic-tac-two").think(START, nodes=10)
    assert report.note is not None and "there is no table for tic-tac-two" in report.note
    assert not no_data.exists(), "looking for a table has made a folder"


@pytest.mark.parametrize(
    "contents, sentence",
    [
        (b"", "is no table of tic-tac-two"),
        (b"SQLite format 3\0", "is no table of tic-tac-two"),
        (b"NOUGHTS\n", "is cut short"),
        (b"NOUGHTS\n\1\0\0\0" + bytes(4), "is cut short"),
        (b"NOUGHTS\n\7\0\0\0" + bytes(100), "has version 7, but this program reads version 1"),
        (b"NOUGHTS\n\1\0\0\0" + bytes(10_000), "is damaged: the checksum of the header is wrong"),
    ],
)
def test_files_that_are_no_table(contents: bytes, sentence: str) -> None:
    path = noughts.Table.usual_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(contents)
    for open_it in [noughts.Table.open, lambda: noughts.Table.open(path)]:
        with pytest.raises(noughts.TableError) as told:
            open_it()
        assert str(path) in str(told.value) and sentence in str(told.value)
        assert "noughts.Table.build(force=True) makes a new one" in str(told.value)
    # Bots do without, and say so.
    with pytest.warns(UserWarning, match="going on without the table"):
        bot = noughts.Bot("perfect", "tic-tac-two")
    assert bot.choose(START, nodes=10) in START.legal_moves
    # What somebody else wrote is not built over.
    if "no table" in sentence:
        with pytest.raises(noughts.TableError, match="is no table of tic-tac-two"):
            noughts.Table.build()
        assert path.read_bytes() == contents


def test_folders_and_other_places(tmp_path: pathlib.Path) -> None:
    with pytest.raises(noughts.TableError, match="^cannot read "):
        noughts.Table.open(tmp_path)
    taken = tmp_path / "a file"
    taken.write_text("here")
    with pytest.raises(noughts.TableError):
        noughts.Table.build(taken / "table")
    with pytest.raises(TypeError):
        noughts.Table.open(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^progress must be a function of a word and a number"):
        noughts.Table.build(tmp_path / "table", progress="often")  # type: ignore[arg-type]
    with pytest.raises(noughts.NoughtsError, match="^threads must be a whole number"):
        noughts.Table.build(tmp_path / "table", threads=0)
    assert sorted(tmp_path.iterdir()) == [taken]


def test_a_build_can_be_given_up(tmp_path: pathlib.Path) -> None:
    """An exception of the caller's function comes through, and nothing is left behind."""

    class Enough(Exception):
        pass

    def progress(stage: str, done: float) -> None:
        assert stage == "solving" and 0.0 <= done <= 1.0
        raise Enough

    folder = tmp_path / "new"
    with pytest.raises(Enough):
        noughts.Table.build(folder / "table", progress=progress)
    assert list(folder.iterdir()) == []


def test_ctrl_c_ends_a_build(tmp_path: pathlib.Path) -> None:
    assert interrupted(f"soon()\nnoughts.Table.build({str(tmp_path / 'table')!r})")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif("NOUGHTS_SOAK" not in os.environ, reason="it takes a minute or two")
def test_a_table_that_was_built(no_data: pathlib.Path) -> None:
    heard: list[tuple[str, float]] = []
    table = noughts.Table.build(progress=lambda *said: heard.append(said))
    assert {stage for stage, _ in heard} == {"solving", "packing"}
    assert table.path == noughts.Table.usual_path() and table.bytes == table.path.stat().st_size
    assert table.check() > 0 and sum(layer["positions"] or 0 for layer in table.summary()) > 0
    assert noughts.Table.build().path == table.path, "a good one was built anew"
    assert table.probe(START).value == "draw"
    assert pickle.loads(pickle.dumps(table)).path == table.path
    # By default it is used; `False` does without.
    assert noughts.Bot("perfect", "tic-tac-two").is_perfect
    assert not noughts.Bot("perfect", "tic-tac-two", tables=False).is_perfect
    assert noughts.solve(START).value == "draw"
    assert noughts.solve(START, tables=False, nodes=1000).value is None
    dice = random.Random(1)
    for seed in range(100):
        position = dice.choice(list(game("tic-tac-two", seed))[:-1])
        known = table.probe(position)
        assert noughts.solve(position, tables=table).value == known.value
        for ranked in known.moves:
            after = table.probe(position.play(ranked.move))
            assert {after.value, ranked.value} in ({"win", "loss"}, {"draw"})
    with pytest.raises(noughts.TableError, match="not for classic"):
        table.probe(noughts.Game("classic").start())
    with pytest.raises(noughts.TableError, match="not for tic-tac-two:board=7"):
        table.probe(noughts.Game("tic-tac-two:board=7").start())
    # Damage in the middle is found by whoever asks for it.
    spoiled = bytearray(table.path.read_bytes())
    spoiled[len(spoiled) // 2] ^= 1
    table.path.write_bytes(spoiled)
    with pytest.raises(noughts.TableError, match="damaged"):
        noughts.Table.open().check()
