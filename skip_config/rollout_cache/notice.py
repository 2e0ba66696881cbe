"""Notice, while a file is migrated, that dumps of an older release lie in the directory that it names."""

from __future__ import annotations

import os
import re
import shlex
from functools import lru_cache
from itertools import islice
from typing import Final

from skip_config.diagnostics import Diagnostic, Severity
from skip_config.releases import FLAT, NESTED
from skip_config.rollout_cache import layout
from skip_config.rollout_cache.search import first_dump, parameter_directories
from skip_config.source import Source

_KEYS: Final = (FLAT.keys["dump_dir"], NESTED.keys["dump_dir"])
_DIRECTORY: Final = re.compile(rf"\b(?:{'|'.join(_KEYS)})['\"]?\s*[:=]\s*['\"]?([~/][^\s'\",#$`{{}}\\]*)")
_SWITCHES: Final = ((FLAT.keys["enable"], FLAT), (f"{NESTED.place[-1]}", NESTED))
_MOST_ENTRIES: Final = 1000
_MOST_FOLDERS: Final = 200


def old_dumps_note(before: Source) -> Diagnostic | None:
    """A note when the file's dump directory is on this machine and holds dumps of verl 0.6 to 0.8.

    Cheap: the directory is looked for in the text, in whatever format that is, and searched only so far.

    Args:
        before: The file before its migration, with old settings in it.
    """
    named = [match[1] for match in _DIRECTORY.finditer(before.text)]
    if not any(key in before.text for key in _KEYS):
        named = [
            str(generation.defaults[generation.keys["dump_dir"]])
            for key, generation in _SWITCHES
            if re.search(rf"\b{key}\b", before.text)
        ]
    for directory in dict.fromkeys(named):
        release = _holds(os.path.expanduser(directory))
        if release:
            return Diagnostic(
                "old-dumps",
                Severity.NOTE,
                f"{directory} holds dumps of {release}, and verl 0.9 looks for its own in other places",
                help=f"skipcfg cache convert {shlex.quote(before.filename)} --dry-run",
            )
    return None


@lru_cache(maxsize=256)
def _holds(directory: str) -> str | None:
    """Which older release left dumps below a directory, as far as a short look tells."""
    try:
        with os.scandir(directory) as entries:
            if any(layout.flat_parts(entry.name) and entry.is_file() for entry in islice(entries, _MOST_ENTRIES)):
                return f"verl {FLAT.since} to {FLAT.until}"
    except (OSError, ValueError):
        return None
    for place in parameter_directories(directory, _MOST_FOLDERS):
        dump = first_dump(place, "nested")
        if dump is not None:
            return f"verl {NESTED.since}"
    return None
