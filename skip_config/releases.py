"""What each verl release calls its rollout-skip settings, where it keeps them and what they default to.

Read from, and tested against, the released wheels 0.6.0 to 0.9.1. A new release is a new row here.
Paths are tuples of keys from the root of the composed config.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Field = Literal["enable", "dump_dir", "steps", "action"]
"""The four settings that every generation has in some form."""

Role = Literal["rollout", "rollout_tq", "async_rollout"]

ROLES: Final[tuple[Role, ...]] = ("rollout", "rollout_tq", "async_rollout")
"""Roles of the manager, in the order of verl's own YAML files."""

FIELDS: Final[tuple[Field, ...]] = ("enable", "dump_dir", "steps", "action")
"""Fields of a role, in the order of verl's own YAML files."""

SUPPORTED_ACTIONS: Final = ("cache", "repeat")
DEFAULT_DUMP_DIR: Final = "~/.verl/rollout_dump"


@dataclass(frozen=True, slots=True)
class Generation:
    """One shape of the settings.

    Args:
        name: `flat`, `nested` or `manager`.
        since: First release that has it.
        until: Last release that has it, or None for the newest one known.
        place: Path of the mapping that holds the keys (for `manager`: the roles).
        keys: The key of each field; a field that the generation lacks is absent. `steps` is a count
            (`max_dump_step`) in `nested` and a list in `manager`.
        defaults: Default of each key.
        actions: Values that the runtime of that generation accepts for `action`.
        target: `_target_` that the shipped YAML carries, or None.
    """

    name: Literal["flat", "nested", "manager"]
    since: str
    until: str | None
    place: tuple[str, ...]
    keys: MappingProxyType[Field, str]
    defaults: MappingProxyType[str, object]
    actions: tuple[str, ...]
    target: str | None


ROLLOUT_PLACE: Final = ("actor_rollout_ref", "rollout")

FLAT: Final = Generation(
    name="flat",
    since="0.6.0",
    until="0.7.1",
    place=ROLLOUT_PLACE,
    keys=MappingProxyType({"enable": "skip_rollout", "dump_dir": "skip_dump_dir"}),
    defaults=MappingProxyType({"skip_rollout": False, "skip_dump_dir": "/tmp/rollout_dump"}),
    actions=(),
    target=None,
)

NESTED: Final = Generation(
    name="nested",
    since="0.8.0",
    until="0.8.0",
    place=(*ROLLOUT_PLACE, "skip"),
    keys=MappingProxyType({"enable": "enable", "dump_dir": "dump_dir", "steps": "max_dump_step", "action": "action"}),
    defaults=MappingProxyType({"enable": False, "dump_dir": DEFAULT_DUMP_DIR, "max_dump_step": 1, "action": "cache"}),
    actions=("cache", "repeat", "repeat_last"),
    target="verl.workers.config.SkipConfig",
)

MANAGER: Final = Generation(
    name="manager",
    since="0.9.0",
    until=None,
    place=("skip",),
    keys=MappingProxyType({name: name for name in FIELDS}),
    defaults=MappingProxyType({"enable": False, "dump_dir": DEFAULT_DUMP_DIR, "steps": (), "action": "cache"}),
    actions=SUPPORTED_ACTIONS,
    target="verl.utils.skip.SkipManagerConfig",
)

REMOVED_NAMES: Final = ("verl.utils.rollout_skip", str(NESTED.target))
"""Modules and classes of the old settings, importable up to 0.8.0 and gone in 0.9.0."""

GENERATIONS: Final = (FLAT, NESTED, MANAGER)

RELEASES: Final = ("0.6.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1")
"""The verl releases whose wheels were read, oldest first."""

SHIPPED_CONFIG: Final = ("trainer", "config", "_generated_ppo_trainer.yaml")
"""The composed config that every release ships, from the folder of the package `verl`."""

QUEUE_SAVES: Final = "0.1.9"
"""First TransferQueue with `save_checkpoint` and `load_checkpoint` (asked by `trainer/ppo/v1`, 0.9.0 and 0.9.1)."""

QUEUE_WANTED: Final = "0.1.10"
"""First TransferQueue that verl 0.9.1's own extra `verl-core` accepts."""

FLAT_DIALECT: Final[MappingProxyType[str, Field]] = MappingProxyType({"skip_use_default_dir": "dump_dir"})
"""Keys of forks beside those of `flat`, never released, and the field that each one sets."""

NESTED_DIALECT: Final[MappingProxyType[str, str]] = MappingProxyType(
    {
        "dump_step": "max_dump_step",
        "post_dump_action": "action",
        "dump_steps": "dump_steps",
        "compress": "compress",
        "load_dir": "load_dir",
    }
)
"""Keys of forks under `nested`, never released, and the name of what each one sets.

`dump_steps` is a list that wins over the count; `compress` and `load_dir` have no counterpart.
"""

