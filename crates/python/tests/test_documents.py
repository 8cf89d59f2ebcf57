"""What the documents show is what the program does, and the reference is that of this package."""

from __future__ import annotations

import os
import pathlib
import re

import documents
import make_reference
import pytest

NAMES = [str(path.relative_to(documents.ROOT)) for path in documents.DOCUMENTS]


#: Long training, and the short form of it that is run unless it is a soak. What comes behind it must still run, but
#: shows other figures.
SHORTER = {"ROUNDS = 300\n": "ROUNDS = 3\n"}


@pytest.mark.parametrize("name", NAMES)
def test_documents_show_what_happens(name: str) -> None:
    text = (documents.ROOT / name).read_text(encoding="utf-8")
    found = documents.blocks(text)
    compared = found
    for at, block in enumerate(found):
        for long, short in SHORTER.items():
            if long in block.code and not os.environ.get("NOUGHTS_SOAK"):
                found[at] = block._replace(code=block.code.replace(long, short))
                compared = found[:at]
    for block, shown in zip(compared, documents.perform(found, name)):
        assert documents.same(block.shown, shown), (
            f"{name}, line {block.line}, shows\n{shown}\nand not\n{block.shown}\n"
            "(python crates/python/tests/documents.py --write puts it right)"
        )


def test_there_is_something_to_run() -> None:
    # Lest a change of how blocks are found makes the test above pass for ever.
    for name, least in {"quick-start": 15, "tutorial": 15, "adapters": 10, "vector": 8}.items():
        text = (documents.ROOT / "docs" / "python" / f"{name}.md").read_text(encoding="utf-8")
        found = documents.blocks(text)
        assert len(found) >= least, f"{name}.md has {len(found)} blocks"
        assert text.count("```python\n") == len(found), f"{name}.md has blocks that are not found"
    tutorial = (documents.ROOT / "docs" / "python" / "tutorial.md").read_text(encoding="utf-8")
    assert all(long in tutorial for long in SHORTER)


def test_what_differs_is_seen() -> None:
    page = "```python\nprint('a')\n'b'\n```\n\n```text\na\n```\n"
    [block] = found = documents.blocks(page)
    [shown] = answers = documents.perform(found)
    assert shown == "a\n'b'\n"
    assert not documents.same(block.shown, shown)
    right = documents.corrected(page, found, answers)
    assert "```text\na\n'b'\n```" in right
    [again] = documents.blocks(right)
    assert documents.same(again.shown, shown)
    assert documents.same("a\n...\n", shown)
    assert not documents.same("", shown), "what a block shows must stand in the document"


def test_an_exception_names_the_line_of_the_document() -> None:
    page = "# Title\n\n```python\nx = 1\n1 / 0\n```\n"
    with pytest.raises(AssertionError, match='"page.md", line 5[^0-9]'):
        documents.perform(documents.blocks(page), "page.md")


def test_the_reference_is_made_from_the_docstrings() -> None:
    for module in ("gymnasium", "pettingzoo", "pyspiel"):
        pytest.importorskip(module)
    written = make_reference.REFERENCE.read_text(encoding="utf-8")
    assert written == make_reference.make(), (
        "docs/python/reference.md is old; python crates/python/tests/make_reference.py writes it"
    )


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    path = documents.ROOT / name
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        file, _, part = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), f"{name} links to {link}, which is not there"
        if part and target.suffix == ".md":
            assert part in anchors(target), f"{name} links to {link}: there is no such heading"


def anchors(page: pathlib.Path) -> set[str]:
    """What can be linked to in a page, as GitHub names it."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
