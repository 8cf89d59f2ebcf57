"""A test that hangs is killed and reported, and the others still run."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HANGING = """
import ctypes, threading

def test_before():
    pass

def test_that_waits_forever():
    threading.Event().wait()

def test_that_holds_the_gil_forever():
    # Like compiled code that never releases it.
    ctypes.PyDLL(None).pause()

def test_after():
    pass
"""


@pytest.mark.skipif(os.name != "posix", reason="pause()")
def test_hanging_test_is_killed_and_reported(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING, encoding="utf-8")
    test_folder = str(pathlib.Path(__file__).parent)
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "limit", "-p", "no:cacheprovider", "-n", "2",
         "--dist", "worksteal", "test_hanging.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "NOUGHTS_TEST_LIMIT": "2", "PYTHONPATH": test_folder},
        timeout=120,
    )  # fmt: skip
    assert process.returncode == 1, process.stdout + process.stderr
    for name in ("test_that_waits_forever", "test_that_holds_the_gil_forever"):
        assert f"crashed while running 'test_hanging.py::{name}'" in process.stdout, process.stdout
        assert name in process.stderr, "the stacks are shown"
    assert "2 failed, 2 passed" in process.stdout, process.stdout
