"""The stubs of the compiled module say what is there, and nothing else."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import noughts

STUBS = pathlib.Path(noughts.__file__).with_name("_noughts.pyi")

USES = """
import noughts
position = noughts.Game("ultimate").start().play("ee").play(40)
bot = noughts.Bot("best", "ultimate", seed=1)
move: str = bot.choose(position, time=0.5)
report: noughts.Report = bot.think(position, nodes=1000)
total = sum(ranked.points or 0.0 for ranked in report.moves)
with noughts.analyse(position, tables=False) as analysis:
    depth = max(found.depth for found in analysis)
{wrong}
"""


def run(*arguments: str, folder: pathlib.Path) -> str:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


def test_the_stubs_agree_with_what_is_compiled(tmp_path: pathlib.Path) -> None:
    # The list of names is made by the compiler; that names are missing is seen without it.
    allowed = tmp_path / "allowed"
    allowed.write_text(r"noughts\._noughts\.__all__", encoding="utf-8")
    said = run("mypy.stubtest", "--allowlist", str(allowed), "noughts._noughts", folder=tmp_path)
    assert said.startswith("0\n"), said


def test_the_stubs_are_strictly_typed(tmp_path: pathlib.Path) -> None:
    # In a folder of its own: beside it lies everything else that is installed.
    alone = tmp_path / STUBS.name
    alone.write_text(STUBS.read_text(encoding="utf-8"), encoding="utf-8")
    said = run("mypy", "--strict", str(alone), folder=tmp_path)
    assert said.startswith("0\n"), said


WRONG = {
    "fine": ("", None),
    "move": ("position.play(None)", 'Argument 1 to "play"'),
    "time": ("bot.choose(position, time='1')", 'Argument "time"'),
    "side": ("position.side == 'X'", "Non-overlapping equality check"),
    "frozen": ("report.best = 'ee'", 'Property "best" defined in "Report" is read-only'),
}


def test_users_get_types(tmp_path: pathlib.Path) -> None:
    for name, (wrong, _) in WRONG.items():
        text = USES.format(wrong=wrong)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    said = run("mypy", "--strict", *(f"{name}.py" for name in WRONG), folder=tmp_path)
    for name, (_, complaint) in WRONG.items():
        complaints = [line for line in said.splitlines() if line.startswith(f"{name}.py")]
        if complaint is None:
            assert not complaints, said
        else:
            assert any(complaint in line for line in complaints), said
