"""Read a file's bytes: never for ever, and never more than memory holds."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 100_000_000
"""Size of a file that is read: two thousand times verl's longest config."""


def read_regular(path: str | Path) -> bytes:
    """The bytes of a file.

    A pipe, a socket or a device is refused without waiting for it: a pipe that nobody writes to would
    be waited for, and `/dev/zero` has no end.

    Args:
        path: The file; links are followed.

    Raises:
        OSError: It cannot be read, is no regular file, or has more than `MOST_BYTES`.
        ValueError: The system knows no such name: it holds a NUL.
    """
    _regular(os.stat(path), path)
    # Without O_NONBLOCK, a pipe that takes the file's place in between would be waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with open(os.open(path, flags), "rb", buffering=0) as file:
        _regular(os.fstat(file.fileno()), path)
        data = file.readall()
    if len(data) > MOST_BYTES:  # it has grown meanwhile
        raise _too_large(path)
    return data


def _regular(status: os.stat_result, path: str | Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a file but a pipe, a socket or a device; - reads standard input", str(path))
    if status.st_size > MOST_BYTES:
        raise _too_large(path)


def _too_large(path: str | Path) -> OSError:
    return OSError(errno.EFBIG, f"larger than the {MOST_BYTES // 1_000_000} MB that are read", str(path))
