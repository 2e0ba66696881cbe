"""Do the same to many files, in one process or in several, in the order in which they were found."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from skip_config import files
from skip_config.files import Candidate, Found, NestedRepository, PathError

Result = TypeVar("Result")

_WORTH_A_POOL = 2_000_000
"""Bytes of candidates from which a second process pays for its start, measured with `benchmarks`."""


class Done(NamedTuple):
    """A file with what was made of it, or what stood in the way."""

    found: Found | NestedRepository | None
    result: object
    error: PathError | None = None


def each(
    paths: Sequence[str],
    work: Callable[[Candidate], Result],
    jobs: int | None,
    if_relevant: bool = False,
    wanted: Callable[[bytes, str], bool] | None = None,
) -> Iterator[Done]:
    """Apply `work` to every candidate below `paths`.

    Args:
        paths: What the user named.
        work: A function of a module's top level, whose result can be pickled.
        jobs: Number of processes; None for as many as help.
        if_relevant, wanted: See `skip_config.files.candidates`.

    Yields:
        In order: results, repositories inside the tree, and files that could not be read.
    """
    steps = files.candidates(paths, if_relevant, wanted)
    most = jobs or os.cpu_count() or 1
    if most == 1:
        yield from _here(steps, work)
        return
    waiting: list[files.Step] = []
    size = 0
    for step in steps:
        waiting.append(step)
        size += len(step.data) if isinstance(step, Candidate) else 0
        if jobs is not None or size >= _WORTH_A_POOL:
            yield from _in_pool(waiting, steps, work, most)
            return
    yield from _here(iter(waiting), work)


def _here(steps: Iterator[files.Step], work: Callable[[Candidate], Result]) -> Iterator[Done]:
    for step in steps:
        yield Done(step.found, work(step)) if isinstance(step, Candidate) else _aside(step)


def _aside(step: NestedRepository | PathError) -> Done:
    return Done(None, None, step) if isinstance(step, PathError) else Done(step, None)


def _in_pool(
    first: Sequence[files.Step], rest: Iterator[files.Step], work: Callable[[Candidate], Result], processes: int
) -> Iterator[Done]:
    from skipcfg.pool import in_pool

    for step, result in in_pool(first, rest, work, processes):
        yield Done(step.found, result) if isinstance(step, Candidate) else _aside(step)
