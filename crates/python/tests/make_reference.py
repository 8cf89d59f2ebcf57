"""Writes docs/python/reference.md from the docstrings of the installed package.

    python crates/python/tests/make_reference.py

What things are called with and give back stands in the stubs and in the sources, what they are in
their docstrings. A test compares the file with what is made here.
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

#: The package itself, in an order for readers. What is missing here is an error.
GROUPS: Dict[str, List[str]] = {
    "Games and positions": ["Game", "Position", "variants", "observe", "to_grid", "from_grid"],
    "Records and random games": ["Record", "read_records", "Playouts"],
    "Bots": ["Bot", "bots", "Report", "Ranked", "Limits", "Clock"],
    "Exact values and analysis": ["solve", "Solution", "analyse", "Analysis", "Table"],
    "Many games at once": ["Vector"],
    "Errors": [
        "NoughtsError",
        "VariantError",
        "PositionError",
        "IllegalMove",
        "BotError",
        "RecordError",
        "TableError",
        "PlanError",
    ],
}
MODULES = ["arena", "ugi", "pettingzoo", "gymnasium", "openspiel", "iarena"]

HEAD = """\
# From Python: everything there is

*Made from the docstrings by `python crates/python/tests/make_reference.py`; the tests run every example.*

Games and positions never change. A move is its name or its number: wherever one is taken, both will do. A game is a
`noughts.Game` or its name. Times are seconds. How the parts go together stands in [the quick start](quick-start.md).
"""

#: What is compiled under one name and known by another.
PUBLIC = {"ArenaGame": "PlayedGame", "ArenaResult": "Result", "NDArray": "array", "Any": "anything"}


class Source:
    """What a file of Python says of its classes and functions."""

    def __init__(self, path: pathlib.Path) -> None:
        with tokenize.open(str(path)) as file:
            text = file.read()
        self.lines = text.split("\n")
        self.things: Dict[str, ast.stmt] = {}
        self.aliases: Dict[str, ast.expr] = {}
        self.notes: Dict[str, str] = {}
        for node in ast.parse(text).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name):
                self.notes[target.id] = self._above(node.lineno - 2)
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.things[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.aliases[node.targets[0].id] = node.value

    def fields(self, cls: ast.ClassDef) -> Iterator[Tuple[str, ast.AnnAssign, str]]:
        """Attributes that are written down in a class, with the comments (`#:`) above them."""
        for node in cls.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if not node.target.id.startswith("_"):
                    yield node.target.id, node, self._above(node.lineno - 2)

    def _above(self, line: int) -> str:
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
            return self._either([node.left, node.right])
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return self.type(self.aliases[node.id])
        if isinstance(node, ast.Name) and node.id in PUBLIC:
            return PUBLIC[node.id]
        if not isinstance(node, ast.Subscript):
            return ast.unparse(node).replace("np.ndarray", "array").replace("np.", "")
        outer = ast.unparse(node.value).split(".")[-1]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if outer == "Optional":
            return f"{self.type(parts[0])} or None"
        if outer == "Union":
            return self._either(parts)
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

    def _either(self, parts: List[ast.expr]) -> str:
        return " or ".join(self.type(part) for part in parts)


def parameters(function: ast.FunctionDef, bound: bool) -> str:
    """What it is called with: names and what they are if they are not given."""
    arguments = copy.deepcopy(function.args)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    listed = ast.unparse(arguments)
    if bound:
        listed = re.sub(r"^(self|cls)(, )?", "", listed)
        # The line behind positional arguments has moved to the front.
        listed = re.sub(r"^/(, )?", "", listed)
    return listed


def markdown(text: str) -> str:
    """A docstring for readers."""
    text = inspect.cleandoc(text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text)
    text = text.replace("``", "`")
    made: List[str] = []
    inside = False
    for line in text.split("\n"):
        begins = line.startswith(">>>")
        if begins and not inside:
            made.append("```pycon")
            inside = True
        elif inside and not line.strip():
            made.append("```")
            inside = False
        made.append("" if line.strip() == "<BLANKLINE>" else line)
    if inside:
        made.append("```")
    return "\n".join(line for line in made if line != ">>> import noughts")


def doc(thing: Any) -> str:
    """Its own words, not inherited ones."""
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if thing is None or isinstance(thing, (str, int, float, tuple, dict)):
        return ""
    text = getattr(thing, "__doc__", None) or ""
    # What Python writes by itself.
    return "" if text.startswith("Alias for field") else text


class Page:
    """The text, as it grows."""

    def __init__(self) -> None:
        self.parts: List[str] = [HEAD.strip()]
        self.stubs = Source(pathlib.Path(noughts.__file__).with_name("_noughts.pyi"))
        compiled = importlib.import_module("noughts._noughts")
        self.compiled = {id(thing): name for name, thing in vars(compiled).items()}

    def where(self, thing: Any, name: str) -> Tuple[Source, Optional[ast.stmt]]:
        """The lines that say how it is called."""
        if id(thing) in self.compiled:
            return self.stubs, self.stubs.things.get(self.compiled[id(thing)])
        try:
            source = Source(pathlib.Path(inspect.getfile(thing)))
        except TypeError:
            return self.stubs, None
        return source, source.things.get(name)

    def add(self, text: str) -> None:
        self.parts.append(text.strip("\n"))

    def thing(self, whole: str, thing: Any) -> None:
        name = whole.rsplit(".", 1)[1]
        source, node = self.where(thing, name)
        if isinstance(thing, type):
            self.cls(whole, thing, source, node)
        elif isinstance(node, ast.FunctionDef):
            self.add(f"### `{whole}({parameters(node, False)})`{self.gives(source, node)}")
            self.add(markdown(doc(thing)))
        elif not isinstance(thing, types.ModuleType):
            self.add(f"### `{whole}`\n\n{self.note(whole)}\n\n`{thing!r}`")

    @staticmethod
    def note(whole: str) -> str:
        """The comment above a constant, in its module or in that which the adapters share."""
        module, name = whole.rsplit(".", 1)
        for each in (module, "noughts._adapt"):
            file = importlib.import_module(each).__file__
            assert file is not None
            said = Source(pathlib.Path(file)).notes.get(name)
            if said:
                return markdown(said)
        return ""

    @staticmethod
    def gives(source: Source, node: ast.FunctionDef) -> str:
        kind = source.type(node.returns)
        return "" if kind == "None" else f" → {kind}"

    def cls(self, whole: str, cls: type, source: Source, node: Optional[ast.stmt]) -> None:
        name = whole.rsplit(".", 1)[1]
        if issubclass(cls, BaseException):
            self.add(f"### `{whole}`\n\nA kind of `{cls.__bases__[0].__name__}`. {markdown(doc(cls))}")
            return
        body = node.body if isinstance(node, ast.ClassDef) else []
        methods = {part.name: part for part in body if isinstance(part, ast.FunctionDef)}
        fields = list(source.fields(node)) if isinstance(node, ast.ClassDef) else []
        made = methods.get("__init__") or methods.get("__new__")
        is_tuple = issubclass(cls, tuple)
        title = f"class {whole}"
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
        for part, field, said in fields:
            if isinstance(slots, dict):
                said = said or slots[part]
            if said or is_tuple:
                listed.append(self.attribute(part, source.type(field.annotation), said))
        noted = {part for part, _, _ in fields}
        calls: List[Tuple[str, ast.FunctionDef, Any]] = []
        for part, member in vars(cls).items():
            if part.startswith("_") or part in noted or part not in methods:
                continue
            function = methods[part]
            decorated = [ast.unparse(d) for d in function.decorator_list]
            if "property" in decorated:
                listed.append(self.attribute(part, source.type(function.returns), doc(member)))
            else:
                calls.append((part, function, member))
        # Compiled members have no order of their own.
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
            self.add(f"#### `{name}.{part}({given})`{self.gives(source, function)}")
            if text:
                self.add(text)

    @staticmethod
    def attribute(name: str, kind: str, said: str) -> str:
        text = markdown(said)
        # An example of an attribute stands below its words.
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
            page.thing(f"noughts.{name}", getattr(noughts, name))
    for name in MODULES:
        module = importlib.import_module(f"noughts.{name}")
        page.add(f"## noughts.{name}")
        page.add(markdown(doc(module)))
        for part in module.__all__:
            thing = getattr(module, part)
            if part in names:
                page.add(f"`noughts.{name}.{part}` is `noughts.{part}`.")
            else:
                page.thing(f"noughts.{name}.{part}", thing)
    return "\n\n".join(page.parts) + "\n"


if __name__ == "__main__":
    REFERENCE.write_text(make(), encoding="utf-8")
