"""Overrides taken apart, and what a plan puts in the place of old ones."""

from __future__ import annotations

import pytest

from skip_config.diagnostics import Severity
from skip_config.formats.override_plan import Launch, Plan, plan
from skip_config.formats.overrides import Meaning, Override, hydra_value, recognise
from skip_config.legacy import Opaque, Value
from skip_config.releases import MAIN_PPO
from skip_config.request import Request
from skip_config.translate import KEPT, Through

OLD = "actor_rollout_ref.rollout"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("True", True),
        ("false", False),
        ("null", None),
        ("3", 3),
        ("-1", -1),
        ("1_000", 1000),
        ("010", "010"),
        ("1__0", "1__0"),
        ("inf", float("inf")),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("'3'", "3"),
        ('"a b"', "a b"),
        ("[]", []),
        ("[1, 2]", [1, 2]),
        ("/data/x", "/data/x"),
        ("", ""),
        ("yes", "yes"),
        ("${oc.env:N}", Opaque("${oc.env:N}")),
    ],
)
def test_a_value_is_read_as_hydra_reads_it(text: str, value: Value) -> None:
    read = hydra_value(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("key", "meaning"),
    [
        (f"{OLD}.skip_rollout", Meaning("old", "flat", "enable")),
        (f"{OLD}.skip_use_default_dir", Meaning("old", "flat", "dump_dir")),
        (f"{OLD}.skip.dump_step", Meaning("old", "nested", "max_dump_step")),
        (f"{OLD}.skip", Meaning("old", "nested", "block")),
        (f"{OLD}.skip.what", Meaning("old", "nested", "unknown")),
        ("skip.rollout_tq.steps", Meaning("new", name="steps", role="rollout_tq")),
        ("skip.other.steps", Meaning("new", name="steps")),
        ("trainer.total_training_steps", Meaning("total-steps")),
        (f"{OLD}.skip_tokenizer_init", None),
        ("train.skip_rollout", None),
        ("rollout.skip.enable", None),
    ],
)
def test_a_key_is_recognised_by_its_whole_path(key: str, meaning: Meaning | None) -> None:
    assert recognise(key) == meaning


def path(*overrides: str, first: int = 0) -> tuple[Override, ...]:
    """`key=value` with the keys of `nested` and `flat` shortened; a place is the number in the list."""
    found = []
    for place, text in enumerate(overrides, first):
        key, _, value = text.partition("=")
        key = f"{OLD}.{key}" if key.startswith("skip_") or (key.startswith("skip.") and key.count(".") == 1) else key
        found.append(Override(place, "", key, Opaque(value) if value.startswith("$") else hydra_value(value)))
    return tuple(found)


def put(decided: Plan) -> dict[int, list[str]]:
    shown: dict[int, list[str]] = {}
    for place, settings in decided.replacements.items():
        shown[place] = [
            f"{new.role}.{new.field}"
            + (
                ""
                if new.value is KEPT
                else f"={new.value.last.text}"
                if isinstance(new.value, Through)
                else f"={new.value}"
            )
            for new in settings
        ]
    return shown


def test_each_override_is_rewritten_where_it_stands() -> None:
    decided = plan([Launch((path("skip.enable=True", "skip.max_dump_step=2"),), MAIN_PPO)], Request())
    assert put(decided) == {0: ["rollout_tq.enable"], 1: ["rollout_tq.steps=(1, 2)"]}


def test_what_has_no_old_override_stands_beside_the_switch() -> None:
    decided = plan([Launch((path("skip_rollout=True", "trainer.total_training_steps=2"),), MAIN_PPO)], Request())
    assert put(decided) == {
        0: [
            "rollout_tq.enable",
            "rollout_tq.dump_dir=/tmp/rollout_dump",
            "rollout_tq.steps=(1, 2)",
            "rollout_tq.action=repeat",
        ]
    }


def test_a_count_that_only_the_file_knows_names_the_place_that_has_it() -> None:
    decided = plan([Launch((path("skip_rollout=True", "trainer.total_training_steps=$T"),), MAIN_PPO)], Request())
    (steps,) = [new for new in decided.replacements[0] if new.field == "steps"]
    assert steps.value == Through(Opaque("$T"))
    assert steps.origin == 1


def test_an_overruled_override_is_rewritten_too() -> None:
    one = path("skip.enable=False", "skip.max_dump_step=9", "skip.enable=True", "skip.max_dump_step=1")
    assert put(plan([Launch((one,), MAIN_PPO)], Request())) == {
        0: ["rollout_tq.enable"],
        1: ["rollout_tq.steps=(1, 2, 3, 4, 5, 6, 7, 8, 9)"],
        2: ["rollout_tq.enable"],
        3: ["rollout_tq.steps=(1,)"],
    }


def test_commands_with_different_roles_share_an_override() -> None:
    shared = path("skip.enable=True", "skip.max_dump_step=1")
    v0 = (*shared, *path("trainer.use_v1=False", first=5))
    decided = plan([Launch((v0,), MAIN_PPO), Launch((shared,), MAIN_PPO)], Request())
    assert put(decided)[0] == ["rollout.enable", "rollout_tq.enable"]


def test_commands_of_different_length_get_the_longer_list() -> None:
    shared = path("skip_rollout=True", "skip_dump_dir=/a")
    short = (*shared, *path("trainer.total_training_steps=2", first=5))
    long = (*shared, *path("trainer.total_training_steps=4", first=6))
    decided = plan([Launch((short,), MAIN_PPO), Launch((long,), MAIN_PPO)], Request())
    assert "rollout_tq.steps=(1, 2, 3, 4)" in put(decided)[0]


def test_settings_that_come_together_differently_are_left() -> None:
    late = path("skip.max_dump_step=3", "skip.enable=True")
    decided = plan([Launch((late, late[1:]), MAIN_PPO)], Request())
    assert decided.blocked
    errors = [found.finding for found in decided.findings if found.finding.severity is Severity.ERROR]
    assert [finding.remark.name for finding in errors] == ["depends-on-the-path"]


def test_equal_new_settings_make_the_old_ones_superfluous() -> None:
    both = path("skip.enable=True", "skip.rollout_tq.enable=True", "skip.rollout_tq.steps=[1]")
    assert put(plan([Launch((both,), MAIN_PPO)], Request())) == {0: []}
