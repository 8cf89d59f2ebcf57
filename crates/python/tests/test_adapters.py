"""Frameworks are imported only with their adapters, with a clear error if they are missing."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys

import noughts
import pytest

FRAMEWORKS = {
    "pettingzoo": ["pettingzoo", "gymnasium"],
    "gymnasium": ["gymnasium"],
    "openspiel": ["pyspiel", "open_spiel"],
    "iarena": [],
}
INSTALLED_AS = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "open-spiel"}


def run(code: str) -> str:
    """The output of a fresh interpreter."""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return process.stdout.strip()


def test_importing_the_package_imports_no_framework():
    names = sorted({name for some in FRAMEWORKS.values() for name in some})
    code = f"import sys, noughts, noughts.iarena; print([name for name in {names} if name in sys.modules])"
    assert run(code) == "[]"


@pytest.mark.parametrize("adapter", INSTALLED_AS)
def test_missing_framework_raises_import_error(adapter):
    # None in sys.modules makes an import fail as if the package weren't installed.
    missing = dict.fromkeys(FRAMEWORKS[adapter])
    code = f"""
import sys
sys.modules.update({missing})
try:
    import noughts.{adapter}
except ImportError as error:
    print(error)
import noughts
try:
    noughts.{adapter}
except ImportError as error:
    print(error)
"""
    package = INSTALLED_AS[adapter]
    message = f"noughts.{adapter} needs the {package} package; run: pip install {package}"
    assert run(code).splitlines() == [message, message]


@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_adapters_are_imported_lazily(adapter):
    for name in FRAMEWORKS[adapter]:
        pytest.importorskip(name)
    code = f"import noughts; print(noughts.{adapter}.__name__)"
    assert run(code).splitlines()[-1] == f"noughts.{adapter}"


def test_unknown_attribute_raises():
    code = """
import noughts
try:
    noughts.chess
except AttributeError as error:
    print(error)
"""
    assert run(code) == "module 'noughts' has no attribute 'chess'"


@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_docstring_examples_pass(adapter):
    for name in FRAMEWORKS[adapter]:
        pytest.importorskip(name)
    module = importlib.import_module(f"noughts.{adapter}")
    results = doctest.testmod(module, extraglobs={"noughts": noughts})
    assert results.attempted > 10 and results.failed == 0
