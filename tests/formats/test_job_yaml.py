"""Job files: shell blocks and lists of words in YAML, whatever program reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skip_config.releases import FULLY_ASYNC
from skip_config.validate import validate_text
from tests.formats.host_checks import assert_sound, bugs, mutations
from tests.formats.host_files import (
    LAUNCH,
    ROLLOUT,
    Pair,
    assert_pair,
    assert_same_meaning,
    migrated,
    pairs,
    yaml_scripts,
)
from tests.formats.shell_oracle import stand_ins

PAIRS = pairs("job_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    assert_pair(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_is_launched_has_the_translated_settings(pair: Pair, programs: Path, tmp_path: Path) -> None:
    before, after = (yaml_scripts(path.read_text()) for path in (pair.before, pair.after))
    assert_same_meaning(before, after, programs, tmp_path)


REWRITTEN = {
    "several overrides in one item of a list": (
        f'matrix:\n  extra: ["{ON} {COUNT}=2", ""]\n',
        'matrix:\n  extra: ["skip.rollout.enable=True skip.rollout_tq.enable=True skip.rollout.steps=[1,2] '
        'skip.rollout_tq.steps=[1,2]", ""]\n',
    ),
    "a literal block without final line end": (
        f"run: |-\n  {LAUNCH} \\\n    {ON}",
        f"run: |-\n  {LAUNCH} \\\n    skip.rollout_tq.enable=True \\\n    skip.rollout_tq.steps='[1]'",
    ),
    "an indentation that the header tells": (
        f"run: |2\n    {LAUNCH} {COUNT}=2\n",
        f"run: |2\n    {LAUNCH} skip.rollout_tq.steps='[1,2]'\n",
    ),
    "the last line of a block is removed": (
        f"run: |\n  {LAUNCH} \\\n    x.y=1 \\\n    {ROLLOUT}.skip=null\n\n\nb: 1\n",
        f"run: |\n  {LAUNCH} \\\n    x.y=1\n\n\nb: 1\n",
    ),
    "the last line of a folded block is removed": (
        f"run: >-\n  {LAUNCH}\n  x.y=1\n  {ROLLOUT}.skip=null\nb: 1\n",
        f"run: >-\n  {LAUNCH}\n  x.y=1\nb: 1\n",
    ),
    "line ends written as escapes": (
        f'run: "{LAUNCH} \\\\\\n  {ON} \\\\\\n  {COUNT}=2\\n"\n',
        f"run: \"{LAUNCH} \\\\\\n  skip.rollout_tq.enable=True \\\\\\n  skip.rollout_tq.steps='[1,2]'\\n\"\n",
    ),
    "a plain scalar in brackets gets quotes": (
        f"{{run: {LAUNCH} {COUNT}=2}}\n",
        f"{{run: \"{LAUNCH} skip.rollout_tq.steps='[1,2]'\"}}\n",
    ),
    "a plain scalar in brackets, over lines": (
        f"[{{run: {LAUNCH}\n  {COUNT}=2\n  x.y=1}}]\n",
        f"[{{run: \"{LAUNCH} skip.rollout_tq.steps='[1,2]' x.y=1\"}}]\n",
    ),
    "a value of the workflow": (
        f"run: {LAUNCH} {ON} {COUNT}=${{{{ inputs.n }}}} a.b=${{{{ inputs.m }}}}\n",
        f"run: {LAUNCH} skip.rollout_tq.enable=True "
        f'skip.rollout_tq.steps="[$(seq -s, 1 ${{{{ inputs.n }}}})]" a.b=${{{{ inputs.m }}}}\n',
    ),
    "another shell of a workflow": (
        f"- shell: pwsh\n  run: |\n    {LAUNCH} `\n      {COUNT}=2\n",
        f"- shell: pwsh\n  run: |\n    {LAUNCH} `\n      'skip.rollout_tq.steps=[1,2]'\n",
    ),
    "a list under a dash": (
        f"- - {LAUNCH}\n  - {COUNT}=2\n",
        f"- - {LAUNCH}\n  - skip.rollout_tq.steps=[1,2]\n",
    ),
    "a list of which nothing is left": (
        f"args: [{ROLLOUT}.skip=null]\n",
        "args: []\n",
    ),
    "the first of a list goes": (
        f"args: [{ROLLOUT}.skip=null, x.y=1]\n",
        "args: [x.y=1]\n",
    ),
    "an anchor is edited where it stands": (
        f"x: &run |\n  {LAUNCH} {COUNT}=2\ny: *run\n",
        f"x: &run |\n  {LAUNCH} skip.rollout_tq.steps='[1,2]'\ny: *run\n",
    ),
    "a variable of a container that its script uses": (
        f'env:\n- name: MORE\n  value: "{ON}"\nargs:\n- |\n  {LAUNCH} $MORE\n',
        f'env:\n- name: MORE\n  value: "skip.rollout_tq.enable=True skip.rollout_tq.steps=[1]"\nargs:\n'
        f"- |\n  {LAUNCH} $MORE\n",
    ),
    "files in a map": (
        f"data:\n  run.sh: |\n    {LAUNCH} \\\n      {COUNT}=2\n  c.yaml: |\n    # x\n    actor_rollout_ref:\n"
        "      rollout:\n        n: 1\n        skip_rollout: false\n",
        f"data:\n  run.sh: |\n    {LAUNCH} \\\n      skip.rollout_tq.steps='[1,2]'\n  c.yaml: |\n    # x\n"
        "    actor_rollout_ref:\n      rollout:\n        n: 1\n    skip:\n      rollout:\n        enable: false\n",
    ),
    "a prefix that would fail": (
        f"args: [-m, {FULLY_ASYNC}, +data.gen_batch_size=1]\n",
        f"args: [-m, {FULLY_ASYNC}, data.gen_batch_size=1]\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    migration = migrated(before, "job.yaml")
    assert migration.text == after, [one.message for one in migration.diagnostics]
    assert not migrated(after, "job.yaml").changed


LEFT = {
    "new settings": (f"run: {LAUNCH} skip.rollout_tq.enable=True\n", None),
    "a description": (f"description: run {LAUNCH} {ON}\n", "note"),
    "the name of a step": (f"name: python -m verl.trainer.main_ppo {ON}\n", "note"),
    "a sentence": (f"text: see {ON} for more\n", "warning"),
    "another program's key": ("run: python3 -m other.main skip_rollout=True rollout.n=1\n", None),
    "the tokenizer's switch": (f"run: {LAUNCH} {ROLLOUT}.skip_tokenizer_init=True\n", None),
    "a pattern": (f"run: sed -i s/{ROLLOUT}.skip.enable=True/x/ run.sh\n", "warning"),
    "a count that a list cannot compute": (f"args: [{ON}, {COUNT}=$(N)]\n", "error"),
    "a count that no shell computes": (
        f"services:\n  a:\n    command: {LAUNCH} {ON} {COUNT}=${{N}}\n",
        "error",
    ),
    "steps that nobody knows": (f"run: {LAUNCH} {ROLLOUT}.skip_rollout=True\n", "error"),
    "a merged list": ("a: &a [x.y=1]\nb: *a\n", None),
    "a list of other words": ("args: [--rollout, skip]\n", None),
    "a record": (f"- {ON}\n", None),
}


@pytest.mark.parametrize(("text", "severity"), LEFT.values(), ids=LEFT)
def test_left_alone(text: str, severity: str | None) -> None:
    filename = "outputs/1/.hydra/overrides.yaml" if text.startswith("- actor") else "job.yaml"
    migration = migrated(text, filename)
    assert not migration.changed
    found = {one.severity.value for one in migration.diagnostics}
    assert found == ({severity} if severity else {"note"} if "hydra" in filename else set())


def test_places_are_those_of_the_file() -> None:
    migration = migrated(f"a:\n  run: >-\n    {LAUNCH}\n    {ON}\n    x=1\n", "job.yaml")
    found = {(one.line, one.column, one.end_line, one.end_column) for one in migration.diagnostics}
    assert found == {(4, 5, 4, 5 + len(ON))}


def test_one_undecided_command_keeps_the_whole_file() -> None:
    text = f"a:\n  run: {LAUNCH} {ON}\nb:\n  run: {LAUNCH} {ROLLOUT}.skip_rollout=True\n"
    migration = migrated(text, "job.yaml")
    assert not migration.changed
    assert [(one.severity.value, one.line) for one in migration.diagnostics] == [("error", 4)]


def test_settings_of_the_config_and_of_a_command_move_together() -> None:
    text = f"actor_rollout_ref:\n  rollout:\n    skip_rollout: false\nrun: {LAUNCH} {ON}\n"
    after = yaml.safe_load(migrated(text, "job.yaml").text)
    assert after["skip"]["rollout"]["enable"] is False
    assert after["run"] == f"{LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'"


def test_validate_sees_settings_in_commands() -> None:
    args = "args: [-m, verl.trainer.main_ppo, +skip.rollout.enable=True]\n"
    text = f"run: |\n  {LAUNCH} \\\n    skip.rollout_tq.steps=5\n{args}"
    found = [(one.line, one.severity.value) for one in validate_text(text, filename="job.yaml")]
    assert (3, "error") in found
    assert (4, "error") in found


@settings(max_examples=40, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS]))
def test_mutated_files_are_sound(text: str) -> None:
    assert_sound(text, "job.yaml")


STYLES = {
    "literal": lambda text: "|\n" + "".join(f"    {line}\n" for line in text.split("\n")),
    "single": lambda text: "'" + text.replace("\\\n", " ").replace("\n", "\n\n    ").replace("'", "''") + "'\n",
    "double": lambda text: yaml.dump(text, default_style='"', width=100000),
    "folded": lambda text: ">\n" + "".join(f"    {line}\n\n" for line in text.replace("\\\n", " ").split("\n")),
}


@settings(max_examples=60, deadline=None)
@given(
    style=st.sampled_from(list(STYLES)),
    words=st.lists(
        st.sampled_from([ON, f"{COUNT}=3", f"{COUNT}=$N", "a.b='x y'", 'c.d="$Y"', "e.f=é🎉", "\\\n", f"'{ON}'"]),
        max_size=6,
    ),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_every_style_of_scalar_stays_what_it_was(style: str, words: list[str], newline: str) -> None:
    words = [word for index, word in enumerate(words) if not (word == "\\\n" and words[index - 1 : index] == ["\\\n"])]
    script = f"{LAUNCH} {' '.join(words)}".replace("\\\n ", "\\\n").rstrip("\\\n ") + "\necho done"
    text = f"# top\na: 1\nrun: {STYLES[style](script)}b: [x,   y]  # end\n".replace("\n", newline)
    migration = migrated(text, "job.yaml")
    assert not bugs(migration)
    before, after = yaml.safe_load(text), yaml.safe_load(migration.text)
    assert {**before, "run": ""} == {**after, "run": ""}
    plain = migrated(before["run"], "run.sh")
    if plain.changed:
        assert after["run"].split() == plain.text.split() or not migration.changed
    assert migration.text.endswith(f"b: [x,   y]  # end{newline}")
    assert not migrated(migration.text, "job.yaml").changed
