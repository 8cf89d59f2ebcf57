"""What the tests share. No table of the person's own is looked at or touched."""

from __future__ import annotations

import pathlib

import pytest


@pytest.fixture(autouse=True)
def no_data(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An empty folder for the program's data."""
    folder = tmp_path / "data"
    monkeypatch.setenv("NOUGHTS_DATA", str(folder))
    return folder
