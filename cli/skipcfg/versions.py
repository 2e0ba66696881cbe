"""`skipcfg --version`: the program, what it runs on, and the releases of verl that it knows."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from skip_config import __version__
from skip_config.releases import RELEASES


def lines() -> Iterator[str]:
    """One line each; nothing is imported to find out."""
    yield f"skipcfg {__version__}"
    yield f"knows verl {RELEASES[0]} to {RELEASES[-1]}"
    yield f"Python {platform.python_version()}"
    for name in ("hydra-core", "omegaconf"):
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} not installed"
