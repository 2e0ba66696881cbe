"""How far a long run is, on a terminal; nothing anywhere else, and nothing for a short one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

PATIENCE = 1.0
"""Seconds for which nothing is shown."""


def counted_on_terminal(items: Iterable[Item]) -> Iterator[Item]:
    """Pass items on; from the second second on, a line on standard error counts them, gone at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    began = time.monotonic()
    number = 0
    source = iter(items)
    for item in source:
        number += 1
        yield item
        if time.monotonic() - began > PATIENCE:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed} files"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, completed=number)
        for item in source:
            progress.advance(task)
            yield item
