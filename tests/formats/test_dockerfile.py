"""Dockerfiles: instructions in shell form and as arrays of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from skip_config.validate import validate_text
from tests.formats.host_checks import assert_sound, mutations
from tests.formats.host_files import (
    LAUNCH,
    ROLLOUT,
    Pair,
    assert_pair,
    assert_same_meaning,
    docker_script,
    migrated,
    pairs,
)
from tests.formats.shell_oracle import stand_ins

PAIRS = pairs("dockerfile_")
ON = f"{ROLLOUT}.skip.enable=True"
COUNT = f"{ROLLOUT}.skip.max_dump_step"
ENTRY = 'ENTRYPOINT ["python3", "-m", "verl.trainer.main_ppo"]\n'


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_ins(tmp_path_factory.mktemp("stand-ins") / "bin")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_file_becomes_what_was_written_by_hand(pair: Pair) -> None:
    assert_pair(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_is_launched_has_the_translated_settings(pair: Pair, programs: Path, tmp_path: Path) -> None:
    before, after = (docker_script(path.read_text()) for path in (pair.before, pair.after))
    assert_same_meaning([before], [after], programs, tmp_path)


REWRITTEN = {
    "shell form": (f"CMD {LAUNCH} {ON}\n", f"CMD {LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'\n"),
    "lower case": (f"run {LAUNCH} {COUNT}=2\n", f"run {LAUNCH} skip.rollout_tq.steps='[1,2]'\n"),
    "array on one line": (
        f'CMD ["python3","-m","verl.trainer.main_ppo","{ON}"]\n',
        'CMD ["python3","-m","verl.trainer.main_ppo","skip.rollout_tq.enable=True","skip.rollout_tq.steps=[1]"]\n',
    ),
    "arguments of the entry point": (
        f'{ENTRY}CMD [\\\n  "x.y=1", \\\n  "{ON}", \\\n  "{ROLLOUT}.skip.dump_dir=/a\\"b" \\\n]\n',
        f'{ENTRY}CMD [\\\n  "x.y=1", \\\n  "skip.rollout_tq.enable=True", \\\n  "skip.rollout_tq.steps=[1]", \\\n'
        '  "skip.rollout_tq.dump_dir=/a\\"b" \\\n]\n',
    ),
    "old form of a variable": (
        f'ENV W {ON} "{ROLLOUT}.skip.dump_dir=/a b"\nRUN {LAUNCH} $W\n',
        'ENV W skip.rollout_tq.enable=True skip.rollout_tq.steps=[1] "skip.rollout_tq.dump_dir=/a b"\n'
        f"RUN {LAUNCH} $W\n",
    ),
    "a script that is copied": (
        f"COPY <<EOF /run.sh\n{LAUNCH} {ON}\nEOF\n",
        f"COPY <<EOF /run.sh\n{LAUNCH} skip.rollout_tq.enable=True skip.rollout_tq.steps='[1]'\nEOF\n",
    ),
    "a here-document of a shell": (
        f"RUN bash <<'EOF'\n{LAUNCH} \\\n  {ON}\nEOF\nUSER me\n",
        f"RUN bash <<'EOF'\n{LAUNCH} \\\n  skip.rollout_tq.enable=True \\\n  skip.rollout_tq.steps='[1]'\n"
        "EOF\nUSER me\n",
    ),
    "Windows line ends": (
        f"RUN {LAUNCH} \\\r\n  {ON} \\\r\n  x.y=1\r\n",
        f"RUN {LAUNCH} \\\r\n  skip.rollout_tq.enable=True \\\r\n  skip.rollout_tq.steps='[1]' \\\r\n  x.y=1\r\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    migration = migrated(before, "Dockerfile")
    assert migration.text == after, [one.message for one in migration.diagnostics]
    assert not migrated(after, "Dockerfile").changed


LEFT = {
    "new settings": (f"CMD {LAUNCH} skip.rollout_tq.enable=True\n", None),
    "a comment": (f"FROM x\n# {ON}\n", "note"),
    "a label": (f'LABEL how="{LAUNCH} {ON}"\n', "note"),
    "another program": ("RUN other --skip_rollout=1 rollout\n", None),
    "a count that an array cannot compute": (f'CMD ["{ON}", "{COUNT}=$N"]\n', "error"),
    "a count that Docker does not compute": (f'ENV W="{ON} {COUNT}=$N"\nRUN {LAUNCH} $W\n', "error"),
    "a config that is copied": (f"COPY <<EOF /a.txt\n{ON}\nEOF\n", "warning"),
}


@pytest.mark.parametrize(("text", "severity"), LEFT.values(), ids=LEFT)
def test_left_alone(text: str, severity: str | None) -> None:
    migration = migrated(text, "Dockerfile")
    assert not migration.changed
    assert {one.severity.value for one in migration.diagnostics} == ({severity} if severity else set())


@pytest.mark.parametrize("name", ["Dockerfile", "Dockerfile.train", "train.dockerfile", "Containerfile"])
def test_known_by_name(name: str) -> None:
    assert migrated(f"RUN {LAUNCH} {ON}\n", name).changed


def test_places_are_those_of_the_file() -> None:
    text = f"FROM x\nRUN a && \\\n    # {ON}\n    {LAUNCH} \\\n    {ON}\n"
    found = {(one.line, one.column) for one in migrated(text, "Dockerfile").diagnostics}
    assert found == {(3, 7), (5, 5)}


def test_validate_sees_settings_in_instructions() -> None:
    text = f'RUN {LAUNCH} skip.rollout_tq.steps=5\nCMD ["+skip.rollout.enable=True"]\n'
    errors = [one.line for one in validate_text(text, filename="Dockerfile") if one.severity.value == "error"]
    assert errors == [1, 2]


@settings(max_examples=60, deadline=None)
@given(mutations([path.before.read_text() for path in PAIRS] + [before for before, _ in REWRITTEN.values()]))
def test_mutated_files_are_sound(text: str) -> None:
    assert_sound(text, "Dockerfile")
