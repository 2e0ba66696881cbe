"""Hydra of several releases, each in an environment of its own, built by pip once and kept outside the repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.wheel_cache import built_once, run_or_fail

REPOSITORY = Path(__file__).parents[2]
PROBE = Path(__file__).with_name("hydra_probe.py")

OLDEST = ("hydra-core==1.3.2",)
NEWEST = ("hydra-core==1.3.*",)
PRE_RELEASE = ("--pre", "hydra-core>=1.4.0rc3")
"""What pip is asked for; it adds the OmegaConf that each asks for."""

STABLE = {"hydra-core 1.3.2": OLDEST, "newest hydra-core 1.3": NEWEST}


@cache
def python_with(requirements: tuple[str, ...]) -> Path:
    """The interpreter of an environment with that Hydra and nothing of ours; renewed every month."""

    def build(place: Path) -> None:
        run_or_fail([sys.executable, "-m", "venv", str(place)])
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
        run_or_fail([*pip, *requirements])

    name = "".join(sign if sign.isalnum() or sign in ".-" else "_" for sign in "".join(requirements))
    return built_once(f"{name}-{date.today():%Y-%m}", build) / "bin" / "python"


def environment(with_plugin: bool = True) -> dict[str, str]:
    """The variables of a process that finds this repository, or does not."""
    return {**os.environ, "PYTHONPATH": str(REPOSITORY) if with_plugin else ""}


class Case(NamedTuple):
    """A primary config and how to compose it.

    Args:
        folder: Where it lies.
        name: Its name.
        overrides: What it needs on top.
    """

    folder: Path
    name: str
    overrides: tuple[str, ...] = ()


def composed(python: Path, case: Case, lists: dict[str, list[str]]) -> dict[str, Any]:
    """Compose a config with several lists of overrides, all in one process.

    Returns:
        For each key of `lists`: `config` and `errors` (names of what `validate_config` finds), or `failure`.
    """
    request = {"folder": str(case.folder), "name": case.name, "overrides": list(case.overrides), "lists": lists}
    done = subprocess.run(
        [str(python), str(PROBE)],
        input=json.dumps(request),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
