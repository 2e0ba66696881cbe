"""Replace a file's content: whatever happens meanwhile, the old file or the new one is there, whole."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".skipcfg-new"
"""Ending of the temporary files, which a killed process may leave behind until the next run."""

_NOT_SUPPORTED = frozenset({errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.EINVAL})


class ChangedMeanwhileError(OSError):
    """The file no longer holds what the new content was made from."""


class _ThereAlready(Exception):  # noqa: N818 - no error
    """The file holds the new content already."""


def replace(path: Path, before: bytes, after: bytes) -> int:
    """Write `after` to a file that holds `before`.

    A new file beside it is filled, flushed to disk and renamed over the old one, and the folder is
    flushed. Mode, owner, access control lists and other extended attributes are kept where the
    system lets us. A symbolic link stays one: what it points at is replaced.

    Args:
        path: The file.
        before: What it held when it was read.
        after: What it shall hold.

    Returns:
        How many further names the old content keeps: hard links cannot be renamed over together.

    Raises:
        ChangedMeanwhileError: It holds something else by now, and not what it shall hold either.
        OSError: It cannot be written. In either case the file is as it was.
    """
    target = Path(os.path.realpath(path))
    status = os.stat(target)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only", str(target))
    _remove_leftovers(target)
    temporary, handle = _create_beside(target)
    try:
        try:
            _write_all(handle, after)
            _like(temporary, target, status)
            os.fsync(handle)
            with open(target, "rb") as file:
                now = file.read()
                if now == after:  # another run, or a killed one's workers, did the same: nothing is left to do
                    raise _ThereAlready
                if now != before:
                    raise ChangedMeanwhileError(errno.EBUSY, "it was changed by something else meanwhile", str(target))
            if os.name == "nt":  # an open file cannot be renamed there
                os.close(handle)
                handle = -1
            os.replace(temporary, target)
        finally:
            if handle != -1:
                os.close(handle)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        if isinstance(error, _ThereAlready):
            return status.st_nlink - 1
        raise
    _flush_folder(target.parent)
    return status.st_nlink - 1


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _like(temporary: Path, target: Path, status: os.stat_result) -> None:
    """Give the new file the old one's owner, attributes and mode, in this order: a new owner clears mode bits."""
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with _unless_forbidden():
            os.chown(temporary, status.st_uid, status.st_gid)
    if hasattr(os, "listxattr"):
        with _unless_forbidden():
            for name in os.listxattr(target):
                with _unless_forbidden():
                    os.setxattr(temporary, name, os.getxattr(target, name))
    os.chmod(temporary, stat.S_IMODE(status.st_mode))


@contextlib.contextmanager
def _unless_forbidden() -> Iterator[None]:
    """Go on where the system does not let us keep an attribute: the content matters more."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NOT_SUPPORTED:
            raise


def _flush_folder(folder: Path) -> None:
    """Make the rename itself last; where folders cannot be opened (Windows), the system does it alone."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with _unless_forbidden():
            os.fsync(handle)
    finally:
        os.close(handle)


def _create_beside(target: Path) -> tuple[Path, int]:
    """Create a temporary file, locked so that nobody takes it for a leftover, and open it for writing."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    while True:
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}{SUFFIX}")
        handle = os.open(temporary, flags, 0o600)
        if os.name == "nt":
            return temporary, handle
        import fcntl

        try:
            with _unless_forbidden():  # some network file systems have no locks
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.exists(temporary):
                return temporary, handle
        except BlockingIOError:
            pass  # a second process removes it as a leftover: take another name
        except BaseException:
            os.close(handle)
            os.unlink(temporary)
            raise
        os.close(handle)


def _remove_leftovers(target: Path) -> None:
    """Remove temporary files that a killed process left for this target; one in use is locked."""
    if os.name == "nt":
        return  # without locks nobody knows whether one is in use
    import fcntl

    prefix = f".{target.name}."
    with os.scandir(target.parent) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(prefix) and entry.name.endswith(SUFFIX)]
    for name in names:
        leftover = target.with_name(name)
        try:
            handle = os.open(leftover, os.O_RDONLY)
        except FileNotFoundError:  # its process has just renamed it
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(leftover)
        finally:
            os.close(handle)
