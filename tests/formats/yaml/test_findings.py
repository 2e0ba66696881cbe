"""What YAML files are told that are not simply migrated: name, place, key; and that they are left alone."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from skip_config import migrate_text, validate_text

ROLLOUT = "actor_rollout_ref.rollout"
HEAD = "actor_rollout_ref:\n  rollout:\n    n: 1\n"
ON = HEAD + "    skip:\n      enable: true\n"


class Told(NamedTuple):
    """A file and the finding that it gets.

    Args:
        text: The file.
        name: Of the finding.
        line, column: Where.
        key: Which key it is about.
        severity: How bad.
    """

    text: str
    name: str
    line: int
    column: int
    key: str | None
    severity: str = "error"


TOLD = {
    # what the settings mean
    "an unknown key of a block that a flat key beside it makes an old one": Told(
        "rollout:\n  skip_rollout: false\n  skip:\n    enable: true\n    compress_level: 2\n",
        "no-counterpart", 5, 5, f"{ROLLOUT}.skip.compress_level",
    ),
    "every step, and nobody says how many": Told(
        HEAD + "    skip_rollout: true\n", "needs-total-steps", 4, 5, f"{ROLLOUT}.skip_rollout"
    ),
    "a million steps": Told(
        ON + "      max_dump_step: 1000000\n", "needs-total-steps", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "a million training steps": Told(
        HEAD + "    skip_rollout: true\ntrainer:\n  total_training_steps: 1000000\n",
        "too-many-steps", 4, 5, f"{ROLLOUT}.skip_rollout",
    ),
    "repeat_last of two": Told(
        ON + "      max_dump_step: 2\n      action: repeat_last\n",
        "repeat-last-is-a-choice", 5, 7, f"{ROLLOUT}.skip.enable",
    ),
    "round robin": Told(
        ON + "      max_dump_step: 2\n      action: repeat\n", "round-robin", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "a count that only the composed config knows": Told(
        ON + "      max_dump_step: ${n}\n", "old-value-unknown", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "fully asynchronous training": Told(
        ON + "async_training: {}\n", "feed-order", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    # places that verl does not read
    "an experiment of a list": Told(
        "runs:\n- actor_rollout_ref:\n    rollout: {skip_rollout: true}\n",
        "old-setting", 3, 15, f"runs.0.{ROLLOUT}.skip_rollout", "warning",
    ),
    "below a key of one's own launcher": Told(
        "base:\n  actor_rollout_ref:\n    rollout:\n      skip:\n        enable: true\n",
        "old-setting", 4, 7, f"base.{ROLLOUT}.skip", "warning",
    ),
    "two places": Told(
        HEAD + "    skip_rollout: false\nrollout:\n  skip_rollout: false\n",
        "old-settings-twice", 6, 3, f"{ROLLOUT}.skip_rollout",
    ),
    # values and keys
    "a tag that nothing constructs": Told(
        HEAD + "    skip: !e\n", "old-value-refused", 4, 5, f"{ROLLOUT}.skip"
    ),
    "null action": Told(ON + "      action: null\n", "old-value-refused", 5, 7, f"{ROLLOUT}.skip.enable"),
    "a switch that is a word": Told(
        HEAD + "    skip:\n      enable: 'maybe'\n", "old-value-refused", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "a count that is a list": Told(
        ON + "      max_dump_step: [1]\n", "old-value-refused", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "a directory that is a list": Told(
        ON + "      dump_dir: [a]\n", "old-value-refused", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "a block that is none": Told(HEAD + "    skip: true\n", "old-value-refused", 4, 5, f"{ROLLOUT}.skip"),
    "a block that is a list": Told(HEAD + "    skip:\n    - a\n", "old-value-refused", 4, 5, f"{ROLLOUT}.skip"),
    "another program's tag": Told(
        HEAD + "    skip:\n      enable: !own true\n", "old-value-refused", 5, 15, f"{ROLLOUT}.skip.enable"
    ),
    "unknown key": Told(ON + "      foo: 1\n", "no-counterpart", 6, 7, f"{ROLLOUT}.skip.foo"),
    "second directory of a fork": Told(
        ON + "      load_dir: /a\n", "no-counterpart", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "action of a fork": Told(ON + "      action: dump\n", "no-counterpart", 5, 7, f"{ROLLOUT}.skip.enable"),
    "two generations switched on": Told(
        ON + "    skip_rollout: true\n", "two-generations", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    # places
    "package line": Told(
        "# @package actor_rollout_ref.rollout\nskip_rollout: true\n",
        "cannot-move-here", 2, 1, f"{ROLLOUT}.skip_rollout",
    ),
    "package line for the parent": Told(
        "# @package actor_rollout_ref\nrollout:\n  skip: {enable: true}\n",
        "cannot-move-here", 3, 3, f"{ROLLOUT}.skip",
    ),
    "by a merge key": Told(
        "base: &base\n  skip_rollout: true\nactor_rollout_ref:\n  rollout:\n    <<: *base\n    n: 1\n",
        "old-setting-inherited", 2, 3, ROLLOUT,
    ),
    "by an alias": Told(
        "base: &base\n  skip_rollout: true\nactor_rollout_ref:\n  rollout: *base\n",
        "old-setting-inherited", 4, 3, ROLLOUT,
    ),
    "a block that others use": Told(
        HEAD + "    skip: &old\n      enable: true\ncopy: *old\n", "anchor-in-use", 4, 11, f"{ROLLOUT}.skip"
    ),
    "a line shared with others": Told(
        "actor_rollout_ref:\n  ? rollout\n  : skip:\n      enable: true\n    n: 1\n",
        "cannot-rewrite", 3, 5, f"{ROLLOUT}.skip",
    ),
    "a line shared by a separator that no editor shows": Told(
        "actor_rollout_ref:\n  rollout:\n    skip: {enable: true} # a\u2028    n: 1\n",
        "cannot-rewrite", 3, 5, f"{ROLLOUT}.skip",
    ),
    "a mark before the first key": Told(
        "\n\ufeffactor_rollout_ref:\n  rollout:\n    n: 1\n    skip_rollout: false\n", "cannot-rewrite", 2, 2, "skip"
    ),
    # the new place
    "old and new differ": Told(
        ON + "skip:\n  rollout:\n    enable: false\n", "old-and-new-differ", 5, 7, f"{ROLLOUT}.skip.enable"
    ),
    "new place is a number": Told(ON + "skip: 3\n", "cannot-rewrite", 6, 1, "skip"),
    "new place is a list": Told(ON + "skip: []\n", "cannot-rewrite", 6, 1, "skip"),
    "new place is interpolated": Told(ON + "skip: ${mine}\n", "cannot-rewrite", 6, 1, "skip"),
    "new place is an alias": Told("mine: &mine {}\n" + ON + "skip: *mine\n", "cannot-rewrite", 7, 1, "skip"),
    "new place is shared": Told(
        ON + "skip: &mine\n  _target_: x\ncopy: *mine\n", "cannot-rewrite", 6, 1, "skip"
    ),
    # interpolations
    "points at a count": Told(
        ON + "      max_dump_step: 2\ncopy: ${actor_rollout_ref.rollout.skip.max_dump_step}\n",
        "interpolation-to-old-setting", 7, 7, "copy",
    ),
    "points at the block": Told(
        ON + "copy: ${actor_rollout_ref.rollout.skip}\n", "interpolation-to-old-setting", 6, 7, "copy"
    ),
    "points at its neighbour": Told(
        ON + "      dump_dir: /data/${.max_dump_step}\n      max_dump_step: 2\n",
        "interpolation-to-old-setting", 6, 17, f"{ROLLOUT}.skip.dump_dir",
    ),
    "points at a setting of another file": Told(
        "copy: ${oc.select:actor_rollout_ref.rollout.skip_rollout,false}\n",
        "interpolation-to-old-setting", 1, 7, "copy",
    ),
    "points there in relative terms": Told(
        "actor_rollout_ref:\n  actor:\n    copy: ${..rollout.skip_rollout}\n",
        "interpolation-to-old-setting", 3, 11, "actor_rollout_ref.actor.copy",
    ),
    # keys with dots
    "key with dots": Told(
        "actor_rollout_ref.rollout.skip_rollout: true\n", "dotted-key", 1, 1, f"{ROLLOUT}.skip_rollout", "warning"
    ),
    "key with dots halfway down": Told(
        "actor_rollout_ref:\n  rollout.skip_rollout: true\n", "dotted-key", 2, 3, "rollout.skip_rollout", "warning"
    ),
    "sweep": Told(
        "hydra:\n  sweeper:\n    params:\n      actor_rollout_ref.rollout.skip.enable: true,false\n",
        "old-setting-in-sweep", 4, 7, f"{ROLLOUT}.skip.enable",
    ),
    # files
    "tab": Told("actor_rollout_ref:\n\tskip: 1\n", "cannot-parse", 2, 1, None),
    "doubled key": Told(HEAD + "    n: 2\n", "duplicate-key", 4, 5, None),
    "doubled anchor": Told("a: &x 1\nb: &x 2\n" + ON, "cannot-parse", 2, 4, None),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_told_and_left_alone(name: str) -> None:
    """The finding has that name, place, key and severity, and the text stays."""
    told = TOLD[name]
    result = migrate_text(told.text, filename="conf/run.yaml")
    first = result.diagnostics[0]
    assert (first.name, first.severity.value) == (told.name, told.severity)
    assert (first.line, first.column, first.key) == (told.line, told.column, told.key)
    assert first.message
    assert result.text == told.text


@pytest.mark.parametrize("name", TOLD)
def test_said_once(name: str) -> None:
    """Nothing is said twice, and no note speaks of what was not done."""
    found = migrate_text(TOLD[name].text, filename="conf/run.yaml").diagnostics
    assert len(set(found)) == len(found)
    assert "note" not in {one.severity.value for one in found}


UNSAFE = {
    "repeat_last of two": {"enable: true", "steps: [1, 2, 3]", "action: repeat"},
    "round robin": {"enable: true", "steps: [1, 2, 3]", "action: repeat"},
    "fully asynchronous training": {"async_rollout:", "steps: [1]"},
}


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_fixes_are_applied_when_accepted(name: str) -> None:
    """With `unsafe`, the nearest setting is written and the error becomes a warning."""
    result = migrate_text(TOLD[name].text, filename="conf/run.yaml", unsafe=True, total_steps=3)
    assert {line.strip() for line in result.text.splitlines()} >= UNSAFE[name]
    assert [one.severity.value for one in result.diagnostics if one.name == TOLD[name].name] == ["warning"]


def test_number_of_steps_from_the_user() -> None:
    """The question for the number of steps is answered by `total_steps`."""
    result = migrate_text(TOLD["a million steps"].text, filename="conf/run.yaml", total_steps=3)
    assert "steps: [1, 2, 3]" in result.text


def test_number_of_steps_in_the_file_wins() -> None:
    """`trainer.total_training_steps` of the same file is more to the point than the user's number."""
    text = HEAD + "    skip_rollout: true\ntrainer:\n  total_training_steps: 2\n"
    assert "steps: [1, 2]" in migrate_text(text, filename="conf/run.yaml", total_steps=9).text


