"""What lies in a dump directory, seen as verl 0.9's manager sees it. Reads names and sizes, never contents."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from skip_config.releases import Role
from skip_config.rollout_cache import layout


@dataclass(frozen=True, slots=True)
class StepState:
    """The directory of one step.

    Args:
        complete: Whether the runtime takes it for complete.
        missing: Files that it lacks, relative to the directory.
        blocked: What keeps the runtime from writing it, or None.
        keeps_data: Whether the data is written all the same, and only `meta.json` is not.
        readable: Whether the data files are there, `meta.json` aside.
        empty: Data files of no bytes: the runtime loads them and stops.
        present: Number of parts that are complete (`rollout_tq`).
    """

    complete: bool
    missing: tuple[str, ...] = ()
    blocked: str | None = None
    keeps_data: bool = False
    readable: bool = False
    empty: tuple[str, ...] = ()
    present: int = 0


@dataclass(frozen=True, slots=True)
class DumpState:
    """A dump directory.

    Args:
        exists: Whether it is a directory.
        steps: State of each step that is asked for or has a directory, by its number.
        available: Steps that `repeat` may choose from, in order.
        odd: Step -> name of a complete directory that verl counts for it although it is named otherwise.
        blocked: What keeps the runtime from making a directory in it, or None.
    """

    exists: bool
    steps: dict[int, StepState]
    available: tuple[int, ...]
    odd: dict[int, str]
    blocked: str | None = None


ABSENT = StepState(False)


def read_state(directory: Path, role: Role, parts: int, error: list[str] | None = None) -> DumpState:
    """Read a dump directory.

    Args:
        directory: Where the steps lie; it need not exist.
        role: Whose files to look for.
        parts: Directories per step (`rollout_tq`).
        error: Takes why the directory cannot be listed.
    """
    found: dict[int, StepState] = {}
    available: set[int] = set()
    odd: dict[int, str] = {}
    for name, is_directory in _entries(directory, error):
        step = layout.counted_step(name)
        if step is None:
            continue
        if step not in found:
            found[step] = step_state(directory, step, role, parts)
        if not is_directory:
            continue
        if role == "rollout_tq" or name == str(step):
            if found[step].complete:
                available.add(step)
        elif _one_part(directory / name, layout.GEN_BATCH).complete:
            available.add(step)
            if not found[step].complete:
                odd[step] = name
    return DumpState(directory.is_dir(), found, tuple(sorted(available)), odd, _not_writable(directory))


def _entries(directory: Path, error: list[str] | None) -> list[tuple[str, bool]]:
    """Names in a directory, and whether each is one itself or leads to one."""
    try:
        with os.scandir(directory) as entries:
            return [(entry.name, _is_dir(entry)) for entry in entries]
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return []
    except OSError as problem:
        if error is not None:
            error.append(f"{directory} cannot be listed: {problem.strerror}")
        return []


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a loop of links
        return False


def step_state(directory: Path, step: int, role: Role, parts: int) -> StepState:
    """The state of one step under the name that verl gives it."""
    place = directory / str(step)
    if role != "rollout_tq":
        return _one_part(place, layout.GEN_BATCH)
    if not os.path.isdir(place):
        return StepState(False, (f"0/{layout.TQ_BATCH}",), _blocks_directory(place))
    states = [_one_part(place / str(index), layout.TQ_BATCH) for index in range(parts)]
    named = list(enumerate(states))
    first_blocked = next((f"{step}/{i}/{_tail(one.blocked)}" for i, one in named if one.blocked), None)
    return StepState(
        all(one.complete for one in states),
        tuple(f"{i}/{name}" for i, one in named for name in one.missing),
        first_blocked,
        False,
        all(one.readable for one in states),
        tuple(f"{i}/{name}" for i, one in named for name in one.empty),
        sum(one.complete for one in states),
    )


def _tail(blocked: str) -> str:
    return blocked.split("/", 1)[1] if "/" in blocked else blocked


def _one_part(place: Path, data: str) -> StepState:
    files = (place / data, place / layout.META)
    there = [os.path.isfile(file) for file in files]
    missing = tuple(file.name for file, is_there in zip(files, there, strict=True) if not is_there)
    blocked = _blocks_directory(place) or next(
        (f"{place.name}/{file.name} {why}" for file in files if (why := _blocks_file(file))), None
    )
    empty = (data,) if there[0] and _size(files[0]) == 0 else ()
    keeps_data = os.path.isdir(place) and _blocks_file(files[0]) is None
    return StepState(all(there), missing, blocked, keeps_data, there[0], empty, int(all(there)))


def _blocks_directory(place: Path) -> str | None:
    """What keeps `mkdir(exist_ok=True)` from working."""
    return f"{place.name} is not a directory" if os.path.lexists(place) and not os.path.isdir(place) else None


def _blocks_file(place: Path) -> str | None:
    """What keeps `open(place, "wb")` from working, as far as names tell."""
    if os.path.isdir(place):
        return "is a directory"
    if not os.path.islink(place) or os.path.exists(place):
        return None
    behind = os.path.realpath(place)
    return None if os.path.isdir(os.path.dirname(behind)) and not os.path.islink(behind) else "is a link to nowhere"


def _not_writable(directory: Path) -> str | None:
    """What keeps the runtime from making directories in `directory`, as far as names and modes tell."""
    for place in (directory, *directory.parents):
        try:
            mode = os.stat(place).st_mode
        except (FileNotFoundError, ValueError):
            if os.path.islink(place):
                return f"{place} is a link to nowhere"
            continue
        except OSError as error:
            return f"{place}: {error.strerror}"
        if not stat.S_ISDIR(mode):
            return f"{place} is not a directory"
        return None if os.access(place, os.W_OK | os.X_OK) else f"{place} is not writable"
    return None


def _size(file: Path) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return -1
