"""`skipcfg steps`: a list of steps as the command line of verl takes it, from ranges as people write them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from skip_config.releases import MANAGER, dotted
from skipcfg.streams import err, fail, out

MOST = 1_000_000
"""Most steps in one list: no command line holds more."""

_NUMBER = re.compile(r"[0-9]+")
_PART = re.compile(r"([0-9]+)(?:\s*(?:-|\.\.|:)\s*([0-9]+))?")
_PYTHON = re.compile(r"range\(\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*\)")
_FORM = "write steps and ranges with commas between them, such as 1-128,200"


class StepsError(ValueError):
    """A text that is no list of steps; it says which part is wrong and what to write."""


def steps(texts: Sequence[str]) -> int:
    """Print the list. Returns the exit code."""
    try:
        found = parse(",".join(texts))
    except StepsError as error:
        return fail(str(error), as_json=False)
    out(f"[{','.join(str(step) for step in found)}]\n")
    if sys.stdout.isatty():  # inside $(…) nobody waits for advice
        key = dotted((*MANAGER.place, "rollout_tq", MANAGER.keys["steps"]))
        err(f'Next: use it as {key}="$(skipcfg steps {",".join(texts)})"')
    return 0


def parse(text: str) -> list[int]:
    """Read ranges such as `1-128,200`.

    Args:
        text: Steps and ranges (both ends belong to them), separated by commas or blanks; brackets
            around it all are allowed.

    Returns:
        The steps, ascending, each once.

    Raises:
        StepsError: It cannot be read, or names a step that never comes up.
    """
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1]
    python = _PYTHON.fullmatch(inner)
    if python is not None and int(python[1]) < int(python[2]):
        raise StepsError(f"{inner!r} is Python; write {python[1]}-{int(python[2]) - 1}")
    parts = [part for part in re.split(r"\s*,\s*|(?<=[0-9])\s+(?=[0-9])", inner.strip()) if part]
    if not parts:
        raise StepsError(f"no steps are named; {_FORM}")
    found: set[int] = set()
    for part in parts:
        first, last = _range(part)
        if last - first >= MOST or len(found) + last - first >= MOST:
            raise StepsError(f"{part!r} makes more than {MOST:,} steps; name fewer")
        found.update(range(first, last + 1))
    return sorted(found)


def _range(part: str) -> tuple[int, int]:
    match = _PART.fullmatch(part)
    if match is None:
        raise StepsError(_problem(part))
    first, last = match[1], match[2] or match[1]
    if max(len(first), len(last)) > 18:
        raise StepsError(f"{part!r} is larger than any step; {_FORM}")
    if int(first) == 0:
        raise StepsError(f"{part!r} names step 0, and training steps start at 1; begin with 1")
    if int(last) < int(first):
        raise StepsError(f"{part!r} runs backwards; write {last}-{first}")
    return int(first), int(last)


def _problem(part: str) -> str:
    numbers = _NUMBER.findall(part)
    if part.startswith("-") and len(numbers) == 1:
        return (
            f"{part!r} is below 1, and training steps start at 1; write {numbers[0]} or a range such as 1-{numbers[0]}"
        )
    if part.endswith("-") and len(numbers) == 1:
        return f"{part!r} has no end; write {part}N with the number of training steps for N"
    return f"{part!r} is neither a step nor a range; {_FORM}"
