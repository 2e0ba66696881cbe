"""When nothing would load: the nearest directories that do hold dumps, and which part of the name differs."""

from __future__ import annotations

import os
from typing import NamedTuple

from skip_config.rollout_cache import layout
from skip_config.rollout_cache.layout import Kind, Naming
from skip_config.rollout_cache.run import Run
from skip_config.rollout_cache.search import first_dump, parameter_directories

_LOOKED_INTO = 2000
_SHOWN = 3


class Difference(NamedTuple):
    """A part of a directory's name that is not the one wanted.

    Args:
        found: As it stands there.
        wanted: As the run would have it.
        keys: The settings that it comes from.
    """

    found: str
    wanted: str
    keys: str


class Neighbour(NamedTuple):
    """A directory with dumps.

    Args:
        path: Where.
        kind, data: What dumps they are.
        fits: Whether the role reads such dumps.
        differences: Where its name differs.
    """

    path: str
    kind: Kind
    data: str
    fits: bool
    differences: tuple[Difference, ...]


def neighbours(run: Run) -> list[Neighbour]:
    """The nearest directories of dumps below the run's dump directory, at most three.

    Nearest is: read by this role, then fewest parts that differ.
    """
    wanted = layout.DATA_FILE[run.role]
    own = os.path.normpath(run.directory)
    ranked = []
    for path in parameter_directories(os.fspath(run.base), _LOOKED_INTO):
        differences = tuple(_differences(path, os.fspath(run.base), run.naming))
        ranked.append((len(differences), path, differences))
    ranked.sort(key=lambda one: (one[0], one[1]))
    found: list[Neighbour] = []
    for _, path, differences in ranked:
        dump = first_dump(path)
        if dump is None or (path == own and dump == ("manager", wanted)):
            continue
        kind, data = dump
        found.append(Neighbour(path, kind, data, kind == "manager" and data == wanted, differences))
        if sum(one.fits for one in found) == _SHOWN:
            break
    found.sort(key=lambda one: (not one.fits, len(one.differences), one.path))
    return found[:_SHOWN]


def _differences(path: str, base: str, naming: Naming) -> list[Difference]:
    head, parameters = os.path.split(path)
    run = os.path.relpath(head, base)
    found = []
    if run != naming.run:
        experiment, project = naming.experiment, naming.project
        if run.startswith(experiment.text + "_"):
            found.append(Difference(run[len(experiment.text) + 1 :], project.text, project.key))
        elif run.endswith("_" + project.text):
            found.append(Difference(run[: -len(project.text) - 1], experiment.text, experiment.key))
        else:
            found.append(Difference(run, naming.run, f"{experiment.key}, {project.key}"))
    there = layout.parameters_of(parameters)
    assert there is not None
    for text, part in zip(there, naming.parts[2:], strict=True):
        if text != part.text:
            found.append(Difference(text, part.text, part.key))
    return found
