"""`off-policy-threshold` and `off-policy-strategy`: what the replay buffer refuses."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import blamed, has_custom_sampler, hit, known, name_of, shown
from skip_config.trainer import trainer_of
from skip_config.view import View

THRESHOLD = (*releases.SAMPLER, "max_off_policy_threshold")
STRATEGY = (*releases.SAMPLER, "max_off_policy_strategy")


def threshold(view: View) -> Iterator[Hit]:
    """Look at the number of model versions that a trajectory may span."""
    is_known, value = known(view, THRESHOLD)
    if not is_known or value is None or not _applies(view) or not blamed(view, THRESHOLD):
        return
    if not (isinstance(value, int) and value > 0):
        yield hit(
            view, THRESHOLD, f"{name_of(THRESHOLD)} is {shown(value)}, and must be null or a whole number above 0"
        )


def strategy(view: View) -> Iterator[Hit]:
    """Look at what happens to a trajectory that spans more."""
    is_known, value = known(view, STRATEGY)
    if is_known and value not in releases.OFF_POLICY_STRATEGIES and _applies(view) and blamed(view, STRATEGY):
        allowed = " or ".join(releases.OFF_POLICY_STRATEGIES)
        yield hit(view, STRATEGY, f"{name_of(STRATEGY)} is {shown(value)}, and must be {allowed}")


def _applies(view: View) -> bool:
    return trainer_of(view) == "v1" and has_custom_sampler(view) is not True


RULES = (
    Rule(
        name="off-policy-threshold",
        severity=Severity.ERROR,
        summary="A `max_off_policy_threshold` that verl 0.9's replay buffer refuses.",
        why="It asserts, in every trainer mode, that the threshold is null (no control; only since verl 0.9.1) or "
        "a whole number above 0. A sampler of your own may have other rules.",
        example="trainer:\n  use_v1: true\n  v1:\n    sampler:\n      max_off_policy_threshold: 0\n",
        mend="Write null or a whole number above 0.",
        since="0.9.0",
        check=threshold,
    ),
    Rule(
        name="off-policy-strategy",
        severity=Severity.ERROR,
        summary="A `max_off_policy_strategy` that verl 0.9's replay buffer refuses.",
        why="It asserts `drop` or `wait` in every trainer mode, also in `sync`, where it has no effect.",
        example="trainer:\n  use_v1: true\n  v1:\n    sampler:\n      max_off_policy_strategy: discard\n",
        mend="Write `drop` or `wait`.",
        since="0.9.0",
        check=strategy,
    ),
)
