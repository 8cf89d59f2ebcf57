"""Analyses grow, can be left at any time, and leave no thread behind."""

from __future__ import annotations

import gc
import os
import threading

import pytest

import noughts
from interrupted import interrupted
from variants import VARIANTS, somewhere

UNSOLVED = noughts.Game("ultimate").start()
TASKS = "/proc/self/task"


def threads() -> int:
    """The system's threads of this process."""
    return len(os.listdir(TASKS)) if os.path.isdir(TASKS) else threading.active_count()


@pytest.mark.parametrize("variant", VARIANTS)
def test_reports_grow(variant: str) -> None:
    position = somewhere(variant, 6)
    before: dict[str, object] = {}
    reports = 0
    analysis = noughts.analyse(position, nodes=2000, memory=1)
    for report in analysis:
        reports += 1
        now = {ranked.move: ranked.value for ranked in report.moves if ranked.exact}
        for mv, value in before.items():
            assert now.get(mv) == value, f"the proof of {mv} was lost"
        before = now
        assert report.best in position.legal_moves
    assert reports and not analysis.running
    assert analysis.latest == report, "the last report is not all that is known"
    assert list(analysis) == [] and analysis.stop() == report


def test_a_finished_game_ends_at_once() -> None:
    over = noughts.Position("classic", "xxx/oo./... o")
    *_, report = noughts.analyse(over)
    assert (report.best, report.value, report.plies) == (None, "loss", 0)


def test_it_agrees_with_solving() -> None:
    position = noughts.Position("classic", "x.o/.../... x")
    *_, report = noughts.analyse(position)
    solution = noughts.solve(position)
    assert (report.value, report.plies) == (solution.value, solution.plies)
    assert {r.move: r.value for r in report.moves} == {r.move: r.value for r in solution.moves}


def leave_by_stop() -> None:
    analysis = noughts.analyse(UNSOLVED)
    next(analysis)
    assert analysis.running and "running" in repr(analysis)
    report = analysis.stop()
    assert report is not None and report.best
    assert not analysis.running and "ended" in repr(analysis)
    assert analysis.stop() == report and analysis.latest == report


def leave_by_with() -> None:
    with noughts.analyse(UNSOLVED, threads=3) as analysis:
        next(analysis)
    assert not analysis.running


def leave_by_exception() -> None:
    with pytest.raises(ZeroDivisionError):
        with noughts.analyse(UNSOLVED) as analysis:
            1 / 0
    assert not analysis.running


def leave_by_break() -> None:
    for report in noughts.analyse(UNSOLVED):
        if report.depth >= 2:
            break


def leave_by_forgetting() -> None:
    analysis = noughts.analyse(UNSOLVED)
    next(analysis)
    del analysis


def leave_by_a_circle() -> None:
    circle: list[object] = [noughts.analyse(UNSOLVED)]
    circle.append(circle)
    del circle
    gc.collect()


def leave_at_once() -> None:
    noughts.analyse(UNSOLVED)


def leave_several() -> None:
    several = [noughts.analyse(UNSOLVED, seed=seed) for seed in range(8)]
    firsts = [next(analysis) for analysis in several]
    assert all(report.best for report in firsts)
    assert all(analysis.running for analysis in several)
    for analysis in several[::2]:
        analysis.stop()
    assert [analysis.running for analysis in several] == [False, True] * 4


def leave_from_another_thread() -> None:
    """One thread waits for reports, another stops them."""
    analysis = noughts.analyse(UNSOLVED)
    next(analysis)
    stopper = threading.Thread(target=analysis.stop)
    stopper.start()
    for _ in analysis:
        pass
    stopper.join()
    assert not analysis.running


LEAVE = {name: do for name, do in list(globals().items()) if name.startswith("leave_")}


@pytest.mark.parametrize("way", LEAVE)
def test_no_thread_is_left_behind(way: str) -> None:
    LEAVE[way]()
    gc.collect()
    before = threads()
    for _ in range(3):
        LEAVE[way]()
    gc.collect()
    # One that has ended may be listed for a moment.
    assert any(threads() <= before for _ in range(100_000))


def test_ctrl_c_stops_it() -> None:
    assert interrupted(
        """
        analysis = noughts.analyse(noughts.Game("ultimate").start())
        next(analysis)
        soon()
        try:
            for report in analysis:
                pass
        except KeyboardInterrupt:
            assert not analysis.running
            assert analysis.latest.best
            raise
        """
    )


def test_python_may_end_while_it_runs() -> None:
    """And a child that was forked has no part in it."""
    import subprocess
    import sys

    program = """
import os, noughts
analysis = noughts.analyse(noughts.Game("ultimate").start())
next(analysis)
if hasattr(os, "fork"):
    child = os.fork()
    if child == 0:
        try:
            next(analysis)
        except noughts.NoughtsError as error:
            print(error, flush=True)
        del analysis
        os._exit(7)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
assert analysis.running
print("done", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60
    )
    said = done.stdout.splitlines()
    assert done.returncode == 0 and said[-1] == "done", done.stderr
    assert said[:-1] in ([], ["the analysis belongs to the process that began it"])


@pytest.mark.parametrize(
    "arguments, kind, sentence",
    [
        ({"time": -1}, noughts.NoughtsError, "time must be a number of seconds above 0"),
        ({"depth": 0}, noughts.NoughtsError, "depth must be a whole number from 1 to"),
        ({"seed": 0.5}, TypeError, "seed must be a whole number"),
        ({"tables": 3}, TypeError, "tables must be a noughts.Table"),
    ],
)
def test_what_is_refused_is_told(arguments: dict, kind: type, sentence: str) -> None:
    with pytest.raises(kind) as told:
        noughts.analyse(UNSOLVED, **arguments)
    assert sentence in str(told.value)
