"""What importing the package needs, and what it says where that is missing."""

from __future__ import annotations

import subprocess
import sys


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_without_numpy_there_is_an_import_error() -> None:
    """Guards against a panic where the first array is made."""
    done = python(
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "try:\n"
        "    import noughts\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    assert "numpy" in done.stdout and "panicked" not in done.stderr, (done.stdout, done.stderr)


def test_nothing_but_numpy_and_python_is_imported() -> None:
    done = python(
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import noughts\n"
        "after = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "standard = set(getattr(sys, 'stdlib_module_names', after))\n"
        "print(sorted(after - standard - {'noughts', 'numpy'}))\n"
    )
    assert done.stdout.strip() == "[]", (done.stdout, done.stderr)
