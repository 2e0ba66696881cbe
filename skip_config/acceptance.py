"""What verl 0.9's own conversion accepts for one field: OmegaConf's structured configs, then `__post_init__`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

from skip_config.releases import Field


@lru_cache(maxsize=1)
def _empty_role() -> Any:
    from omegaconf import OmegaConf

    from skip_config.schema import RolloutSkipConfig

    return OmegaConf.structured(RolloutSkipConfig)


def _as_it_is(name: Field, value: object) -> bool:
    """Whether a value has the very type of its field, so that there is nothing to convert."""
    if name == "steps":
        return type(value) is list and all(type(item) is int for item in value)
    if name == "enable":
        return type(value) is bool
    return type(value) is str and "${" not in value and value != "???"


def _converted(name: Field, value: object) -> tuple[bool, object]:
    """Whether the type check passes, and what it makes of the value."""
    if _as_it_is(name, value):
        return True, value
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


class Refused(NamedTuple):
    """Why a whole block is refused.

    Args:
        path: The key below `skip`; empty for the block itself.
        message: What OmegaConf or `__post_init__` says, in one line.
    """

    path: tuple[str, ...]
    message: str


@lru_cache(maxsize=1)
def _empty_block() -> Any:
    from omegaconf import OmegaConf

    from skip_config.schema import SkipManagerConfig

    return OmegaConf.structured(SkipManagerConfig)


def refused_block(block: object) -> Refused | None:
    """Why verl 0.9 refuses a `skip` block, or None when it takes it.

    It follows `omega_conf_to_dataclass` of `verl/utils/config.py`, which takes anything empty for the
    defaults and hands back what is neither a mapping nor a list: nothing is skipped then.

    Args:
        block: Its value: containers, scalars and `???`, without interpolations.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    if block == "???":
        return Refused((), "a mandatory value is missing")
    if not block or not isinstance(block, (dict, list)):
        return None
    try:
        OmegaConf.to_object(OmegaConf.merge(_empty_block(), OmegaConf.create(block)))
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or ""
        return Refused(tuple(part for part in key.partition("[")[0].split(".") if part), str(error).splitlines()[0])
    except ValueError as error:
        return Refused((), str(error))
    return None
