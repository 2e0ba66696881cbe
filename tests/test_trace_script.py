"""Launch scripts are traced like the configs that their commands come to."""

from __future__ import annotations

import pytest

from skip_config.runtime import Unknown
from skip_config.source import Source
from skip_config.trace import Trace
from skip_config.trace_script import trace_script

RUN = "python3 -m verl.trainer.main_ppo"
OLD = "actor_rollout_ref.rollout"

TRACED = {
    "flat, the steps stated": (
        f"{RUN} {OLD}.skip_rollout=True trainer.total_training_steps=3\n",
        [[1, 1, 1], [1, 1, 1]],
    ),
    "nested, in an array": (
        f"A=(\n  {OLD}.skip.enable=True\n  {OLD}.skip.max_dump_step=2\n)\n"
        f'{RUN} "${{A[@]}}" trainer.total_training_steps=3\n',
        [[1, 2, 3], [1, 2, 1003]],
    ),
    "new, a count that the script sets": (
        f'N=2\n{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps="[$(seq -s, 1 $N)]" '
        "trainer.total_training_steps=3\n",
        [[1, 2, 3], [1, 2, 1003]],
    ),
    "the role that the trainer does not use": (
        f"{RUN} skip.rollout.enable=True skip.rollout.steps=[1,2] trainer.total_training_steps=2\n",
        [[1, 2], [1001, 1002]],
    ),
    "the later value wins": (
        f"{RUN} {OLD}.skip_rollout=True {OLD}.skip_rollout=False trainer.total_training_steps=2\n",
        [[1, 2], [1001, 1002]],
    ),
}


@pytest.mark.parametrize(("script", "batches"), TRACED.values(), ids=TRACED)
def test_one_way_to_run(script: str, batches: list[list[int]]) -> None:
    """What each step gets, first run and rerun."""
    (found,) = trace_script(Source(script, "run.sh"))
    assert isinstance(found, Trace)
    assert [run.batches for run in found.runs] == batches


def test_what_only_the_shell_knows() -> None:
    """A switch from outside is said to be unknown, never guessed."""
    script = f"{RUN} skip.rollout_tq.enable=$SKIP skip.rollout_tq.steps=[1] trainer.total_training_steps=2\n"
    (found,) = trace_script(Source(script, "run.sh"))
    assert isinstance(found, Unknown)
    assert "$SKIP" in found.reason  # as it is written there


def test_commands_with_different_settings() -> None:
    """Each way to run is traced once."""
    one = f"{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps=[1] trainer.total_training_steps=2\n"
    other = one.replace("[1]", "[1,2]")
    assert len(trace_script(Source(one + one + other, "run.sh"))) == 2


def test_a_script_without_settings() -> None:
    """There is nothing to trace."""
    assert trace_script(Source("echo hello\n", "run.sh")) == []
