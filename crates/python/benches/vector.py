"""Moves per second: `noughts.Vector` compared with OpenSpiel and PettingZoo stepped from Python.

    pip install open-spiel==2.0.2 pettingzoo==1.27.0 gymnasium==1.4.0 pygame==2.6.1
    python crates/python/benches/vector.py

Every line of the first tables plays random legal games repeatedly on one core and measures CPU
time. The last tables compare numbers of threads and measure wall-clock time, so other work on the
machine affects them. Packages that aren't installed are skipped. All are measured in the same run,
in turns, and the best turn of each counts, so that other work on the machine hardly affects the
ratios.

Timed for `noughts.Vector`: picking the moves (in Rust, or with NumPy from the masks that the vector
wrote), making them, and writing observations, masks, rewards, ends and sides to move, for every
game after every move. For the others: querying the legal moves, picking one, making it, and
starting a new game after the end; "with observations" adds the observation, which the vector always
writes. Moves are moves of the game: the two actions of a free move in OpenSpiel (the board, then the
cell) count as one.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from typing import Any, Callable, Dict

import numpy as np

import noughts

# Plays for a while; returns the number of moves made.
PlayFn = Callable[[], int]

# The clock is read once per this many moves, because reading it takes as long as a slow move.
MOVES_PER_CALL = 500


def moves_per_second(play: PlayFn, seconds: float, clock: Callable[[], float] = time.thread_time) -> float:
    """Moves per second."""
    moves, started, now = 0, clock(), 0.0
    while now < seconds:
        moves += play()
        now = clock() - started
    return moves / now


def best_rates(players: Dict[str, PlayFn], turns: int, seconds: float, **options: Any) -> Dict[str, float]:
    """The moves per second of each player in its best turn; players take turns."""
    best = dict.fromkeys(players, 0.0)
    for _ in range(turns):
        for name, play in players.items():
            best[name] = max(best[name], moves_per_second(play, seconds, **options))
    return best


# ---- noughts ----


def noughts_random(game: str, n: int, **options: Any) -> PlayFn:
    vector = noughts.Vector(game, n, seed=1, **{"threads": 1, **options})
    vector.step_random(50)  # So that games are at all stages.

    def play() -> int:
        before = vector.moves
        for _ in range(10):
            vector.step_random()
        return vector.moves - before

    return play


def noughts_numpy(game: str, n: int) -> PlayFn:
    vector = noughts.Vector(game, n, seed=1, threads=1)
    vector.step_random(50)
    rng = np.random.default_rng(1)
    masks = vector.action_masks

    def play() -> int:
        before = vector.moves
        for _ in range(10):
            # Picks the legal move with the largest random number.
            vector.step((rng.random(masks.shape, np.float32) * masks).argmax(axis=1))
        return vector.moves - before

    return play


def noughts_given_actions(game: str, n: int, threads: int = 1) -> PlayFn:
    """The moves of whole games, picked beforehand: measures `step` alone."""
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


def noughts_positions(game: str) -> PlayFn:
    start = noughts.Game(game).start()
    rng = random.Random(1)

    def play() -> int:
        position = start
        for _ in range(MOVES_PER_CALL):
            position = position.play(rng.choice(position.legal_actions))
            if position.is_over:
                position = start
        return MOVES_PER_CALL

    return play


# ---- the others ----


def openspiel(name: str, with_observation: bool) -> PlayFn:
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(1)

    def play() -> int:
        moves, state = 0, game.new_initial_state()
        for _ in range(MOVES_PER_CALL):
            player = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))
            # After choosing a board the same player chooses the cell.
            moves += state.current_player() != player
            if state.is_terminal():
                state = game.new_initial_state()
            if with_observation:
                state.observation_tensor(0)
                state.legal_actions_mask()
        return moves

    return play


def pettingzoo() -> PlayFn:
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.env()
    env.reset(seed=1)
    rng = random.Random(1)

    def play() -> int:
        moves = 0
        for _ in range(MOVES_PER_CALL):
            observation, _, ended, truncated, _ = env.last()
            if ended or truncated:
                env.reset()
                continue
            env.step(rng.choice(observation["action_mask"].nonzero()[0]))
            moves += 1
        return moves

    return play


def competitors(n: int) -> Dict[str, Dict[str, Callable[[], PlayFn]]]:
    def table(game: str) -> Dict[str, Callable[[], PlayFn]]:
        return {
            f"noughts.Vector, {n} games, picked in Rust": lambda: noughts_random(game, n),
            "  the same with observe=False": lambda: noughts_random(game, n, observe=False),
            "  and with mask=False": lambda: noughts_random(game, n, observe=False, mask=False),
            f"noughts.Vector, {n} games, picked with NumPy": lambda: noughts_numpy(game, n),
            "  picked beforehand": lambda: noughts_given_actions(game, n),
            "noughts.Position, one by one": lambda: noughts_positions(game),
        }

    ultimate, classic = table("ultimate"), table("classic")
    ultimate["OpenSpiel ultimate_tic_tac_toe"] = lambda: openspiel("ultimate_tic_tac_toe", False)
    ultimate["  the same with observations"] = lambda: openspiel("ultimate_tic_tac_toe", True)
    classic["OpenSpiel tic_tac_toe"] = lambda: openspiel("tic_tac_toe", False)
    classic["  the same with observations"] = lambda: openspiel("tic_tac_toe", True)
    classic["PettingZoo tictactoe_v3"] = pettingzoo
    return {"ultimate": ultimate, "classic": classic}


def thread_counts() -> Dict[str, int]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counts = [1]
    while counts[-1] < cores:
        counts.append(min(2 * counts[-1], cores))
    return {f"{count} thread{'s' * (count > 1)}": count for count in counts}


def on_threads(n: int) -> Dict[str, Callable[[int], PlayFn]]:
    bots = n // 8
    return {
        f"ultimate, {n} games, picked in Rust": lambda count: noughts_random("ultimate", n, threads=count),
        f"ultimate, {n} games, picked beforehand": lambda count: noughts_given_actions("ultimate", n, count),
        f"ultimate, {bots} games, opponent medium": lambda count: noughts_random(
            "ultimate", bots, threads=count, opponent="medium"
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare moves per second with OpenSpiel and PettingZoo.")
    parser.add_argument("--games", type=int, default=1024, help="number of games in a vector")
    parser.add_argument("--many", type=int, default=8192, help="number of games when comparing threads")
    parser.add_argument("--seconds", type=float, default=0.2, help="length of a turn")
    parser.add_argument("--threads-only", action="store_true", help="only compare numbers of threads")
    parser.add_argument("--turns", type=int, default=7, help="number of turns; the best one counts")
    args = parser.parse_args()
    for game, table in ({} if args.threads_only else competitors(args.games)).items():
        players: Dict[str, PlayFn] = {}
        for name, make in table.items():
            try:
                players[name] = make()
            except ImportError as error:
                print(f"skipped: {name.strip()} ({error})")
        best = best_rates(players, args.turns, args.seconds)
        first = next(iter(best.values()))
        print(f"\n{game:<48}{'moves per second':>16}{'ratio':>12}")
        for name, rate in best.items():
            print(f"{name:<48}{rate:>16,.0f}{first / rate:>11,.1f}x")
    if not args.threads_only:
        print("\nratio: how many times as fast the first line of its table is")
    for title, make in on_threads(args.many).items():
        players = {name: make(count) for name, count in thread_counts().items()}
        # Many short turns, so that in some of them nothing else runs on these cores.
        best = best_rates(players, 10 * args.turns, args.seconds / 10, clock=time.perf_counter)
        one = best["1 thread"]
        print(f"\n{title:<48}{'moves per second':>16}{'speedup':>12}")
        for name, rate in best.items():
            print(f"{name:<48}{rate:>16,.0f}{rate / one:>11,.2f}x")
    print("\nspeedup: how many times as fast as one thread, by wall-clock time, in the same run")


if __name__ == "__main__":
    main()
