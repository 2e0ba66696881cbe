"""`algorithm.filter_groups`: DAPO's filter in the V1 trainer."""

from __future__ import annotations

from collections.abc import Iterator

from skip_config import releases
from skip_config.diagnostics import Severity
from skip_config.legacy import MISSING
from skip_config.rules import Hit, Rule
from skip_config.rules.asking import (
    blamed,
    has_custom_sampler,
    hit,
    known,
    name_of,
    number,
    shown,
    truth,
)
from skip_config.trainer import trainer_mode, trainer_of
from skip_config.view import View

ENABLE = (*releases.FILTER_GROUPS, "enable")
METRIC = (*releases.FILTER_GROUPS, "metric")
LIMIT = (*releases.FILTER_GROUPS, "max_num_gen_batches")
INFLIGHT = (*releases.FILTER_GROUPS, "max_inflight_gen_batches")
POOL = (*releases.REWARD_MODEL, "enable_resource_pool")


def _applies(view: View) -> bool:
    return trainer_of(view) == "v1" and truth(view, ENABLE) is True and has_custom_sampler(view) is not True


def without_metric(view: View) -> Iterator[Hit]:
    """Look for a filter without metric."""
    if not _applies(view):
        return
    nowhere = view.composed and view.value(*METRIC) is MISSING
    path = blamed(view, METRIC, ENABLE)
    if path and (nowhere or truth(view, METRIC) is False):
        yield hit(
            view, path, f"{name_of(METRIC)} must be set when {name_of(ENABLE)} is true", "set it to reward or acc"
        )


def colocated_reward(view: View) -> Iterator[Hit]:
    """Look for a reward model that comes too late."""
    if _applies(view) and truth(view, (*releases.REWARD_MODEL, "enable")) and truth(view, POOL) is False:
        path = blamed(view, POOL, (*releases.REWARD_MODEL, "enable"), ENABLE)
        if path:
            message = f"{name_of(ENABLE)} with a reward model needs {name_of(POOL)}: true"
            yield hit(view, path, message)


def limit_ignored(view: View) -> Iterator[Hit]:
    """Look for the limit that only the old DAPO trainer had."""
    is_known, value = known(view, LIMIT)
    limit = number(value)
    if not _applies(view) or not is_known or not blamed(view, LIMIT):
        return
    if limit is None and not isinstance(value, bool):
        message = f"{name_of(LIMIT)} is {shown(value)}, and must be a number"
        yield hit(view, LIMIT, message, severity=Severity.ERROR)
    elif limit is not None and limit > 0:
        message = f"{name_of(LIMIT)} is {shown(value)}, and verl 0.9's V1 trainer ignores it"
        yield hit(view, LIMIT, message, f"bound the generation with {name_of(INFLIGHT)}")


def inflight(view: View) -> Iterator[Hit]:
    """Look at the limit that counts, in mode `sync`."""
    is_known, value = known(view, INFLIGHT)
    if not _applies(view) or trainer_mode(view) != releases.SYNC or not is_known or not blamed(view, INFLIGHT):
        return
    if not (isinstance(value, int) and value > 0):
        yield hit(view, INFLIGHT, f"{name_of(INFLIGHT)} is {shown(value)}, and must be a whole number above 0")


RULES = (
    Rule(
        name="group-filter-without-metric",
        severity=Severity.ERROR,
        summary="`algorithm.filter_groups` is on without a metric.",
        why="The V1 trainer raises a ValueError when it builds its replay buffer. The default is `reward` since verl "
        "0.9.1; in 0.9.0 it was null, and a metric had to be set.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nalgorithm:\n  filter_groups:\n    enable: true\n"
        "    metric: null\n",
        mend="Set `algorithm.filter_groups.metric`, to `reward` or to a field of the reward's extra information.",
        since="0.9.0",
        check=without_metric,
    ),
    Rule(
        name="group-filter-reward-model",
        severity=Severity.ERROR,
        summary="`algorithm.filter_groups` with a colocated reward model.",
        why="The filter needs the reward when prompts are sampled; a colocated reward model computes it only "
        "afterwards, and the V1 trainer asserts that there is none.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nalgorithm:\n  filter_groups:\n    enable: true\n"
        "reward:\n  reward_model:\n    enable: true\n",
        mend="Use a rule-based reward, or set `reward.reward_model.enable_resource_pool: true`.",
        since="0.9.0",
        check=colocated_reward,
    ),
    Rule(
        name="group-filter-limit-ignored",
        severity=Severity.WARNING,
        sometimes=(Severity.ERROR,),
        summary="`max_num_gen_batches` is ignored.",
        why="The V1 trainer warns and goes on without the limit, which belonged to the DAPO recipe.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nalgorithm:\n  filter_groups:\n    enable: true\n"
        "    max_num_gen_batches: 10\n",
        mend="Use `max_inflight_gen_batches`, and set this one to 0.",
        since="0.9.0",
        check=limit_ignored,
    ),
    Rule(
        name="group-filter-inflight",
        severity=Severity.ERROR,
        summary="A `max_inflight_gen_batches` that the replay buffer refuses.",
        why="In mode `sync` with the filter on it must be a positive whole number, or a ValueError comes.",
        example="defaults:\n  - ppo_trainer\n  - _self_\nalgorithm:\n  filter_groups:\n    enable: true\n"
        "    max_inflight_gen_batches: 0\n",
        mend="Write a whole number above 0.",
        since="0.9.0",
        check=inflight,
    ),
)
