"""Dumps of older releases that belong to a config, and at which steps of verl 0.9 they serve.

Reads names, sizes, and the first and last byte of a dump: a pickle that was written to its end stops with a
full stop. Nothing is unpickled, and no link is followed out of the dump directory.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from skip_config import releases
from skip_config.legacy import MISSING, LegacySkip, Maybe
from skip_config.old_values import count
from skip_config.releases import FLAT, FLAT_DIALECT, NESTED, NESTED_DIALECT, POST_DUMP_ACTIONS
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.run import OldRun, RefusedError, refusals

if TYPE_CHECKING:
    from omegaconf import DictConfig


class Dump(NamedTuple):
    """One dump of an older release.

    Args:
        step: Its step; 1 for the one file of `flat`.
        file: The data.
        problem: Why it cannot be used, or None.
    """

    step: int
    file: Path
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The dumps of one older release in one place."""

    old: OldRun
    dumps: tuple[Dump, ...]


def legacy_settings(config: DictConfig) -> LegacySkip | None:
    """The old settings in a config, those of `nested` first; None when there are none.

    Raises:
        RefusedError: They cannot be read.
    """
    from omegaconf import DictConfig, OmegaConf

    with refusals():
        rollout = OmegaConf.select(config, releases.dotted(releases.ROLLOUT_PLACE))
        if not isinstance(rollout, DictConfig):
            return None
        block = rollout.get(releases.NESTED_BLOCK)
        if isinstance(block, DictConfig):
            return _nested(_values(block))
        values = _values(rollout)
    keys = {**{key: field for field, key in FLAT.keys.items()}, **FLAT_DIALECT}
    given: dict[str, Any] = {field: values[key] for key, field in keys.items() if key in values}
    return LegacySkip("flat", **given) if given else None


def _values(node: DictConfig) -> dict[str, Maybe]:
    from omegaconf import OmegaConf

    return cast("dict[str, Maybe]", OmegaConf.to_container(node, resolve=True))


def _nested(values: dict[str, Maybe]) -> LegacySkip:
    given: dict[str, Any] = {key: values[key] for key in NESTED.keys.values() if key in values}
    for dialect, key in NESTED_DIALECT.items():
        if dialect not in values or key not in LegacySkip.__dataclass_fields__:
            continue
        value = values[dialect]
        if dialect == "post_dump_action":
            given["post_dump_action"] = True
            value = POST_DUMP_ACTIONS.get(str(value), value)
        given.setdefault(key, value)
    return LegacySkip("nested", **given)


def dump_dir_of(old: LegacySkip) -> str:
    """The dump directory of old settings.

    Raises:
        RefusedError: It is not a path.
    """
    generation = FLAT if old.generation == "flat" else NESTED
    value = generation.defaults[generation.keys["dump_dir"]] if old.dump_dir is MISSING else old.dump_dir
    if not isinstance(value, str):
        raise RefusedError(f"the dump directory is {value!r}, not a path")
    return value


def last_dumped(old: LegacySkip | None) -> int | None:
    """The last step that counts: later dumps of `repeat` and `repeat_last` were never read. None for all."""
    if old is None or old.generation == "flat" or old.action in (MISSING, "cache"):
        return None
    last = count(old.max_dump_step)
    return last if isinstance(last, int) else None


def goes_round(old: LegacySkip | None, total_steps: int | None) -> int | None:
    """N when the old settings went round the first N batches within T steps, else None."""
    last = last_dumped(old)
    if old is None or last is None or last < 2 or old.action != "repeat":
        return None
    return None if total_steps is not None and last >= total_steps else last


def find(old: OldRun) -> Found:
    """The dumps that lie where an older release keeps them."""
    if old.kind == "flat":
        there = os.path.lexists(old.place)
        return Found(old, (Dump(1, old.place, problem_with(old.place)),) if there else ())
    dumps = []
    try:
        with os.scandir(old.place) as entries:
            for entry in entries:
                step = layout.nested_step(entry.name)
                if step is not None and step > 0:
                    dumps.append(Dump(step, Path(entry.path) / layout.GEN_BATCH, _problem_in(entry)))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return Found(old, ())
    return Found(old, tuple(sorted(dumps)))


def _problem_in(entry: os.DirEntry[str]) -> str | None:
    if not entry.is_dir(follow_symlinks=False):
        return f"{entry.name} is not a directory of its own"
    for file in (layout.NEW_BATCH, layout.GEN_BATCH):
        problem = problem_with(Path(entry.path) / file)
        if problem:
            return problem
    return None


def problem_with(file: Path) -> str | None:
    """Why a file is no whole pickle of its own, or None."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        mode = os.lstat(file).st_mode
        if not stat.S_ISREG(mode):
            return f"{file.name} is {'a link' if stat.S_ISLNK(mode) else 'no file'}, and only files are taken"
        handle = os.open(file, flags)
    except FileNotFoundError:
        return f"{file.name} is missing"
    except (OSError, ValueError) as error:
        return f"{file.name}: {getattr(error, 'strerror', None) or error}"
    try:
        size = os.fstat(handle).st_size
        if size == 0:
            return f"{file.name} is empty"
        first = os.read(handle, 1)
        os.lseek(handle, size - 1, os.SEEK_SET)
        last = os.read(handle, 1)
    finally:
        os.close(handle)
    return None if (first, last) == (b"\x80", b".") else f"{file.name} is cut off, or no pickle"


def targets(found: Found, old: LegacySkip | None, total_steps: int | None) -> list[tuple[int, Dump]]:
    """The steps of verl 0.9 at which each dump serves, in order.

    Args:
        found: The dumps.
        old: The old settings; None when the config is migrated already, and then every dump keeps its step.
        total_steps: T. Where the old settings went round the first N batches, step k's dump also serves at
            k+N, k+2N and so on up to T.
    """
    last = last_dumped(old)
    usable = [dump for dump in found.dumps if last is None or dump.step <= last]
    placed = [(dump.step, dump) for dump in usable]
    around = goes_round(old, total_steps)
    if around is not None and total_steps is not None:
        placed += [
            (step, dump)
            for dump in usable
            if dump.problem is None
            for step in range(dump.step + around, total_steps + 1, around)
        ]
    return sorted(placed, key=lambda one: one[0])


def absent(steps: Iterable[int], last: int) -> list[int]:
    """The steps from 1 to `last` that are not among `steps`."""
    there = set(steps)
    return [step for step in range(1, last + 1) if step not in there]
