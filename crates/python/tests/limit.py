"""Ends a test that hangs, so that no run waits forever. A plugin of pytest, not a test itself.

After so many seconds the stacks of all threads are printed and the process ends, even where the
test is stuck in compiled code or holds Python's lock. The run goes on in another worker and names
the test: "worker crashed while running ...".
"""

from __future__ import annotations

import faulthandler
import os
from typing import Generator

import pytest

#: Seconds for a test, with what it sets up. The slowest takes a tenth of it on a busy machine.
LIMIT = float(os.environ.get("NOUGHTS_TEST_LIMIT", 7200 if os.environ.get("NOUGHTS_SOAK") else 300))

# Not the one that pytest captures.
_STDERR = os.dup(2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=_STDERR)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
