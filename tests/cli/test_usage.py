"""What is said to wrong flags, wrong paths and files that hold nothing: what is wrong, and what to do next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import NEW, ROOT, UNDECIDED, Skipcfg, as_program

WRONG = {
    "no such command": (["migrat", "."], "there is no command migrat; did you mean migrate?"),
    "no such command at all": (["xyzzy"], "there is no command xyzzy"),
    "no such command below": (["cache", "lss"], "there is no command lss; did you mean ls?"),
    "no such option": (["migrate", "--dif", "."], "there is no option --dif; did you mean --diff?"),
    "an option of another command": (["validate", "--insert-gen-batch-size"], "there is no option"),
    "no path": (["migrate"], "PATH is missing"),
    "zero steps": (["migrate", "--total-steps", "0", "."], "--total-steps: must be 1 or more"),
    "steps in words": (["migrate", "--total-steps", "ten", "."], "--total-steps: must be a whole number"),
    "no such role": (["migrate", "--role", "x", "."], "--role: 'x' is not one of auto, rollout, rollout_tq, both"),
    "a role with a typo": (["migrate", "--role", "rollouts", "."], "did you mean rollout?"),
    "no such format": (["validate", "--format", "jsno", "."], "did you mean json?"),
    "no jobs": (["migrate", "--jobs", "0", "."], "must be 1 or more"),
    "an option without its value": (["migrate", "--role"], "--role needs a value behind it"),
    "one argument too many": (["doctor", "now"], "nothing is known to do with now: remove it"),
    "two standard inputs": (["migrate", "-", "-"], "name files, or only -"),
    "standard input and a file": (["validate", "-", "a.yaml"], "name files, or only -"),
    "standard input without a name": (["validate", "-"], "--stdin-filename config.yaml"),
    "half a composition": (["validate", "--config-dir", "."], "go together: add the other one"),
    "nothing to check": (["validate"], "name a file or a folder"),
    "no such file": (["validate", "confg.yaml"], "confg.yaml: no such file or directory; did you mean config.yaml?"),
    "no file like it": (["validate", "other.txt"], "other.txt: no such file or directory\n"),
    "no such file to migrate": (["migrate", "confg.yaml"], "did you mean config.yaml?"),
    "no such file to plan": (["plan", "confg.yaml"], "did you mean config.yaml?"),
    "no such file to trace": (["trace", "confg.yaml"], "did you mean config.yaml?"),
    "a folder to trace": (["trace", "."], ".: is a directory"),
    "three files to trace": (["trace", "a", "b", "c"], "name one file, or two to compare; 3 are named"),
    "no such diagnostic": (["explain", "old-setings"], "did you mean old-setting?"),
    "no such folder of dumps": (["cache", "ls", "dumpss"], "dumps?"),
    "a file for a folder of dumps": (["cache", "ls", "config.yaml"], "config.yaml: not a directory"),
}


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("config.yaml").write_text(NEW)
    Path("run.sh").write_text("")
    Path("dumps").mkdir()


@pytest.mark.parametrize(("arguments", "says"), WRONG.values(), ids=list(WRONG))
def test_wrong_usage(skipcfg: Skipcfg, arguments: list[str], says: str) -> None:
    """Exit 2, nothing on standard output, and one line that begins with error:."""
    ran = skipcfg(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", ["no such command", "no such option", "zero steps", "no path"])
def test_wrong_usage_says_where_the_help_is(skipcfg: Skipcfg, name: str) -> None:
    assert skipcfg(*WRONG[name][0]).err.splitlines()[-1].startswith("Next: skipcfg ")


def test_wrong_usage_as_json(skipcfg: Skipcfg) -> None:
    """Standard output is an object all the same."""
    assert skipcfg("migrate", "--format", "json", "--dif").json["error"].startswith("there is no option --dif")


BINARY = b"\0\1\2"
FILES = {
    "empty": ("config.yaml", b"", "1 file checked", "nothing here mentions rollout skip"),
    "a list": ("config.yaml", b"- a\n- b\n", "1 file checked", "nothing here mentions rollout skip"),
    "comments": ("config.yaml", b"# nothing\n", "1 file checked", "nothing here mentions rollout skip"),
    "binary": ("config.yaml", BINARY, "0 files checked", "nothing here mentions rollout skip"),
    "binary with a mention": ("config.yaml", b"\0skip rollout", "0 files checked", "nothing here mentions"),
    "a kind that is not read": ("image.png", b"skip rollout", "0 files checked", "nothing here mentions"),
    "new settings": ("config.yaml", NEW.encode(), "1 file checked", "Next: launch"),
}


@pytest.mark.parametrize(("name", "data", "first", "last"), FILES.values(), ids=list(FILES))
def test_validate_praises_only_what_it_has_read(
    skipcfg: Skipcfg, name: str, data: bytes, first: str, last: str
) -> None:
    """Where nothing was checked, nobody is told to launch."""
    Path(name).write_bytes(data)
    ran = skipcfg("validate", name)
    assert ran.code == 0
    assert first in ran.err.splitlines()[0]
    assert last in ran.err.splitlines()[-1]


def test_validate_of_a_folder_without_candidates(skipcfg: Skipcfg) -> None:
    Path("dumps/readme.txt").write_text("hello\n")
    ran = skipcfg("validate", "dumps")
    assert ran.err.splitlines() == [
        "0 files checked: 0 errors, 0 warnings.",
        "Next: name the config or script that verl is launched with; nothing here mentions rollout skip.",
    ]


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["dumps"], "Next: to check the new ones: skipcfg validate dumps"),
        (["image.png"], "Next: name a config, a script or code; nothing was looked at."),
        (
            ["image.png", "config.yaml"],
            "Nothing to migrate. Next: to check the new settings: skipcfg validate image.png config.yaml",
        ),
    ],
    ids=["a folder without candidates", "a kind that is not read", "the same beside a config"],
)
def test_migrate_with_nothing_to_migrate(skipcfg: Skipcfg, arguments: list[str], last: str) -> None:
    Path("image.png").write_bytes(BINARY)
    ran = skipcfg("migrate", *arguments)
    assert ran.code == 0
    assert ran.err.splitlines()[-1] == last


def without_rights(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """`skipcfg` as a user to whom the files do not belong, also where the tests run as root."""
    code = (
        "import os, sys\n"
        "from skipcfg.app import run\n"
        "if os.geteuid() == 0:\n"
        "    run([sys.argv[1], 'config.yaml'])  # all is imported: Python itself may lie where others may not read\n"
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cli")])}
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False, env=environment)


@pytest.mark.parametrize("command", ["migrate", "validate"])
def test_a_file_that_may_not_be_read(tmp_path: Path, command: str) -> None:
    """The other files are looked at all the same, and the last line does not praise."""
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    Path("locked.yaml").write_text(UNDECIDED)
    Path("locked.yaml").chmod(0)
    ran = without_rights(command, "locked.yaml", "config.yaml")
    assert ran.returncode == 2
    assert b"locked.yaml: permission denied; let its owner give you access" in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith(b"Next: mend what the errors above name")


def test_no_colour_where_nobody_sees_it() -> None:
    """Neither help nor findings hold escapes when they go into a pipe, with NO_COLOR or without."""
    Path("old.yaml").write_text(UNDECIDED)
    for variables in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}):
        for arguments in (["--help"], ["migrate", "--check", "old.yaml"]):
            ran = as_program(*arguments, **variables)
            assert b"\x1b" not in ran.stdout + ran.stderr


def test_help_shows_each_command_in_full(skipcfg: Skipcfg) -> None:
    """No command's line is cut short, and no option's name."""
    assert "..." not in skipcfg("--help").out.replace("[ARGS]...", "")
    assert "--insert-gen-batch-size " in skipcfg("migrate", "--help").out


@pytest.mark.parametrize("command", ["migrate", "validate"])
def test_if_relevant_passes_over_what_is_none_of_our_business(skipcfg: Skipcfg, command: str) -> None:
    """Hooks name every file that is committed: templates, pictures, files in another encoding."""
    Path("chart.yaml").write_text("{{ if .Values }}\n- [\n")
    Path("image.png").write_bytes(b"\0skip rollout")
    Path("latin.yaml").write_bytes(b"name: \xff\n")
    others = ["chart.yaml", "image.png", "latin.yaml"]
    assert skipcfg(command, *others).code == 1
    ran = skipcfg(command, "--if-relevant", *others, "config.yaml")
    assert ran.code == 0
    assert all(name not in ran.out + ran.err for name in others)
    Path("old.yaml").write_text(UNDECIDED)
    ran = skipcfg(command, "--if-relevant", *others, "old.yaml")
    assert ran.code == 1
    assert "old.yaml" in ran.out
