"""Rollout-skip settings of verl: their schema, their migration between releases, and their checks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skip_config.diagnostics import Diagnostic, Fix, Severity
    from skip_config.migrate import Migration, migrate_text
    from skip_config.presets import register
    from skip_config.schema import (
        AsyncRolloutSkipConfig,
        RolloutSkipConfig,
        RolloutTqSkipConfig,
        SkipAction,
        SkipManagerConfig,
    )
    from skip_config.validate import validate_config, validate_text

__version__ = "0.1.0"

__all__ = [
    "AsyncRolloutSkipConfig",
    "Diagnostic",
    "Fix",
    "Migration",
    "RolloutSkipConfig",
    "RolloutTqSkipConfig",
    "Severity",
    "SkipAction",
    "SkipManagerConfig",
    "__version__",
    "migrate_text",
    "register",
    "validate_config",
    "validate_text",
]

_HOMES = {
    "AsyncRolloutSkipConfig": "schema",
    "Diagnostic": "diagnostics",
    "Fix": "diagnostics",
    "Migration": "migrate",
    "RolloutSkipConfig": "schema",
    "RolloutTqSkipConfig": "schema",
    "Severity": "diagnostics",
    "SkipAction": "schema",
    "SkipManagerConfig": "schema",
    "migrate_text": "migrate",
    "register": "presets",
    "validate_config": "validate",
    "validate_text": "validate",
}


# Public names load on first use (PEP 562): the Hydra plugin and `skipcfg --help` import this package
# at every start and need none of them.
def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
