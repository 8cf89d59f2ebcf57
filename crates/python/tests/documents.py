"""Runs the Python in the documents, and fills in what it shows. Not a test itself.

    python crates/python/tests/documents.py            what is not as the program has it
    python crates/python/tests/documents.py --write    puts it right; read it before you commit it
    python crates/python/tests/documents.py --write vector.md    that page only

A document is read as a notebook: its ``python`` blocks share one namespace, in an empty folder,
and the last line of a block is shown where it is a value. What a block shows stands in the
``text`` block that comes next, with ``...`` for what differs from run to run; a block without one
shows nothing. A block that begins with the name of a file in a comment is also saved there, behind
those before it. `__name__` is not `"__main__"`, so that programs are saved and not begun.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: Everything that is run.
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs" / "python").glob("*.md")])

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)\n")


class Block(NamedTuple):
    """Some Python, and what it is said to show."""

    line: int
    code: str
    shown: str
    #: Where `shown` stands in the document, or is to stand: from, to.
    place: tuple[int, int]
    has_text: bool


def blocks(document: str) -> List[Block]:
    """The Python of a document, in order."""
    fenced = list(_FENCED.finditer(document))
    found = []
    for i, block in enumerate(fenced):
        if block[1] != "python":
            continue
        after = fenced[i + 1] if i + 1 < len(fenced) else None
        has_text = (
            after is not None
            and after[1] == "text"
            and not document[block.end() : after.start()].strip()
        )
        shown, place = "", (block.end(), block.end())
        if has_text and after is not None:
            shown, place = after[2], (after.start(2), after.end(2))
        line = document.count("\n", 0, block.start(2)) + 1
        found.append(Block(line, block[2], shown, place, has_text))
    return found


def perform(found: List[Block], name: str = "document") -> List[str]:
    """What each block shows, run in a process of its own."""
    codes = json.dumps([[block.line, block.code] for block in found])
    with tempfile.TemporaryDirectory() as folder:
        # The programs that a document starts are to be this Python.
        bin = str(pathlib.Path(sys.executable).parent)
        settings = {
            **os.environ,
            "PATH": bin + os.pathsep + os.environ.get("PATH", ""),
            "NOUGHTS_DATA": os.path.join(folder, "data"),
            "PYTHONIOENCODING": "utf-8",
        }
        done = subprocess.run(
            [sys.executable, str(pathlib.Path(__file__).resolve()), "--perform", name],
            input=codes.encode(),
            capture_output=True,
            cwd=folder,
            env=settings,
        )
    if done.returncode:
        raise AssertionError(done.stderr.decode())
    answers: List[str] = json.loads(done.stdout)
    return answers


def _perform(name: str) -> None:
    """In that process: codes in, what they show out."""
    codes = json.load(sys.stdin)
    sys.path[0] = os.getcwd()
    namespace: Dict[str, Any] = {"__name__": "document"}
    answers = []
    for line, code in codes:
        file = _FILE.match(code)
        shown = io.StringIO()
        if file:
            with open(file[1], "a", encoding="utf-8") as saved:
                saved.write(code)
        with contextlib.redirect_stdout(shown):
            _run(code, name, line, namespace)
        answers.append(shown.getvalue())
    sys.stdout.write(json.dumps(answers))


def _run(code: str, name: str, line: int, namespace: Dict[str, Any]) -> None:
    tree = ast.parse(code, name)
    last: Optional[ast.Expression] = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        final = tree.body.pop()
        assert isinstance(final, ast.Expr)
        last = ast.Expression(final.value)
    # Line numbers are the document's.
    ast.increment_lineno(tree, line - 1)
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        ast.increment_lineno(last, line - 1)
        value = eval(compile(last, name, "eval"), namespace)
        if value is not None:
            print(repr(value))


def same(said: str, shown: str) -> bool:
    """Is this what the document says? `...` stands for anything."""
    # What shows an empty line at its end is not told from what does not.
    return doctest.OutputChecker().check_output(
        said.rstrip() + "\n", _trimmed(shown), doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE
    )


def _trimmed(text: str) -> str:
    """Without spaces at the ends of lines, which editors and git dislike."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


def corrected(document: str, found: List[Block], answers: List[str]) -> str:
    """The document as it should be."""
    for block, shown in reversed(list(zip(found, answers))):
        if same(block.shown, shown):
            continue
        text = _trimmed(shown)
        if not block.has_text:
            text = f"\n\n```text\n{text}```"
        start, end = block.place
        document = document[:start] + text + document[end:]
    return document


def main(write: bool, named: List[str]) -> int:
    wrong = 0
    for path in DOCUMENTS:
        if named and path.name not in named:
            continue
        document = path.read_text(encoding="utf-8")
        found = blocks(document)
        answers = perform(found, path.name)
        right = corrected(document, found, answers)
        if right != document:
            wrong += 1
            print(f"{path.relative_to(ROOT)} {'is written' if write else 'differs'}")
            if write:
                path.write_text(right, encoding="utf-8")
    return 0 if write else wrong


if __name__ == "__main__":
    if sys.argv[1:2] == ["--perform"]:
        _perform(sys.argv[2])
    else:
        sys.exit(main("--write" in sys.argv[1:], [name for name in sys.argv[1:] if name[0] != "-"]))
