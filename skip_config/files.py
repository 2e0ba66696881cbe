"""Find files, read them, and write them so that a crash leaves the old file or the new one, whole."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skip_config.formats import could_serve

_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache"})
_IGNORE_FILES = (".gitignore", ".ignore")

_OLD_KEY = re.compile(
    rb"skip_rollout|skip_dump_dir|skip_use_default_dir|rollout\W{0,4}skip\b|max_dump_step|rollout_skip"
)


class PathError(Exception):
    """A path that the user named cannot be read or written.

    Args:
        path: The path.
        reason: Why, in words.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class Found(NamedTuple):
    """A file to look at.

    Args:
        path: Where it is.
        shown: Its name as the user would write it.
        named: Whether the user named it, rather than a folder that holds it.
    """

    path: Path
    shown: str
    named: bool


def find(paths: Sequence[str]) -> list[Found]:
    """The files that `paths` stand for: each once, folders walked, in a stable order.

    Folders leave out what version control does (`.gitignore`, `.ignore`), and files whose kind no
    format serves. A file that is reached twice, also by a link, comes once, by its first name.

    Raises:
        PathError: A path does not exist.
    """
    found: list[Found] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found += [Found(file, shown, False) for file, shown in _walk(path)]
        elif path.exists():
            found.append(Found(path, name, True))
        else:
            raise PathError(name, "no such file or directory")
    named = {os.path.realpath(one.path) for one in found if one.named}
    seen: set[str] = set()
    result = []
    for one in found:
        real = os.path.realpath(one.path)
        if real not in seen:
            seen.add(real)
            result.append(one._replace(named=real in named))
    return result


def _walk(root: Path) -> Iterator[tuple[Path, str]]:
    home = os.path.realpath(root)
    pending: list[tuple[Path, tuple[_Ignored, ...]]] = [(root, ())]
    while pending:
        folder, ignored = pending.pop()
        ignored = (*ignored, *_ignore_rules(folder))
        folders = []
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except PermissionError:
            if folder == root:
                raise PathError(str(root), "permission denied") from None
            continue  # not named, so not asked for
        for entry in entries:
            path = folder / entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED_FOLDERS and not any(rule.matches(path, True) for rule in ignored):
                    folders.append((path, ignored))
            elif could_serve(entry.name) and not any(rule.matches(path, False) for rule in ignored):
                if entry.is_symlink() and not _inside(os.path.realpath(path), home):
                    continue  # a link that leads out of the tree
                if path.is_file():
                    yield path, os.path.normpath(path)
        pending += reversed(folders)


def _inside(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder


class _Ignored(NamedTuple):
    folder: Path
    rules: object

    def matches(self, path: Path, is_folder: bool) -> bool:
        relative = path.relative_to(self.folder).as_posix() + ("/" if is_folder else "")
        return bool(self.rules.match_file(relative))  # type: ignore[attr-defined]


def _ignore_rules(folder: Path) -> Iterator[_Ignored]:
    for name in _IGNORE_FILES:
        file = folder / name
        if file.is_file():
            from pathspec import GitIgnoreSpec

            with contextlib.suppress(PermissionError):
                lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
                yield _Ignored(folder, GitIgnoreSpec.from_lines(lines))


def may_concern(data: bytes, name: str) -> bool:
    """Whether a file that a walk passes has to be read as text at all: a byte search decides."""
    return (b"skip" in data and b"rollout" in data) or b"gen_batch_size" in data or name.startswith("_generated_")


def holds_old_key(data: bytes) -> bool:
    """Whether bytes that cannot be read as text hold the name of an old setting."""
    return _OLD_KEY.search(data) is not None


def read(found: Found) -> bytes:
    """The bytes of a file.

    Raises:
        PathError: It cannot be read.
    """
    try:
        return found.path.read_bytes()
    except OSError as error:
        raise PathError(found.shown, _reason(error)) from error


def write(path: Path, data: bytes, shown: str) -> None:
    """Replace a file's content: a new file beside it, flushed to disk, renamed over the old one.

    The mode is kept, and the owner where the system lets us. A link stays a link: what it points at
    is replaced.

    Raises:
        PathError: It cannot be written; the old file is as it was.
    """
    target = Path(os.path.realpath(path))
    temporary: str | None = None
    try:
        before = target.stat()
        if not os.access(target, os.W_OK):
            raise PathError(shown, "is read-only")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".skipcfg", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, stat.S_IMODE(before.st_mode))
        if hasattr(os, "chown"):
            with contextlib.suppress(PermissionError):  # only root may give files away
                os.chown(temporary, before.st_uid, before.st_gid)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise PathError(shown, _reason(error)) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
