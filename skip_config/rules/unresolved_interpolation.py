"""`unresolved-interpolation` and `interpolation-cycle`: `${…}` in `skip` that cannot be resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.formats.yaml.interpolation import references
from skip_config.legacy import MISSING, Opaque
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, Path, hit, name_of
from skip_config.view import View

_OF_HYDRA = frozenset({"hydra"})
"""Resolvers that are there once Hydra composes."""

_TARGET = "_target_"

MAX_CHAIN = 50
"""Interpolations that point at one another; more than that is taken for a cycle."""


def unresolved(view: View) -> Iterator[Hit]:
    """Look for node interpolations whose node is nowhere."""
    for path, text in _interpolations(view):
        resolver = _without_resolver(text) if view.composed else None
        if resolver:
            yield hit(view, path, f"{name_of(path)} is {text}, and there is no resolver {resolver!r}")
        for target in _targets(text, path):
            if view.value(*target) is MISSING and (view.composed or _cannot_come(target)):
                yield hit(view, path, f"{name_of(path)} is {text}, and {name_of(target)} does not exist")


def _without_resolver(text: str) -> str | None:
    """The first resolver of an interpolation that is not registered, or None."""
    names = re.findall(r"\$\{\s*([A-Za-z_][\w.]*)\s*:", text)
    if not names:
        return None
    from omegaconf import OmegaConf

    return next((name for name in names if name not in _OF_HYDRA and not OmegaConf.has_resolver(name)), None)


def cycles(view: View) -> Iterator[Hit]:
    """Look for interpolations that lead back to themselves."""
    for path, text in _interpolations(view):
        seen: list[Path] = [path]
        pending = _targets(text, path)
        while pending and len(seen) <= MAX_CHAIN:
            target = pending.pop()
            if target == path:
                yield hit(view, path, f"{name_of(path)} is {text}, which leads back to itself")
                break
            value = view.value(*target)
            if target not in seen and isinstance(value, Opaque):
                pending += _targets(value.text, target)
            seen.append(target)


def _interpolations(view: View) -> Iterator[tuple[Path, str]]:
    paths: list[Path] = [(SKIP,), (SKIP, _TARGET)]
    for role in releases.ROLES:
        paths += [(SKIP, role), *((SKIP, role, field) for field in (*releases.FIELDS, _TARGET))]
    for path in paths:
        value = view.value(*path)
        if isinstance(value, Opaque) and "${" in value.text:
            yield path, value.text
        elif isinstance(value, list):
            yield from ((path, one.text) for one in value if isinstance(one, Opaque) and "${" in one.text)


def _targets(text: str, path: Path) -> list[Path]:
    if "oc.select" in text or "\\" in text:  # it may have a default of its own, or be no interpolation at all
        return []
    return [target for target in references(text, path) if target]


def _cannot_come(target: Path) -> bool:
    """Whether no other layer can bring a node: `skip` has only its roles, and they only their fields."""
    if target[0] != SKIP or len(target) < 2:
        return False
    return target[1] not in releases.ROLES or (len(target) > 2 and target[2] not in (*releases.FIELDS, _TARGET))


RULES = (
    Rule(
        name="unresolved-interpolation",
        severity=Severity.ERROR,
        summary="An interpolation in `skip` that points at nothing.",
        why="The task runner resolves the whole config before the trainer starts, and stops at the first "
        "interpolation without a node.",
        example="skip:\n  rollout_tq:\n    dump_dir: ${skip.rollout.dump_dirs}\n",
        mend="Point it at a key that exists, or write the value out.",
        since="0.9.0",
        check=unresolved,
    ),
    Rule(
        name="interpolation-cycle",
        severity=Severity.ERROR,
        summary="Interpolations in `skip` that lead back to themselves.",
        why="The task runner resolves the whole config before the trainer starts; a cycle ends in a recursion error.",
        example="skip:\n  rollout:\n    dump_dir: ${skip.rollout_tq.dump_dir}\n"
        "  rollout_tq:\n    dump_dir: ${skip.rollout.dump_dir}\n",
        mend="Write the value out in one of the places.",
        since="0.9.0",
        check=cycles,
    ),
)
