"""Forms in which Python code writes old settings: each by what comes out, and by what must not change."""

from __future__ import annotations

import pytest

from skip_config import Fix, Severity, migrate_text
from tests.formats.case_tables import Case, read_cases
from tests.formats.python_oracle import Recorder, others, run, skip_of

OLD = "actor_rollout_ref.rollout"
SAFE, UNSAFE, NOTHING = read_cases("python/safe"), read_cases("python/unsafe"), read_cases("python/nothing")


def _name(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", SAFE, ids=_name)
def test_a_safe_form_is_rewritten(case: Case) -> None:
    migration = migrate_text(case.before, filename="launch.py")
    assert migration.text == case.after
    assert {one.severity.value for one in migration.diagnostics} == {"note"}
    assert not migrate_text(case.after, filename="launch.py").changed


@pytest.mark.parametrize("case", UNSAFE, ids=_name)
def test_an_unsafe_form_waits_for_the_word(case: Case) -> None:
    held = migrate_text(case.before, filename="launch.py")
    assert not held.changed
    errors = [one for one in held.diagnostics if one.severity is Severity.ERROR]
    assert [one.fix for one in errors] == [Fix.UNSAFE]
    migration = migrate_text(case.before, filename="launch.py", unsafe=True)
    assert migration.text == case.after
    assert Severity.ERROR not in {one.severity for one in migration.diagnostics}
    assert not migrate_text(case.after, filename="launch.py", unsafe=True).changed


@pytest.mark.parametrize("case", NOTHING, ids=_name)
def test_nothing_to_say(case: Case) -> None:
    migration = migrate_text(case.before, filename="launch.py", unsafe=True)
    assert migration.text == case.before
    assert migration.diagnostics == ()


@pytest.mark.parametrize("case", [one for one in SAFE if one.before.startswith("C = [")], ids=_name)
def test_the_command_gets_the_same_otherwise(case: Case) -> None:
    """What runs after a migration is what ran before, settings aside."""
    before, after = (run(text).names["C"] for text in (case.before, case.after))
    if isinstance(before[0], tuple):
        before, after = ([f"{key}={value}" for key, value in pairs] for pairs in (before, after))
    assert others(after) == others(before)
    assert not any(word.lstrip("+~").startswith(f"{OLD}.skip") for word in after)
    assert set(skip_of(after)) <= {"rollout", "rollout_tq"}


def test_assignments_reach_the_config_as_values() -> None:
    text = (
        "def arm(c, n):\n"
        f"    c.{OLD}.skip.enable = True\n"
        f"    c.{OLD}.skip.max_dump_step = n\n"
        "    c.trainer.use_v1 = True\n"
    )
    config = Recorder()
    run(migrate_text(text, filename="x.py", unsafe=True).text).names["arm"](config, 3)
    assert config.tree() == {"skip": {"rollout_tq": {"enable": True, "steps": [1, 2, 3]}}, "trainer": {"use_v1": True}}


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
def test_branches_get_their_own_settings(warm: bool) -> None:
    text = (
        "import subprocess\n"
        "def go(warm):\n"
        "    c = ['python', '-m', 'verl.trainer.main_ppo']\n"
        "    if warm:\n"
        f"        c += ['{OLD}.skip.enable=True', '{OLD}.skip.max_dump_step=2']\n"
        "    else:\n"
        f"        c.append('{OLD}.skip.enable=False')\n"
        "    subprocess.run(c)\n"
    )
    ran = run(migrate_text(text, filename="x.py").text + f"go({warm})\n")
    wanted = {"enable": True, "steps": [1, 2]} if warm else {"enable": False}
    assert [skip_of(words) for words in ran.commands] == [{"rollout_tq": wanted}]
