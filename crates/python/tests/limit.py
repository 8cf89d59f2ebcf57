"""Ends tests that hang, so that no run waits forever. A pytest plugin, not a test itself.

After the time limit it prints the stacks of all threads and ends the process, even if the test is
stuck in compiled code or holds the GIL. The run continues in another worker and reports the test:
"worker crashed while running ...".
"""

from __future__ import annotations

import faulthandler
import os
from typing import Generator

import pytest

#: Seconds for a test, including its fixtures. The slowest takes a tenth of it on a busy machine.
LIMIT = float(os.environ.get("NOUGHTS_TEST_LIMIT", 7200 if os.environ.get("NOUGHTS_SOAK") else 300))

# The original one, not the one that pytest captures.
_STDERR = os.dup(2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=_STDERR)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
