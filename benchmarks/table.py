"""Measuring in turns, and tables of what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """One benchmark's result.

    Args:
        title: What was measured.
        note: How, in a sentence or two.
        header: Column names.
        rows: Cells, as text.
    """

    title: str
    note: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """The table as Markdown."""
        lines = [f"## {self.title}", "", self.note, ""]
        lines += [f"| {' | '.join(self.header)} |", f"|{'---|' * len(self.header)}"]
        lines += [f"| {' | '.join(row)} |" for row in self.rows]
        return "\n".join(lines) + "\n"


def in_turns(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best time in seconds of each contestant, taken in turns so that a busy moment hits all alike."""
    for run in contestants.values():
        run()
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def milliseconds(seconds: float) -> str:
    """A time for a cell."""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def ratio(ours: float, theirs: float) -> str:
    """How ours relates to theirs; below 1 is faster."""
    return f"{ours / theirs:.2f}×"