@pytest.mark.parametrize("role", ["rollout", "rollout_tq", "async_rollout"])
def test_role_by_request(role: str) -> None:
    """A role that the user names is the only one that gets the settings."""
    result = migrate_text(ON, filename="conf/run.yaml", role=role)  # type: ignore[arg-type]
    written = [line.strip().rstrip(":") for line in result.text.splitlines() if line.startswith("  ")]
    assert [one for one in written if one in ("rollout", "rollout_tq", "async_rollout")] == ["rollout", role]


ROLES = {
    "nothing to go by": ("", "both"),
    "V1 trainer": ("trainer:\n  use_v1: true\n", "rollout_tq"),
    "V0 trainer": ("trainer:\n  use_v1: False\n", "rollout"),
    "V1 by interpolation": ("trainer:\n  use_v1: ${v1}\n", "both"),
}


@pytest.mark.parametrize("name", ROLES)
def test_role_by_what_the_file_shows(name: str) -> None:
    """`trainer.use_v1` of the same file chooses the role."""
    shown, role = ROLES[name]
    explicit = migrate_text(ON + shown, filename="conf/run.yaml", role=role)  # type: ignore[arg-type]
    assert migrate_text(ON + shown, filename="conf/run.yaml").text == explicit.text


def test_files_of_others_are_reported_once() -> None:
    """Records of runs and verl's own tree get one note and stay."""
    for filename, name in {
        "outputs/2026-01-01/00-00-00/.hydra/config.yaml": "record",
        "multirun.yaml": "record",
        "third_party/verl/trainer/config/ppo_trainer.yaml": "vendored",
    }.items():
        result = migrate_text(ON, filename=filename)
        assert [(one.name, one.severity.value) for one in result.diagnostics] == [(name, "note")]
        assert not result.changed


