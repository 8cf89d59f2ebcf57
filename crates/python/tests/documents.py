"""Runs the Python blocks of the documents and fills in their output. Not a test itself.

    python crates/python/tests/documents.py            lists the documents with wrong output
    python crates/python/tests/documents.py --write    corrects them; review before you commit
    python crates/python/tests/documents.py --write vector.md    corrects only this page

A document is run like a notebook: its ``python`` blocks share one namespace, in an empty folder,
and if the last line of a block is an expression, its value is printed. The expected output is the
``text`` block that follows, with ``...`` for what differs from run to run; a block without one
must print nothing. A block that starts with a file name in a comment is also appended to that
file. `__name__` is not `"__main__"`, so that programs are saved but not run.
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
#: The documents to run.
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs" / "python").glob("*.md")])

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)\n")


class Block(NamedTuple):
    """A Python block and its expected output."""

    line: int
    code: str
    output: str
    #: The start and end of the output in the document, or where to insert it.
    span: tuple[int, int]
    has_text: bool


def blocks(document: str) -> List[Block]:
    """The Python blocks of a document, in order."""
    fenced = list(_FENCED.finditer(document))
    found_blocks = []
    for i, block in enumerate(fenced):
        if block[1] != "python":
            continue
        after = fenced[i + 1] if i + 1 < len(fenced) else None
        has_text = (
            after is not None
            and after[1] == "text"
            and not document[block.end() : after.start()].strip()
        )
        output, span = "", (block.end(), block.end())
        if has_text and after is not None:
            output, span = after[2], (after.start(2), after.end(2))
        line = document.count("\n", 0, block.start(2)) + 1
        found_blocks.append(Block(line, block[2], output, span, has_text))
    return found_blocks


def run_blocks(found_blocks: List[Block], name: str = "document") -> List[str]:
    """Runs the blocks in a separate process and returns the output of each."""
    sources = json.dumps([[block.line, block.code] for block in found_blocks])
    with tempfile.TemporaryDirectory() as folder:
        # Documents that start `python` get this interpreter.
        bin = str(pathlib.Path(sys.executable).parent)
        environment = {
            **os.environ,
            "PATH": bin + os.pathsep + os.environ.get("PATH", ""),
            "NOUGHTS_DATA": os.path.join(folder, "data"),
            "PYTHONIOENCODING": "utf-8",
        }
        process = subprocess.run(
            [sys.executable, str(pathlib.Path(__file__).resolve()), "--run-blocks", name],
            input=sources.encode(),
            capture_output=True,
            cwd=folder,
            env=environment,
        )
    if process.returncode:
        raise AssertionError(process.stderr.decode())
    outputs: List[str] = json.loads(process.stdout)
    return outputs


def _run_blocks_here(name: str) -> None:
    """In that process: reads the blocks' source from stdin and writes their outputs to stdout."""
    sources = json.load(sys.stdin)
    sys.path[0] = os.getcwd()
    namespace: Dict[str, Any] = {"__name__": "document"}
    outputs = []
    for line, code in sources:
        file = _FILE.match(code)
        output = io.StringIO()
        if file:
            with open(file[1], "a", encoding="utf-8") as saved:
                saved.write(code)
        with contextlib.redirect_stdout(output):
            _run(code, name, line, namespace)
        outputs.append(output.getvalue())
    sys.stdout.write(json.dumps(outputs))


def _run(code: str, name: str, line: int, namespace: Dict[str, Any]) -> None:
    tree = ast.parse(code, name)
    last: Optional[ast.Expression] = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        final = tree.body.pop()
        assert isinstance(final, ast.Expr)
        last = ast.Expression(final.value)
    # Use the line numbers of the document.
    ast.increment_lineno(tree, line - 1)
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        ast.increment_lineno(last, line - 1)
        value = eval(compile(last, name, "eval"), namespace)
        if value is not None:
            print(repr(value))


def matches(expected: str, output: str) -> bool:
    """Does the output match the expected one? `...` matches anything."""
    # Ignores trailing empty lines.
    return doctest.OutputChecker().check_output(
        expected.rstrip() + "\n", _trim_lines(output), doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE
    )


def _trim_lines(text: str) -> str:
    """Removes trailing spaces, which editors and git dislike."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


def correct(document: str, found_blocks: List[Block], outputs: List[str]) -> str:
    """The document with the actual outputs."""
    for block, output in reversed(list(zip(found_blocks, outputs))):
        if matches(block.output, output):
            continue
        text = _trim_lines(output)
        if not block.has_text:
            text = f"\n\n```text\n{text}```"
        start, end = block.span
        document = document[:start] + text + document[end:]
    return document


def main(write: bool, names: List[str]) -> int:
    differing = 0
    for path in DOCUMENTS:
        if names and path.name not in names:
            continue
        document = path.read_text(encoding="utf-8")
        found_blocks = blocks(document)
        outputs = run_blocks(found_blocks, path.name)
        corrected = correct(document, found_blocks, outputs)
        if corrected != document:
            differing += 1
            print(f"{path.relative_to(ROOT)} {'updated' if write else 'differs'}")
            if write:
                path.write_text(corrected, encoding="utf-8")
    return 0 if write else differing


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run-blocks"]:
        _run_blocks_here(sys.argv[2])
    else:
        sys.exit(main("--write" in sys.argv[1:], [name for name in sys.argv[1:] if name[0] != "-"]))
