"""Worker processes that stop when they are told to, and that outlive nobody."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from skip_config.files import Candidate, PathError, Step
from skipcfg.stopping import held, ignore_signals

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

Result = TypeVar("Result")

_CHUNK = 16
"""Files of one errand: enough that sending it costs little, few enough that stopping takes no time."""

_NAP = 0.2
"""Seconds after which waiting looks for a signal: an exception inside the waiting itself could leave a lock taken."""

_stop: Event | None = None
"""In a worker: set when the run is interrupted."""


def in_pool(
    first: Sequence[Step], rest: Iterator[Step], work: Callable[[Candidate], Result], processes: int
) -> Iterator[tuple[Step, Result | None]]:
    """Apply `work` to the candidates among `first` and `rest`, in several processes.

    Yields:
        In order: each step with its result, None for what is no candidate; a `PathError` in the place of
        files whose process was killed.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    stop = multiprocessing.Event()
    pool = ProcessPoolExecutor(processes, initializer=_start, initargs=(stop,))
    running: list[tuple[list[Step], Future[list[Result]]]] = []
    try:
        for batch in _batches(first, rest):
            running.append((batch, _submitted(pool, work, [step for step in batch if isinstance(step, Candidate)])))
            if len(running) > 2 * processes:  # bounded memory, however large the tree
                yield from _collect(*running.pop(0))
        while running:
            yield from _collect(*running.pop(0))
    finally:
        with held():
            if running:
                stop.set()
            pool.shutdown(cancel_futures=True)


def _start(stop: Event) -> None:
    """Prepare a worker: signals are for the process that started it, and it ends with that one."""
    global _stop
    _stop = stop
    ignore_signals()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # a thread cannot end its process in another way; files are whole at any moment


def _batches(first: Sequence[Step], rest: Iterator[Step]) -> Iterator[list[Step]]:
    yield from (list(first[i : i + _CHUNK]) for i in range(0, len(first), _CHUNK))
    while batch := list(islice(rest, _CHUNK)):
        yield batch


def _all(work: Callable[[Candidate], Result], inputs: Sequence[Candidate]) -> list[Result]:
    results = []
    for one in inputs:
        if _stop is not None and _stop.is_set():
            break
        results.append(work(one))
    return results


def _submitted(pool: object, work: Callable[[Candidate], Result], inputs: Sequence[Candidate]) -> Future[list[Result]]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    assert isinstance(pool, ProcessPoolExecutor)
    try:
        with held():  # the first call starts the workers, and what stops them after that
            return pool.submit(_all, work, inputs)
    except BrokenProcessPool as error:
        broken: Future[list[Result]] = Future()
        broken.set_exception(error)
        return broken


def _collect(batch: Sequence[Step], future: Future[list[Result]]) -> Iterator[tuple[Step, Result | None]]:
    from concurrent.futures import wait
    from concurrent.futures.process import BrokenProcessPool

    while not future.done():
        with held():
            wait([future], _NAP)
    try:
        results = iter(future.result())
    except BrokenProcessPool:
        reason = "its process was killed, for want of memory perhaps; run it again with --jobs 1"
        for step in batch:
            yield (PathError(step.found.shown, reason) if isinstance(step, Candidate) else step), None
        return
    for step in batch:
        yield step, (next(results) if isinstance(step, Candidate) else None)
