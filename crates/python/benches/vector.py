"""Moves a second: our vector of games beside the Python stepping of OpenSpiel and PettingZoo.

    pip install open-spiel==2.0.2 pettingzoo==1.27.0 gymnasium==1.4.0 pygame==2.6.1
    python crates/python/benches/vector.py

Every line of the first tables plays random legal moves from start to end, again and again, on
one core; seconds are those that the core spent on it. The last tables compare numbers of threads:
there, seconds are those of the clock, and other work on the machine counts against them. Peers that are not installed are left out. All are
measured in the same run, in turns, and the best turn of each counts, so that other work on
the machine disturbs the ratios little.

What is timed for us: drawing the moves (in Rust, or with NumPy from the masks that the
vector wrote), making them, and writing observations, masks, rewards, ends and whose move it
is, for every game after every move. For the others: asking for the legal moves, choosing
one, making it, and a new game after the end; "shown" adds the observation that our vector
writes, too. Moves are moves of the game: what is two actions in OpenSpiel (the board, then
the cell, where the move is free) is one move.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from typing import Any, Callable, Dict

import numpy as np

import noughts

# Plays for a while; gives the number of moves made.
Play = Callable[[], int]

# The clock is asked once in so many moves: asking takes as long as a move of the slowest.
WHILE = 500


def speed(play: Play, seconds: float, clock: Callable[[], float] = time.thread_time) -> float:
    """Moves a second."""
    moves, started, now = 0, clock(), 0.0
    while now < seconds:
        moves += play()
        now = clock() - started
    return moves / now


def best_of(players: Dict[str, Play], turns: int, seconds: float, **options: Any) -> Dict[str, float]:
    """Moves a second of each, its best turn; they take turns."""
    best = dict.fromkeys(players, 0.0)
    for _ in range(turns):
        for name, play in players.items():
            best[name] = max(best[name], speed(play, seconds, **options))
    return best


# ---- ours ----


def ours(game: str, n: int, **options: Any) -> Play:
    vector = noughts.Vector(game, n, seed=1, **{"threads": 1, **options})
    vector.step_random(50)  # Games at all stages.

    def play() -> int:
        before = vector.moves
        for _ in range(10):
            vector.step_random()
        return vector.moves - before

    return play


def ours_from_numpy(game: str, n: int) -> Play:
    vector = noughts.Vector(game, n, seed=1, threads=1)
    vector.step_random(50)
    chance = np.random.default_rng(1)
    masks = vector.action_masks

    def play() -> int:
        before = vector.moves
        for _ in range(10):
            # A random number for each legal move, zero for the others: the largest counts.
            vector.step((chance.random(masks.shape, np.float32) * masks).argmax(axis=1))
        return vector.moves - before

    return play


def ours_given(game: str, n: int, threads: int = 1) -> Play:
    """The moves of whole games, drawn beforehand: what `step` alone takes."""
    vector = noughts.Vector(game, n, seed=1, threads=threads)
    steps = []
    for _ in range(60):
        vector.step_random()
        steps.append(vector.actions.copy())

    def play() -> int:
        vector.reset()
        for actions in steps:
            vector.step(actions)
        return vector.moves

    return play


def ours_one_by_one(game: str) -> Play:
    start = noughts.Game(game).start()
    chance = random.Random(1)

    def play() -> int:
        position = start
        for _ in range(WHILE):
            position = position.play(chance.choice(position.legal_actions))
            if position.is_over:
                position = start
        return WHILE

    return play


# ---- the others ----


def openspiel(name: str, shown: bool) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)

    def play() -> int:
        moves, state = 0, game.new_initial_state()
        for _ in range(WHILE):
            player = state.current_player()
            state.apply_action(chance.choice(state.legal_actions()))
            # Choosing a board leaves the same player to choose the cell.
            moves += state.current_player() != player
            if state.is_terminal():
                state = game.new_initial_state()
            if shown:
                state.observation_tensor(0)
                state.legal_actions_mask()
        return moves

    return play


def pettingzoo() -> Play:
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.env()
    env.reset(seed=1)
    chance = random.Random(1)

    def play() -> int:
        moves = 0
        for _ in range(WHILE):
            observation, _, ended, truncated, _ = env.last()
            if ended or truncated:
                env.reset()
                continue
            env.step(chance.choice(observation["action_mask"].nonzero()[0]))
            moves += 1
        return moves

    return play


def contestants(n: int) -> Dict[str, Dict[str, Callable[[], Play]]]:
    def table(game: str) -> Dict[str, Callable[[], Play]]:
        return {
            f"noughts.Vector, {n} games, drawn in Rust": lambda: ours(game, n),
            "  the same with observe=False": lambda: ours(game, n, observe=False),
            "  and with mask=False": lambda: ours(game, n, observe=False, mask=False),
            f"noughts.Vector, {n} games, drawn with NumPy": lambda: ours_from_numpy(game, n),
            "  drawn beforehand": lambda: ours_given(game, n),
            "noughts.Position, one by one": lambda: ours_one_by_one(game),
        }

    ultimate, classic = table("ultimate"), table("classic")
    ultimate["OpenSpiel ultimate_tic_tac_toe"] = lambda: openspiel("ultimate_tic_tac_toe", False)
    ultimate["  the same, shown"] = lambda: openspiel("ultimate_tic_tac_toe", True)
    classic["OpenSpiel tic_tac_toe"] = lambda: openspiel("tic_tac_toe", False)
    classic["  the same, shown"] = lambda: openspiel("tic_tac_toe", True)
    classic["PettingZoo tictactoe_v3"] = pettingzoo
    return {"ultimate": ultimate, "classic": classic}


def thread_counts() -> Dict[str, int]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counts = [1]
    while counts[-1] < cores:
        counts.append(min(2 * counts[-1], cores))
    return {f"{count} thread{'s' * (count > 1)}": count for count in counts}


def on_threads(n: int) -> Dict[str, Callable[[int], Play]]:
    bots = n // 8
    return {
        f"ultimate, {n} games, drawn in Rust": lambda count: ours("ultimate", n, threads=count),
        f"ultimate, {n} games, drawn beforehand": lambda count: ours_given("ultimate", n, count),
        f"ultimate, {bots} games, opponent medium": lambda count: ours(
            "ultimate", bots, threads=count, opponent="medium"
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Moves a second, beside OpenSpiel and PettingZoo.")
    parser.add_argument("--games", type=int, default=1024, help="games in a vector")
    parser.add_argument("--many", type=int, default=8192, help="games in a vector for threads")
    parser.add_argument("--seconds", type=float, default=0.2, help="how long a turn is")
    parser.add_argument("--threads-only", action="store_true", help="compare threads, no peers")
    parser.add_argument("--turns", type=int, default=7, help="of which the best counts")
    asked = parser.parse_args()
    for game, table in ({} if asked.threads_only else contestants(asked.games)).items():
        players: Dict[str, Play] = {}
        for name, make in table.items():
            try:
                players[name] = make()
            except ImportError as error:
                print(f"left out: {name.strip()} ({error})")
        best = best_of(players, asked.turns, asked.seconds)
        first = next(iter(best.values()))
        print(f"\n{game:<48}{'moves a second':>16}{'ratio':>12}")
        for name, found in best.items():
            print(f"{name:<48}{found:>16,.0f}{first / found:>11,.1f}x")
    if not asked.threads_only:
        print("\nratio: how many times as fast the first line of its table is")
    for title, make in on_threads(asked.many).items():
        players = {name: make(count) for name, count in thread_counts().items()}
        # Many short turns: in some of them nothing else runs on these cores.
        best = best_of(players, 10 * asked.turns, asked.seconds / 10, clock=time.perf_counter)
        one = best["1 thread"]
        print(f"\n{title:<48}{'moves a second':>16}{'speedup':>12}")
        for name, found in best.items():
            print(f"{name:<48}{found:>16,.0f}{found / one:>11,.2f}x")
    print("\nspeedup: how many times as fast as one thread, by the clock, in the same run")


if __name__ == "__main__":
    main()
