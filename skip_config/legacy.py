"""Old settings as values, whatever file they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that only the shell, the environment or an interpolation knows.

    Args:
        text: The value as the file has it, such as `${oc.env:WARM,3}` or `"$N"`.
    """

    text: str


Value = bool | int | float | str | Opaque | list[object] | dict[str, object] | None
"""What a setting can hold; None is an explicit null."""


class _Missing:
    """The file does not set the key."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
Maybe = Value | _Missing


@dataclass(frozen=True, slots=True)
class LegacySkip:
    """The settings of `flat` or `nested` that hold together for one config or one command.

    Args:
        generation: Which shape the keys have.
        enable, dump_dir: Of both generations.
        max_dump_step: Number of steps that are dumped (`nested`).
        action: `cache`, `repeat` or `repeat_last` (`nested`).
        dump_steps: A dialect's list of steps, which wins over `max_dump_step`.
        load_dir: A dialect's second directory, without counterpart.
        post_dump_action: Whether `action` came from the dialect's key of that name.
    """

    generation: Literal["flat", "nested"]
    enable: Maybe = MISSING
    dump_dir: Maybe = MISSING
    max_dump_step: Maybe = MISSING
    action: Maybe = MISSING
    dump_steps: Maybe = MISSING
    load_dir: Maybe = MISSING
    post_dump_action: bool = False
