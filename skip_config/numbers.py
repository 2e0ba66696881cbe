"""Numbers as people write them: of any length, which neither `int` nor a list of steps can take."""

from __future__ import annotations

from typing import Final

MOST_BITS: Final = 3_000
"""Of a number that is taken for one: about 900 digits; Python prints none of more than 4,300."""


def whole(text: str, digits: int = 9) -> int | None:
    """The number that decimal digits stand for; None for any other text, and for more digits than that."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def is_too_large(value: object) -> bool:
    """Whether a value is a number that nobody means: it cannot even be printed."""
    return isinstance(value, int) and value.bit_length() > MOST_BITS
