"""Drawn configs and dump directories: whole, half made, oddly named and absurd."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from skip_config.releases import ROLES, Role
from skip_config.rollout_cache import layout

NAMES = [
    *(str(step) for step in range(-2, 13)),
    *("007", "+3", " 4", "5 ", "1_0", "٣", "０6", "-0", "00", "+", "_1", "1.0", "0x2", "abc", "1e1", "²"),
    "genstep_000001",
]
STATES = [
    *("complete", "complete", "complete", "no meta", "no data", "data is a directory", "meta is a directory"),
    *("a file", "empty", "a link to a complete one", "a loop", "a link to nowhere", "data is a link to nowhere"),
    *("data is a link to a file to come", "empty data", "unreadable names"),
]
OFFSET = 1000
"""Added to the number of a batch that is generated; those that lie there have lower ones."""


class Case(NamedTuple):
    """A config and the role and steps to ask for; `numbers` says which batch lies in which directory."""

    config: dict[str, Any]
    role: Role
    steps: list[int]

    @property
    def text(self) -> str:
        """The config as YAML, which JSON is."""
        return json.dumps(self.config)


def draw_case(random: Random, home: Path) -> Case:
    """A config whose dump directory lies below `home`."""
    role = random.choice(ROLES)
    settings: dict[str, Any] = {
        "enable": random.random() < 0.9,
        "dump_dir": random.choice([str(home / "dumps"), f"{home}/dumps/", f"{home}/./x/../dumps", f"{home}/link"]),
        "steps": random.choice([list(range(1, 9)), [random.randint(-2, 13) for _ in range(random.randint(0, 9))]]),
        "action": random.choice(["cache", "repeat", "repeat"]),
    }
    mode = random.choice(["sync", "sync", "colocate_async", "separate_async"])
    trainer: dict[str, Any] = {"v1": {"trainer_mode": mode, "sampler": {}}}
    if random.random() < 0.6:
        trainer["v1"][mode] = {"parameter_sync_step": random.randint(1, 4)}
    trainer["v1"]["sampler"] = {"sync_refill_failed_groups": random.random() < 0.2}
    _maybe(random, trainer, "experiment_name", ["e", "a b", "../up", f"{home}/away/e", "é", "x/y", 5, None, ".", ""])
    _maybe(random, trainer, "project_name", ["p", "p_q", "..", None, True, 1.5])
    data: dict[str, Any] = {}
    _maybe(random, data, "gen_batch_size", [None, None, 8, 0, "16", 2.0, "x"])
    _maybe(random, data, "train_batch_size", [32, 32, 0, None, "64"])
    _maybe(random, data, "max_prompt_length", [512, None, "1k", 0])
    _maybe(random, data, "max_response_length", [1024, None, 0.5])
    rollout: dict[str, Any] = {}
    _maybe(random, rollout, "n", [1, 5, "2", 3.0, 3.0, 4, None])
    algorithm = random.choice([{}, {}, {"filter_groups": {"enable": True}}, {"filter_groups": None}])
    config = {
        "skip": {role: settings},
        "trainer": trainer,
        "data": data,
        "actor_rollout_ref": {"rollout": rollout},
        "algorithm": algorithm,
    }
    steps = list(range(1, random.choice([3, 8, 12]))) if random.random() < 0.8 else random.choices(range(-2, 14), k=6)
    return Case(config, role, steps)


def _maybe(random: Random, into: dict[str, Any], key: str, values: list[Any]) -> None:
    if random.random() < 0.85:
        into[key] = random.choice(values)


def lay_out(random: Random, directory: Path, role: Role, parts: int, batches: Path) -> dict[str, int]:
    """Fill a dump directory. `batches` holds a file per number.

    Returns:
        Name of a directory of a step -> number of the batch whose data lies in it.
    """
    numbers: dict[str, int] = {}
    if random.random() < 0.1:
        return numbers
    directory.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(random.sample(NAMES, random.randint(0, 12)), start=1):
        place = directory / name
        state = random.choice(STATES)
        source = batches / str(number)
        if role == "rollout_tq" and state not in _NO_DIRECTORY:
            for index in range(parts + random.choice([0, 0, 0, -1, 1])):
                fill(place / str(index), state if random.random() < 0.3 else "complete", layout.TQ_BATCH, source)
            place.mkdir(exist_ok=True)
        elif fill(place, state, layout.GEN_BATCH, source):
            numbers[name] = number
    return numbers


_NO_DIRECTORY = ("a file", "a link to a complete one", "a loop", "a link to nowhere")


def fill(place: Path, state: str, data: str, source: Path) -> bool:
    """Make one directory of a step, or of a part. Whether its data can be loaded."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if state == "a file":
        place.write_text("")
    elif state == "a loop":
        place.symlink_to(place.name)
    elif state == "a link to nowhere":
        place.symlink_to("nowhere")
    elif state == "a link to a complete one":
        behind = place.parent / f"behind {place.name}"
        fill(behind, "complete", data, source)
        place.symlink_to(behind.name)
        return True
    else:
        place.mkdir(parents=True)
        (place / "beside").write_text("")
        if state not in ("no meta", "empty", "meta is a directory"):
            (place / layout.META).write_text("{}")
        if state == "meta is a directory":
            (place / layout.META).mkdir()
        if state in ("data is a directory", "empty data", "data is a link to nowhere"):
            _absurd(place / data, state)
        elif state == "data is a link to a file to come":
            (place / data).symlink_to("to come")
        elif state not in ("no data", "empty"):
            shutil.copyfile(source, place / data)
            return True
    return False


def _absurd(file: Path, state: str) -> None:
    if state == "data is a directory":
        file.mkdir()
    elif state == "empty data":
        file.write_bytes(b"")
    else:
        os.symlink("no/where", file)
