"""Trace a config: whose batch each training step gets, in a first run and in a rerun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from skip_config.acceptance import accepted, refusal
from skip_config.diagnostics import Remark
from skip_config.legacy import MISSING, LegacySkip, Maybe, Opaque
from skip_config.releases import FLAT, MANAGER, NESTED, ROLES, Field, Role, dotted
from skip_config.runtime import (
    Counted,
    Listed,
    Off,
    OneFile,
    Policy,
    Refused,
    Run,
    Step,
    Unknown,
    first_run_and_rerun,
    manager_policy,
    new_policy,
    old_policy,
)
from skip_config.trainer import role_in_use
from skip_config.translate import NewSkip, TotalSteps
from skip_config.view import View

if TYPE_CHECKING:
    from skip_config.formats.yaml.nodes import Node

MOST_STEPS = 1_000_000
"""Training steps that are traced; each takes some microseconds and some hundred bytes."""

MOST_COMPARED = 20_000
"""Training steps up to which a migration compares the old behaviour and the new."""

RUNS = ("first run", "rerun")


@dataclass(frozen=True, slots=True)
class Trace:
    """What a config makes of the training steps.

    Args:
        path: The file, as the user named it.
        setting: The key in full of the settings that act, such as `skip.rollout_tq`.
        total_steps: T, the number of training steps.
        runs: The first run, which starts with an empty directory, and the rerun on its dumps.
    """

    path: str
    setting: str
    total_steps: int
    runs: tuple[Run, Run]

    def as_dict(self) -> dict[str, object]:
        """The trace as `--format json` prints it."""
        return {"path": self.path, "total_steps": self.total_steps, "runs": [run.batches for run in self.runs]}


NO_SETTINGS = "no settings"
"""What a trace calls the settings of a file that has none."""

TraceRole = Literal["auto", "rollout", "rollout_tq", "async_rollout"]


def trace_text(
    text: str, *, filename: str, total_steps: int | None = None, role: TraceRole = "auto"
) -> Trace | Refused | Unknown:
    """Trace the rollout-skip settings of one YAML file, old or new.

    Args:
        text: The whole text; a leading U+FEFF is allowed.
        filename: Its name, as the user wrote it.
        total_steps: T where the file does not state it in `trainer.total_training_steps`.
        role: Which role of the manager acts; `auto` goes by what the file shows about its trainer, and
            where it shows nothing, by what is switched on.

    Returns:
        The trace, `Refused` when the runtime would stop, or `Unknown` when only the run can tell.
    """
    from skip_config.formats.yaml.places import content
    from skip_config.formats.yaml.places import total_steps as stated
    from skip_config.formats.yaml.tree import UnreadableError, parse

    try:
        documents = parse(text.removeprefix("\ufeff"))
    except UnreadableError as error:
        return Refused(error.message)
    roots = [root for root in map(content, documents) if root is not None]
    if len(roots) > 1:
        return Refused("the file holds several documents, and OmegaConf loads files of one")
    found = _settings_in(roots[0], text, filename, role) if roots else (NO_SETTINGS, Off())
    if isinstance(found, (Refused, Unknown)):
        return found
    setting, policy = found
    steps = (stated(roots[0]) if roots else None) or total_steps
    if steps is None:
        return Unknown("the number of training steps is not known: add --total-steps N")
    if steps > MOST_STEPS:
        return Unknown(f"{steps} training steps: at most {MOST_STEPS} are traced; name fewer with --total-steps N")
    return Trace(filename, setting, steps, first_run_and_rerun(policy, steps))


def _settings_in(root: Node, text: str, filename: str, role: TraceRole) -> tuple[str, Policy] | Refused | Unknown:
    """The settings that act, by their key in full, and what they mean."""
    from skip_config.formats.yaml.package import package_of
    from skip_config.formats.yaml.places import old_place
    from skip_config.formats.yaml.settings import gather
    from skip_config.formats.yaml.view import YamlView

    view = YamlView(root)
    place = old_place(root, package_of(text, filename))
    if place is None or any(name in view.keys(*MANAGER.place) for name in ROLES):
        return _role_in(view, role)
    gathered = gather(place)
    if gathered.problems:
        return Refused(gathered.problems[0][1].message)
    old = gathered.settings or LegacySkip("nested")
    generation = FLAT if old.generation == "flat" else NESTED
    policy = old_policy(old)
    return policy if isinstance(policy, (Refused, Unknown)) else (dotted(generation.place), policy)


def _role_in(view: View, requested: TraceRole) -> tuple[str, Policy] | Refused | Unknown:
    skip = MANAGER.place[0]
    policies = {name: _policy_of(view, name) for name in ROLES}
    for policy in policies.values():
        if isinstance(policy, Refused):  # one refused role stops the manager, whichever is in use
            return policy
    acting = _acting_role(view, policies) if requested == "auto" else requested
    policy = policies[acting]
    return policy if isinstance(policy, (Refused, Unknown)) else (f"{skip}.{acting}", policy)


def _acting_role(view: View, policies: Mapping[Role, Policy | Refused | Unknown]) -> Role:
    used = role_in_use(view)
    if used is not None:
        return used
    # Nothing says which trainer runs this: the role that is on, that of verl's default trainer first.
    for role in ("rollout_tq", "rollout", "async_rollout"):
        if not isinstance(policies[role], Off):
            return role
    return "rollout_tq"


def _policy_of(view: View, role: Role) -> Policy | Refused | Unknown:
    values: dict[str, Maybe] = {}
    names: tuple[Field, ...] = ("enable", "steps", "action")
    for name in names:
        value = view.value(*MANAGER.place, role, name)
        if isinstance(value, list) and any(isinstance(item, Opaque) for item in value):
            value = Opaque("a list with values that only the run knows")
        if value is not MISSING and not isinstance(value, Opaque):
            if refusal(name, value):
                return Refused(f"{dotted((*MANAGER.place, role, name))} is {value!r}, which verl 0.9 refuses")
            value = cast("Maybe", accepted(name, value))
        values[name] = value
    return manager_policy(**values)


class Stretch(NamedTuple):
    """Steps in a row at which the same happens.

    Args:
        first, last: The steps, both included.
        what: What happens, in words.
    """

    first: int
    last: int
    what: str


def differing_steps(one: tuple[Run, Run], other: tuple[Run, Run]) -> tuple[list[int], list[int]]:
    """The steps at which the trainer gets another batch, in the first run and in the rerun.

    A step that only one of the two has is a difference.
    """
    first, rerun = (_differing(a, b) for a, b in zip(one, other, strict=True))
    return first, rerun


def _differing(one: Run, other: Run) -> list[int]:
    a, b = one.batches, other.batches
    shared = [index + 1 for index, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]]
    return shared + list(range(min(len(a), len(b)) + 1, max(len(a), len(b)) + 1))


def stretches(run: Run) -> list[Stretch]:
    """A run in as few lines as say it all."""
    found = []
    for kind, group in groupby(run.steps, key=_kind):
        steps = list(group)
        found.append(Stretch(steps[0].number, steps[-1].number, _in_words(kind, steps)))
    return found


def _kind(step: Step) -> str:
    if step.loaded_from is None:
        return "generates" if step.saved_at is None else "generates and saves"
    return "loads its own batch" if step.loaded_from == step.number == step.batch else "loads"


def _in_words(kind: str, steps: list[Step]) -> str:
    if kind != "loads":
        return kind
    batches = [step.batch for step in steps]
    turn = batches[: batches.index(batches[0], 1)] if batches[0] in batches[1:] else batches
    if len(set(batches)) == 1:
        return f"loads batch {batches[0]}"
    shown = f"{turn[0]}, …, {turn[-1]}" if len(turn) > 8 else ", ".join(map(str, turn))
    return f"loads batches {shown} in turn"


_STEP_BY_STEP = "skipcfg trace OLD NEW shows it step by step, given a copy of the YAML file or script as it was"


def behaviour(old: LegacySkip, new: NewSkip, total_steps: TotalSteps = None) -> Remark:
    """Say whether new settings behave as the old ones did, first run and rerun.

    Args:
        old: The old settings, switched on.
        new: What they were translated to.
        total_steps: T. Where it is not known, settings that stop acting at some step are compared
            up to there.
    """
    before, after = old_policy(old), new_policy(new, old)
    for policy in (before, after):
        if isinstance(policy, (Refused, Unknown)):
            return Remark("behaviour", f"behaviour not compared: {policy.reason}")
    assert not isinstance(before, (Refused, Unknown))
    assert not isinstance(after, (Refused, Unknown))
    horizon = total_steps if isinstance(total_steps, int) else _horizon(before, after)
    if horizon is None:
        return Remark(
            "behaviour",
            "behaviour not compared: the number of training steps is not known",
            "give --total-steps N to compare that many",
        )
    if horizon > MOST_COMPARED:
        return Remark("behaviour", f"behaviour not compared: that is done for at most {MOST_COMPARED:,} steps")
    differing = differing_steps(first_run_and_rerun(before, horizon), first_run_and_rerun(after, horizon))
    if not any(differing):
        same = horizon if isinstance(total_steps, int) else "any number of"
        return Remark("behaviour", f"same behaviour for {same} steps", _STEP_BY_STEP)
    where = [f"in the {name} at {step_list(steps)}" for name, steps in zip(RUNS, differing, strict=True) if steps]
    return Remark("behaviour", f"behaviour differs {' and '.join(where)} of {horizon} steps", _STEP_BY_STEP)


def _horizon(*policies: Policy) -> int | None:
    """A number of steps after which none of the policies does anything; None when one never stops."""
    last = 1
    for policy in policies:
        match policy:
            case OneFile():
                return None
            case Counted(count, action):
                if action != "cache" or count == float("inf"):
                    return None
                last = max(last, int(count) + 1)
            case Listed(steps, _):
                last = max(last, max(steps, default=0) + 1)
    return last


def step_list(steps: list[int]) -> str:
    """Steps in words: `step 4`, `steps 4-6, 9`."""
    ranges: list[list[int]] = []
    for step in steps:
        if ranges and step == ranges[-1][1] + 1:
            ranges[-1][1] = step
        else:
            ranges.append([step, step])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
    if len(shown) > 6:
        shown = [*shown[:5], "…", shown[-1]]
    return f"step{'' if len(steps) == 1 else 's'} {', '.join(shown)}"
