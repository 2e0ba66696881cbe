"""Find files, read them, and write them so that a crash leaves the old file or the new one, whole."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skip_config import writing
from skip_config.formats import could_serve
from skip_config.reading import read_regular

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_REPOSITORY = ".git"
_SKIPPED_FOLDERS = frozenset(
    {_REPOSITORY, ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache"}
)
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
        rules: The ignore files that apply to it.
    """

    path: Path
    shown: str
    named: bool
    rules: tuple[IgnoreRules, ...] = ()


class NestedRepository(NamedTuple):
    """A repository of its own (also a submodule) below a folder that is walked; it is not entered.

    Args:
        path: Its folder.
        shown: Its name as the user would write it.
    """

    path: Path
    shown: str


class Candidate(NamedTuple):
    """A file that may hold settings, with its bytes."""

    found: Found
    data: bytes


Step = Candidate | NestedRepository | PathError

Wanted = Callable[[bytes, str], bool]
"""Whether a file that a walk passes is looked at, by its bytes and its name."""


def check(paths: Sequence[str]) -> None:
    """Make sure that every path that the user named is there, before anything is changed.

    Raises:
        PathError: One is not.
    """
    for name in paths:
        if os.path.islink(name) and not os.path.exists(name):
            raise PathError(name, "a link that leads nowhere")
        if not os.path.exists(name):
            raise PathError(name, reason(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)))


def candidates(paths: Sequence[str], if_relevant: bool = False, wanted: Wanted | None = None) -> Iterator[Step]:
    """The files that `paths` stand for and that may hold settings: each once, in a stable order.

    Folders leave out what version control does (`.gitignore`, `.ignore`), repositories inside them,
    links that lead out of them, and files whose kind no format serves or whose bytes mention nothing
    of interest. A file that is reached twice, also by a link, comes once, by the first of its names.
    A file that cannot be read comes as a `PathError`.

    Args:
        paths: What the user named.
        if_relevant: Treat a named file like one that a walk passes, as hooks want it: they name every
            file that is to be committed.
        wanted: Whether a file that a walk passes is looked at, by its bytes and name; `may_concern` by default.
    """
    if if_relevant:
        paths = [name for name in paths if os.path.isdir(name) or could_serve(os.path.basename(name))]
    named = set() if if_relevant else {os.path.realpath(name) for name in paths if not os.path.isdir(name)}
    seen: set[str] = set()
    for step in _read_all(paths, not if_relevant, wanted or may_concern):
        if not isinstance(step, Candidate):
            yield step
            continue
        found = step.found
        real = os.path.realpath(found.path)
        if real in named:
            step = Candidate(found._replace(named=True), step.data)
        elif not found.named and _left_out(found.path, found.rules):
            continue
        if real not in seen:
            seen.add(real)
            yield step


def _read_all(paths: Sequence[str], named: bool, wanted: Wanted) -> Iterator[Step]:
    for name in paths:
        path = Path(name)
        if path.is_dir():
            yield from _read_tree(path, wanted)
            continue
        try:
            data = read_regular(path)
        except (OSError, ValueError) as error:
            if named or not _of_no_concern(error):
                yield PathError(name, reason(error))
            continue
        if named or wanted(data, path.name):
            yield Candidate(Found(path, name, named), data)


def _read_tree(root: Path, wanted: Wanted) -> Iterator[Step]:
    for passed in _walk(root):
        if isinstance(passed, NestedRepository):
            yield passed
            continue
        try:
            data = read_regular(passed.path)
        except (OSError, ValueError) as error:
            if not _of_no_concern(error):
                yield PathError(_shown(passed.path), reason(error))
            continue
        if wanted(data, passed.name):
            yield Candidate(Found(Path(passed.path), _shown(passed.path), False, passed.rules), data)


class _Passed(NamedTuple):
    """A file that a walk passes; most are never looked at again, so it holds no more than the system tells."""

    path: str
    name: str
    rules: tuple[IgnoreRules, ...]


def _walk(root: Path) -> Iterator[_Passed | NestedRepository]:
    home = os.path.realpath(root)
    pending: list[tuple[str, tuple[IgnoreRules, ...]]] = [(os.fspath(root), _outer_rules(root))]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            if folder == os.fspath(root):
                raise PathError(folder, reason(error)) from None
            continue  # not named, and nothing in it can be said to concern us
        names = {entry.name for entry in entries}
        if _REPOSITORY in names and folder != os.fspath(root):
            yield NestedRepository(Path(folder), _shown(folder))
            continue
        rules = (*rules, *(read_rules(Path(folder), name) for name in _IGNORE_FILES if name in names))
        folders = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED_FOLDERS and not _left_out(Path(entry.path), rules, True):
                    folders.append((entry.path, rules))
            elif could_serve(entry.name) and (entry.is_file(follow_symlinks=False) or _link_inside(entry.path, home)):
                yield _Passed(entry.path, entry.name, rules)
        pending += reversed(folders)


