"""Try inputs one after another, and note each that is not dealt with as promised."""

from __future__ import annotations

import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import NamedTuple

from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skip_config.source import Source
from skip_config.validate import validate_text
from tests.fuzz.mutate import mutate
from tests.fuzz.seeds import Seed

SECONDS = 2.0
"""Processor time for one input."""
GROWTH = 300_000_000
"""Bytes that one input may make the process grow by."""
KEPT = 60
"""Mutants that are mutated further, per run."""


class Problem(NamedTuple):
    """An input with what went wrong.

    Args:
        what: One line, the same for the same cause.
        seed: The input.
        request: What was asked.
        details: A traceback, or what the result says.
    """

    what: str
    seed: Seed
    request: Request
    details: str


class TooSlowError(Exception):
    """The input took too long."""


@dataclass
class Record:
    """What a run has seen.

    Args:
        tried, rewritten: How many inputs, and how many of them a migration changed.
        slowest: Seconds of processor time of the slowest.
        largest: Bytes that the process grew by at most for one input.
        problems: What was not dealt with as promised, the first of each kind.
    """

    tried: int = 0
    rewritten: int = 0
    slowest: float = 0.0
    largest: int = 0
    problems: dict[str, Problem] = field(default_factory=dict)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlowError` when the processor has worked for so long, whatever else the machine does."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def peak() -> int:
    """The largest size of this process until now, in bytes."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size * 1024


def requests(chance: random.Random) -> Request:
    """What a user may ask."""
    return Request(
        role=chance.choice(["auto", "auto", "auto", "both", "rollout", "rollout_tq", "async_rollout"]),
        total_steps=chance.choice([None, None, 1, 3, 1000]),
        unsafe=chance.random() < 0.5,
        include=frozenset({"records", "docs", "comments"}) if chance.random() < 0.6 else frozenset(),
        insert_gen_batch_size=chance.random() < 0.1,
    )


def attempt(seed: Seed, request: Request) -> tuple[Migration | None, Problem | None]:
    """Migrate and validate one input, and migrate the result again."""
    migration = None
    try:
        with time_limit(SECONDS):
            migration = migrate_source(Source(seed.text, seed.name), request)
            own = [one for one in migration.diagnostics if one.name == "result-not-verified"]
            if own:
                return migration, Problem(f"not verified: {own[0].message[:90]}", seed, request, str(own))
            if migration.changed:
                again = migrate_source(migration.result, request)
                if again.changed:
                    return migration, Problem("twice is not once", seed, request, again.text)
        with time_limit(SECONDS):
            validate_text(seed.text, filename=seed.name)
    except TooSlowError as error:
        place = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in place if "skip_config" in frame.filename] or list(place)
        return migration, Problem(
            f"too slow: {ours[-1].filename.rpartition('/')[2]}:{ours[-1].name}", seed, request, traceback.format_exc()
        )
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in last if "skip_config" in frame.filename] or list(last)
        what = f"{type(error).__name__} in {ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno}"
        return migration, Problem(what, seed, request, traceback.format_exc())
    return migration, None


def fuzz(seeds: list[Seed], start: int, count: int, record: Record) -> None:
    """Try `count` mutants; the same `start` tries the same ones."""
    chance = random.Random(start)
    by_name: dict[str, list[Seed]] = {}
    for seed in seeds:
        by_name.setdefault(seed.name.rpartition(".")[2], []).append(seed)
    texts = [seed.text for seed in seeds]
    kept: list[Seed] = []
    kinds = list(by_name)
    for _ in range(count):
        seed = chance.choice(kept) if kept and chance.random() < 0.3 else chance.choice(by_name[chance.choice(kinds)])
        mutant = Seed(seed.name, mutate(seed.text, texts, chance)[:200_000])
        before, began = peak(), time.process_time()
        migration, problem = attempt(mutant, requests(chance))
        record.slowest = max(record.slowest, time.process_time() - began)
        grown = peak() - before
        record.largest = max(record.largest, grown)
        record.tried += 1
        if problem is None and grown > GROWTH:
            problem = Problem("too large", mutant, Request(), f"{grown:,} bytes")
        if problem is not None:
            record.problems.setdefault(problem.what, problem)
        elif migration is not None and migration.changed:
            record.rewritten += 1
            if len(mutant.text) < 20_000:
                kept.append(mutant)
                if len(kept) > KEPT:
                    del kept[chance.randrange(KEPT)]
