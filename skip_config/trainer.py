"""Which trainer a config is for, as far as the config itself says."""

from __future__ import annotations

from skip_config import releases
from skip_config.legacy import MISSING
from skip_config.releases import Role
from skip_config.view import View

_PRIMARY_CONFIGS = {
    "ppo_trainer": None,
    "ppo_megatron_trainer": None,
    "fully_async_ppo_trainer": "async_rollout",
    "fully_async_ppo_megatron_trainer": "async_rollout",
}


def base_configs(view: View) -> tuple[str, ...]:
    """The configs that the file's defaults list names."""
    value = view.value("defaults")
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def role_in_use(view: View) -> Role | None:
    """The role that the trainer asks, or None when the config leaves it open."""
    bases = [name for name in base_configs(view) if name in _PRIMARY_CONFIGS]
    if view.value(*releases.ASYNC_TRAINING) is not MISSING or any(_PRIMARY_CONFIGS[name] for name in bases):
        return "async_rollout"
    use_v1 = view.value(*releases.USE_V1)
    if use_v1 is MISSING and bases:
        use_v1 = releases.USE_V1_DEFAULT
    if not isinstance(use_v1, bool):
        return None
    return "rollout_tq" if use_v1 else "rollout"


def is_for_verl(view: View) -> bool:
    """Whether a config that has a `skip` key means verl's: it has its roles, or other marks of verl."""
    marks = ("actor_rollout_ref", "async_training", "algorithm")
    return (
        any(role in view.keys("skip") for role in releases.ROLES)
        or any(view.value(mark) is not MISSING for mark in marks)
        or any(name in _PRIMARY_CONFIGS for name in base_configs(view))
    )
