"""The released verl wheels, downloaded once and unpacked outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from skip_config.releases import MANAGER, RELEASES

MANAGER_RELEASES = RELEASES[RELEASES.index(MANAGER.since) :]
"""The releases that have the skip manager: a new row in `releases.py` is compared with its wheel by itself."""


def cache_directory() -> Path:
    """Where tests keep what is slow to get: `$XDG_CACHE_HOME/skipcfg-tests`, or below `~/.cache`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "skipcfg-tests"


def built_once(name: str, build: Callable[[Path], None]) -> Path:
    """A directory of the cache; `build` fills it unless it is there.

    It appears under its name only once it is complete, so that an interrupted build and two builds at
    the same time do no harm.
    """
    place = cache_directory() / name
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        build(draft)
        if not place.is_dir():
            draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return place


def run_or_fail(command: list[str]) -> None:
    """Run a command that the tests cannot do without; the test fails with what it printed last."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        pytest.fail(f"{' '.join(command)} ended with {done.returncode}:\n{last}", pytrace=False)


@cache
def wheel(version: str) -> Path:
    """The unpacked wheel of one verl release; downloaded by pip as it is configured here."""

    def download(place: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        run_or_fail([*pip, "download", "--no-deps", f"verl=={version}", "--dest", str(place)])
        for archive in place.glob("*.whl"):
            zipfile.ZipFile(archive).extractall(place)
            archive.unlink()

    return built_once(f"verl-{version}", download)
