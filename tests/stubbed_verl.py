"""verl's skip manager out of a wheel, without torch: what it imports beside OmegaConf is stubbed."""

from __future__ import annotations

import sys
import types
from importlib import import_module
from typing import Any, NamedTuple

from tests.wheel_cache import wheel


class Manager(NamedTuple):
    """The parts of `verl.utils.skip` that deal with configs.

    Args:
        manager: The class `SkipManager`.
        config: The module `verl.utils.skip.config`.
        actions: The enum `SkipAction`.
    """

    manager: Any
    config: Any
    actions: Any


def manager_of(version: str) -> Manager:
    """The manager of one release; its modules do not stay in `sys.modules`."""
    root = wheel(version) / "verl"
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("verl", "torch")}
    try:
        for name, folder in (("verl", root), ("verl.utils", root / "utils")):
            package = types.ModuleType(name)
            package.__path__ = [str(folder)]  # the package without its `__init__.py`, which needs torch
            sys.modules[name] = package
        sys.modules["torch"] = types.ModuleType("torch")
        protocol = types.ModuleType("verl.protocol")
        protocol.DataProto = object  # type: ignore[attr-defined]
        sys.modules["verl.protocol"] = protocol
        skip = import_module("verl.utils.skip")
        return Manager(
            skip.SkipManager,
            import_module("verl.utils.skip.config"),
            import_module("verl.utils.skip.base_skip").SkipAction,
        )
    finally:
        for name in list(sys.modules):
            if name.split(".")[0] in ("verl", "torch"):
                del sys.modules[name]
        sys.modules.update(before)
