"""Which roles of verl 0.9's skip manager get the settings of an old switch. Pure, like `translate`."""

from __future__ import annotations

from dataclasses import dataclass

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.legacy import Opaque
from skip_config.releases import Role


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one config or one command shows about the trainer that runs it.

    Args:
        module: The Python module (or script) that is launched, when the file shows it.
        async_training: Whether there are settings of the fully asynchronous trainer.
        use_v1: `trainer.use_v1`; None when it is not set, an `Opaque` when its value is not known.
    """

    module: str | None = None
    async_training: bool = False
    use_v1: bool | Opaque | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The roles that get the settings.

    Args:
        roles: One or two of `releases.ROLES`.
        problem: Why it needs a decision, or None.
        warnings: What would run and disappoint.
        notes: Worth knowing.
    """

    roles: tuple[Role, ...]
    problem: Remark | None = None
    warnings: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()


FEED_ORDER = Remark(
    "feed-order",
    "the steps of skip.async_rollout count prompts in the order in which they are fed, not training steps",
    "to accept it, skipcfg migrate --unsafe FILE; then check the steps",
)

LAUNCHER_UNKNOWN = Remark(
    "launcher-unknown",
    "nothing here says which trainer runs this, so both skip.rollout and skip.rollout_tq get the settings: "
    "only the one in use acts",
    "to write only one, use --role rollout_tq (verl 0.9's default trainer) or --role rollout",
)


def choose_roles(
    evidence: Evidence, on: bool | None, requested: str = "auto", switched_elsewhere: bool = False
) -> Choice:
    """Choose the roles that get the settings of one config or one command.

    Args:
        evidence: What the same file shows.
        on: Whether the old switch is on; None when it may be.
        requested: `auto`, a role, or `both`.
        switched_elsewhere: Whether the switch is not among the settings, so that another file or command
            has it, which may know its trainer.
    """
    warnings: tuple[Remark, ...] = ()
    own_loop = own_training_loop(evidence.module)
    if own_loop and on is not False:
        warnings = (
            Remark(
                "loop-without-manager",
                f"{own_loop} has its own training loop, which never calls the skip manager in verl 0.9: "
                "nothing will be skipped there",
                "run verl.trainer.main_ppo to use saved rollouts",
            ),
        )
    if requested != "auto":
        roles: tuple[Role, ...] = (
            ("rollout", "rollout_tq") if requested == "both" else tuple(r for r in releases.ROLES if r == requested)
        )
        feed_order = (FEED_ORDER,) if requested == "async_rollout" and on is not False else ()
        return Choice(roles, warnings=(*warnings, *feed_order))
    if is_fully_async(evidence.module) or evidence.async_training:
        return Choice(("async_rollout",), problem=None if on is False else FEED_ORDER)
    if evidence.use_v1 is False and not own_loop:
        return Choice(("rollout",))
    if evidence.use_v1 is True and not own_loop:
        return Choice(("rollout_tq",))
    if evidence.module == releases.MAIN_PPO and not isinstance(evidence.use_v1, Opaque):
        return Choice(("rollout_tq",) if releases.USE_V1_DEFAULT else ("rollout",))
    if on is False and not switched_elsewhere:
        return Choice(("rollout",))
    return Choice(("rollout", "rollout_tq"), warnings=warnings, notes=() if own_loop else (LAUNCHER_UNKNOWN,))


def is_fully_async(module: str | None) -> bool:
    return module is not None and module.rpartition(".")[2] == releases.FULLY_ASYNC_SCRIPT


def own_training_loop(module: str | None) -> str | None:
    """The name of the trainer when `module` has a loop that never starts the manager."""
    if module is None:
        return None
    return next((name for prefix, name in releases.OWN_LOOPS if (module + ".").startswith(prefix + ".")), None)
