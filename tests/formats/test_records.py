"""Records of runs: told once, edited only with `--include records`, and then so that they run."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings

from skip_config.formats.overrides import hydra_value
from tests.formats.host_checks import assert_sound, mutations
from tests.formats.host_files import ROLLOUT, Pair, assert_pair, migrated, pairs

PAIRS = pairs("record_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"
OVERRIDES = "outputs/2026-01-01/00-00-00/.hydra/overrides.yaml"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    assert_pair(pair)


RECORDS = {
    "overrides": (OVERRIDES, f"- {ON}\n"),
    "config": (".hydra/config.yaml", "actor_rollout_ref:\n  rollout:\n    skip_rollout: false\n"),
    "Hydra's own": (".hydra/hydra.yaml", f"hydra:\n  overrides:\n    task:\n    - {ON}\n"),
    "a sweep": ("multirun.yaml", f"hydra:\n  overrides:\n    task:\n    - {ON}\n"),
    "Weights & Biases": (
        "wandb/run-1/files/config.yaml",
        "actor_rollout_ref:\n  desc: null\n  value:\n    rollout:\n      skip_rollout: true\n",
    ),
    "a log": ("train.log", f"[x] {ON}\n"),
    "a log of nohup": ("nohup.out", f"[x] {ON}\n"),
    "a script that was copied": ("outputs/1/run.sh", f"python3 -m verl.trainer.main_ppo {ON}\n"),
}


@pytest.mark.parametrize(("filename", "text"), RECORDS.values(), ids=RECORDS)
def test_left_alone_and_told(filename: str, text: str) -> None:
    migration = migrated(text, filename)
    assert not migration.changed
    assert [(one.name, one.severity.value) for one in migration.diagnostics] == [("record", "note")]


INCLUDED = {
    "both roles, since nobody knows the trainer": (
        f"- a.b=1\n- {ON}\n- {COUNT}=2\n",
        [
            "a.b=1",
            "skip.rollout.enable=True",
            "skip.rollout_tq.enable=True",
            "skip.rollout.steps=[1,2]",
            "skip.rollout_tq.steps=[1,2]",
        ],
    ),
    "one role, when the record shows it": (
        f"- trainer.use_v1=False\n- {ON}\n",
        ["trainer.use_v1=False", "skip.rollout.enable=True", "skip.rollout.steps=[1]"],
    ),
    "quotes and prefixes": (
        f"- '+{ON}'\n- \"{ROLLOUT}.skip.dump_dir='/a b'\"\n- trainer.use_v1=True\n",
        [
            "skip.rollout_tq.enable=True",
            "skip.rollout_tq.steps=[1]",
            "skip.rollout_tq.dump_dir='/a b'",
            "trainer.use_v1=True",
        ],
    ),
    "a key that was deleted": (f"- ~{ROLLOUT}.skip_rollout\n- a.b=1\n", ["a.b=1"]),
    "nothing else": (f"- {ROLLOUT}.skip=null\n", []),
}


@pytest.mark.parametrize(("before", "after"), INCLUDED.values(), ids=INCLUDED)
def test_overrides_are_edited_when_included(before: str, after: list[str]) -> None:
    migration = migrated(before, OVERRIDES, "records")
    assert yaml.safe_load(migration.text) == after, [one.message for one in migration.diagnostics]
    assert not migrated(migration.text, OVERRIDES, "records").changed
    for word in yaml.safe_load(migration.text):
        key, _, value = word.partition("=")
        assert not key.endswith(".steps") or isinstance(hydra_value(value), list)


def test_a_config_is_completed_so_that_it_runs() -> None:
    text = "actor_rollout_ref:\n  rollout:\n    skip:\n      enable: false\ntrainer:\n  x: 1\n"
    after = yaml.safe_load(migrated(text, ".hydra/config.yaml", "records").text)
    assert set(after["skip"]) == {"_target_", "rollout", "rollout_tq", "async_rollout"}
    assert all(
        {"enable", "dump_dir", "steps", "action"} <= set(after["skip"][role])
        for role in after["skip"]
        if role[0] != "_"
    )


@pytest.mark.parametrize(("filename", "text"), [RECORDS["Weights & Biases"], RECORDS["a log"]])
def test_only_told_even_when_included(filename: str, text: str) -> None:
    migration = migrated(text, filename, "records")
    assert not migration.changed
    assert [one.severity.value for one in migration.diagnostics] == ["note"]


@pytest.mark.parametrize(
    ("filename", "text"),
    [(OVERRIDES, "- a.b=1\n"), (".hydra/config.yaml", "a: 1\n"), ("a.log", "rollout skip\n"), ("nohup.out", "")],
)
def test_nothing_to_say(filename: str, text: str) -> None:
    assert migrated(text, filename).diagnostics == ()


@settings(max_examples=40, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS]))
def test_mutated_overrides_are_sound(text: str) -> None:
    assert_sound(text, OVERRIDES, "records")
