"""The bots from Python: legal moves, limits, bad arguments, and Ctrl-C."""

from __future__ import annotations

import pickle
import threading
from typing import Any, Dict

import numpy as np
import pytest

import noughts
from interrupted import interrupted
from variants import VARIANTS, random_game, random_position

KINDS = noughts.bots()
UNSOLVED = "noughts.Game('ultimate').start()"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_bot_returns_legal_move_and_consistent_report(variant: str) -> None:
    for kind in noughts.bots(variant):
        bot = noughts.Bot(kind, variant, seed=3, memory=1)
        position = random_position(variant, 2)
        report = bot.think(position, nodes=200)
        assert report.move in position.legal_moves, kind
        assert report.line[0] == report.move
        after = position
        for mv in report.line:
            after = after.play(mv)
        assert report.nodes >= 0 and report.time_ms >= 0 and report.depth >= 0
        assert -1.0 <= report.points <= 1.0 and 0.0 <= report.error <= 1.0
        if report.exact:
            assert report.value in ("win", "draw", "loss") and report.error == 0.0
        else:
            assert isinstance(report.value, float) and report.value == report.points
            assert report.plies is None
        assert len({ranked.move for ranked in report.moves}) == len(report.moves)
        assert {ranked.move for ranked in report.moves} <= set(position.legal_moves)
        assert pickle.loads(pickle.dumps(report)) == report
        assert repr(report).startswith(f"noughts.Report(move='{report.move}', value=")
        assert bot.choose(position, nodes=50) in position.legal_moves


def test_the_same_seed_gives_the_same_game() -> None:
    for kind in KINDS:
        variant = "classic" if kind == "negamax" else "ultimate"

        def moves(bot: noughts.Bot) -> list[str]:
            position = noughts.Game(variant).start()
            while not position.is_over:
                position = position.play(bot.choose(position, nodes=64))
            return list(position.moves)

        bot = noughts.Bot(kind, variant, seed=7)
        # An unpickled bot starts from its seed again.
        assert moves(noughts.Bot(kind, variant, seed=7)) == moves(pickle.loads(pickle.dumps(bot)))


def test_perfect_bots_never_lose_classic() -> None:
    """Plays all games that can occur against each bot."""
    for kind in ["negamax", "perfect", "best"]:
        bot = noughts.Bot(kind, "classic")
        assert bot.is_perfect
        for side in "xo":
            queue = [noughts.Game("classic").start()]
            while queue:
                position = queue.pop()
                if position.is_over:
                    assert position.outcome in (side, "draw"), f"{kind} lost {position.moves}"
                elif position.side == side:
                    queue.append(position.play(bot.choose(position)))
                else:
                    queue += [position.play(mv) for mv in position.legal_moves]


def test_limits_are_respected() -> None:
    position = noughts.Game("ultimate").start()
    for kind in ["mcts", "alpha-beta", "monte-carlo", "best"]:
        bot = noughts.Bot(kind, "ultimate")
        few, many = (bot.think(position, nodes=nodes).nodes for nodes in (100, 2000))
        assert few < many <= 3000
    assert noughts.Bot("alpha-beta", "ultimate").think(position, depth=3).depth == 3
    assert noughts.Bot("alpha-beta", "ultimate").think(position, time=0.02).time_ms < 10_000


def test_finished_game_has_no_move() -> None:
    over = noughts.Position("classic", "xxx/oo./... o")
    for kind in KINDS:
        bot = noughts.Bot(kind, "classic")
        report = bot.think(over)
        assert (report.move, report.value, report.plies) == (None, "loss", 0)
        assert report.line == () and report.moves == ()
        with pytest.raises(noughts.BotError, match="^the game is over: X wins$"):
            bot.choose(over)


def test_bot_list_and_attributes() -> None:
    assert noughts.bots("classic") == KINDS
    assert noughts.bots(noughts.Game("ultimate")) == [kind for kind in KINDS if kind != "negamax"]
    for kind in KINDS:
        bot = noughts.Bot(kind, "classic")
        assert (bot.kind, bot.game.name) == (kind, "classic")
        assert bot.about.endswith(".") and repr(bot) == f"noughts.Bot('{kind}', 'classic')"


start = noughts.Game("classic").start()
bot = noughts.Bot("random", "classic")
BAD_TIME = "time must be more than 0 and at most 31536000 seconds (one year), not "
BAD_INTEGER = "must be a whole number from 1 to"

