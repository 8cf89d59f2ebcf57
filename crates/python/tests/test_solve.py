"""Exact values, compared with a plain full search."""

from __future__ import annotations

import functools
import pickle
import subprocess
import sys
from typing import Optional, Tuple

import pytest

import noughts
from interrupted import interrupted
from variants import VARIANTS, random_game, random_position


@functools.lru_cache(maxsize=None)
def full_search(position: noughts.Position) -> Tuple[int, int]:
    """The value for the side to move (−1, 0, 1) and its distance in plies, by a plain full search."""
    if position.outcome is not None:
        if position.outcome == "draw":
            return 0, 0
        return (1 if position.outcome == position.side else -1), 0
    values = []
    for mv in position.legal_moves:
        after = position.play(mv)
        value, plies = full_search(after)
        same_side = after.side == position.side
        values.append((value if same_side else -value, plies + 1))
    best = max(value for value, _ in values)
    plies = [plies for value, plies in values if value == best]
    return best, 0 if best == 0 else min(plies) if best > 0 else max(plies)


def expected(position: noughts.Position) -> Tuple[str, Optional[int]]:
    value, plies = full_search(position)
    return ["draw", "win", "loss"][value], plies if value else None


SMALL = ["classic", "misere", "mnk:4,2,3", "mnk:3,2,2,misere", "ception:depth=1"]


@pytest.mark.parametrize("variant", SMALL)
def test_small_games_match_full_search(variant: str) -> None:
    for seed in range(10):
        for position in random_game(variant, seed):
            solution = noughts.solve(position)
            assert (solution.value, solution.plies) == expected(position)
            assert solution.exact
            assert sorted(ranked.move for ranked in solution.moves) == position.legal_moves
            for ranked in solution.moves:
                after = position.play(ranked.move)
                word, plies = expected(after)
                if after.side != position.side:
                    word = {"win": "loss", "loss": "win", "draw": "draw"}[word]
                assert ranked.value == word
                assert ranked.plies == (None if plies is None else plies + 1)
            if solution.moves:
                best = solution.moves[0]
                assert (solution.best, best.value, best.plies) == (
                    best.move,
                    solution.value,
                    solution.plies,
                )
            assert pickle.loads(pickle.dumps(solution)) == solution


@pytest.mark.parametrize("variant", VARIANTS)
def test_unproved_values_are_none(variant: str) -> None:
    position = random_position(variant, 4)
    solution = noughts.solve(position, nodes=20, time=None, memory=1)
    assert solution.exact == (solution.value != "unknown")
    assert (solution.value == "unknown") <= (solution.best is None)
    known = [ranked.exact for ranked in solution.moves]
    assert known == sorted(known, reverse=True), "a move without a value before one with"
    for ranked in solution.moves:
        assert (ranked.value == "unknown") == (not ranked.exact) == (ranked.points is None)
    again = noughts.solve(position, nodes=20, time=None, memory=1)
    assert (again.value, again.moves) == (solution.value, solution.moves)


def test_known_values() -> None:
    solution = noughts.solve(noughts.Game("ception:5a").start())
    assert (solution.value, solution.plies) == ("win", None)
    assert "strategy" in (solution.note or "")
    over = noughts.Position("classic", "xxx/oo./... o")
    solution = noughts.solve(over)
    assert (solution.value, solution.plies, solution.moves) == ("loss", 0, ())


def test_str_and_repr() -> None:
    solution = noughts.solve(noughts.Position("classic", "xx./oo./... x"))
    assert str(solution).splitlines()[:2] == ["▲1", "c1 ▲1"]
    assert repr(solution).startswith("noughts.Solution(value='win', plies=1, best='c1', moves=<5>")
    unknown = noughts.solve(noughts.Game("ultimate").start(), nodes=1, time=None)
    assert str(unknown).splitlines()[:2] == ["?", "aa ?"]


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        ({"time": 0}, noughts.NoughtsError, "time must be more than 0"),
        ({"time": float("inf")}, noughts.NoughtsError, "not inf"),
        ({"nodes": -1}, noughts.NoughtsError, "nodes must be a whole number from 1 to"),
        ({"threads": None, "memory": "lots"}, TypeError, "memory must be a whole number"),
        ({"depth": 3}, TypeError, "unexpected keyword argument 'depth'"),
    ],
)
def test_bad_arguments_raise(arguments: dict, kind: type, message: str) -> None:
    with pytest.raises(kind) as raised:
        noughts.solve(noughts.Game("classic").start(), **arguments)
    assert message in str(raised.value)


@pytest.mark.parametrize("game", ["ultimate", "mnk:16,16,5", "tic-tac-two", "ception:depth=6"])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_solver(game: str, threads: int) -> None:
    assert interrupted(
        f"""
        start = noughts.Game("{game}").start()
        send_ctrl_c_soon()
        noughts.solve(start, time=None, threads={threads})
        """
    )


def test_solver_survives_lack_of_memory() -> None:
    """Guards against an interpreter that aborts when memory runs out."""
    program = (
        "import resource, noughts\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30,) * 2)\n"
        "start = noughts.Game('ultimate').start()\n"
        "print(noughts.solve(start, time=1, memory=4000, tablebase=False).value)\n"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert process.returncode == 0, process
