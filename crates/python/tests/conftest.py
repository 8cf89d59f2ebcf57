"""What the tests share. No table of the user's own is read or changed."""

from __future__ import annotations

import pathlib
import signal
from typing import Iterator

import pytest

pytest_plugins = ["limit"]


@pytest.fixture(autouse=True)
def no_data(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An empty folder for the program's data."""
    folder = tmp_path / "data"
    monkeypatch.setenv("NOUGHTS_DATA", str(folder))
    return folder


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background and it is
    ignored (`nohup`, cron)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
