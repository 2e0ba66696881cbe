"""What goes where: results on standard output, words for people on standard error."""

from __future__ import annotations

import json
import sys


class OutputError(OSError):
    """Standard output cannot be written: its disk is full, say."""


def out(text: str) -> None:
    """Write a result."""
    out_bytes(text.encode("utf-8", "surrogateescape"))


def out_bytes(data: bytes) -> None:
    """Write a result byte for byte: no newline conversion, whatever the platform.

    A terminal gets it without what would steer it.
    """
    if sys.stdout is None:  # closed by who started us
        return
    if sys.stdout.isatty():
        data = printable(data.decode("utf-8", "backslashreplace")).encode()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from error


def err(text: str) -> None:
    """Write a line for people."""
    if sys.stderr is not None:  # `print` would take standard output instead
        print(printable(text), file=sys.stderr)


def fail(message: str, as_json: bool, code: int = 2) -> int:
    """Say why the command could not run; with JSON, as one object on standard output.

    Returns:
        The exit code.
    """
    if as_json:
        out(json.dumps({"version": 1, "error": message, "files": []}) + "\n")
    err(f"error: {message}")
    return code


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters as escapes, line breaks kept."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode("ascii") for c in text)


def name(text: str) -> str:
    """A file name, or what else others chose, on one line: line breaks and tabs as escapes too."""
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))