POST_DUMP_ACTIONS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {"repeat": "repeat", "repeat_last": "repeat_last", "rollout": "cache"}
)
"""Values of the dialect's `post_dump_action` that a released action can express (`exit` has none)."""

MANAGER_DIALECT: Final = ("all_steps",)
"""Keys of forks in a role of `manager`, never released and without counterpart."""

FLAT_KEYS: Final = frozenset({*FLAT.keys.values(), *FLAT_DIALECT})
NESTED_KEYS: Final = frozenset({*NESTED.keys.values(), *NESTED_DIALECT, "_target_"})
NESTED_BLOCK: Final = NESTED.place[-1]

GEN_BATCH_SIZE: Final = ("data", "gen_batch_size")
TRAIN_BATCH_SIZE: Final = ("data", "train_batch_size")
TOTAL_STEPS: Final = ("trainer", "total_training_steps")
USE_V1: Final = ("trainer", "use_v1")
TRAINER_V1: Final = ("trainer", "v1")
TRAINER_MODE: Final = (*TRAINER_V1, "trainer_mode")
SAMPLER: Final = (*TRAINER_V1, "sampler")
ASYNC_TRAINING: Final = ("async_training",)
STALENESS_THRESHOLD: Final = (*ASYNC_TRAINING, "staleness_threshold")
TRIGGER_SYNC_STEP: Final = (*ASYNC_TRAINING, "trigger_parameter_sync_step")
PPO_MINI_BATCH_SIZE: Final = ("actor_rollout_ref", "actor", "ppo_mini_batch_size")
HYBRID_ENGINE: Final = ("actor_rollout_ref", "hybrid_engine")
CHECKPOINT_BACKEND: Final = (*ROLLOUT_PLACE, "checkpoint_engine", "backend")
ROLLOUT_NODES: Final = (*ROLLOUT_PLACE, "nnodes")
ROLLOUT_GPUS: Final = (*ROLLOUT_PLACE, "n_gpus_per_node")
FILTER_GROUPS: Final = ("algorithm", "filter_groups")
REWARD_MODEL: Final = ("reward", "reward_model")

SYNC: Final = "sync"
COLOCATE_ASYNC: Final = "colocate_async"
SEPARATE_ASYNC: Final = "separate_async"
TRAINER_MODES: Final = (SYNC, COLOCATE_ASYNC, SEPARATE_ASYNC)
"""Values of `trainer.v1.trainer_mode` that verl 0.9 registers (`trainer/ppo/v1/trainer_*.py`)."""

OFF_POLICY_STRATEGIES: Final = ("drop", "wait")
"""Values of `max_off_policy_strategy` (`trainer/ppo/v1/replay_buffer.py`, 0.9.0 and 0.9.1)."""

USE_V1_DEFAULT: Final = True
"""verl 0.9's default of `trainer.use_v1`."""

Trainer = Literal["v1", "v0", "fully_async", "own_loop"]
"""Kinds of trainers: `own_loop` stands for those that never start the manager."""

ROLE_OF_TRAINER: Final[MappingProxyType[Trainer, Role | None]] = MappingProxyType(
    {"v1": "rollout_tq", "v0": "rollout", "fully_async": "async_rollout", "own_loop": None}
)
"""The role that each kind of trainer asks (`SkipManager.annotate` in verl 0.9)."""


PRIMARY_CONFIGS: Final[MappingProxyType[str, Trainer | None]] = MappingProxyType(
    {
        "ppo_trainer": None,
        "ppo_megatron_trainer": None,
        "fully_async_ppo_trainer": "fully_async",
        "fully_async_ppo_megatron_trainer": "fully_async",
        "one_step_off_ppo_trainer": "own_loop",
        "one_step_off_ppo_megatron_trainer": "own_loop",
    }
)
"""verl 0.9's primary configs, and the trainer that each is for; None when `trainer.use_v1` decides."""

RECIPE_CONFIGS: Final = frozenset({"dapo_trainer", "dapo_megatron_trainer"})
"""Primary configs of the DAPO recipe, whose own loop never starts the manager."""

MAIN_PPO: Final = "verl.trainer.main_ppo"
FULLY_ASYNC: Final = "verl.experimental.fully_async_policy.fully_async_main"
FULLY_ASYNC_SCRIPT: Final = "fully_async_main"

OWN_LOOPS: Final = (
    ("recipe.dapo", "the DAPO recipe"),
    ("verl.experimental.one_step_off_policy", "the one-step-off-policy trainer"),
    ("recipe.one_step_off_policy", "the one-step-off-policy trainer"),
)
"""Module prefixes of trainers whose own training loop never starts the manager: no role works there."""


def dotted(path: tuple[str, ...]) -> str:
    """Join a path to the form that an override uses, as in `actor_rollout_ref.rollout.skip`."""
    return ".".join(path)
