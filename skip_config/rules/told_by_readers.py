"""What is told about files that cannot be read as what they are."""

from __future__ import annotations

from skip_config.diagnostics import Severity
from skip_config.rules import Rule

RULES = (
    Rule(
        name="old-setting",
        severity=Severity.ERROR,
        sometimes=(Severity.WARNING, Severity.NOTE),
        summary="A setting of verl 0.6 to 0.8.",
        why="verl 0.9 moved rollout skip to the top-level `skip` block. On the command line an old key stops Hydra; "
        "in a file it is refused when the rollout config is built, or ignored.",
        example="actor_rollout_ref:\n  rollout:\n    skip_rollout: true\n",
        mend="Run `skipcfg migrate FILE`.",
        since="0.9.0",
    ),
    Rule(
        name="cannot-parse",
        severity=Severity.ERROR,
        summary="The text is not what the file's name promises.",
        why="YAML that does not load stops Hydra. Limits of skipcfg (levels of nesting, size) are named in the "
        "message.",
        example="skip:\n\trollout: {}\n",
        mend="Mend the place that the message names.",
        since="0.6.0",
    ),
    Rule(
        name="cannot-load",
        severity=Severity.ERROR,
        summary="YAML that OmegaConf cannot turn into a config.",
        why="A tag that would construct an object, a key that is a list, a text that its tag does not fit: Hydra stops "
        "when it reads the file.",
        example="skip:\n  rollout:\n    steps: !custom [1]\n",
        mend="Remove it, or write it as a plain value.",
        since="0.6.0",
    ),
    Rule(
        name="cannot-decode",
        severity=Severity.ERROR,
        summary="The file is not UTF-8.",
        why="Hydra and OmegaConf read configs as UTF-8.",
        example="",
        mend="Save the file as UTF-8.",
        since="0.6.0",
    ),
    Rule(
        name="duplicate-key",
        severity=Severity.ERROR,
        summary="A key stands twice in one mapping.",
        why="OmegaConf refuses that; other YAML readers silently keep the last one.",
        example="skip:\n  rollout: {}\n  rollout: {}\n",
        mend="Keep one of them.",
        since="0.6.0",
    ),
    Rule(
        name="binary-file",
        severity=Severity.NOTE,
        summary="The file holds NUL bytes, so it is no text and was not checked.",
        why="YAML allows no NUL character.",
        example="",
        mend="Name the config itself.",
        since="0.6.0",
    ),
    Rule(
        name="script-not-readable",
        severity=Severity.ERROR,
        summary="A part of a script cannot be read as bash, and an old setting stands in it.",
        why="What bash would not run cannot be rewritten safely.",
        example="",
        mend="Run `bash -n` on the script and mend what it reports, or move the setting by hand.",
        since="0.6.0",
    ),
)
