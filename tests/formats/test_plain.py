"""Lists of arguments are rewritten; what other files name is told; templates and shebangs tell the kind."""

from __future__ import annotations

import pytest

from skip_config import migrate_text, validate_text
from skip_config.formats import could_serve, kind_of

OLD = "actor_rollout_ref.rollout"

REWRITTEN = {
    "one on each line": (
        f"# args\n{OLD}.skip.enable=True\n{OLD}.skip.max_dump_step=2\n--config-name ppo_trainer\n".replace(
            " ppo", "=ppo"
        ),
        "# args\nskip.rollout.enable=True\nskip.rollout_tq.enable=True\nskip.rollout.steps=[1,2]\n"
        "skip.rollout_tq.steps=[1,2]\n--config-name=ppo_trainer\n",
    ),
    "all on one line": (
        f"{OLD}.skip.enable=False a.b=c {OLD}.skip.dump_dir=/d",
        "skip.rollout.enable=False skip.rollout.steps=[1] a.b=c skip.rollout.dump_dir=/d",
    ),
    "for a known trainer": (
        f"trainer.use_v1=False\r\n+{OLD}.skip_rollout=False\r\n",
        "trainer.use_v1=False\r\nskip.rollout.enable=False\r\n",
    ),
    "removed": (f"a=b\n~{OLD}.skip\nc=d\n", "a=b\nc=d\n"),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN.keys())
@pytest.mark.parametrize("name", ["args.txt", "debug.overrides"])
def test_a_list_of_arguments_is_rewritten(before: str, after: str, name: str) -> None:
    assert migrate_text(before, filename=name).text == after
    assert not migrate_text(after, filename=name).changed


TOLD = {
    "justfile": f"train:\n    python -m x {OLD}.skip.enable=True {{{{ARGS}}}}\n",
    "pyproject.toml": f'[tool.x]\nrun = "{OLD}.skip_rollout=True"\n',
    ".env": f"ARGS='{OLD}.skip.enable=True'\n",
    "job.sh.j2": f"#!/bin/bash\npython -m x {OLD}.skip.enable={{{{ on }}}}\n",
    "conf.yaml.tmpl": "actor_rollout_ref:\n  rollout:\n    skip_rollout: {{ .Values.on }}\n",
    "args.list": f"{OLD}.skip.enable=True '{OLD}.skip.dump_dir=/a b'\n",
}


@pytest.mark.parametrize(("name", "text"), TOLD.items(), ids=TOLD.keys())
def test_another_file_is_told_and_left_alone(name: str, text: str) -> None:
    assert could_serve(name)
    migration = migrate_text(text, filename=name)
    assert migration.text == text
    assert [(one.name, one.severity.value) for one in migration.diagnostics] == [("old-setting", "warning")]
    assert migration.diagnostics[0].help


def test_prose_is_a_note() -> None:
    (told,) = migrate_text(f"Set {OLD}.skip.enable=True first.\n", filename="notes.txt").diagnostics
    assert told.severity.value == "note"


@pytest.mark.parametrize(("name", "text"), [("notes.txt", "skip the rollout\n"), ("a.toml", 'skip = "rollout"\n')])
def test_nothing_is_told_of_other_words(name: str, text: str) -> None:
    assert migrate_text(text, filename=name).diagnostics == ()
    assert validate_text(text, filename=name) == []


def test_validate_calls_a_list_of_old_arguments_an_error() -> None:
    found = validate_text(f"{OLD}.skip.enable=True\n", filename="args.txt")
    assert [(one.name, one.severity.value) for one in found] == [("old-setting", "error")]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("run.sh.in", "echo ${A}", "shell"),
        ("run.sh.in", "echo @PREFIX@", "plain"),
        ("conf.yaml.example", "a: b", "yaml"),
        ("conf.yaml.j2", "a: {{ b }}", "plain"),
        ("notes.in", "", "plain"),
        ("job.lsf", "#!/bin/bash\n", "shell"),
        ("job.lsf", "#BSUB -n 8\n", "plain"),
        ("run.zsh", "", "shell"),
        (".envrc", "", "shell"),
        ("settings.jsonc", "", "json"),
    ],
)
def test_the_kind_of_a_file(name: str, text: str, kind: str | None) -> None:
    assert kind_of(name, text) == kind