def _shown(path: str) -> str:
    """A path without detours that no command takes for an option."""
    plain = os.path.normpath(path)
    return os.path.join(os.curdir, plain) if plain.startswith("-") else plain


def _link_inside(path: str, home: str) -> bool:
    """Whether a link leads to a file of the same tree."""
    real = os.path.realpath(path)
    return os.path.isfile(real) and Path(real).is_relative_to(home)  # also when it leads to another drive


def _outer_rules(root: Path) -> tuple[IgnoreRules, ...]:
    """The ignore files above a folder, as far up as its repository goes; none outside a repository."""
    rules: list[IgnoreRules] = []
    folder = Path(os.path.abspath(root))
    while not (folder / _REPOSITORY).exists():
        if folder.parent == folder:
            return ()
        folder = folder.parent
        rules += [read_rules(folder, name) for name in _IGNORE_FILES if (folder / name).is_file()]
    rules.reverse()
    return () if _left_out(root, rules, True) else tuple(rules)  # the user named what version control leaves out


class IgnoreRules(NamedTuple):
    """The patterns of one ignore file.

    Args:
        folder: The folder that holds it.
        spec: Its patterns, compiled.
    """

    folder: Path
    spec: GitIgnoreSpec

    def match(self, path: Path, is_folder: bool = False) -> bool | None:
        """Whether the file leaves a path out (True), takes it in again (False), or does not mention it."""
        whole = Path(os.path.abspath(path)) if self.folder.is_absolute() else path
        relative = whole.relative_to(self.folder).as_posix() + ("/" if is_folder else "")
        return self.spec.check_file(relative).include


def _left_out(path: Path, rules: Sequence[IgnoreRules], is_folder: bool = False) -> bool:
    """Whether ignore files, outer ones first, leave a path out: the innermost that mentions it decides."""
    verdicts = (one.match(path, is_folder) for one in reversed(rules))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def read_rules(folder: Path, name: str) -> IgnoreRules:
    """Read an ignore file; one that cannot be read ignores nothing."""
    from pathspec import GitIgnoreSpec

    try:
        lines = read_regular(folder / name).decode("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    return IgnoreRules(folder, GitIgnoreSpec.from_lines(lines))


def _of_no_concern(error: OSError | ValueError) -> bool:
    """Whether a walk passes a file by: it has gone since its folder was listed, or is far too large to be a config."""
    return isinstance(error, FileNotFoundError) or (isinstance(error, OSError) and error.errno == errno.EFBIG)


def may_concern(data: bytes, name: str) -> bool:
    """Whether a file that a walk passes has to be read as text at all: a byte search decides."""
    return (b"skip" in data and b"rollout" in data) or b"gen_batch_size" in data or name.startswith("_generated_")


_CHECKED = re.compile(
    rb"skip|gen_batch_size|trainer_mode|parameter_sync_step|off_policy|filter_groups|async_training|fully_async"
    rb"|warmup_batches|sync_refill"
)


def may_be_checked(data: bytes, name: str) -> bool:
    """Whether a file that a walk passes has to be checked: it mentions something that a rule is about."""
    return may_concern(data, name) or _CHECKED.search(data) is not None


def holds_old_key(data: bytes) -> bool:
    """Whether bytes that cannot be read as text hold the name of an old setting."""
    return _OLD_KEY.search(data) is not None


def write(found: Found, before: bytes, after: bytes) -> int:
    """Replace a file's content; see `skip_config.writing.replace`.

    Returns:
        How many further hard links keep the old content.

    Raises:
        PathError: It cannot be written, or somebody else changed it meanwhile; it is as it was.
    """
    try:
        return writing.replace(found.path, before, after)
    except OSError as error:
        raise PathError(found.shown, reason(error)) from error


def reason(error: OSError | ValueError) -> str:
    """Why a path cannot be read or written, in words, with what to do about it where that is known.

    Args:
        error: What the system said; ValueError is what Python says to a name with a NUL in it.
    """
    text = (getattr(error, "strerror", None) or str(error)).lower()
    if isinstance(error, FileNotFoundError) and isinstance(error.filename, (str, os.PathLike)):
        near = _near(Path(error.filename))
        return f"{text}; did you mean {near}?" if near else text
    if isinstance(error, IsADirectoryError):
        return f"{text}; name a file in it"
    if isinstance(error, PermissionError):
        return f"{text}; let its owner give you access, or run this as its owner"
    return text


def _near(path: Path) -> Path | None:
    """The neighbour whose name is most like that of a path that does not exist."""
    try:
        names = os.listdir(path.parent)
    except OSError:  # the folder does not exist either: nothing to offer
        return None
    found = get_close_matches(path.name, names, 1, 0.85)
    return path.with_name(found[0]) if found else None
