"""Let a signal end a run in the order in which it was built up: temporary files go, workers stop, one line tells."""

from __future__ import annotations

import signal
from types import FrameType

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""By name, since Windows has no SIGHUP."""


class Stopped(BaseException):
    """A signal came. No `Exception`, and no KeyboardInterrupt either, of which Typer makes an exit without a word.

    Args:
        number: Which one.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def stop_on_signals() -> None:
    """From now on a signal that asks to end raises `Stopped`; one that is ignored, as under nohup, stays so."""
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)
