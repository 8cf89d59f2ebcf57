"""The output in the documents is correct, and the reference is up to date."""

from __future__ import annotations

import os

import documents
import make_reference
import pytest

NAMES = [str(path.relative_to(documents.ROOT)) for path in documents.DOCUMENTS]


#: Long training, and the short version that runs outside of soak tests. The blocks after it still have to run, but
#: print different numbers.
SHORTENED = {"ROUNDS = 300\n": "ROUNDS = 3\n"}


@pytest.mark.parametrize("name", NAMES)
def test_documents_match_output(name: str) -> None:
    text = (documents.ROOT / name).read_text(encoding="utf-8")
    found_blocks = documents.blocks(text)
    compared = found_blocks
    for index, block in enumerate(found_blocks):
        for long, short in SHORTENED.items():
            if long in block.code and not os.environ.get("NOUGHTS_SOAK"):
                found_blocks[index] = block._replace(code=block.code.replace(long, short))
                compared = found_blocks[:index]
    for block, output in zip(compared, documents.run_blocks(found_blocks, name)):
        assert documents.matches(block.output, output), (
            f"{name}, line {block.line}, shows\n{output}\nand not\n{block.output}\n"
            "(python crates/python/tests/documents.py --write fixes it)"
        )


def test_documents_contain_blocks() -> None:
    # Otherwise the test above would pass if no blocks were found.
    for name, minimum in {"quick-start": 15, "tutorial": 15, "adapters": 10, "vector": 8, "own-game": 8}.items():
        text = (documents.ROOT / "docs" / "python" / f"{name}.md").read_text(encoding="utf-8")
        found_blocks = documents.blocks(text)
        assert len(found_blocks) >= minimum, f"{name}.md has {len(found_blocks)} blocks"
        assert text.count("```python\n") == len(found_blocks), f"{name}.md has blocks that are not found"
    tutorial = (documents.ROOT / "docs" / "python" / "tutorial.md").read_text(encoding="utf-8")
    assert all(long in tutorial for long in SHORTENED)


def test_differences_are_detected_and_corrected() -> None:
    page = "```python\nprint('a')\n'b'\n```\n\n```text\na\n```\n"
    [block] = found_blocks = documents.blocks(page)
    [output] = outputs = documents.run_blocks(found_blocks)
    assert output == "a\n'b'\n"
    assert not documents.matches(block.output, output)
    corrected = documents.correct(page, found_blocks, outputs)
    assert "```text\na\n'b'\n```" in corrected
    [again] = documents.blocks(corrected)
    assert documents.matches(again.output, output)
    assert documents.matches("a\n...\n", output)
    assert not documents.matches("", output), "what a block shows must stand in the document"


def test_exception_reports_line_of_document() -> None:
    page = "# Title\n\n```python\nx = 1\n1 / 0\n```\n"
    with pytest.raises(AssertionError, match='"page.md", line 5[^0-9]'):
        documents.run_blocks(documents.blocks(page), "page.md")


def test_reference_is_up_to_date() -> None:
    for module in ("gymnasium", "pettingzoo", "pyspiel"):
        pytest.importorskip(module)
    written = make_reference.REFERENCE.read_text(encoding="utf-8")
    assert written == make_reference.make(), (
        "docs/python/reference.md is out of date; run python crates/python/tests/make_reference.py"
    )
