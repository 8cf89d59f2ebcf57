"""What the tests share. No table of the user's own is read or changed."""

from __future__ import annotations

import pathlib
import signal
from typing import Iterator, List

import pytest

pytest_plugins = ["limit"]


#: What takes longest, so that no worker starts with it when the others are done.
LONGEST = ("tutorial.md]", "test_stubs.py", "test_limit.py", "test_fuzz.py")


def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    """The longest tests come first."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in LONGEST))


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
