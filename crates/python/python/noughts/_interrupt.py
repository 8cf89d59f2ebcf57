"""Raises an exception in another thread, to stop Python code that would run forever."""

from __future__ import annotations

import ctypes
from typing import Type


def raise_in_thread(thread: int, exception: Type[BaseException]) -> None:
    """Raises the exception the next time the thread runs Python code.

    Does nothing on interpreters other than CPython, which don't support this.
    """
    try:
        set_async_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
    except AttributeError:
        return
    set_async_exception(ctypes.c_ulong(thread), ctypes.py_object(exception))
