"""Analyses keep what they have proved, can be stopped at any time, and leave no thread behind."""

from __future__ import annotations

import gc
import os
import threading

import pytest

import noughts
from interrupted import interrupted
from variants import VARIANTS, random_position

UNSOLVED = noughts.Game("ultimate").start()
TASKS = "/proc/self/task"


def threads() -> int:
    """The number of this process's threads."""
    return len(os.listdir(TASKS)) if os.path.isdir(TASKS) else threading.active_count()


@pytest.mark.parametrize("variant", VARIANTS)
def test_reports_never_lose_proofs(variant: str) -> None:
    position = random_position(variant, 6)
    before: dict[str, object] = {}
    reports = 0
    analysis = noughts.analyze(position, nodes=2000, memory=1)
    for report in analysis:
        reports += 1
        now = {ranked.move: ranked.value for ranked in report.moves if ranked.exact}
        for mv, value in before.items():
            assert now.get(mv) == value, f"the proof of {mv} was lost"
        before = now
        assert report.move in position.legal_moves
    assert reports and not analysis.running
    assert analysis.latest == report, "the last report is not all that is known"
    assert list(analysis) == [] and analysis.stop() == report


def test_finished_game_ends_immediately() -> None:
    over = noughts.Position("classic", "xxx/oo./... o")
    *_, report = noughts.analyze(over)
    assert (report.move, report.value, report.plies) == (None, "loss", 0)


def test_analysis_agrees_with_solve() -> None:
    position = noughts.Position("classic", "x.o/.../... x")
    *_, report = noughts.analyze(position)
    solution = noughts.solve(position)
    assert (report.value, report.plies) == (solution.value, solution.plies)
    assert {r.move: r.value for r in report.moves} == {r.move: r.value for r in solution.moves}


def end_by_stop() -> None:
    analysis = noughts.analyze(UNSOLVED)
    next(analysis)
    assert analysis.running and "running" in repr(analysis)
    report = analysis.stop()
    assert report is not None and report.move
    assert not analysis.running and "ended" in repr(analysis)
    assert analysis.stop() == report and analysis.latest == report


def end_by_with() -> None:
    with noughts.analyze(UNSOLVED, threads=3) as analysis:
        next(analysis)
    assert not analysis.running


def end_by_exception() -> None:
    with pytest.raises(ZeroDivisionError):
        with noughts.analyze(UNSOLVED) as analysis:
            1 / 0
    assert not analysis.running


def end_by_break() -> None:
    for report in noughts.analyze(UNSOLVED):
        if report.depth >= 2:
            break


def end_by_deleting() -> None:
    analysis = noughts.analyze(UNSOLVED)
    next(analysis)
    del analysis


def end_by_reference_cycle() -> None:
    cycle: list[object] = [noughts.analyze(UNSOLVED)]
    cycle.append(cycle)
    del cycle
    gc.collect()


def end_immediately() -> None:
    noughts.analyze(UNSOLVED)


def end_several() -> None:
    several = [noughts.analyze(UNSOLVED, seed=seed) for seed in range(8)]
    firsts = [next(analysis) for analysis in several]
    assert all(report.move for report in firsts)
    assert all(analysis.running for analysis in several)
    for analysis in several[::2]:
        analysis.stop()
    assert [analysis.running for analysis in several] == [False, True] * 4


def end_from_another_thread() -> None:
    """One thread waits for reports, another stops them."""
    analysis = noughts.analyze(UNSOLVED)
    next(analysis)
    stopper = threading.Thread(target=analysis.stop)
    stopper.start()
    for _ in analysis:
        pass
    stopper.join()
    assert not analysis.running


WAYS_TO_END = {name: function for name, function in list(globals().items()) if name.startswith("end_")}


@pytest.mark.parametrize("way", WAYS_TO_END)
def test_no_thread_leaks(way: str) -> None:
    WAYS_TO_END[way]()
    gc.collect()
    before = threads()
    for _ in range(3):
        WAYS_TO_END[way]()
    gc.collect()
    # A thread that has just ended may still be listed for a moment.
    assert any(threads() <= before for _ in range(100_000))


def test_ctrl_c_stops_analysis() -> None:
    assert interrupted(
        """
        analysis = noughts.analyze(noughts.Game("ultimate").start())
        next(analysis)
        send_ctrl_c_soon()
        try:
            for report in analysis:
                pass
        except KeyboardInterrupt:
            assert not analysis.running
            assert analysis.latest.move
            raise
        """
    )


def test_interpreter_can_exit_and_fork_during_analysis() -> None:
    """A forked child can't use the analysis."""
    import subprocess
    import sys

    program = """
import os, noughts
analysis = noughts.analyze(noughts.Game("ultimate").start())
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
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60
    )
    output = process.stdout.splitlines()
    assert process.returncode == 0 and output[-1] == "done", process.stderr
    assert output[:-1] in ([], ["this analysis can only be used in the process that started it"])


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        ({"time": -1}, noughts.NoughtsError, "time must be more than 0"),
        ({"depth": 0}, noughts.NoughtsError, "depth must be a whole number from 1 to"),
        ({"seed": 0.5}, TypeError, "seed must be a whole number"),
        ({"tablebase": 3}, TypeError, "tablebase must be a noughts.Tablebase"),
    ],
)
def test_bad_arguments_raise(arguments: dict, kind: type, message: str) -> None:
    with pytest.raises(kind) as raised:
        noughts.analyze(UNSOLVED, **arguments)
    assert message in str(raised.value)
