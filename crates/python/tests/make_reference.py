"""Writes docs/python/reference.md from the docstrings of the installed package.

    python crates/python/tests/make_reference.py

Signatures come from the stubs and sources, descriptions from the docstrings. A test compares the
file with the output of this script.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import pathlib
import re
import tokenize
import types
from typing import Any, Dict, Iterator, List, Optional, Tuple

import noughts

REFERENCE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python" / "reference.md"

#: The contents of the package itself, in reading order. A missing name is an error.
GROUPS: Dict[str, List[str]] = {
    "Games and positions": ["Game", "Position", "variants", "observe", "to_grid", "from_grid"],
    "Records and random games": ["Record", "read_records", "Playouts"],
    "Bots": ["Bot", "bots", "Report", "RankedMove", "Limits", "Clock"],
    "Exact values and analysis": ["solve", "Solution", "analyze", "Analysis", "Tablebase"],
    "Many games at once": ["Vector"],
    "Errors": [
        "NoughtsError",
        "VariantError",
        "PositionError",
        "IllegalMove", "GameError",
        "BotError",
        "RecordError",
        "TablebaseError",
        "PlanError",
    ],
}
MODULES = ["arena", "ugi", "pettingzoo", "gymnasium", "openspiel", "iarena"]

HEAD = """\
# Python reference

*Generated from the docstrings by `python crates/python/tests/make_reference.py`. The tests run every example.*

Games and positions are immutable. Wherever you pass a move, you can use its name or its action number. Wherever you pass
a game, you can use a `noughts.Game` or its name. Times are in seconds, except `time_ms`. For an introduction, see
[the quick start](quick-start.md).
"""

#: Types that the reference shows under another name.
DISPLAY_NAMES = {"NDArray": "array", "Any": "anything"}


class Source:
    """The definitions in a Python source file."""

    def __init__(self, path: pathlib.Path) -> None:
        with tokenize.open(str(path)) as file:
            text = file.read()
        self.lines = text.split("\n")
        self.definitions: Dict[str, ast.stmt] = {}
        self.aliases: Dict[str, ast.expr] = {}
        self.notes: Dict[str, str] = {}
        for node in ast.parse(text).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name):
                self.notes[target.id] = self._comment_above(node.lineno - 2)
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.definitions[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.aliases[node.targets[0].id] = node.value

    def fields(self, cls: ast.ClassDef) -> Iterator[Tuple[str, ast.AnnAssign, str]]:
        """The annotated attributes of a class, with the comments (`#:`) above them."""
        for node in cls.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if not node.target.id.startswith("_"):
                    yield node.target.id, node, self._comment_above(node.lineno - 2)

    def _comment_above(self, line: int) -> str:
        words: List[str] = []
        while self.lines[line].strip().startswith("#:"):
            words.insert(0, self.lines[line].strip()[2:].strip())
            line -= 1
        return " ".join(words)

    def type(self, node: Optional[ast.expr]) -> str:
        """A type in words."""
        if node is None or isinstance(node, ast.Constant) and node.value is None:
            return "None"
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.BinOp):
            return self._union([node.left, node.right])
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return self.type(self.aliases[node.id])
        if isinstance(node, ast.Name) and node.id in DISPLAY_NAMES:
            return DISPLAY_NAMES[node.id]
        if not isinstance(node, ast.Subscript):
            return ast.unparse(node).replace("np.ndarray", "array").replace("np.", "")
        outer = ast.unparse(node.value).split(".")[-1]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if outer == "Optional":
            return f"{self.type(parts[0])} or None"
        if outer == "Union":
            return self._union(parts)
        if outer == "Literal":
            return " or ".join(ast.unparse(part) for part in parts)
        if outer == "ClassVar":
            return self.type(parts[0])
        words = [self.type(part) for part in parts]
        if outer == "NDArray":
            return f"array of {words[0].rstrip('_')}"
        if outer in ("List", "list", "Sequence", "Iterable", "Iterator"):
            return f"list of {words[0]}"
        if outer in ("Tuple", "tuple") and words[-1] in ("...", "Ellipsis"):
            return f"tuple of {words[0]}"
        if outer in ("Tuple", "tuple"):
            return f"({', '.join(words)})"
        if outer in ("Dict", "dict", "Mapping"):
            return f"dict of {words[0]} to {words[1]}"
        return f"{outer}[{', '.join(words)}]"

    def _union(self, parts: List[ast.expr]) -> str:
        return " or ".join(self.type(part) for part in parts)


def parameters(function: ast.FunctionDef, bound: bool) -> str:
    """The parameters of a function: names and defaults."""
    arguments = copy.deepcopy(function.args)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    listed = ast.unparse(arguments)
    if bound:
        listed = re.sub(r"^(self|cls)(, )?", "", listed)
        # Removing `self` may have moved the slash of positional arguments to the front.
        listed = re.sub(r"^/(, )?", "", listed)
    return listed


def markdown(text: str) -> str:
    """Converts a docstring to Markdown."""
    text = inspect.cleandoc(text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text)
    text = text.replace("``", "`")
    lines: List[str] = []
    in_example = False
    for line in text.split("\n"):
        is_example = line.startswith(">>>")
        if is_example and not in_example:
            lines.append("```pycon")
            in_example = True
        elif in_example and not line.strip():
            lines.append("```")
            in_example = False
        lines.append("" if line.strip() == "<BLANKLINE>" else line)
    if in_example:
        lines.append("```")
    return "\n".join(line for line in lines if line != ">>> import noughts")


def doc(thing: Any) -> str:
    """The object's own docstring, not an inherited one."""
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if thing is None or isinstance(thing, (str, int, float, tuple, dict)):
        return ""
    text = getattr(thing, "__doc__", None) or ""
    # Generated by Python.
    return "" if text.startswith("Alias for field") else text


