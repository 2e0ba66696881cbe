"""Steps as a strip of characters, folded, with a legend: readable without colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_ROW = 50
_GROUP = 10


def strip(marks: Mapping[int, str], first: int, last: int, blank: str) -> Iterator[str]:
    """The lines of a strip.

    Args:
        marks: Step -> its character.
        first, last: The steps from which and up to which it goes.
        blank: Character of a step without mark.

    Yields:
        Lines of fifty steps in groups of ten, each beginning with its first step. Equal lines that follow one
        another become one line that says how far they go.
    """
    width = len(str(last))
    blank_row = blank * _ROW
    rows = sorted({(step - first) // _ROW for step in marks} | {0, (last - first) // _ROW})
    pending: tuple[int, int, str] | None = None  # first step, last step, text of equal rows
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        start = first + row * _ROW
        stop = min(start + _ROW - 1, last)
        text = "".join(marks.get(step, blank) for step in range(start, stop + 1))
        spans = [(start, stop, text)]
        if following is not None and following > row + 1:
            spans.append((stop + 1, first + following * _ROW - 1, blank_row))
        for span in spans:
            if pending is not None and pending[2] == span[2]:
                pending = (pending[0], span[1], pending[2])
                continue
            if pending is not None:
                yield from _lines(*pending, width)
            pending = span
    if pending is not None:
        yield from _lines(*pending, width)


def _lines(start: int, stop: int, text: str, width: int) -> Iterator[str]:
    groups = " ".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))
    yield f"{start:>{width}} {groups}"
    if stop - start >= _ROW:
        yield f"{'':>{width}} … the same up to step {stop}"


def ranges(steps: Sequence[int]) -> str:
    """`1-3, 7, 9-12`, for numbers in order."""
    parts: list[tuple[int, int]] = []
    for step in steps:
        if parts and step == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], step)
        else:
            parts.append((step, step))
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def shortened(steps: Sequence[int], most: int = 12) -> str:
    """`ranges`, cut off after `most` of them."""
    text = ranges(steps).split(", ")
    return ", ".join(text) if len(text) <= most else ", ".join(text[:most]) + f" … {steps[-1]}"
