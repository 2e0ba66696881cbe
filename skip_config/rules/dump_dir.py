"""`relative-dump-dir`, `vanishing-dump-dir`, `temporary-dump-dir`: directories that are not where one thinks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skip_config.diagnostics import Severity
from skip_config.releases import Role
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, Path, blamed, hit, name_of, roles_on, text_of
from skip_config.view import View

_ABSOLUTE = re.compile(r"/|~")
_RAY_SESSION = re.compile(r"/tmp/ray/session[^/]*(/|$)")
_TEMPORARY = re.compile(r"/(tmp|var/tmp|dev/shm)(/|$)")


def relative(view: View) -> Iterator[Hit]:
    """Look for directories that depend on the working directory."""
    for path, text in _directories(view):
        if not _ABSOLUTE.match(text):
            message = (
                f"{name_of(path)} is {text!r}, which the worker resolves against its own working directory: "
                "under Ray that is not yours"
            )
            yield hit(view, path, message, "write an absolute path")


def vanishing(view: View) -> Iterator[Hit]:
    """Look for directories inside a Ray session."""
    for path, text in _directories(view):
        if _RAY_SESSION.match(text):
            yield hit(view, path, f"{name_of(path)} is {text!r}, inside a Ray session, which goes with the cluster")


def temporary(view: View) -> Iterator[Hit]:
    """Look for directories that a machine clears."""
    for path, text in _directories(view):
        if _TEMPORARY.match(text) and not _RAY_SESSION.match(text):
            message = f"{name_of(path)} is {text!r}: each machine has its own, and a restart may clear it"
            yield hit(view, path, message)


def _directories(view: View) -> Iterator[tuple[Path, str]]:
    for role in roles_on(view):
        text = text_of(view, role, "dump_dir")
        if text is not None and blamed(view, _path(role)):
            yield _path(role), text


def _path(role: Role) -> Path:
    return (SKIP, role, "dump_dir")


RULES = (
    Rule(
        name="relative-dump-dir",
        severity=Severity.WARNING,
        summary="A relative `dump_dir`.",
        why="The runtime expands `~` and resolves the rest against the working directory of the process. Under Ray "
        "that is a directory of the session, so the dumps are not found again.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: [1]\n    dump_dir: rollouts\n",
        mend="Write an absolute path, or one that starts with `~`.",
        since="0.9.0",
        check=relative,
    ),
    Rule(
        name="vanishing-dump-dir",
        severity=Severity.WARNING,
        summary="A `dump_dir` inside a Ray session.",
        why="`/tmp/ray/session*` is made anew by each cluster: a later run finds no dumps.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: [1]\n    dump_dir: /tmp/ray/session_latest/dumps\n",
        mend="Write a directory that outlives the cluster.",
        since="0.9.0",
        check=vanishing,
    ),
    Rule(
        name="temporary-dump-dir",
        severity=Severity.NOTE,
        summary="A `dump_dir` below `/tmp`.",
        why="It is local to one machine and may be cleared at a restart. verl 0.6 and 0.7 had `/tmp/rollout_dump` as "
        "their default.",
        example="skip:\n  rollout_tq:\n    enable: true\n    steps: [1]\n    dump_dir: /tmp/rollout_dump\n",
        mend="Write a directory that all machines share, when a later run is to find the dumps.",
        since="0.9.0",
        check=temporary,
    ),
)
