"""A migrated config makes the real verl 0.9.1 do what the real old runtime did with the old one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skip_config import migrate_text
from skip_config.legacy import LegacySkip
from skip_config.old_values import count as dumped_steps
from skip_config.releases import Role
from skip_config.trace import behaviour
from skip_config.translate import translate
from tests.runtime.real import NEWEST, Outcome, Refusal, Runtime
from tests.settings import FLAT_GRID, NESTED_GRID, composed, old_yaml

pytestmark = pytest.mark.runtime

OLD_RELEASES = {"flat": "0.7.1", "nested": "0.8.0"}
FRESH = [(c.old, c.total_steps) for c in FLAT_GRID + NESTED_GRID if c.total_steps and not c.dumps]
ROLES: tuple[Role, ...] = ("rollout", "rollout_tq")


def before(real: Callable[[str], Runtime]) -> dict[int, Outcome | Refusal]:
    """Index in `FRESH` -> what the old runtime does, first run and rerun, from an empty directory."""
    found: dict[int, Outcome | Refusal] = {}
    for generation, release in OLD_RELEASES.items():
        indices = [index for index, (old, _) in enumerate(FRESH) if old.generation == generation]
        outcomes = real(release).two_runs(
            [old_yaml(composed(FRESH[index][0])) for index in indices],
            [FRESH[index][1] for index in indices],
            [{} for _ in indices],
        )
        found |= dict(zip(indices, outcomes, strict=True))
    return found


def after(
    real: Callable[[str], Runtime],
    texts: list[str],
    totals: list[int],
    role: Role,
    dumps: list[dict[int, int]] | None = None,
) -> list[Outcome | Refusal]:
    """What 0.9.1 does with migrated texts, first run and rerun."""
    # `trainer.v1` comes from verl's defaults in a composed config, and the manager reads it.
    with_defaults = [text.replace("trainer:\n", "trainer:\n  v1:\n    trainer_mode: sync\n") for text in texts]
    return real(NEWEST).two_runs(with_defaults, totals, dumps or [{} for _ in texts], role)


@pytest.mark.parametrize("role", ROLES)
def test_safe_migrations_behave_as_before(real: Callable[[str], Runtime], role: Role) -> None:
    """The sequences of the first run and of the rerun are the same."""
    old_outcomes = before(real)
    safe, texts, refused = [], [], []
    for index, (old, total_steps) in enumerate(FRESH):
        migration = migrate_text(old_yaml(old), filename="config.yaml", role=role, total_steps=total_steps)
        (safe if migration.changed else refused).append(index)
        texts += [migration.text] if migration.changed else []
    outcomes = after(real, texts, [FRESH[index][1] for index in safe], role)
    wrong = [
        (FRESH[index], old_outcomes[index], outcome)
        for index, outcome in zip(safe, outcomes, strict=True)
        if _batches(old_outcomes[index]) is None or _batches(old_outcomes[index]) != _batches(outcome)
    ]
    assert wrong == []
    assert len(safe) > 100
    assert len(refused) > 20


def test_unsafe_migrations_differ_as_the_message_says(real: Callable[[str], Runtime]) -> None:
    """The nearest setting does what the model foresees, and the message and the line name the difference."""
    old_outcomes = before(real)
    unsafe = []
    for index, (old, total_steps) in enumerate(FRESH):
        if translate(old, total_steps).applies_unsafe:
            text = old_yaml(old)
            migration = migrate_text(text, filename="config.yaml", role="rollout", total_steps=total_steps, unsafe=True)
            unsafe.append((index, migration.text))
    outcomes = after(real, [text for _, text in unsafe], [FRESH[index][1] for index, _ in unsafe], "rollout")
    assert len(unsafe) > 10
    for (index, _), outcome in zip(unsafe, outcomes, strict=True):
        old, total_steps = FRESH[index]
        result = translate(old, total_steps)
        assert result.settings is not None
        assert result.problem is not None
        assert isinstance(outcome, Outcome)
        count = dumped_steps(old.max_dump_step)
        assert outcome.batches == [[1] * total_steps] * 2, "one batch is reused"
        assert f"repeat with steps 1 to {total_steps}" in result.problem.message
        old_outcome = old_outcomes[index]
        assert isinstance(old_outcome, Outcome)
        assert isinstance(count, int)
        rest = range(count + 1, total_steps + 1)
        if old.action == "repeat_last":
            expected = [*range(1, count + 1), *(count for _ in rest)]
            assert f"where the old one went on to step {count}" in result.problem.message
        else:
            expected = [*range(1, count + 1), *((step - 1) % count + 1 for step in rest)]
            assert f"went round the first {count} batches" in result.problem.message
        assert old_outcome.batches == [expected, expected]
        assert behaviour(old, result.settings, total_steps).message.startswith(
            "behaviour differs in the first run at step"
        )


def test_repeat_last_is_exact_once_the_dumps_are_there(real: Callable[[str], Runtime]) -> None:
    """As the message of `repeat-last-is-a-choice` promises."""
    for count, total_steps in [(2, 3), (2, 7), (3, 6), (5, 7)]:
        old = LegacySkip("nested", True, "@DIRECTORY@", count, "repeat_last")
        dumps = {step: 500 + step for step in range(1, count + 1)}
        [was] = real("0.8.0").two_runs([old_yaml(old)], [total_steps], [dumps])
        text = migrate_text(
            old_yaml(old), filename="config.yaml", role="rollout", total_steps=total_steps, unsafe=True
        ).text
        [now] = after(real, [text], [total_steps], "rollout", [dumps])
        assert isinstance(was, Outcome)
        assert isinstance(now, Outcome)
        assert was.batches == now.batches


def _batches(outcome: Outcome | Refusal) -> list[list[int]] | None:
    return None if isinstance(outcome, Refusal) else outcome.batches
