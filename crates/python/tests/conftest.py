"""Shared fixtures. The tests never read or change the user's own tablebase."""

from __future__ import annotations

import pathlib
import signal
from typing import Iterator, List

import pytest

pytest_plugins = ["limit"]


#: The slowest tests, which run first, so that no worker starts one when the others are done.
SLOWEST = ("tutorial.md]", "test_stubs.py", "test_limit.py", "test_fuzz.py")


def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    """Sorts the slowest tests to the front."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in SLOWEST))


@pytest.fixture(autouse=True)
def data_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Makes an empty folder the data folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("NOUGHTS_DATA", str(folder))
    return folder


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Makes Ctrl-C raise KeyboardInterrupt, even if the tests run in the background with SIGINT
    ignored (`nohup`, cron)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
