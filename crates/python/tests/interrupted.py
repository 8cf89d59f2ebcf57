"""Runs code in a separate interpreter that is interrupted as by Ctrl-C. Not a test itself."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

BEFORE = """
import os, signal, sys, threading
import noughts

# A child of a background shell may have inherited SIGINT as ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def send_ctrl_c_soon():
    "Sends Ctrl-C while the code that follows is running."
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.1)

def work():
"""

AFTER = """
try:
    work()
except KeyboardInterrupt:
    left = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    # The system's threads: those of searches must be gone, too. A thread that has just ended may
    # still be listed for a moment.
    tasks = "/proc/self/task"
    for _ in range(100_000):
        count = len(os.listdir(tasks)) if os.path.isdir(tasks) else 1
        if count - len(left) == 1:
            break
    print("interrupted", count - len(left))
"""


def interrupted(work: str) -> bool:
    """Checks that the code ends with KeyboardInterrupt and leaves no thread behind."""
    # Without NumPy's own threads, which would be counted.
    program = BEFORE + textwrap.indent(textwrap.dedent(work), "    ") + AFTER
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "interrupted 1", (done.stdout, done.stderr)
    return True
