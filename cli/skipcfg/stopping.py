"""Let a signal end a run in the order in which it was built up: temporary files go, workers stop, one line tells."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""By name, since Windows has no SIGHUP."""

_held = False
_waiting: int | None = None
"""The signal that came while it was held."""


class Stopped(BaseException):
    """A signal came. No `Exception`, and no KeyboardInterrupt either, of which Typer makes an exit without a word.

    Args:
        number: Which one.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def stop_on_signals() -> None:
    """From now on a signal that asks to end raises `Stopped`; one that is ignored, as under nohup, stays so.

    The next one ends the process at once.
    """
    for number in _numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


def end_on_signals() -> None:
    """From now on a signal ends the process at once, as it would have without `stop_on_signals`."""
    for number in _numbers():
        if signal.getsignal(number) is _raise:
            signal.signal(number, signal.SIG_DFL)


def ignore_signals() -> None:
    """From now on signals that ask to end do nothing."""
    for number in _numbers():
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Raise `Stopped` no sooner than at the end of the block: for calls that must not be left half done."""
    global _held
    _held = True
    try:
        yield
    finally:
        _held = False
        if _waiting is not None:
            end_on_signals()
            raise Stopped(_waiting)


def _numbers() -> list[signal.Signals]:
    return [signal.Signals[name] for name in _SIGNALS if name in signal.Signals.__members__]


def _raise(number: int, frame: FrameType | None) -> None:
    global _waiting
    if _held:
        _waiting = number
        return
    end_on_signals()
    raise Stopped(number)
