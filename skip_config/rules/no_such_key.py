"""`no-such-key`: a key on `skip` or on a role that verl 0.9 does not have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skip_config import releases
from skip_config.acceptance import known_keys
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, Path, hit, name_of
from skip_config.view import View


def check(view: View) -> Iterator[Hit]:
    """Look at the keys of the block and of its roles."""
    for key in view.keys(SKIP):
        if key in releases.ROLES:
            for name in view.keys(SKIP, key):
                if name not in known_keys(key):
                    yield _hit(view, (SKIP, key, name), releases.FIELDS)
        elif key not in known_keys():
            yield _hit(view, (SKIP, key), releases.ROLES)


def _hit(view: View, path: Path, known: tuple[str, ...]) -> Hit:
    near = get_close_matches(path[-1], known, 1)
    guess = f"did you mean {near[0]}? " if near else ""
    fork = " (a key of a fork, which no release has)" if path[-1] in releases.MANAGER_DIALECT else ""
    message = f"{name_of(path)}: {name_of(path[:-1])} has no key {path[-1]!r}{fork}"
    return hit(view, path, message, f"{guess}verl 0.9 has {', '.join(known)}", of_key=True)


RULES = (
    Rule(
        name="no-such-key",
        severity=Severity.ERROR,
        summary="A key of `skip` or of a role that verl 0.9 does not have.",
        why="The manager merges `skip` into its structured config, which refuses unknown keys when the trainer starts.",
        example="skip:\n  rollout_tq:\n    step: [1, 2]\n",
        mend="Write the key that was meant: `enable`, `dump_dir`, `steps` or `action`.",
        since="0.9.0",
        check=check,
    ),
)
