"""What becomes of scripts: what is rewritten and how, what stays, what is left for a person."""

from __future__ import annotations

import pytest

from skip_config.diagnostics import Diagnostic
from skip_config.formats import kind_of
from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skip_config.source import Source

RUN = "python3 -m verl.trainer.main_ppo"
OLD = "actor_rollout_ref.rollout"


def migrated(text: str, request: Request | None = None) -> Migration:
    return migrate_source(Source(text, "run.sh"), request or Request())


def names(diagnostics: tuple[Diagnostic, ...], severity: str) -> list[str]:
    return [one.name for one in diagnostics if one.severity.value == severity]


REWRITTEN = {
    "a list gets the quotes of its place": (
        f"{RUN} {OLD}.skip.enable=True {OLD}.skip.max_dump_step=2",
        f"{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1,2]'",
    ),
    "sixteen steps are written out": (
        f"{RUN} {OLD}.skip.max_dump_step=16",
        f"{RUN} skip.rollout_tq.steps='[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]'",
    ),
    "seventeen are left to seq": (
        f"{RUN} {OLD}.skip.max_dump_step=17",
        f'{RUN} skip.rollout_tq.steps="[$(seq -s, 1 17)]"',
    ),
    "a variable count is left to seq": (
        f'{RUN} {OLD}.skip.enable=1 {OLD}.skip.max_dump_step="${{N:-4}}"',
        f'{RUN} skip.rollout_tq.enable=1 skip.rollout_tq.steps="[$(seq -s, 1 ${{N:-4}})]"',
    ),
    "a word in double quotes stays one": (
        f'{RUN} "{OLD}.skip.max_dump_step=$N" "{OLD}.skip.enable=True"',
        f'{RUN} "skip.rollout_tq.steps=[$(seq -s, 1 $N)]" "skip.rollout_tq.enable=True"',
    ),
    "a word in single quotes gets no seq": (
        f"{RUN} '{OLD}.skip.max_dump_step=18'",
        f"{RUN} 'skip.rollout_tq.steps=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]'",
    ),
    "the trainer's switch in a variable that is set once": (
        f"V1=False\n{RUN} trainer.use_v1=${{V1}} {OLD}.skip.enable=True",
        f"V1=False\n{RUN} trainer.use_v1=${{V1}} skip.rollout.enable=True skip.rollout.steps='[1]'",
    ),
    "words that no shell expands get the list itself": (
        f"mapfile -t A <<'E'\n{OLD}.skip.max_dump_step=18\n{OLD}.skip.enable=1\nE\n{RUN} \"${{A[@]}}\"\n",
        f"mapfile -t A <<'E'\nskip.rollout_tq.steps=[{','.join(map(str, range(1, 19)))}]\nskip.rollout_tq.enable=1\n"
        f'E\n{RUN} "${{A[@]}}"\n',
    ),
    "a variable set for one program only": (
        f'OPTS="{OLD}.skip.enable=False" bash train.sh',
        'OPTS="skip.rollout.enable=False" bash train.sh',
    ),
    "the trainer by the path of its file": (
        f"python3 /opt/verl/verl/trainer/main_ppo.py {OLD}.skip.enable=0\n"
        f"python3 verl/trainer/main_ppo.py {OLD}.skip.enable=0",
        "python3 /opt/verl/verl/trainer/main_ppo.py skip.rollout_tq.enable=0\n"
        "python3 verl/trainer/main_ppo.py skip.rollout_tq.enable=0",
    ),
    "inside a string a list has no quotes": (
        f'OPTS="{OLD}.skip.enable=True {OLD}.skip.max_dump_step=2"\n{RUN} $OPTS',
        f'OPTS="skip.rollout_tq.enable=True skip.rollout_tq.steps=[1,2]"\n{RUN} $OPTS',
    ),
    "inside single quotes of bash -c it has double ones": (
        f"bash -c '{RUN} {OLD}.skip.max_dump_step=2'",
        f"bash -c '{RUN} skip.rollout_tq.steps=\"[1,2]\"'",
    ),
    "an escaped variable is counted by the inner shell": (
        f"cat > j.sh <<E\n{RUN} {OLD}.skip.enable=1 \\\\\n  {OLD}.skip.max_dump_step=\\${{N}}\nE\n",
        f"cat > j.sh <<E\n{RUN} skip.rollout_tq.enable=1 \\\\\n"
        '  skip.rollout_tq.steps="[\\$(seq -s, 1 \\${N})]"\nE\n',
    ),
    "the last line gets no backslash": (
        f"{RUN} \\\n\t{OLD}.skip_rollout=True \\\n\ttrainer.total_training_steps=1\n",
        f"{RUN} \\\n\tskip.rollout_tq.enable=True \\\n\tskip.rollout_tq.dump_dir=/tmp/rollout_dump \\\n"
        "\tskip.rollout_tq.steps='[1]' \\\n\tskip.rollout_tq.action=repeat \\\n\ttrainer.total_training_steps=1\n",
    ),
    "new lines in front of what follows the last word": (
        f'{RUN} trainer.total_training_steps=1 \\\n  {OLD}.skip_dump_dir=/a \\\n  {OLD}.skip_rollout=True "$@" | tee x\n',  # noqa: E501
        f"{RUN} trainer.total_training_steps=1 \\\n  skip.rollout_tq.dump_dir=/a \\\n  skip.rollout_tq.enable=True \\\n"
        "  skip.rollout_tq.steps='[1]' \\\n  skip.rollout_tq.action=repeat \"$@\" | tee x\n",
    ),
    "a removed last line takes the backslash above along": (
        f"{RUN} \\\n  trainer.nnodes=1 \\\n  ~{OLD}.skip\n",
        f"{RUN} \\\n  trainer.nnodes=1\n",
    ),
    "several removed lines": (
        f"{RUN} \\\n  ~{OLD}.skip \\\n  ~{OLD}.skip_rollout\necho\n",
        f"{RUN}\necho\n",
    ),
    "an element keeps its comment": (
        f"A=(\n  {OLD}.skip.enable=True  # on\n)\n{RUN} ${{A[@]}}\n",
        f"A=(\n  skip.rollout_tq.enable=True  # on\n  skip.rollout_tq.steps='[1]'\n)\n{RUN} ${{A[@]}}\n",
    ),
    "line endings stay": (
        f"{RUN} \\\r\n  {OLD}.skip.enable=True \\\r\n  a.b=c\r\n",
        f"{RUN} \\\r\n  skip.rollout_tq.enable=True \\\r\n  skip.rollout_tq.steps='[1]' \\\r\n  a.b=c\r\n",
    ),
    "prefixes go": (
        f"{RUN} ++{OLD}.skip.enable=True +{OLD}.skip.max_dump_step=1",
        f"{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'",
    ),
    "a plus on gen_batch_size goes where the config has the key": (
        "python3 -m verl.experimental.fully_async_policy.fully_async_main +data.gen_batch_size=1",
        "python3 -m verl.experimental.fully_async_policy.fully_async_main data.gen_batch_size=1",
    ),
    "one unquoted value becomes several in quotes": (
        f"F={OLD}.skip.enable=True\n{RUN} $F",
        f'F="skip.rollout_tq.enable=True skip.rollout_tq.steps=[1]"\n{RUN} $F',
    ),
    "quoted segments of a key": (
        f"{RUN} actor_rollout_ref.\"rollout\".'skip'.enable=False",
        f"{RUN} skip.rollout_tq.enable=False",
    ),
    "equal new settings: the old ones go": (
        f"{RUN} {OLD}.skip.enable=True skip.rollout_tq.enable=True skip.rollout_tq.steps=[1]",
        f"{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps=[1]",
    ),
    "the switch comes from elsewhere: no default is put beside what is said here": (
        f". ./env.sh\n{RUN} $SKIP {OLD}.skip.dump_dir=/d\nbash other.sh {OLD}.skip.dump_dir=/d",
        f". ./env.sh\n{RUN} $SKIP skip.rollout_tq.dump_dir=/d\n"
        "bash other.sh skip.rollout.dump_dir=/d skip.rollout_tq.dump_dir=/d",
    ),
    "a count without its switch": (
        f"{RUN} {OLD}.skip.max_dump_step=$N",
        f'{RUN} skip.rollout_tq.steps="[$(seq -s, 1 $N)]"',
    ),
    "quotes with a dollar and without escapes": (
        f"{RUN} $'{OLD}.skip.enable=True' $'{OLD}.skip.dump_dir=/a b' {OLD}.skip.max_dump_step=$'2'",
        f"{RUN} 'skip.rollout_tq.enable=True' 'skip.rollout_tq.dump_dir=/a b' skip.rollout_tq.steps='[1,2]'",
    ),
    "a comment in backticks between the lines": (
        f"{RUN} \\\n  {OLD}.skip.enable=False `# {OLD}.skip.action=repeat` \\\n  a=b",
        f"{RUN} \\\n  skip.rollout_tq.enable=False `# {OLD}.skip.action=repeat` \\\n  a=b",
    ),
    "a broken part elsewhere is no obstacle": (
        f"{RUN} {OLD}.skip.enable=False\nif [ 1; then (\n",
        f"{RUN} skip.rollout_tq.enable=False\nif [ 1; then (\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN.keys())
def test_rewritten(before: str, after: str) -> None:
    assert migrated(before).text == after


NOT_CONCERNED = {
    "variables of that name": "SKIP_ROLLOUT=true; export SKIP_DUMP_DIR=/x; echo $SKIP_DUMP_DIR",
    "another key of the rollout": f"{RUN} {OLD}.skip_tokenizer_init=True",
    "another program's key": "python x.py train.skip_rollout=true rollout.skip=1",
    "new settings": f"{RUN} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'",
    "a plus on gen_batch_size where it is needed": f"{RUN} +data.gen_batch_size=4 {OLD}.skip_x=1",
    "an option": "./deploy.sh --skip-rollout --rollout",
    "nothing at all": "",
}


@pytest.mark.parametrize("text", NOT_CONCERNED.values(), ids=NOT_CONCERNED.keys())
def test_not_concerned(text: str) -> None:
    migration = migrated(text)
    assert migration.text == text
    assert migration.diagnostics == ()


LEFT = {
    "the number of steps is not known": (f"{RUN} {OLD}.skip_rollout=True", "needs-total-steps"),
    "round robin": (f"{RUN} {OLD}.skip.enable=True {OLD}.skip.max_dump_step=2 {OLD}.skip.action=repeat", "round-robin"),
    "a value that was never right": (f"{RUN} {OLD}.skip.enable=True {OLD}.skip.action=sometimes", "old-value-refused"),
    "old and new differ": (
        f"{RUN} {OLD}.skip.enable=True {OLD}.skip.max_dump_step=2 skip.rollout_tq.enable=True",
        "old-and-new-differ",
    ),
    "quotes with a dollar and an escape": (f"{RUN} $'{OLD}.skip.dump_dir=/a\\tb'", "override-not-followed"),
    "an associative array": (
        f"declare -A O=(\n  [{OLD}.skip.enable]=True\n  ['{OLD}.skip_dump_dir']=/d\n)\n"
        f'for k in "${{!O[@]}}"; do A+=("$k=${{O[$k]}}"); done\n{RUN} "${{A[@]}}"',
        "override-not-followed",
    ),
    "an element of an associative array": (f"O[{OLD}.skip.enable]=True\n{RUN}", "override-not-followed"),
    "a sweep": (f"{RUN} -m {OLD}.skip.enable=True,False", "old-setting-in-sweep"),
    "a sweep by a function": (
        f"{RUN} -m {OLD}.skip.enable=True '{OLD}.skip.max_dump_step=range(1,4)'",
        "old-setting-in-sweep",
    ),
    "the whole block at once": (f"{RUN} '{OLD}.skip={{enable:True}}'", "old-value-unknown"),
    "braces": (f"{RUN} {OLD}.skip.{{enable=True,max_dump_step=2}}", "override-not-followed"),
    "a count for Hydra to resolve": (
        f"{RUN} {OLD}.skip.enable=True '{OLD}.skip.max_dump_step=${{trainer.n}}'",
        "old-value-unknown",
    ),
    "a variable that is one argument": (
        f'F="{OLD}.skip_rollout=True"\n{RUN} trainer.total_training_steps=2 "$F"',
        "variable-used-as-one-word",
    ),
    "a count that is set anew in between": (
        f"A=({OLD}.skip_rollout=True)\nfor T in 1 2; do\n{RUN} ${{A[@]}} trainer.total_training_steps=$T\ndone",
        "old-value-unknown",
    ),
    "an array for two kinds of trainers": (
        f"A=({OLD}.skip.enable=True)\n{RUN} ${{A[@]}}\n"
        "python3 -m verl.experimental.fully_async_policy.fully_async_main ${A[@]}",
        "feed-order",
    ),
    "a key that no release has": (f"{RUN} {OLD}.skip.enabled=True", "no-counterpart"),
    "a comment that ends the command above": (
        f"{RUN} \\\n  {OLD}.skip.enable=True \\\n  # how many\n  {OLD}.skip.max_dump_step=2\n",
        "command-broken-off",
    ),
    "a quote that is never closed": (f'{RUN} "a\n  {OLD}.skip.enable=True\n', "script-not-readable"),
    "a quote that is never closed around it": (f"{RUN} '{OLD}.skip.enable=True\n", "script-not-readable"),
    "carriage returns that end no line": (f"{RUN} \\\r  {OLD}.skip.enable=True\r", "script-not-readable"),
    "an element of an array": (
        f"A[0]={OLD}.skip.enable=True\n{RUN} ${{A[@]}}\n",
        "variable-used-as-one-word",
    ),
    "quotes that end inside of a value": (
        f'S="{OLD}.skip.enable=$n"x\n{RUN} $S\n',
        "override-not-followed",
    ),
    "variables that double each other": (
        f"A0=({OLD}.skip.enable=True)\n"
        + "".join(f'A{n}=("${{A{n - 1}[@]}}" "${{A{n - 1}[@]}}")\n' for n in range(1, 30))
        + f"{RUN} ${{A29[@]}}\n",
        "override-not-followed",
    ),
    "broken syntax around it": (f"echo )( {OLD}.skip.enable=True", "script-not-readable"),
}


@pytest.mark.parametrize(("text", "name"), LEFT.values(), ids=LEFT.keys())
def test_left_for_a_person(text: str, name: str) -> None:
    migration = migrated(text)
    assert migration.text == text
    assert name in names(migration.diagnostics, "error")


def test_an_array_for_two_kinds_of_trainers_is_left_even_when_unsafe_is_accepted() -> None:
    text, _ = LEFT["an array for two kinds of trainers"]
    migration = migrated(text, Request(unsafe=True))
    assert migration.text == text
    assert names(migration.diagnostics, "error") == ["role-depends-on-the-command"]


TOLD = {
    "a comment": (f"# {OLD}.skip.enable=True\n", "note", "old-setting"),
    "a comment in backticks": (f"{RUN} `# {OLD}.skip.enable=True` a=b", "note", "old-setting"),
    "a text that is printed": (f"echo '{OLD}.skip.enable=True'\n", "note", "old-setting"),
    "a pattern": (f"sed -i 's/{OLD}.skip.enable=True//' x\n", "warning", "pattern-names-old-setting"),
    "a condition": (f'[[ "$*" == *{OLD}.skip.enable=True* ]] && echo on\n', "warning", "old-setting"),
    "code of another language": (f"python3 - <<E\nx = '{OLD}.skip.enable=True'\nE\n", "warning", "old-setting"),
    "a config that the script writes": (
        "cat > run.yaml <<E\nactor_rollout_ref:\n  rollout:\n    skip_rollout: true\nE\n",
        "note",
        "old-setting",
    ),
}


@pytest.mark.parametrize(("text", "severity", "name"), TOLD.values(), ids=TOLD.keys())
def test_left_alone_and_told(text: str, severity: str, name: str) -> None:
    migration = migrated(text)
    assert migration.text == text
    assert [(one.severity.value, one.name) for one in migration.diagnostics] == [(severity, name)]


CONFIG_NAMED = {
    "a count": (f"{RUN} --config-name my {OLD}.skip.enable=True", "max_dump_step"),
    "a directory": (f"{RUN} -cn=my {OLD}.skip_rollout=True trainer.total_training_steps=2", "skip_dump_dir"),
    "by a variable": (f'{RUN} --config-name="$CONFIG" {OLD}.skip.enable=True', "max_dump_step"),
    "said here": (f"{RUN} --config-name my {OLD}.skip.enable=True {OLD}.skip.max_dump_step=1", None),
    "verl's own config": (f"{RUN} --config-name='ppo_megatron_trainer.yaml' {OLD}.skip.enable=True", None),
    "off": (f"{RUN} --config-name my {OLD}.skip.enable=False", None),
    "no config named": (f"{RUN} {OLD}.skip.enable=True", None),
}


@pytest.mark.parametrize(("text", "key"), CONFIG_NAMED.values(), ids=CONFIG_NAMED.keys())
def test_a_default_that_may_hide_what_the_config_says_is_told(text: str, key: str | None) -> None:
    migration = migrated(text)
    assert migration.changed
    told = [one for one in migration.diagnostics if one.severity.value == "warning"]
    assert [one.name for one in told] == ["default-written"] * (key is not None)
    assert all(f"does not set {key}," in one.message for one in told)


def test_comments_are_edited_as_comments_when_included() -> None:
    text = f"#  {OLD}.skip_rollout=True \\\n#  {OLD}.skip_dump_dir=/a\n{RUN}\n"
    included = Request(total_steps=2, include=frozenset({"comments"}))
    assert migrated(text, included).text == (
        "#  skip.rollout_tq.enable=True \\\n#  skip.rollout_tq.steps='[1,2]' \\\n#  skip.rollout_tq.action=repeat \\\n"
        f"#  skip.rollout_tq.dump_dir=/a\n{RUN}\n"
    )


def test_text_behind_a_backslash_is_a_warning_on_its_line() -> None:
    migration = migrated(f"{RUN} \\\n  {OLD}.skip.enable=True \\ # why\n  {OLD}.skip.max_dump_step=2\n")
    assert migration.text == f"{RUN} \\\n  skip.rollout_tq.enable=True \\ # why\n  skip.rollout_tq.steps='[1,2]'\n"
    assert [(one.name, one.line) for one in migration.diagnostics if one.severity.value == "warning"] == [
        ("text-after-continuation", 2)
    ]


def test_arguments_from_outside_are_said_to_be_invisible() -> None:
    (note,) = migrated(f'{RUN} {OLD}.skip.enable=False "$@"').diagnostics
    assert note.help is not None
    assert '"$@"' in note.help


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("run.sh", "", "shell"),
        ("run.bash", "", "shell"),
        ("job.slurm", "", "shell"),
        ("job.sbatch", "", "shell"),
        ("job.pbs", "", "shell"),
        ("run.sh\u200b", "", "shell"),
        ("RUN.SH", "", "shell"),
        ("launch", "#!/bin/bash\n", "shell"),
        ("launch", "#!/usr/bin/env -S bash -e\n", "shell"),
        ("launch", "#!/usr/bin/env python3\n", None),
        ("launch", "echo", None),
        ("run.ps1", "", "powershell"),
        ("run.bat", "", "cmd"),
        ("run.cmd", "", "cmd"),
    ],
)
def test_the_name_or_the_first_line_tells_the_kind(name: str, text: str, kind: str | None) -> None:
    assert kind_of(name, text) == kind
