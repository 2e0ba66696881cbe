"""What verl 0.9's own conversion accepts in the `skip` block, and what it makes of each value.

The runtime does `OmegaConf.structured(SkipManagerConfig)`, merges the block into it, and calls
`OmegaConf.to_object`, which runs `__post_init__` of each role (`verl/utils/config.py`,
`verl/utils/skip/config.py`, 0.9.0 and 0.9.1). OmegaConf takes a tenth of a second to import, so its
conversions are written out here; a test compares them with OmegaConf itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from skip_config.legacy import Opaque
from skip_config.releases import FIELDS, MANAGER, ROLES, SUPPORTED_ACTIONS, Field

MISSING_MARK: Final = "???"
"""OmegaConf's mark of a value that another layer has to give."""

_TRUE = frozenset({"yes", "y", "on", "true"})
_FALSE = frozenset({"no", "n", "off", "false"})


class UnacceptedError(ValueError):
    """The runtime refuses a value."""


def refusal(name: Field, value: object) -> Literal["type", "value"] | None:
    """Which of the two checks refuses a value, or None when both accept it or it cannot be known.

    Args:
        name: A field of a role.
        value: The value as the YAML loader gives it.
    """
    try:
        converted = _convert(name, value)
    except UnacceptedError:
        return "type"
    if name == "action" and not isinstance(converted, Opaque) and converted not in SUPPORTED_ACTIONS:
        return "value"
    return None


def accepted(name: Field, value: object) -> object:
    """The value as the runtime holds it, an `Opaque` when only the runtime knows, None when it refuses it."""
    return None if refusal(name, value) else _convert(name, value)


def target_is_refused(value: object) -> bool:
    """Whether a `_target_` is refused: its text means nothing, but it must be one."""
    try:
        _text(value)
    except UnacceptedError:
        return True
    return False


def role_is_refused(value: object) -> bool:
    """Whether the whole of a role is refused because it is no mapping; `???` leaves the defaults."""
    return not (isinstance(value, (Mapping, Opaque)) or value == MISSING_MARK)


def block_verdict(value: object) -> Literal["block", "defaults", "ignored", "refused", "unknown"]:
    """What the runtime makes of the value of `skip`.

    Returns:
        `block`: a mapping, checked key by key. `defaults`: empty in some way, all roles are off.
        `ignored`: a scalar, which it takes for a finished config without roles. `refused`: it raises.
        `unknown`: an interpolation.
    """
    if isinstance(value, Opaque):
        return "refused" if is_missing(value) else "unknown"
    if value == MISSING_MARK:
        return "refused"
    if not value:
        return "defaults"
    if isinstance(value, Mapping):
        return "block"
    return "refused" if isinstance(value, (list, tuple)) else "ignored"


def known_keys(role: str | None = None) -> tuple[str, ...]:
    """The keys that `skip` has, or that a role has; any other is refused."""
    return ("_target_", *(FIELDS if role else ROLES))


def is_missing(value: object) -> bool:
    """Whether a value is `???`."""
    return value == MISSING_MARK or (isinstance(value, Opaque) and value.text == MISSING_MARK)


def _convert(name: Field, value: object) -> object:
    if is_missing(value):  # it merges as "not set", so the default stays
        default = MANAGER.defaults[name]
        return list(default) if isinstance(default, tuple) else default
    if isinstance(value, Opaque):
        return value
    if name == "enable":
        return _bool(value)
    if name == "steps":
        return _steps(value)
    return _text(value)


def _bool(value: object) -> bool:
    if isinstance(value, int):
        return value != 0
    if isinstance(value, str):
        try:
            return int(value) != 0
        except ValueError:
            if value.lower() in _TRUE:
                return True
            if value.lower() in _FALSE:
                return False
    raise UnacceptedError


def _steps(value: object) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise UnacceptedError
    return [item if isinstance(item, Opaque) and not is_missing(item) else _int(item) for item in value]


def _int(value: object) -> int:
    if type(value) not in (int, str):
        raise UnacceptedError
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except ValueError:
        raise UnacceptedError from None


def _text(value: object) -> object:
    if isinstance(value, Opaque):
        return value
    if isinstance(value, (bool, int, float, str)):
        return str(value)
    raise UnacceptedError
