"""What a config without Hydra's defaults behind it must hold itself."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import SKIP, hit, name_of, shown
from skip_config.trainer import is_complete, trainer_mode
from skip_config.view import View

_TQ = ("rollout_tq", "enable")


def no_block(view: View) -> Iterator[Hit]:
    """Look for a complete config that has no block at all."""
    if view.composed and view.value(SKIP) is MISSING and view.value("actor_rollout_ref") is not MISSING:
        message = f"this complete config has no {SKIP} block, and verl 0.9 reads it unconditionally"
        yield Hit((SKIP,), message)


def no_role(view: View) -> Iterator[Hit]:
    """Look for a block without the role that the asynchronous trainers read."""
    if not (view.composed and is_complete(view) and isinstance(view.value(SKIP), dict)):
        return
    if view.value(SKIP, *_TQ) is not MISSING:
        return
    mode = trainer_mode(view)
    stops = mode in (releases.COLOCATE_ASYNC, releases.SEPARATE_ASYNC)
    what = f"trainer_mode {shown(mode)} reads it and stops" if stops else "the asynchronous trainers would stop"
    yield hit(
        view,
        (SKIP,),
        f"{name_of((SKIP, *_TQ))} is not there, and no defaults stand behind a complete config: {what}",
        severity=Severity.ERROR if stops else None,
        of_key=True,
    )


def no_mode(view: View) -> Iterator[Hit]:
    """Look for a complete config for 0.9 without trainer mode."""
    for_v1 = view.value(*releases.USE_V1) is not MISSING or view.value(*releases.TRAINER_V1) is not MISSING
    if view.composed and is_complete(view) and for_v1 and view.value(*releases.TRAINER_MODE) is MISSING:
        message = f"{name_of(releases.TRAINER_MODE)} is not there, and the skip manager reads it under every trainer"
        yield hit(view, releases.TRAINER_MODE, message, near=releases.USE_V1)


_COMPLETE = (
    "data: {train_files: a.parquet, train_batch_size: 8}\n"
    "actor_rollout_ref: {actor: {}, model: {}, rollout: {}}\n"
    "algorithm: {gamma: 1.0}\n"
)

RULES = (
    Rule(
        name="skip-missing",
        severity=Severity.ERROR,
        summary="A complete config without a `skip` block.",
        why="A config that was written by hand or dumped by a run has no Hydra defaults behind it, and "
        "`SkipManager.init` reads `config.skip` whether or not anything is skipped.",
        example=_COMPLETE + "trainer: {total_epochs: 1, nnodes: 1}\n",
        mend="Add the whole block: `skipcfg generate` writes it, and `skipcfg migrate` completes `_generated_*.yaml`.",
        since="0.9.0",
        check=no_block,
    ),
    Rule(
        name="role-missing",
        severity=Severity.NOTE,
        sometimes=(Severity.ERROR,),
        summary="A complete config whose `skip` block has no `rollout_tq`.",
        why="Source snapshots between June and July 2026 had no such role. The synchronous trainers get the default, "
        "but the asynchronous V1 trainers read `config.skip.rollout_tq.enable` itself before they warm up.",
        example=_COMPLETE + "trainer: {total_epochs: 1, nnodes: 1}\nskip:\n  rollout: {enable: true, steps: [1]}\n",
        mend="Add `rollout_tq: {enable: false}`.",
        since="0.9.0",
        check=no_role,
    ),
    Rule(
        name="no-trainer-mode",
        severity=Severity.ERROR,
        summary="A complete config without `trainer.v1.trainer_mode`.",
        why="The manager builds all its roles, also those that are off, and `rollout_tq` reads the trainer mode when "
        "it is built, whichever trainer runs.",
        example=_COMPLETE + "trainer: {total_epochs: 1, nnodes: 1, use_v1: false}\n"
        "skip:\n  rollout: {enable: true, steps: [1]}\n",
        mend="Add `trainer.v1.trainer_mode: sync`.",
        since="0.9.0",
        check=no_mode,
    ),
)
