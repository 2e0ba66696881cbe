"""The Hydra plugin of skipcfg: the config group `skip` on the search path, its schema in the ConfigStore.

Hydra executes this module at each start of every Hydra program on the machine, and any exception but
ImportError would end that program (hydra-core 1.3, `hydra/core/plugins.py`). So little is imported
here, and what the store holds are promises, kept when a preset is first loaded.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra.core.config_store import ConfigNode, ConfigStore
from hydra.plugins.search_path_plugin import SearchPathPlugin

if TYPE_CHECKING:
    from hydra.core.config_search_path import ConfigSearchPath


class SkipConfigSearchPathPlugin(SearchPathPlugin):
    """Appends `pkg://skip_config.conf`: a program's own `skip` group comes first and wins."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        """Append; never prepend, and never look anything up."""
        if _REACHABLE:
            search_path.append(provider="skip_config", path="pkg://skip_config.conf")


class _Promise:
    """Stands in the store for a config that is built when it is loaded, which is when Hydra copies it alone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __deepcopy__(self, memo: dict[int, object]) -> object:
        if memo:  # part of the copy of the whole store that Hydra makes at each composition
            return self
        from skip_config import presets

        return presets.build(self.name)


def _is_reachable() -> bool:
    """Whether `skip_config` means ours. A program may have a file of that name, which is not ours to run."""
    spec = find_spec("skip_config")
    ours = Path(__file__).parents[2] / "skip_config" / "__init__.py"
    return spec is not None and spec.origin is not None and Path(spec.origin) == ours


def _promise_configs() -> None:
    # Names without a group: `--help` lists every group that the store holds, in every program.
    repository: dict[str, Any] = ConfigStore.instance().repo
    for name in ("skip_config_schema", "skip_config_types", "skip_config_defaults"):
        node: Any = _Promise(name)
        repository.setdefault(f"{name}.yaml", ConfigNode(f"{name}.yaml", node, None, None, "skip_config"))


try:
    _REACHABLE = _is_reachable()
    if _REACHABLE:
        import_module("skip_config.conf")  # Hydra will; what is broken there must show here, as ImportError
        _promise_configs()
except Exception as error:
    raise ImportError(f"the plugin of skipcfg cannot start: {error!r}") from error
