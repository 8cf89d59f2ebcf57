"""Raising an exception in another thread, so that Python code which never ends does."""

from __future__ import annotations

import ctypes
from typing import Type


def raise_in(thread: int, exception: Type[BaseException]) -> None:
    """The thread sees it when it runs Python code again.

    Only CPython can do this; elsewhere the thread is waited for.
    """
    try:
        call = ctypes.pythonapi.PyThreadState_SetAsyncExc
    except AttributeError:
        return
    call(ctypes.c_ulong(thread), ctypes.py_object(exception))
