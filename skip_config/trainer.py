"""Which trainer a config is for, as far as the config itself says."""

from __future__ import annotations

from skip_config import releases
from skip_config.legacy import MISSING, Opaque
from skip_config.releases import Role, Trainer
from skip_config.view import View

_SKIP = releases.MANAGER.place[0]
_NEUTRAL = ("override ", "optional override ", "model_engine:", "hydra/", "_self_")
"""Beginnings of defaults-list entries that leave what the rules ask for as it is."""


def defaults_list(view: View) -> tuple[str, ...]:
    """The entries of the config's defaults list, `group: option` for a choice of a config group."""
    value = view.value("defaults")
    return tuple(one.strip() for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def primary_config(view: View) -> str | None:
    """The primary config of verl's that the defaults list builds on."""
    names = [entry.lstrip("/") for entry in defaults_list(view)]
    return next((name for name in reversed(names) if name in releases.PRIMARY_CONFIGS), None)


def has_other_layers(view: View) -> bool:
    """Whether the defaults list names configs whose content is not known here."""
    return any(
        entry.lstrip("/") not in releases.PRIMARY_CONFIGS and not entry.startswith(_NEUTRAL)
        for entry in defaults_list(view)
    )


def trainer_of(view: View) -> Trainer | None:
    """The kind of trainer that gets the config, or None when the config leaves it open.

    `main_ppo` asks whether `trainer.use_v1` is true in Python's sense (`verl/trainer/main_ppo.py`, 0.9).
    """
    primary = primary_config(view)
    known = releases.PRIMARY_CONFIGS[primary] if primary else None
    if known is not None:
        return known
    if any(entry.lstrip("/") in releases.RECIPE_CONFIGS for entry in defaults_list(view)):
        return "own_loop"
    if view.value(*releases.ASYNC_TRAINING) is not MISSING:
        return "fully_async"
    use_v1 = view.value(*releases.USE_V1)
    if use_v1 is MISSING and primary and not has_other_layers(view):
        use_v1 = releases.USE_V1_DEFAULT
    if use_v1 is MISSING or isinstance(use_v1, Opaque):
        return None
    return "v1" if use_v1 else "v0"


def trainer_mode(view: View) -> str | None:
    """`trainer.v1.trainer_mode` when the V1 trainer runs and the mode is known."""
    mode = view.value(*releases.TRAINER_MODE)
    return mode if trainer_of(view) == "v1" and isinstance(mode, str) else None


def role_in_use(view: View) -> Role | None:
    """The role that the trainer asks, or None when none is or the config leaves it open."""
    trainer = trainer_of(view)
    return releases.ROLE_OF_TRAINER[trainer] if trainer else None


def is_for_verl(view: View) -> bool:
    """Whether a config that has a `skip` key means verl's: it has its roles, or other marks of verl."""
    if any(role in view.keys(_SKIP) for role in releases.ROLES) or primary_config(view):
        return True
    if any(view.value(mark) is not MISSING for mark in ("actor_rollout_ref", "async_training")):
        return True
    return any(
        view.value(*path) is not MISSING
        for path in (releases.GEN_BATCH_SIZE, releases.TRAINER_V1, releases.USE_V1, releases.FILTER_GROUPS)
    )


_COMPLETE = (
    ("data", "train_files"),
    releases.TRAIN_BATCH_SIZE,
    ("actor_rollout_ref", "actor"),
    ("actor_rollout_ref", "model"),
    releases.ROLLOUT_PLACE,
    ("algorithm",),
    ("trainer", "total_epochs"),
    ("trainer", "nnodes"),
)


def is_complete(view: View) -> bool:
    """Whether a config without defaults list holds all that a trainer needs, as a dump of a run does."""
    return view.value("defaults") is MISSING and all(view.value(*path) is not MISSING for path in _COMPLETE)
