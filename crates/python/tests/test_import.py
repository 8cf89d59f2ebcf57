"""What importing the package requires, and the error if that is missing."""

from __future__ import annotations

import subprocess
import sys


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_missing_numpy_raises_import_error() -> None:
    """Guards against a panic when the first array is created."""
    process = python(
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "try:\n"
        "    import noughts\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    assert "numpy" in process.stdout and "panicked" not in process.stderr, (process.stdout, process.stderr)


def test_only_numpy_and_stdlib_are_imported() -> None:
    process = python(
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import noughts\n"
        "after = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "standard = set(getattr(sys, 'stdlib_module_names', after))\n"
        "print(sorted(after - standard - {'noughts', 'numpy'}))\n"
    )
    assert process.stdout.strip() == "[]", (process.stdout, process.stderr)
