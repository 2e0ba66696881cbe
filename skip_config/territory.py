"""Files that are not the user's to change: what a run recorded, and verl's own tree."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from fnmatch import fnmatch
from pathlib import PurePath

from skip_config.diagnostics import Diagnostic, Severity

_RECORD_FOLDERS = frozenset({".hydra", "outputs", "multirun", "wandb"})
_RECORD_NAMES = ("multirun.yaml", "*.log", "nohup.out")

_VERL = "verl"
_VERL_CONFIGS = ("trainer/config", "experimental/*/config")
_VERL_PACKAGES = frozenset({"trainer", "workers", "utils", "experimental", "single_controller", "models"})
_GENERATED = "_generated_*"


def is_record(path: str) -> bool:
    """Whether a file tells what a run did: Hydra's `.hydra/` and `outputs/`, `wandb/`, logs."""
    pure = PurePath(path)
    return any(part in _RECORD_FOLDERS for part in pure.parts[:-1]) or any(
        fnmatch(pure.name, pattern) for pattern in _RECORD_NAMES
    )


def record_tree(path: str) -> str | None:
    """The folder that holds a record: up to the first folder that only runs make, else the file's own."""
    pure = PurePath(path)
    if not is_record(path):
        return None
    for index, part in enumerate(pure.parts[:-1]):
        if part in _RECORD_FOLDERS:
            return str(PurePath(*pure.parts[: index + 1]))
    return str(pure.parent)


def vendored_tree(path: str) -> str | None:
    """The root of verl's own package tree when a config or a module belongs to one, else None.

    Its `_generated_*.yaml` are no part of it: they are migrated.
    """
    pure = PurePath(path)
    if fnmatch(pure.name, _GENERATED):
        return None
    parts = pure.parts
    for index in range(len(parts) - 1, -1, -1):
        if parts[index] != _VERL:
            continue
        if pure.suffix == ".py" and parts[index + 1 : index + 2] and parts[index + 1] in _VERL_PACKAGES:
            return str(PurePath(*parts[: index + 1]))
        below = "/".join(parts[index + 1 : -1])
        if any(fnmatch(below, pattern) or fnmatch(below, f"{pattern}/*") for pattern in _VERL_CONFIGS):
            return str(PurePath(*parts[: index + 1]))
    return None


def left_alone(filename: str, include: Collection[str] = ()) -> Diagnostic | None:
    """The note for a file whose old settings are told and not rewritten; None for the user's own files.

    Args:
        filename: Its name.
        include: With `records`, records are the user's own.
    """
    tree = vendored_tree(filename)
    if tree is not None:
        return Diagnostic(
            "vendored",
            Severity.NOTE,
            f"{tree} is a vendored copy of verl with settings of an older release; it is left alone",
            help="upgrade verl instead of editing its files",
        )
    if is_record(filename) and "records" not in include:
        return Diagnostic(
            "record",
            Severity.NOTE,
            "old settings in the record of a run: it tells what happened, and is left alone",
            help=f"to rewrite it all the same: skipcfg migrate --include records {shlex.quote(filename)}",
        )
    return None
