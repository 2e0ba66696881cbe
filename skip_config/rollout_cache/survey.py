"""What a tree of dumps holds, of every generation. Reads names, sizes and times; follows no link to a folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import NamedTuple

from skip_config.rollout_cache import layout
from skip_config.rollout_cache.layout import Kind
from skip_config.rollout_cache.search import is_file, kind_of, listed, stat_of


class Broken(NamedTuple):
    """A step that no runtime can load, and why."""

    name: str
    why: str


@dataclass(slots=True)
class DumpSet:
    """The dumps of one run in one place; filled while the tree is read, and not changed afterwards.

    Args:
        path: The directory of the steps, or the file of `flat`.
        run: Names of the run, as the directory has them.
        parameters: `GBS…_N…_in…_out…`; `GBS…_N…` for `flat`.
        kind: The generation.
        data: Name of the data file; empty for `flat`.
        steps: Steps that can be loaded.
        size: Bytes of all data files.
        oldest, newest: Times of the data files, in seconds since the epoch.
        parts: Directories per step, for `tq_batch.pt`.
        broken: Steps that cannot be loaded.
    """

    path: str
    run: str
    parameters: str
    kind: Kind
    data: str
    steps: list[int] = field(default_factory=list)
    size: int = 0
    oldest: float = float("inf")
    newest: float = 0.0
    parts: int = 1
    broken: list[Broken] = field(default_factory=list)

    def add(self, found: os.stat_result) -> None:
        """Count a data file."""
        self.size += found.st_size
        self.oldest = min(self.oldest, found.st_mtime)
        self.newest = max(self.newest, found.st_mtime)


@dataclass(slots=True)
class Survey:
    """What was found below a directory.

    Args:
        sets: In the order of their paths.
        links: Number of links to folders, which are not followed.
        unreadable: Folders that cannot be listed, and why.
    """

    sets: list[DumpSet] = field(default_factory=list)
    links: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def survey(root: str) -> Survey:
    """Read a whole tree.

    Args:
        root: A directory: a dump directory, or anything above or below the runs in it.

    Raises:
        OSError: `root` cannot be listed.
    """
    result = Survey()
    pending = [os.path.realpath(root)]
    first = True
    while pending:
        place = pending.pop()
        try:
            entries = listed(place)
        except OSError as error:
            if first:
                raise
            result.unreadable.append((place, error.strerror or str(error)))
            continue
        first = False
        folders = []
        for entry in entries:
            kind = kind_of(entry)
            if kind == "folder":
                folders.append(entry.name)
            elif kind == "link":
                result.links += 1
            elif kind == "file" and layout.flat_parts(entry.name):
                found = _flat(entry)
                result.sets += [found] if found else []
        if layout.parameters_of(os.path.basename(place)):
            here, folders = _parameter_set(place, folders)
            result.sets += here
        pending += [os.path.join(place, name) for name in folders]
    result.sets.sort(key=lambda one: (one.path, one.kind, one.data))
    return result


def _flat(entry: os.DirEntry[str]) -> DumpSet | None:
    parts = layout.flat_parts(entry.name)
    assert parts is not None
    found = stat_of(entry.path)
    if found is None:
        return None
    one = DumpSet(entry.path, parts[0], f"{parts[1]}_{parts[2]}", "flat", "")
    one.add(found)
    if found.st_size == 0:
        one.broken.append(Broken(entry.name, "is empty"))
    return one


def _parameter_set(place: str, folders: list[str]) -> tuple[list[DumpSet], list[str]]:
    """The dumps in a directory of steps, and the folders in it that are no steps."""
    head, parameters = os.path.split(place)
    run = os.path.basename(head)
    found: dict[tuple[Kind, str], DumpSet] = {}
    others = []

    def dumps(kind: Kind, data: str) -> DumpSet:
        if (kind, data) not in found:
            found[kind, data] = DumpSet(place, run, parameters, kind, data)
        return found[kind, data]

    queue_steps: list[tuple[str, int, _Parts]] = []
    for name in folders:
        nested = layout.nested_step(name)
        if nested is not None:
            _nested(dumps("nested", layout.GEN_BATCH), f"{place}/{name}", name, nested)
            continue
        step = layout.counted_step(name)
        if step is None:
            others.append(name)
            continue
        path = f"{place}/{name}"
        parts = None if stat_of(f"{path}/{layout.GEN_BATCH}") else _parts(path)
        if parts is None or not parts.seen:
            _manager(dumps("manager", layout.GEN_BATCH), path, name, step)
        if parts is not None and parts.seen:
            queue_steps.append((name, step, parts))
    if queue_steps:
        _queue(dumps("manager", layout.TQ_BATCH), queue_steps)
    for one in found.values():
        one.steps.sort()
        one.broken.sort()
    return list(found.values()), others


def _nested(dumps: DumpSet, path: str, name: str, step: int) -> None:
    problem = _data_problem(dumps, f"{path}/{layout.GEN_BATCH}", layout.GEN_BATCH)
    if problem is None and not is_file(f"{path}/{layout.NEW_BATCH}"):
        problem = f"lacks {layout.NEW_BATCH}"
    _record(dumps, name, step, problem)


def _manager(dumps: DumpSet, path: str, name: str, step: int) -> None:
    problem = _data_problem(dumps, f"{path}/{layout.GEN_BATCH}", layout.GEN_BATCH)
    if problem is None and not is_file(f"{path}/{layout.META}"):
        problem = f"lacks {layout.META}"
    _record(dumps, name, step, problem or _odd_name(name, step))


def _record(dumps: DumpSet, name: str, step: int, problem: str | None) -> None:
    if problem is None:
        dumps.steps.append(step)
    else:
        dumps.broken.append(Broken(name, problem))


def _odd_name(name: str, step: int) -> str | None:
    return None if name == str(step) else f"is counted as step {step}, which is then looked for in {step}/"


def _data_problem(dumps: DumpSet, path: str, name: str) -> str | None:
    found = stat_of(path)
    if found is None:
        return f"lacks {name}"
    if not stat.S_ISREG(found.st_mode):
        return f"{name} is not a file"
    dumps.add(found)
    return None if found.st_size else f"{name} is empty"


@dataclass(slots=True)
class _Parts:
    """Parts of a step of `rollout_tq`: sizes and times, and what is wrong."""

    seen: bool = False
    complete: set[int] = field(default_factory=set)
    files: list[os.stat_result] = field(default_factory=list)
    problem: str | None = None


def _parts(path: str) -> _Parts:
    parts = _Parts()
    try:
        entries = listed(path)
    except OSError:
        return parts
    for entry in entries:
        if not entry.name.isdecimal() or not entry.name.isascii() or kind_of(entry) != "folder":
            continue
        found = stat_of(f"{entry.path}/{layout.TQ_BATCH}")
        meta = is_file(f"{entry.path}/{layout.META}")
        parts.seen = parts.seen or found is not None
        if found is None or not stat.S_ISREG(found.st_mode):
            parts.problem = f"lacks {entry.name}/{layout.TQ_BATCH}"
            continue
        parts.files.append(found)
        if not meta:
            parts.problem = f"lacks {entry.name}/{layout.META}"
        elif found.st_size == 0:
            parts.problem = f"{entry.name}/{layout.TQ_BATCH} is empty"
        else:
            parts.complete.add(int(entry.name))
    return parts


def _queue(dumps: DumpSet, steps: list[tuple[str, int, _Parts]]) -> None:
    dumps.parts = max((max(parts.complete, default=0) + 1 for _, _, parts in steps), default=1)
    for name, step, parts in steps:
        for file in parts.files:
            dumps.add(file)
        problem = parts.problem
        if problem is None and len(parts.complete) < dumps.parts:
            problem = f"has {len(parts.complete)} of {dumps.parts} parts"
        _record(dumps, name, step, problem or _odd_name(name, step))
