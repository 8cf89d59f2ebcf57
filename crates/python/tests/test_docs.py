"""Everything public has a docstring, and its examples run.

By introspection, so that additions to the package are covered automatically. Modules that need
another package are skipped if that isn't installed.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import types
from typing import Any, Dict, Iterator, List, Tuple

import pytest

import noughts


def modules() -> Iterator[types.ModuleType]:
    """The package and its public modules."""
    yield noughts
    for found in pkgutil.iter_modules(noughts.__path__, "noughts."):
        if not found.name.rsplit(".", 1)[1].startswith("_"):
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                continue


def public(module: types.ModuleType) -> Dict[str, Any]:
    """The public names that a module defines."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [
            name
            for name, thing in vars(module).items()
            if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
        ]
    return {name: getattr(module, name) for name in names if not name.startswith("__")}


def members(cls: type) -> Iterator[Tuple[str, Any]]:
    """The public methods and properties that a class defines itself."""
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if callable(member) or isinstance(member, (property, staticmethod, classmethod)):
            yield name, member
        elif inspect.isdatadescriptor(member) or inspect.ismethoddescriptor(member):
            yield name, member


def documented() -> Iterator[Tuple[str, Any]]:
    """Everything that must have a docstring: modules, their public names, and members."""
    seen = set()
    for module in modules():
        yield module.__name__, module
        for name, thing in public(module).items():
            if id(thing) in seen or isinstance(thing, types.ModuleType):
                continue
            seen.add(id(thing))
            if not (inspect.isclass(thing) or callable(thing)):
                continue
            full_name = f"{module.__name__}.{name}"
            yield full_name, thing
            if inspect.isclass(thing):
                for part, member in members(thing):
                    yield f"{full_name}.{part}", member


#: Sorted, because members of compiled classes are unordered and all workers must agree on the tests.
DOCUMENTED = dict(sorted(documented(), key=lambda item: item[0]))


def doc(thing: Any) -> str:
    """The object's own docstring, not an inherited one."""
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if inspect.ismemberdescriptor(thing):
        # The description of a slot may be in `__slots__`.
        slots = getattr(thing.__objclass__, "__slots__", ())
        return slots.get(thing.__name__, "") if isinstance(slots, dict) else ""
    return (thing.__doc__ or "").strip()


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_public_has_a_docstring(name: str) -> None:
    text = doc(DOCUMENTED[name])
    assert text, f"{name} has no docstring"
    assert text[0].isupper() or text[0] == "`", f"{name}: {text!r} begins in the middle"
    assert not inspect.isclass(DOCUMENTED[name]) or text != object.__doc__


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, thing in DOCUMENTED.items()
        if inspect.isclass(thing) and not issubclass(thing, BaseException)
    ],
)
def test_every_class_has_an_example(name: str) -> None:
    assert ">>>" in doc(DOCUMENTED[name]), f"{name} shows no example"


def examples() -> List[doctest.DocTest]:
    """The examples of everything, with `noughts` in their namespace."""
    parser = doctest.DocTestParser()
    tests = []
    for name, thing in DOCUMENTED.items():
        namespace: Dict[str, Any] = {"noughts": noughts}
        # Examples in a module may use its names.
        for module in modules():
            if name.startswith(f"{module.__name__}.") and module is not noughts:
                namespace.update(public(module))
        # Cleaned, so that docstrings of compiled and Python code are treated alike.
        test = parser.get_doctest(inspect.cleandoc(doc(thing)), namespace, name, None, 0)
        if test.examples:
            tests.append(test)
    return tests


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_examples_run(test: doctest.DocTest) -> None:
    out: List[str] = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=out.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(out)
