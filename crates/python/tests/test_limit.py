"""A test that hangs is ended and named, and the others run."""

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

def test_that_waits_for_ever():
    threading.Event().wait()

def test_that_holds_the_lock_for_ever():
    # As compiled code does that never gives it back.
    ctypes.PyDLL(None).pause()

def test_after():
    pass
"""


@pytest.mark.skipif(os.name != "posix", reason="pause()")
def test_a_hanging_test_is_ended_and_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING, encoding="utf-8")
    here = str(pathlib.Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "limit", "-p", "no:cacheprovider", "-n", "2",
         "--dist", "worksteal", "test_hanging.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "NOUGHTS_TEST_LIMIT": "2", "PYTHONPATH": here},
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    for name in ("test_that_waits_for_ever", "test_that_holds_the_lock_for_ever"):
        assert f"crashed while running 'test_hanging.py::{name}'" in done.stdout, done.stdout
        assert name in done.stderr, "the stacks are shown"
    assert "2 failed, 2 passed" in done.stdout, done.stdout
