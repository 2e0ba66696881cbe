"""Put dumps of older releases where verl 0.9's `rollout` or `async_rollout` role looks for them.

Each step is made in a temporary directory and renamed, so that a crash leaves no half step; a step that is
there already stays as it is; nothing is written outside the dump directory.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skip_config.rollout_cache import layout
from skip_config.rollout_cache.old_dumps import Dump

Action = Literal["link", "copy", "keep", "leave"]

DRAFT_PREFIX = ".converting-"
"""Beginning of the names of temporary directories; verl takes them for no step."""
_STALE = 86400
"""Age in seconds from which such a directory belongs to no process any more."""


class OutsideError(Exception):
    """A path leads out of the dump directory."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What becomes of one step.

    Args:
        step: Of verl 0.9.
        dump: What serves there.
        target: The directory of the step.
        action: `link` or `copy` the dump, `keep` what is there already, `leave` it out.
        why: For the last two.
    """

    step: int
    dump: Dump
    target: Path
    action: Action
    why: str = ""


def confined(path: Path, dump_dir: Path) -> Path:
    """A path with its links resolved.

    Raises:
        OutsideError: It does not lie below `dump_dir`.
    """
    inside, real = os.path.realpath(dump_dir), os.path.realpath(path)
    if real == inside or os.path.commonpath([inside, real]) != inside:
        raise OutsideError(f"{path} leads out of the dump directory {dump_dir}; nothing is written or read there")
    return Path(real)


def placements(wanted: Sequence[tuple[int, Dump]], directory: Path, copy: bool) -> list[Placement]:
    """What to do with each step, by what is there.

    Args:
        wanted: Steps and their dumps.
        directory: Where verl 0.9 looks; confined.
        copy: Whether to copy where a hard link would do.
    """
    found = []
    for step, dump in wanted:
        target = directory / str(step)
        if dump.problem is not None:
            found.append(Placement(step, dump, target, "leave", dump.problem))
        elif os.path.lexists(target):
            found.append(Placement(step, dump, target, "keep", _state(target)))
        else:
            found.append(Placement(step, dump, target, "copy" if copy else "link"))
    return found


def _state(target: Path) -> str:
    missing = [name for name in (layout.GEN_BATCH, layout.META) if not os.path.isfile(target / name)]
    return f"there already, but lacks {' and '.join(missing)}" if missing else "there already"


def carry_out(planned: Sequence[Placement], directory: Path, dump_dir: Path) -> Iterator[Placement]:
    """Make the steps, and yield what was done in the end: a link may have become a copy.

    Raises:
        OSError: Something cannot be written.
        OutsideError: The directory was changed to lead elsewhere.
    """
    if any(one.action in ("link", "copy") for one in planned):
        directory.mkdir(parents=True, exist_ok=True)
        confined(directory, dump_dir)
        _sweep(directory)
    for one in planned:
        yield one if one.action in ("keep", "leave") else _make(one)


def _sweep(directory: Path) -> None:
    """Remove what a run that was killed left behind, unless it is young enough to be at work still."""
    for draft in directory.glob(f"{DRAFT_PREFIX}*"):
        if draft.is_dir() and not draft.is_symlink() and time.time() - draft.stat().st_mtime > _STALE:
            shutil.rmtree(draft)


def _make(one: Placement) -> Placement:
    draft = one.target.parent / f"{DRAFT_PREFIX}{one.step}-{secrets.token_hex(4)}"
    draft.mkdir()
    try:
        action = _bring(one.dump.file, draft / layout.GEN_BATCH, one.action)
        (draft / layout.META).write_text(json.dumps({"global_steps": one.step}), encoding="utf-8")
        if os.path.lexists(one.target):  # a run that started meanwhile
            return Placement(one.step, one.dump, one.target, "keep", _state(one.target))
        draft.rename(one.target)
        return Placement(one.step, one.dump, one.target, action)
    finally:
        if draft.exists():
            shutil.rmtree(draft)


def _bring(source: Path, target: Path, action: Action) -> Action:
    if action == "link":
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:
            # Another file system, one without hard links, a file of someone else, or one with too many links.
            action = "copy"
    if action == "copy":
        _copy(source, target)
    if not stat.S_ISREG(os.lstat(target).st_mode):
        raise OSError(f"{source} was replaced while it was taken over")
    return action


def _copy(source: Path, target: Path) -> None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(source, flags), "rb") as original, open(target, "xb") as made:
        shutil.copyfileobj(original, made, 1 << 20)
        made.flush()
        os.fsync(made.fileno())
