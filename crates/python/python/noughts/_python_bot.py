"""Python objects, functions and classes as players of the arena: their threads, times and exceptions."""

from __future__ import annotations

import inspect
import os
import queue
import threading
import traceback
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._interrupt import raise_in_thread
from ._limits import Clock, Limits
from ._noughts import Position, describe_type
from .ugi import Engine


class _Interrupted(BaseException):
    """Raised in a bot that is too late, or that is still running when everything is stopped."""


class _BotThread:
    """A thread that runs the calls of one bot.

    It is a daemon thread of Python, so that a bot that never returns can be abandoned: the arena
    continues, and the interpreter can exit while the bot is still running.
    """

    def __init__(self) -> None:
        self.busy = False
        #: The result is no longer awaited.
        self.abandoned = False
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="bot", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            while True:
                job = self._jobs.get()
                if job is None:
                    return
                answer: Tuple[Any, Optional[BaseException]]
                try:
                    answer = (job(), None)
                except BaseException as error:
                    answer = (None, error)
                self.busy = False
                if self.abandoned:
                    return
                self._answers.put(answer)
                del job, answer
        except _Interrupted:
            pass

    def run(self, job: Callable[[], Any], seconds: float) -> Tuple[Any, Optional[BaseException]]:
        """Returns the job's result, or its exception; abandons a job that takes too long."""
        self.busy = True
        self._jobs.put(job)
        try:
            answer: Tuple[Any, Optional[BaseException]] = self._answers.get(timeout=min(seconds, 1e8))
        except queue.Empty:
            self.abandon()
            answer = (None, _Interrupted())
        return answer

    def abandon(self) -> None:
        """Stops waiting for the job, and interrupts it."""
        self.abandoned = True
        self._answers.put((None, _Interrupted()))
        self.interrupt()

    def interrupt(self) -> None:
        thread = self._thread.ident
        if self.busy and thread is not None and self._thread.is_alive():
            raise_in_thread(thread, _Interrupted)

    def shut_down(self) -> None:
        self._jobs.put(None)
        if not self.abandoned:
            self._thread.join(timeout=1.0)


