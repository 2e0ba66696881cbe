"""What verl 0.9's own conversion accepts for one field: OmegaConf's structured configs, then `__post_init__`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from skip_config.releases import Field


@lru_cache(maxsize=1)
def _empty_role() -> Any:
    from omegaconf import OmegaConf

    from skip_config.schema import RolloutSkipConfig

    return OmegaConf.structured(RolloutSkipConfig)


def _converted(name: Field, value: object) -> tuple[bool, object]:
    """Whether the type check passes, and what it makes of the value."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        merged = OmegaConf.merge(_empty_role(), OmegaConf.create({name: value}))
        container = OmegaConf.to_container(merged, resolve=True, throw_on_missing=True)
    except (OmegaConfBaseException, ValueError):
        return False, None
    assert isinstance(container, dict)
    return True, container[name]


def refusal(name: Field, value: object) -> Literal["type", "value"] | None:
    """Which of the two checks refuses a value, or None when both accept it.

    Args:
        name: A field of a role.
        value: The value as the YAML loader gives it; no interpolation.
    """
    fits, converted = _converted(name, value)
    if not fits:
        return "type"
    from skip_config.schema import RolloutSkipConfig

    try:
        RolloutSkipConfig(**{name: converted})  # type: ignore[arg-type]
    except ValueError:
        return "value" if name == "action" else "type"
    return None


def accepted(name: Field, value: object) -> object:
    """The value as the runtime holds it, or None when it refuses it."""
    fits, converted = _converted(name, value)
    return converted if fits and refusal(name, value) is None else None
