"""A unified diff that `git apply` takes."""

from __future__ import annotations

import difflib
import os

_ESCAPES = {ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}


def unified(path: str, before: str, after: str) -> str:
    """The difference between two texts of one file.

    Args:
        path: Its path; shown relative to the working directory where it lies below it.
        before, after: The texts, byte-order mark included.
    """
    name = _name(path)
    lines = difflib.unified_diff(
        _lines(before), _lines(after), fromfile=_header("a/" + name), tofile=_header("b/" + name)
    )
    parts = []
    for line in lines:
        parts.append(line)
        if not line.endswith("\n"):
            parts.append("\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    # Only line feeds part lines for git; a lone carriage return does not.
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _name(path: str) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive
        relative = os.pardir
    if relative.startswith(os.pardir):
        relative = os.path.splitdrive(path)[1].lstrip("/" + os.sep)
    return relative.replace(os.sep, "/")


def _header(name: str) -> str:
    quoted = name.translate(_ESCAPES)
    if quoted != name:
        return f'"{quoted}"'
    return name + ("\t" if " " in name else "")