def _printable(text: str) -> str:
    """The text with lone surrogates escaped, so that it can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class PythonBot:
    """A Python bot as the compiled part calls it."""

    def __init__(self, bot: Any) -> None:
        self.name = bot_name(bot)
        #: The first few tracebacks.
        self.errors: List[str] = []
        self._bot = bot
        self._is_class = isinstance(bot, type)
        self._calling_convention: Any = None
        self._threads: List[_BotThread] = []
        self._idle: List[_BotThread] = []
        if self._is_class:
            if not callable(getattr(bot, "choose", None)) and "__call__" not in dir(bot):
                raise TypeError(f"the class {self.name} has no choose(position) method")
        else:
            self._calling_convention = _calling_convention(_choose_method(bot))

    def start_game(self, seed: int, stopped: Callable[[], bool], patience: float) -> Tuple[Any, Optional[str]]:
        """Returns the player for one game, or an error message."""
        try:
            thread = self._idle.pop()
        except IndexError:
            thread = _BotThread()
            self._threads.append(thread)
        choose, problem = self.ask(thread, lambda: self._prepare(seed), patience)
        if problem is not None:
            self.release(thread)
            return None, problem
        return _GamePlayer(self, thread, choose, stopped), None

    def _prepare(self, seed: int) -> Callable[[Position, Limits], Any]:
        bot = self._bot() if self._is_class else self._bot
        choose = _choose_method(bot)
        if self._calling_convention is None:
            self._calling_convention = _calling_convention(choose)
        call = self._calling_convention
        new_game = getattr(bot, "new_game", None)
        if callable(new_game):
            new_game(seed)
        if isinstance(bot, Engine):
            engine = bot
            return lambda position, limits: call(choose, position, engine._with_default_time(limits))
        return lambda position, limits: call(choose, position, limits)

    def ask(self, thread: _BotThread, job: Callable[[], Any], seconds: float) -> Tuple[Any, Optional[str]]:
        answer, error = thread.run(job, seconds)
        if error is None:
            return answer, None
        if isinstance(error, _Interrupted):
            return None, f"it didn't answer within {seconds:.3g} s"
        return None, self._describe_error(error)

    def release(self, thread: _BotThread) -> None:
        if not thread.abandoned:
            self._idle.append(thread)

    def interrupt_abandoned(self) -> None:
        """Interrupts abandoned calls again, in case they caught the exception."""
        for thread in list(self._threads):
            if thread.abandoned:
                thread.interrupt()

    def interrupt(self) -> None:
        """Abandons all running calls."""
        for thread in list(self._threads):
            if thread.busy:
                thread.abandon()

    def shut_down(self) -> None:
        for thread in list(self._threads):
            thread.shut_down()

    def _describe_error(self, error: BaseException) -> str:
        try:
            tb = error.__traceback__
            while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
                tb = tb.tb_next
            if len(self.errors) < 10 and not isinstance(error, _Interrupted):
                self.errors.append(_printable("".join(traceback.format_exception(type(error), error, tb))))
            message = " ".join(str(error).split())[:300]
            frames = traceback.extract_tb(tb)
        except Exception as second_error:
            return f"{type(error).__name__}, then {type(second_error).__name__} while formatting it"
        text = type(error).__name__ + (f": {message}" if message else "")
        if frames:
            text += f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})"
        return _printable(text)


class _GamePlayer:
    """A Python bot in one game. Called for each move; returns the move, or an error message."""

    def __init__(
        self,
        python_bot: PythonBot,
        thread: _BotThread,
        choose: Callable[[Position, Limits], Any],
        stopped: Callable[[], bool],
    ) -> None:
        self._python_bot = python_bot
        self._thread = thread
        self._choose = choose
        self._stopped = stopped

    def __call__(
        self,
        position: Position,
        time: Optional[float],
        nodes: Optional[int],
        depth: Optional[int],
        clocks: Any,
        allowed: float,
    ) -> Tuple[Any, Optional[str]]:
        if clocks is not None:
            clocks = {side: Clock(*clock) for side, clock in zip("xo", clocks)}
        limits = Limits(time=time, nodes=nodes, depth=depth, clocks=clocks, stopped=self._stopped)
        choose = self._choose
        # A little more than allowed, so that a bot that is abandoned is certainly late.
        return self._python_bot.ask(self._thread, lambda: choose(position, limits), allowed + 0.001)

    def close(self) -> None:
        self._python_bot.release(self._thread)


def bot_name(bot: Any) -> str:
    name = getattr(bot, "name", None)
    if not isinstance(name, str) or not name.strip():
        name = getattr(bot, "__name__", None)
    if not isinstance(name, str) or not name.strip():
        name = type(bot).__name__
    return "".join(c if c.isprintable() else " " for c in name)[:60]


def _choose_method(bot: Any) -> Callable[..., Any]:
    for choose in (getattr(bot, "choose", None), bot):
        if callable(choose):
            found: Callable[..., Any] = choose
            return found
    raise TypeError(
        "a bot must be a string such as 'mcts', an object with a method choose(position), a function or "
        f"a class, not {describe_type(bot)}"
    )


def _calling_convention(choose: Callable[..., Any]) -> Callable[[Any, Position, Limits], Any]:
    """Chooses the arguments for a bot by its signature."""
    try:
        parameters = list(inspect.signature(choose).parameters.values())
    except (TypeError, ValueError):
        return lambda choose, position, limits: choose(position)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) > 1 and (positional[1].name == "limits" or positional[1].default is inspect.Parameter.empty):
        return lambda choose, position, limits: choose(position, limits)
    named = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    limit_names = [name for name in ("time", "nodes", "depth") if name in named]

    def call(choose: Any, position: Position, limits: Limits) -> Any:
        kwargs: Dict[str, Any] = {name: getattr(limits, name) for name in limit_names}
        if "limits" in named:
            kwargs["limits"] = limits
        return choose(position, **kwargs)

    return call