class Page:
    """The page under construction."""

    def __init__(self) -> None:
        self.parts: List[str] = [HEAD.strip()]
        self.stubs = Source(pathlib.Path(noughts.__file__).with_name("_noughts.pyi"))
        compiled = importlib.import_module("noughts._noughts")
        self.compiled = {id(thing): name for name, thing in vars(compiled).items()}

    def find_source(self, thing: Any, name: str) -> Tuple[Source, Optional[ast.stmt]]:
        """The source file of an object, and its definition there."""
        if id(thing) in self.compiled:
            return self.stubs, self.stubs.definitions.get(self.compiled[id(thing)])
        try:
            source = Source(pathlib.Path(inspect.getfile(thing)))
        except TypeError:
            return self.stubs, None
        return source, source.definitions.get(name)

    def add(self, text: str) -> None:
        self.parts.append(text.strip("\n"))

    def add_item(self, full_name: str, thing: Any) -> None:
        name = full_name.rsplit(".", 1)[1]
        source, node = self.find_source(thing, name)
        if isinstance(thing, type):
            self.add_class(full_name, thing, source, node)
        elif isinstance(node, ast.FunctionDef):
            self.add(f"### `{full_name}({parameters(node, False)})`{self.return_type(source, node)}")
            self.add(markdown(doc(thing)))
        elif not isinstance(thing, types.ModuleType):
            self.add(f"### `{full_name}`\n\n{self.constant_note(full_name)}\n\n`{thing!r}`")

    @staticmethod
    def constant_note(full_name: str) -> str:
        """The comment above a constant, in its module or in the one that the adapters share."""
        module, name = full_name.rsplit(".", 1)
        for each in (module, "noughts._adapt"):
            file = importlib.import_module(each).__file__
            assert file is not None
            note = Source(pathlib.Path(file)).notes.get(name)
            if note:
                return markdown(note)
        return ""

    @staticmethod
    def return_type(source: Source, node: ast.FunctionDef) -> str:
        kind = source.type(node.returns)
        return "" if kind == "None" else f" → {kind}"

    def add_class(self, full_name: str, cls: type, source: Source, node: Optional[ast.stmt]) -> None:
        name = full_name.rsplit(".", 1)[1]
        if issubclass(cls, BaseException):
            self.add(f"### `{full_name}`\n\nA subclass of `{cls.__bases__[0].__name__}`. {markdown(doc(cls))}")
            return
        body = node.body if isinstance(node, ast.ClassDef) else []
        # Include what a private base class defines.
        bases = [base for base in cls.__mro__[1:] if base.__name__.startswith("_")]
        inherited = {name: member for base in bases for name, member in vars(base).items()}
        for base in bases:
            definition = source.definitions.get(base.__name__)
            body = [*body, *(definition.body if isinstance(definition, ast.ClassDef) else [])]
        methods: dict = {}
        for part in body:
            # A method of the class itself replaces that of its base.
            if isinstance(part, ast.FunctionDef):
                methods.setdefault(part.name, part)
        fields = list(source.fields(node)) if isinstance(node, ast.ClassDef) else []
        made = methods.get("__init__") or methods.get("__new__")
        is_tuple = issubclass(cls, tuple)
        is_options = issubclass(cls, dict)
        title = f"class {full_name}"
        if is_tuple:
            parts = [f"{n}={ast.unparse(f.value)}" if f.value else n for n, f, _ in fields]
            title += f"({', '.join(parts)})"
        elif made is not None and not getattr(cls, "_is_protocol", False):
            given = parameters(made, True)
            title += "" if given.startswith("*_") else f"({given})"
        self.add(f"### `{title}`")
        self.add(markdown(doc(cls)))
        listed = []
        slots = vars(cls).get("__slots__")
        for part, field, note in fields:
            if isinstance(slots, dict):
                note = note or slots[part]
            if note or is_tuple or is_options:
                listed.append(self.attribute(part, source.type(field.annotation), note))
        noted = {part for part, _, _ in fields}
        calls: List[Tuple[str, ast.FunctionDef, Any]] = []
        for part, member in {**inherited, **vars(cls)}.items():
            if part.startswith("_") or part in noted or part not in methods:
                continue
            function = methods[part]
            decorated = [ast.unparse(d) for d in function.decorator_list]
            if "property" in decorated or "functools.cached_property" in decorated:
                listed.append(self.attribute(part, source.type(function.returns), doc(member)))
            else:
                calls.append((part, function, member))
        # Members of compiled classes are unordered: use the order of the stubs.
        if id(cls) in self.compiled:
            order = list(methods)
            calls.sort(key=lambda call: order.index(call[0]))
            listed.sort(key=lambda line: order.index(re.match(r"- `(\w+)`", line)[1]))  # type: ignore[index]
        if listed:
            self.add("\n".join(listed))
        for part, function, member in calls:
            is_static = "staticmethod" in [ast.unparse(d) for d in function.decorator_list]
            text = markdown(doc(member))
            given = parameters(function, not is_static)
            self.add(f"#### `{name}.{part}({given})`{self.return_type(source, function)}")
            if text:
                self.add(text)

    @staticmethod
    def attribute(name: str, kind: str, note: str) -> str:
        text = markdown(note)
        # Put an attribute's example below its description.
        words, example = (text.split("```pycon", 1) + [""])[:2]
        line = f"- `{name}` ({kind}): {' '.join(words.split())}" if words else f"- `{name}` ({kind})"
        if example:
            block = "```pycon" + example
            line += "\n\n" + "\n".join(f"  {each}".rstrip() for each in block.split("\n")) + "\n"
        return line


def make() -> str:
    """The whole page."""
    page = Page()
    names = [name for group in GROUPS.values() for name in group]
    public = {name for name in noughts.__all__ if not name.startswith("__")}
    missing = public - set(names) - set(MODULES)
    assert not missing, f"GROUPS has no place for {', '.join(sorted(missing))}"
    headings = [*GROUPS, *(f"noughts.{module}" for module in MODULES)]
    anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    page.add("\n".join(f"- [{h}](#{anchor})" for h, anchor in zip(headings, anchors)))
    for heading, group in GROUPS.items():
        page.add(f"## {heading}")
        for name in group:
            page.add_item(f"noughts.{name}", getattr(noughts, name))
    for name in MODULES:
        module = importlib.import_module(f"noughts.{name}")
        page.add(f"## noughts.{name}")
        page.add(markdown(doc(module)))
        for part in module.__all__:
            thing = getattr(module, part)
            if part in names:
                page.add(f"`noughts.{name}.{part}` is `noughts.{part}`.")
            else:
                page.add_item(f"noughts.{name}.{part}", thing)
    return "\n\n".join(page.parts) + "\n"


if __name__ == "__main__":
    REFERENCE.write_text(make(), encoding="utf-8")
