"""The part of verl's composed config that the skip and streaming rules read: names, defaults, meaning.

Values are those of `verl/trainer/config/ppo_trainer.yaml` and of the primary config of the fully
asynchronous trainer, of verl 0.9.1; the suite `wheels` composes both from the release and compares.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final, Literal, NamedTuple

from skip_config.documentation import first_line, of_fields
from skip_config.releases import (
    CHECKPOINT_BACKEND,
    COLOCATE_ASYNC,
    FILTER_GROUPS,
    FULLY_ASYNC,
    GEN_BATCH_SIZE,
    HYBRID_ENGINE,
    MAIN_PPO,
    MANAGER,
    OFF_POLICY_STRATEGIES,
    PPO_MINI_BATCH_SIZE,
    RELEASES,
    REWARD_MODEL,
    ROLES,
    ROLLOUT_GPUS,
    ROLLOUT_NODES,
    ROLLOUT_PLACE,
    SAMPLER,
    SEPARATE_ASYNC,
    STALENESS_THRESHOLD,
    SYNC,
    TOTAL_STEPS,
    TRAIN_BATCH_SIZE,
    TRAINER_MODE,
    TRAINER_MODES,
    TRAINER_V1,
    TRIGGER_SYNC_STEP,
    USE_V1,
    USE_V1_DEFAULT,
    dotted,
)

Primary = Literal["ppo_trainer", "fully_async_ppo_trainer", "one_step_off_ppo_trainer"]
"""A primary config of verl."""

Path = tuple[str, ...]

RELEASE: Final = RELEASES[-1]
"""The release that the values are of."""


class Setting(NamedTuple):
    """One setting of verl beside the `skip` block.

    Args:
        path: From the root of the composed config.
        default: In `ppo_trainer`.
        doc: What it is, in one line.
    """

    path: Path
    default: object
    doc: str


_WARM_UP = "Batches fed before training starts; may be a fraction."

SETTINGS: Final = (
    Setting(TRAIN_BATCH_SIZE, 1024, "Prompts per training step."),
    Setting(GEN_BATCH_SIZE, None, "Prompts taken from the dataloader per fetch; null means train_batch_size."),
    Setting(("data", "max_prompt_length"), 512, "Longest prompt, in tokens."),
    Setting(("data", "max_response_length"), 512, "Longest response, in tokens."),
    Setting(HYBRID_ENGINE, True, "Whether training and rollout share GPUs; false only in mode separate_async."),
    Setting(PPO_MINI_BATCH_SIZE, 256, "Prompts per update of the actor, over all GPUs."),
    Setting((*ROLLOUT_PLACE, "n"), 1, "Responses per prompt."),
    Setting(ROLLOUT_NODES, 0, "Nodes that only generate; 0 when rollout shares the trainer's GPUs."),
    Setting(
        ROLLOUT_GPUS,
        "${oc.select:trainer.n_gpus_per_node,8}",
        "GPUs on each of those nodes; as many as a training node has, unless set.",
    ),
    Setting(CHECKPOINT_BACKEND, "naive", "How weights reach the rollout: naive, nccl, ..."),
    Setting((*REWARD_MODEL, "enable"), False, "Whether a reward model runs."),
    Setting((*REWARD_MODEL, "enable_resource_pool"), False, "Whether it has GPUs of its own."),
    Setting((*FILTER_GROUPS, "enable"), False, "Whether groups of responses are filtered (dynamic sampling of DAPO)."),
    Setting((*FILTER_GROUPS, "metric"), "reward", "What they are filtered by."),
    Setting((*FILTER_GROUPS, "max_num_gen_batches"), 0, "Upper limit of batches per step; the V1 trainer ignores it."),
    Setting((*FILTER_GROUPS, "max_inflight_gen_batches"), 1, "Batches that may be pending or running at once."),
    Setting(("trainer", "total_epochs"), 30, "Passes over the data set."),
    Setting(TOTAL_STEPS, None, "Training steps; null means as many as the epochs give."),
    Setting(("trainer", "project_name"), "verl_examples", "Project, as experiment trackers show it."),
    Setting(("trainer", "experiment_name"), "gsm8k", "Run, as experiment trackers show it."),
    Setting(("trainer", "n_gpus_per_node"), 8, "GPUs on each training node."),
    Setting(USE_V1, USE_V1_DEFAULT, f"Whether {MAIN_PPO} runs the V1 trainer (false: the deprecated V0)."),
    Setting(TRAINER_MODE, SYNC, f"{', '.join(TRAINER_MODES[:-1])} or {TRAINER_MODES[-1]}."),
    Setting((*TRAINER_V1, COLOCATE_ASYNC, "num_warmup_batches"), 1, _WARM_UP),
    Setting((*TRAINER_V1, SEPARATE_ASYNC, "num_warmup_batches"), 1, _WARM_UP),
    Setting((*TRAINER_V1, SEPARATE_ASYNC, "parameter_sync_step"), 4, "Updates between two transfers of the weights."),
    Setting(
        (*SAMPLER, "max_off_policy_threshold"), 8, "Versions of the weights that a trajectory may span; null: any."
    ),
    Setting(
        (*SAMPLER, "max_off_policy_strategy"), "drop", f"What happens beyond: {' or '.join(OFF_POLICY_STRATEGIES)}."
    ),
    Setting((*SAMPLER, "sync_refill_failed_groups"), False, "Whether mode sync replaces prompts without trajectories."),
    Setting((*SAMPLER, "custom_sampler", "path"), None, "Python file of a sampler of your own."),
    Setting((*SAMPLER, "custom_sampler", "name"), None, "Its class."),
)
"""What `ppo_trainer` has, in the order of the generated files."""

FULLY_ASYNC_SETTINGS: Final = (
    Setting(STALENESS_THRESHOLD, 0.1, "Share of stale samples that is allowed; 0 or more."),
    Setting(TRIGGER_SYNC_STEP, 4, "Updates between two synchronisations; 1 or more."),
)
"""What only the fully asynchronous trainer has."""

_OVERRIDDEN: Final[dict[Primary, dict[Path, object]]] = {
    "ppo_trainer": {},
    "fully_async_ppo_trainer": {GEN_BATCH_SIZE: 1, CHECKPOINT_BACKEND: "nccl"},
    "one_step_off_ppo_trainer": {CHECKPOINT_BACKEND: "nccl"},
}
"""Where a primary config, which starts from `ppo_trainer`, sets another value."""


class Launch(NamedTuple):
    """One way to launch verl.

    Args:
        name: As in the name of the generated file.
        module: What `python -m` gets.
        primary: The primary config that it composes.
        overrides: The least that verl needs on top to start in this mode.
    """

    name: str
    module: str
    primary: Primary
    overrides: tuple[tuple[Path, object], ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The overrides as typed on a command line."""
        return tuple(f"{dotted(path)}={value}" for path, value in self.overrides)


