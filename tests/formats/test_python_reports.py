"""What Python code says about old settings without setting any: told with a place and a mend, and left alone."""

from __future__ import annotations

import pytest

from skip_config import migrate_text
from tests.formats.case_tables import Case, read_cases

OLD = "actor_rollout_ref.rollout"


@pytest.mark.parametrize("case", read_cases("python/reported"), ids=lambda case: case.name)
def test_it_is_told_and_left_alone(case: Case) -> None:
    migration = migrate_text(case.before, filename="x.py")
    assert migration.text == case.before
    told = [f"{one.severity.value}: {one.name} at {one.line}:{one.column}" for one in migration.diagnostics]
    assert told == [case.after]
    assert "note:" in told[0] or "cannot-parse" in told[0] or migration.diagnostics[0].help


def test_a_loop_of_ones_own_is_told_where_skipping_is_asked_for() -> None:
    text = (
        "from verl.utils.rollout_skip import RolloutSkip\n"
        "class Mine(RayPPOTrainer):\n"
        "    def fit(self):\n"
        "        self.step()\n"
        "class Theirs(RayPPOTrainer):\n"
        "    def fit(self):\n"
        "        super().fit()\n"
    )
    told = [(one.name, one.line) for one in migrate_text(text, filename="x.py").diagnostics]
    assert told == [("removed-import", 1), ("loop-without-manager", 3)]


def test_settings_that_come_together_are_rewritten_together_or_not_at_all() -> None:
    text = f'def go(n):\n    c = ["{OLD}.skip.enable=True"]\n    c.append(f"{OLD}.skip.max_dump_step={{n}}")\n'
    assert not migrate_text(text, filename="x.py").changed


BESIDE_KEYS = {
    "handed on by name": f'k = "{OLD}.skip.max_dump_step"\no["{OLD}.skip.enable"] = True\nput(o, k, n)\n',
    "taken from a list": f'for k in ("{OLD}.skip.enable",):\n    o[k] = x\no["{OLD}.skip.max_dump_step"] = 2\n',
    "set twice": f'k = "{OLD}.skip.max_dump_step"\nk = f(k)\no[k] = 1\no["{OLD}.skip.enable"] = True\n',
}


@pytest.mark.parametrize("text", BESIDE_KEYS.values(), ids=BESIDE_KEYS.keys())
def test_a_key_by_itself_keeps_the_settings_beside_it(text: str) -> None:
    """It may be one more setting of the same object, and half of them must not move."""
    migration = migrate_text(text, filename="x.py", unsafe=True)
    assert migration.text == text
    assert {(one.severity.value, one.name, one.line) for one in migration.diagnostics} == {("error", "old-setting", 1)}
    assert all(one.help for one in migration.diagnostics)


def test_a_key_that_is_looked_up_or_printed_keeps_nothing() -> None:
    text = f'o["{OLD}.skip.enable"] = False\nprint("{OLD}.skip.enable", o.get("{OLD}.skip.enable"))\n'
    assert migrate_text(text, filename="x.py").changed


def test_what_stands_apart_keeps_nothing_from_being_rewritten() -> None:
    text = f'from verl.utils.rollout_skip import RolloutSkip\nC = ["{OLD}.skip.enable=False"]\n'
    migration = migrate_text(text, filename="x.py")
    assert migration.text == text.replace(f"{OLD}.skip", "skip.rollout")
    assert [one.severity.value for one in migration.diagnostics] == ["error", "note"]


@pytest.mark.parametrize("name", ["third_party/verl/trainer/ppo/ray_trainer.py", "verl/utils/rollout_skip.py"])
def test_modules_of_a_vendored_verl_are_one_note(name: str) -> None:
    migration = migrate_text("from verl.utils.rollout_skip import RolloutSkip\n", filename=name)
    assert [(one.name, one.severity.value) for one in migration.diagnostics] == [("vendored", "note")]


def test_comments_are_rewritten_when_they_are_included() -> None:
    from skip_config.migrate import migrate_source
    from skip_config.request import Request
    from skip_config.source import Source

    text = (
        f'C = [\n    "-m", "verl.trainer.main_ppo",\n    # "{OLD}.skip.enable=False",\n]\n'
        f"# python x.py {OLD}.skip_dump_dir=/x\n"
    )
    result = migrate_source(Source(text, "x.py"), Request(include=frozenset({"comments"}))).text
    assert result == text.replace(f"{OLD}.skip.enable", "skip.rollout_tq.enable").replace(
        f"{OLD}.skip_dump_dir", "skip.rollout_tq.dump_dir"
    )
