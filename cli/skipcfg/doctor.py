"""`skipcfg doctor`: what is installed here, and whether it fits together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from skip_config.installation import Check, Status, checks
from skipcfg.report import counted
from skipcfg.streams import err, name, out


def doctor(dump_dir: str, output: str) -> int:
    """Print one line per check. Returns the exit code: 1 when something does not run."""
    found = list(checks(dump_dir))
    if output == "json":
        out(json.dumps(as_dict(found)) + "\n")
    else:
        out("".join(f"{name(line)}\n" for line in _lines(found)))
    problems = sum(one.status is Status.PROBLEM for one in found)
    warnings = sum(one.status is Status.WARN for one in found)
    err(f"{counted(len(found), 'check')}: {counted(problems, 'problem')}, {counted(warnings, 'warning')}.")
    if problems or warnings:
        err("Next: do what the lines with help: say, then run skipcfg doctor again.")
    else:
        err("Next: to see what would move below this folder: skipcfg migrate --diff .")
    return 1 if problems else 0


def as_dict(found: Sequence[Check]) -> dict[str, object]:
    """The checks as `--format json` prints them."""
    return {"version": 1, "checks": [one._asdict() | {"status": one.status.value} for one in found]}


def _lines(found: Sequence[Check]) -> Iterator[str]:
    width = max(len(one.name) for one in found)
    for one in found:
        what = f"{one.version}: {one.found}" if one.version else one.found
        yield f"{one.status.value:<7}  {one.name:<{width}}  {what}"
        if one.advice:
            yield f"{'':7}  {'':{width}}  help: {one.advice}"