def test_validate_names_each_old_key() -> None:
    """`validate` points at every old key, and says how to migrate."""
    found = validate_text(ON + "      max_dump_step: 2\n", filename="conf/run.yaml")
    assert [(one.name, one.line, one.column, one.key) for one in found] == [
        ("old-setting", 5, 7, f"{ROLLOUT}.skip.enable"),
        ("old-setting", 6, 7, f"{ROLLOUT}.skip.max_dump_step"),
    ]
    assert all(one.help and "conf/run.yaml" in one.help for one in found)


COMMENTED = {
    "a key that is commented out": (
        HEAD + "    # skip_rollout: true\n    # skip_dump_dir: /data\n",
        [(4, 7, "skip_rollout")],
    ),
    "a comment behind a value": (
        HEAD.rstrip() + f"  # with {ROLLOUT}.skip.enable=True\n",
        [(3, 18, f"{ROLLOUT}.skip.enable")],
    ),
    "two groups of lines": (
        "# skip_rollout: 1\n\na: 1\n# skip_dump_dir: x\n",
        [(1, 3, "skip_rollout"), (4, 3, "skip_dump_dir")],
    ),
}


@pytest.mark.parametrize("name", COMMENTED)
def test_comments_are_reported_and_stay(name: str) -> None:
    """Each group of comment lines that holds an old setting gets one note."""
    text, places = COMMENTED[name]
    result = migrate_text(text, filename="conf/run.yaml")
    assert [(one.line, one.column, one.key) for one in result.diagnostics] == places
    assert {(one.name, one.severity.value) for one in result.diagnostics} == {("old-setting", "note")}
    assert not result.changed


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "actor_rollout_ref: {}\ndata:\n  train_batch_size: 8\n",
            [
                "skip gets all its roles, as in a complete config of verl 0.9",
                "data.gen_batch_size: null inserted below data.train_batch_size; null means the same number",
            ],
        ),
        (
            ON,
            [
                f"{ROLLOUT}.skip.enable moved to skip.rollout and skip.rollout_tq; the block has all its roles, as in "
                "a complete config of verl 0.9"
            ],
        ),
    ],
    ids=["no old settings", "old settings"],
)
def test_a_generated_file_says_what_is_added(text: str, messages: list[str]) -> None:
    migration = migrate_text(text, filename="_generated_ppo_trainer.yaml")
    told = [one.message for one in migration.diagnostics if one.name in ("old-setting", "made-complete")]
    assert told == messages
    assert not migrate_text(migration.text, filename="_generated_ppo_trainer.yaml").diagnostics