LAUNCHES: Final = (
    Launch("ppo_trainer_sync", MAIN_PPO, "ppo_trainer"),
    Launch("ppo_trainer_colocate_async", MAIN_PPO, "ppo_trainer", ((TRAINER_MODE, COLOCATE_ASYNC),)),
    Launch(
        "ppo_trainer_separate_async",
        MAIN_PPO,
        "ppo_trainer",
        (
            (TRAINER_MODE, SEPARATE_ASYNC),
            (ROLLOUT_NODES, 1),
            (CHECKPOINT_BACKEND, "nccl"),
        ),
    ),
    Launch("ppo_trainer_v0", MAIN_PPO, "ppo_trainer", ((USE_V1, False),)),
    Launch(
        "fully_async_ppo_trainer",
        FULLY_ASYNC,
        "fully_async_ppo_trainer",
        ((TRAIN_BATCH_SIZE, 0), (HYBRID_ENGINE, False)),
    ),
)
"""The launches that `generated_configs/` has a file for."""


def base(primary: str = "ppo_trainer") -> dict[str, Any]:
    """The defaults of a primary config, as far as the rules read them, with the `skip` block.

    Args:
        primary: `ppo_trainer`, `fully_async_ppo_trainer` or `one_step_off_ppo_trainer`, or one of their
            megatron variants, which have the same values here.

    Returns:
        Nested plain containers, the caller's own.

    Raises:
        KeyError: Another name.
    """
    known: dict[str, Primary] = {name: name for name in _OVERRIDDEN}
    known |= {name.replace("ppo_trainer", "ppo_megatron_trainer"): name for name in _OVERRIDDEN}
    name = known[primary]
    settings = {setting.path: setting.default for setting in settings_of(name)} | _OVERRIDDEN[name]
    return _nested({**settings, **_skip_block()})


def launch(name: str) -> dict[str, Any]:
    """The slice of one of `LAUNCHES`: the defaults of its primary config with its overrides.

    Raises:
        KeyError: There is no launch of that name.
    """
    found = {one.name: one for one in LAUNCHES}[name]
    result = base(found.primary)
    for path, value in found.overrides:
        _put(result, path, value)
    return result


def settings_of(primary: Primary) -> tuple[Setting, ...]:
    """The settings that a primary config has, in the order of the generated files."""
    return (*SETTINGS, *FULLY_ASYNC_SETTINGS) if primary == "fully_async_ppo_trainer" else SETTINGS


def docs() -> dict[Path, str]:
    """What each setting means, the `skip` block included, by path."""
    from skip_config import schema

    found = {setting.path: setting.doc for setting in (*SETTINGS, *FULLY_ASYNC_SETTINGS)}
    found[MANAGER.place] = first_line(schema.SkipManagerConfig)
    classes = schema.roles()
    for role in ROLES:
        place = (*MANAGER.place, role)
        found[place] = first_line(classes[role])
        found |= {(*place, name): text for name, text in of_fields(classes[role]).items()}
    return found


def _skip_block() -> dict[Path, object]:
    block: dict[Path, object] = {(*MANAGER.place, "_target_"): MANAGER.target}
    for role in ROLES:
        for name, key in MANAGER.keys.items():
            place = (*MANAGER.place, role, name)
            default = MANAGER.defaults[key]
            block[place] = list(default) if isinstance(default, tuple) else default
    return block


def _nested(values: dict[Path, object]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for path, value in values.items():
        _put(result, path, deepcopy(value))
    return result


def _put(target: dict[str, Any], path: Path, value: object) -> None:
    for part in path[:-1]:
        target = target.setdefault(part, {})
    target[path[-1]] = value
