"""Look for directories of dumps without reading all of them, and the small questions that any look into one asks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from skip_config.rollout_cache import layout
from skip_config.rollout_cache.layout import Kind


def listed(place: str) -> list[os.DirEntry[str]]:
    """What a folder holds.

    Raises:
        OSError: It cannot be listed.
    """
    with os.scandir(place) as entries:
        return list(entries)


def kind_of(entry: os.DirEntry[str]) -> str:
    """`folder`, `file`, `link` (to a folder) or `other`."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        if entry.is_symlink():
            return "link" if entry.is_dir() else "other"
        return "file" if entry.is_file(follow_symlinks=False) else "other"
    except OSError:  # a loop of links
        return "link"


def stat_of(path: str) -> os.stat_result | None:
    """Size, time and kind of what a path leads to, or None."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def is_file(path: str) -> bool:
    """Whether a path leads to a file."""
    found = stat_of(path)
    return found is not None and stat.S_ISREG(found.st_mode)


def parameter_directories(root: str, most: int) -> Iterator[str]:
    """Directories of steps below `root`, nearest first; `most` bounds how many folders are looked into."""
    pending = [root]
    while pending and most > 0:
        place = pending.pop(0)
        most -= 1
        try:
            entries = listed(place)
        except OSError:
            continue
        for entry in sorted(entries, key=lambda one: one.name):
            if kind_of(entry) != "folder":
                continue
            if layout.parameters_of(entry.name):
                yield entry.path
            else:
                pending.append(entry.path)


def first_dump(place: str, wanted: Kind | None = None) -> tuple[Kind, str] | None:
    """Generation and data file of the first dump that a directory of steps holds, or None.

    Args:
        place: The directory.
        wanted: The generation to look for; None for any.
    """
    try:
        entries = os.scandir(place)
    except OSError:
        return None
    with entries:
        for entry in entries:
            name = entry.name
            if layout.nested_step(name) is not None:
                if is_file(f"{entry.path}/{layout.GEN_BATCH}"):
                    return "nested", layout.GEN_BATCH
            elif wanted != "nested" and layout.counted_step(name) is not None:
                if is_file(f"{entry.path}/{layout.GEN_BATCH}"):
                    return "manager", layout.GEN_BATCH
                if is_file(f"{entry.path}/0/{layout.TQ_BATCH}"):
                    return "manager", layout.TQ_BATCH
    return None
