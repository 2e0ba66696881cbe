"""What the commands tell about files as such."""

from __future__ import annotations

from skip_config.diagnostics import Severity
from skip_config.rules import Rule

RULES = (
    Rule(
        name="nested-repository",
        severity=Severity.NOTE,
        summary="A repository inside the tree that was named.",
        why="It has a history of its own, and is not changed by a run on the tree around it.",
        example="",
        mend="Run `skipcfg migrate` on it by name.",
        since="0.6.0",
    ),
    Rule(
        name="not-served",
        severity=Severity.NOTE,
        summary="A file that was named and is of a kind that skipcfg does not read.",
        why="Nothing is looked at and nothing is changed.",
        example="",
        mend="Name a config or a launch script.",
        since="0.6.0",
    ),
    Rule(
        name="hard-link",
        severity=Severity.WARNING,
        summary="A migrated file has other names.",
        why="Writing replaces the file, so its other names (hard links) still hold the old content.",
        example="",
        mend="Copy the file over them, or run `skipcfg migrate` on them too.",
        since="0.6.0",
    ),
    Rule(
        name="command-broken-off",
        severity=Severity.ERROR,
        summary="A line that starts with an old override and belongs to no command.",
        why="The command above it ended before, at a comment or at a line without a backslash; the shell takes this "
        "line for a command of its own.",
        example="",
        mend="Mend the command above, then run `skipcfg migrate` again.",
        since="0.6.0",
    ),
)