BAD_CALLS = [
    (lambda: noughts.Bot("deep-blue", "classic"), noughts.BotError, 'unknown bot "deep-blue"; use one of random, easy,'),
    (lambda: noughts.Bot("negamax", "ultimate"), noughts.BotError, "negamax doesn't play ultimate: "),
    (lambda: noughts.Bot("best", "chess"), noughts.VariantError, "`chess`: unknown game"),
    (lambda: noughts.Bot(3, "classic"), TypeError, "'int' object"),
    (lambda: noughts.Bot("best", "classic", seed=-1), noughts.NoughtsError, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
    (lambda: noughts.Bot("best", "classic", threads=513), noughts.NoughtsError, "threads must be a whole number from 1 to 512, not 513"),
    (lambda: noughts.Bot("best", "classic", threads="2"), TypeError, "threads must be a whole number from 1 to 512, not an object of type str"),
    (lambda: noughts.Bot("best", "classic", memory=0), noughts.NoughtsError, "memory must be a whole number from 1 to 65536, not 0"),
    (lambda: noughts.Bot("best", "classic", memory=2**70), noughts.NoughtsError, "memory must be a whole number from 1 to 65536, not 1180591620717411303424"),
    (lambda: noughts.Bot("best", "classic", tablebase="here"), TypeError, "tablebase must be a noughts.Tablebase, None (the default tablebase) or False (no tablebase), not an object of type str"),
    (lambda: bot.choose(noughts.Game("misere").start()), noughts.BotError, "this bot plays classic, but the position is from misere"),
    (lambda: bot.choose("b2"), TypeError, "Position"),
    (lambda: bot.choose(start, time=0), noughts.NoughtsError, BAD_TIME + "0"),
    (lambda: bot.choose(start, time=-1.5), noughts.NoughtsError, BAD_TIME + "-1.5"),
    (lambda: bot.choose(start, time=float("nan")), noughts.NoughtsError, BAD_TIME + "nan"),
    (lambda: bot.choose(start, time=float("inf")), noughts.NoughtsError, BAD_TIME + "inf"),
    (lambda: bot.choose(start, time=10**400), noughts.NoughtsError, BAD_TIME + "1000000000000000000000000000000000000000…"),
    (lambda: bot.choose(start, time="1"), TypeError, "time must be a number of seconds, not an object of type str"),
    (lambda: bot.choose(start, time=True), TypeError, "time must be a number of seconds, not an object of type bool"),
    (lambda: bot.choose(start, nodes=0), noughts.NoughtsError, f"nodes {BAD_INTEGER} 18446744073709551615, not 0"),
    (lambda: bot.choose(start, nodes=1.5), TypeError, f"nodes {BAD_INTEGER} 18446744073709551615, not an object of type float"),
    (lambda: bot.choose(start, depth=0), noughts.NoughtsError, f"depth {BAD_INTEGER} 4294967295, not 0"),
    (lambda: bot.choose(start, depth=2**32), noughts.NoughtsError, f"depth {BAD_INTEGER} 4294967295, not 4294967296"),
    (lambda: bot.choose(start, 5), TypeError, "positional"),
]


@pytest.mark.parametrize("number", range(len(BAD_CALLS)))
def test_bad_arguments_raise(number: int) -> None:
    call, kind, message = BAD_CALLS[number]
    with pytest.raises(kind) as raised:
        call()  # type: ignore[no-untyped-call]
    assert message in str(raised.value)
    assert type(raised.value) is kind


def test_numpy_numbers_are_accepted() -> None:
    limits: Dict[str, Any] = {"time": np.float32(0.5), "nodes": np.int8(9), "depth": np.uint64(2)}
    assert bot.choose(start, **limits) in start.legal_moves
    assert bot.choose(start, time=np.int64(1)) in start.legal_moves


def test_concurrent_searches_with_one_bot_raise() -> None:
    """One thread gets an error, the other a legal move; afterwards the bot is usable again."""
    position = noughts.Game("ultimate").start()
    bot = noughts.Bot("mcts", "ultimate")
    barrier = threading.Barrier(2)
    results: list[object] = []

    def think() -> None:
        barrier.wait()
        try:
            results.append(bot.choose(position, nodes=200_000))
        except noughts.BotError as error:
            results.append(error)

    threads = [threading.Thread(target=think) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    moves = [result for result in results if isinstance(result, str)]
    errors = [str(result) for result in results if not isinstance(result, str)]
    assert moves and set(moves) <= set(position.legal_moves)
    message = "this bot is already searching on another thread; create one bot for each thread"
    assert errors in ([], [message])
    assert bot.choose(position, nodes=100) in position.legal_moves


def test_gil_is_released_during_search() -> None:
    """Another thread stops a search that would take a year."""
    was_interrupted = interrupted(
        f"""
        thought = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
        thought.start()
        noughts.Bot("best", "ultimate").think({UNSOLVED}, time=31536000)
        """
    )
    assert was_interrupted


@pytest.mark.parametrize(
    "kind", [kind for kind in noughts.bots("ultimate") if kind not in "random easy medium hard"]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_stops_search(kind: str, threads: int) -> None:
    assert interrupted(
        f"""
        bot = noughts.Bot("{kind}", "ultimate", threads={threads})
        send_ctrl_c_soon()
        bot.think({UNSOLVED}, time=31536000)
        """
    )


@pytest.mark.parametrize(
    "work",
    [
        f"{UNSOLVED}.perft(64)",
        f"{UNSOLVED}.divide(64)",
        f"{UNSOLVED}.playouts(10**12)",
        f"{UNSOLVED}.playouts(10**12, threads=3)",
        "noughts.Game('ception:depth=6').start().perft(3)",
        "noughts.Game('ception:depth=6').start().playouts(10**12)",
    ],
)
def test_ctrl_c_stops_perft_and_playouts(work: str) -> None:
    assert interrupted(f"send_ctrl_c_soon()\n{work}")


def test_interrupted_bot_can_search_again() -> None:
    assert interrupted(
        f"""
        bot = noughts.Bot("best", "ultimate")
        position = {UNSOLVED}
        try:
            send_ctrl_c_soon()
            bot.think(position, time=31536000)
        except KeyboardInterrupt:
            assert bot.choose(position, nodes=1000) in position.legal_moves
            raise
        """
    )


def test_bots_finish_games() -> None:
    for variant in ["misere", "tic-tac-two", "ception:5c"]:
        bots = {"x": noughts.Bot("medium", variant, seed=1), "o": noughts.Bot("hard", variant)}
        position = noughts.Game(variant).start()
        while not position.is_over:
            position = position.play(bots[position.side].choose(position))
        assert position.outcome in ("x", "o", "draw")
    assert list(random_game("classic", 0))
