"""`skipcfg cache ls`: what a dump directory holds."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import groupby

from skip_config.files import reason
from skip_config.rollout_cache.survey import DumpSet, Survey, survey
from skipcfg.report import counted
from skipcfg.streams import err, fail, name, out
from skipcfg.strip import shortened

_MOST_BROKEN = 5
_GENERATIONS = {"flat": "verl 0.6-0.7", "nested": "verl 0.8", "manager": "verl 0.9"}


def cache_ls(directory: str, output: str) -> int:
    """List the dumps in a directory. Returns the exit code."""
    as_json = output == "json"
    try:
        found = survey(directory)
    except (OSError, ValueError) as error:
        return fail(f"{directory}: {reason(error)}", as_json)
    if as_json:
        out(json.dumps(as_dict(directory, found)) + "\n")
    else:
        out("".join(line + "\n" for line in _text(found, time.time())))
    _summary(found)
    return 0


def as_dict(directory: str, found: Survey) -> dict[str, object]:
    """The listing as `--format json` prints it; times are UTC."""
    return {
        "version": 1,
        "directory": directory,
        "caches": [
            {
                "path": one.path,
                "run": one.run,
                "parameters": one.parameters,
                "generation": one.kind,
                "file": one.data or None,
                "parts": one.parts,
                "steps": one.steps,
                "bytes": one.size,
                "oldest": _moment(one.oldest),
                "newest": _moment(one.newest),
                "broken": [{"name": broken.name, "why": broken.why} for broken in one.broken],
            }
            for one in found.sets
        ],
        "links": found.links,
        "unreadable": [{"path": path, "why": why} for path, why in found.unreadable],
    }


def _moment(seconds: float) -> str | None:
    if not 0 < seconds < 1e11:
        return None
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")


def _text(found: Survey, now: float) -> Iterator[str]:
    for run, sets in groupby(found.sets, key=lambda one: one.run):
        yield name(run) or "(no name)"
        for one in sets:
            yield from _set(one, now)


def _set(one: DumpSet, now: float) -> Iterator[str]:
    data = one.data or "one file for every step"
    if one.parts > 1:
        data += f" in {one.parts} parts"
    yield f"  {name(one.parameters)}  {one.kind} ({_GENERATIONS[one.kind]}): {name(data)}"
    steps = f"{counted(len(one.steps), 'step')}: {shortened(one.steps) or 'none'}; "
    contents = "" if one.kind == "flat" else steps
    yield f"    {contents}{_size(one.size)}{_ages(one, now)}"
    yield f"    {name(one.path)}"
    for broken in one.broken[:_MOST_BROKEN]:
        yield f"    broken: {name(broken.name)} {name(broken.why)}"
    if len(one.broken) > _MOST_BROKEN:
        yield f"    broken: {len(one.broken) - _MOST_BROKEN} more"


def _size(number: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TiB"


def _ages(one: DumpSet, now: float) -> str:
    if one.newest <= 0:
        return ""
    newest, oldest = _age(now - one.newest), _age(now - one.oldest)
    return f"; {newest} old" if newest == oldest else f"; {newest} to {oldest} old"


def _age(seconds: float) -> str:
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return counted(int(seconds // size), unit)
    return counted(max(0, int(seconds)), "second")


def _summary(found: Survey) -> None:
    if found.links:
        err(f"note: {counted(found.links, 'link')} to a folder not followed")
    for path, why in found.unreadable:
        err(f"warning: {name(path)}: {why}")
    broken = sum(len(one.broken) for one in found.sets)
    total = sum(one.size for one in found.sets)
    err(f"{counted(len(found.sets), 'set')} of dumps, {_size(total)}, {counted(broken, 'broken step')}.")
    old = [one for one in found.sets if one.kind != "manager"]
    if old:
        err("Next: skipcfg cache convert CONFIG --dry-run shows how verl 0.9 can use the dumps of older releases.")
    elif found.sets:
        err("Next: skipcfg plan CONFIG says which of them a run would load.")
    else:
        err("No dumps here. Next: skipcfg plan CONFIG says where a run looks for them.")
