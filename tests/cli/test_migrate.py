"""`skipcfg migrate`: what is written, what is printed where, and how it exits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.running import NEW, OLD, UNDECIDED, Skipcfg, as_program


def put(name: str, text: str | bytes = OLD) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_rewrites_in_place(skipcfg: Skipcfg) -> None:
    """Without options the file is rewritten; findings go to stdout, the summary to stderr."""
    path = put("conf/run.yaml")
    ran = skipcfg("migrate", "conf/run.yaml")
    assert ran.code == 0
    assert path.read_text() == NEW
    assert ran.out.splitlines()[:3] == [
        "conf/run.yaml:6:7: note[old-setting]: "
        "actor_rollout_ref.rollout.skip.{enable,dump_dir} moved to skip.rollout_tq",
        "  6 |       enable: true",
        "    |       ^^^^^^",
    ]
    assert ran.err.splitlines()[0] == "1 file migrated."
    assert ran.err.splitlines()[-1].startswith("Next: ")


def test_second_run_has_nothing_to_do(skipcfg: Skipcfg) -> None:
    """Twice is once."""
    put("conf/run.yaml")
    skipcfg("migrate", "conf")
    ran = skipcfg("migrate", "conf")
    assert (ran.code, ran.out) == (0, "")
    assert "Nothing to migrate" in ran.err


def test_a_decision_is_needed(skipcfg: Skipcfg) -> None:
    """What needs a person stays, is an error with help, and does not keep other files back."""
    undecided, other = put("a.yaml", UNDECIDED), put("b.yaml")
    ran = skipcfg("migrate", ".")
    assert ran.code == 1
    assert undecided.read_text() == UNDECIDED
    assert other.read_text() == NEW
    assert "a.yaml:3:5: error[needs-total-steps]: " in ran.out
    assert "\n  help: skipcfg migrate --total-steps N" in ran.out
    assert "1 file migrated, 1 file needs a decision." in ran.err


def test_total_steps_and_role(skipcfg: Skipcfg) -> None:
    """`--total-steps` answers the question, `--role` names who gets the settings."""
    path = put("a.yaml", UNDECIDED)
    assert skipcfg("migrate", "--total-steps", "2", "--role", "rollout", "a.yaml").code == 0
    text = path.read_text()
    assert "steps: [1, 2]" in text
    assert "rollout_tq" not in text


def test_unsafe(skipcfg: Skipcfg) -> None:
    """`--unsafe` writes the nearest setting, with a warning and exit 0."""
    path = put("a.yaml", OLD.replace("use_v1: true", "total_training_steps: 3\nasync_training: {}"))
    assert skipcfg("migrate", "a.yaml").code == 1
    ran = skipcfg("migrate", "--unsafe", "a.yaml")
    assert ran.code == 0
    assert "warning[feed-order]" in ran.out
    assert "async_rollout:" in path.read_text()


def test_insert_gen_batch_size(skipcfg: Skipcfg) -> None:
    """`--insert-gen-batch-size` is for every YAML file, not only generated ones."""
    path = put("a.yaml", "data:\n  train_batch_size: 8\n")
    assert skipcfg("migrate", "a.yaml").code == 0
    assert "gen_batch_size" not in path.read_text()
    assert skipcfg("migrate", "--insert-gen-batch-size", "a.yaml").code == 0
    assert path.read_text() == "data:\n  train_batch_size: 8\n  gen_batch_size: null\n"


# --------------------------------------------------------------- --diff and --check


def test_check_writes_nothing(skipcfg: Skipcfg) -> None:
    """`--check` exits 1 when something would change, and 0 when nothing would."""
    path = put("a.yaml")
    ran = skipcfg("migrate", "--check", "a.yaml")
    assert (ran.code, path.read_text()) == (1, OLD)
    assert "1 file would be migrated." in ran.err
    put("a.yaml", NEW)
    assert skipcfg("migrate", "--check", "a.yaml").code == 0


def test_diff_alone_is_no_failure(skipcfg: Skipcfg) -> None:
    """`--diff` exits as the migration would, prints only the diff on stdout, and writes nothing."""
    path = put("a.yaml")
    ran = skipcfg("migrate", "--diff", "a.yaml")
    assert (ran.code, path.read_text()) == (0, OLD)
    assert ran.out == (
        "--- a/a.yaml\n"
        "+++ b/a.yaml\n"
        "@@ -1,9 +1,11 @@\n"
        " actor_rollout_ref:\n"
        "   rollout:\n"
        "     n: 4\n"
        "-    # replay\n"
        "-    skip:\n"
        "-      enable: true\n"
        "-      dump_dir: /data/dump\n"
        " trainer:\n"
        "   use_v1: true\n"
        "+# replay\n"
        "+skip:\n"
        "+  rollout_tq:\n"
        "+    enable: true\n"
        "+    dump_dir: /data/dump\n"
        "+    steps: [1]\n"
    )
    assert "note[old-setting]" in ran.err
    assert skipcfg("migrate", "--diff", "--check", "a.yaml").code == 1


PATCHES = {
    "plain": ("a.yaml", OLD.encode()),
    "in a folder": ("conf/sub/a.yaml", OLD.encode()),
    "blanks in the path": ("my configs/a b.yaml", OLD.encode()),
    "quotes and backslashes in the path": ('a"b\\c.yaml', OLD.encode()),
    "tab in the path": ("a\tb.yaml", OLD.encode()),
    "other alphabets in the path": ("配置/ä.yaml", OLD.encode()),
    "CR LF": ("a.yaml", OLD.replace("\n", "\r\n").encode()),
    "no last line ending": ("a.yaml", OLD.rstrip("\n").encode()),
    "old settings on the last line": ("a.yaml", b"a: 1\nactor_rollout_ref:\n  rollout:\n    skip_rollout: false"),
    "byte-order mark": ("a.yaml", b"\xef\xbb\xbf" + OLD.encode()),
    "byte-order mark on the line that changes": (
        "a.yaml", b"\xef\xbb\xbfactor_rollout_ref:\n  rollout:\n    skip_rollout: false\n",
    ),
    "lone carriage returns": ("a.yaml", OLD.replace("\n", "\r").encode()),
    "separators that no editor shows": ("a.yaml", OLD.replace("# replay", "# re\u2028# play").encode()),
    "everything goes": ("a.yaml", b"actor_rollout_ref:\n  rollout:\n    skip: {}\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", PATCHES)
def test_git_takes_the_diff(skipcfg: Skipcfg, name: str) -> None:
    """`git apply` makes of the old file, by the diff, what migrate makes of it."""
    shown, data = PATCHES[name]
    path = put(shown, data)
    patch = skipcfg("migrate", "--diff", shown).out
    subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=patch.encode(), check=True, capture_output=True)
    patched = path.read_bytes()
    assert patched != data
    path.write_bytes(data)
    assert skipcfg("migrate", shown).code == 0
    assert path.read_bytes() == patched


def test_one_diff_for_all_files(skipcfg: Skipcfg) -> None:
    """The diffs of several files follow one another and apply together."""
    put("a.yaml")
    put("conf/b.yaml")
    patch = skipcfg("migrate", "--diff", ".").out
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True, capture_output=True)
    assert Path("a.yaml").read_text() == Path("conf/b.yaml").read_text() == NEW


# ------------------------------------------------------------------------- reports


def test_json_report(skipcfg: Skipcfg) -> None:
    """One object: a version and, for each file, whether it changed and what was found."""
    put("a.yaml")
    put("b.yaml", UNDECIDED)
    ran = skipcfg("migrate", "--format", "json", "a.yaml", "b.yaml")
    assert ran.code == 1
    assert list(ran.json) == ["version", "files"]
    first, second = ran.json["files"]
    assert (first["path"], first["changed"], second["path"], second["changed"]) == ("a.yaml", True, "b.yaml", False)
    assert first["diagnostics"][0] == {
        "name": "old-setting",
        "severity": "note",
        "message": "actor_rollout_ref.rollout.skip.{enable,dump_dir} moved to skip.rollout_tq",
        "line": 6,
        "column": 7,
        "end_line": 6,
        "end_column": 13,
        "key": "actor_rollout_ref.rollout.skip.enable",
        "help": None,
        "fix": "safe",
    }
    assert second["diagnostics"] == [
        {
            "name": "needs-total-steps",
            "severity": "error",
            "message": "skip_rollout reused one batch at every step, and verl 0.9 wants a list of steps: "
            "the number of training steps is not known here",
            "line": 3,
            "column": 5,
            "end_line": 3,
            "end_column": 17,
            "key": "actor_rollout_ref.rollout.skip_rollout",
            "help": "skipcfg migrate --total-steps N b.yaml, where N is what the run's progress bar counts up to",
            "fix": None,
        }
    ]


@pytest.mark.parametrize("options", [["--check"], ["--diff"], ["--check", "--diff"]])
def test_json_says_what_would_change(skipcfg: Skipcfg, options: list[str]) -> None:
    """With `--check` and `--diff`, `changed` is what would be, and stdout is still one object."""
    put("a.yaml")
    assert skipcfg("migrate", "--format", "json", *options, "a.yaml").json["files"][0]["changed"] is True
    assert Path("a.yaml").read_text() == OLD


def test_control_characters_do_not_reach_the_terminal(skipcfg: Skipcfg) -> None:
    """A key with an escape sequence is shown escaped."""
    put("a.yaml", OLD.replace("dump_dir:", '"\\e[31m":'))
    ran = skipcfg("migrate", "a.yaml")
    assert "\x1b" not in ran.out + ran.err
    assert "\\x1b[31m" in ran.out


# --------------------------------------------------------------- files of other kinds


def test_files_that_hold_nothing(skipcfg: Skipcfg) -> None:
    """Empty files, empty folders, folders without configs, lists: nothing to do, exit 0."""
    Path("empty").mkdir()
    put("notes/readme.txt", "skip_rollout")
    put("empty.yaml", "")
    put("list.yaml", "- skip_rollout\n")
    for path in ("empty", "notes", "empty.yaml", "list.yaml", "."):
        ran = skipcfg("migrate", path)
        assert (ran.code, ran.out) == (0, ""), path


def test_binary_files(skipcfg: Skipcfg) -> None:
    """A file with NUL bytes is passed by, named or not."""
    put("a.yaml", b"skip_rollout: \0\1\2")
    for path in ("a.yaml", "."):
        ran = skipcfg("migrate", "--format", "json", path)
        assert ran.code == 0
        assert {one["severity"] for file in ran.json["files"] for one in file["diagnostics"]} <= {"note"}


UNREADABLE = {
    "not UTF-8": (b"# caf\xe9\nactor_rollout_ref:\n  rollout:\n    skip_rollout: true\n", "cannot-decode", 1),
    "not YAML": (b"actor_rollout_ref:\n  rollout:\n    skip_rollout: [\n", "cannot-parse", 4),
    "doubled key": (b"actor_rollout_ref:\n  rollout:\n    skip_rollout: 1\n    skip_rollout: 1\n", "duplicate-key", 4),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_files_that_cannot_be_read(skipcfg: Skipcfg, name: str) -> None:
    """A file with old keys that cannot be parsed is an error with its line, also in a walk."""
    data, finding, line = UNREADABLE[name]
    put("conf/a.yaml", data)
    for path in ("conf/a.yaml", "conf"):
        ran = skipcfg("migrate", "--format", "json", path)
        assert ran.code == 1
        assert ran.findings == [("conf/a.yaml", finding)]
        assert ran.json["files"][0]["diagnostics"][0]["line"] == line
    assert Path("conf/a.yaml").read_bytes() == data


def test_other_files_that_cannot_be_read_are_passed_by_in_a_walk(skipcfg: Skipcfg) -> None:
    """A template that mentions no old key is nobody's business unless it was named."""
    put("chart/values.yaml", "skip: {{ .Values.rollout }}\n{{- end }}\n")
    assert skipcfg("migrate", "chart").code == 0
    assert skipcfg("migrate", "chart/values.yaml").code == 1


def test_records_are_told_and_left(skipcfg: Skipcfg) -> None:
    """What a run recorded stays, unless `--include records`."""
    path = put("outputs/2026-01-01/.hydra/config.yaml")
    ran = skipcfg("migrate", "--format", "json", ".")
    assert (ran.code, path.read_text()) == (0, OLD)
    assert [name for _, name in ran.findings] == ["record"]
    assert skipcfg("migrate", "--include", "records", ".").code == 0
    assert "rollout_tq:" in path.read_text()


# ------------------------------------------------------------------- standard input


def test_filter() -> None:
    """`-` reads standard input and writes the result on standard output, byte for byte."""
    text = OLD.replace("\n", "\r\n").encode()
    done = as_program("migrate", "-", "--stdin-filename", "conf/a.yaml", stdin=b"\xef\xbb\xbf" + text)
    assert done.returncode == 0
    assert done.stdout == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()
    assert b"conf/a.yaml:6:7: note[old-setting]" in done.stderr


def test_filter_gives_back_what_it_does_not_change(skipcfg: Skipcfg) -> None:
    """Text that needs a decision, cannot be parsed or cannot be decoded comes out as it went in."""
    for data, code in ((UNDECIDED.encode(), 1), (b"a: [\n", 1), (b"a: \xff\n", 1), (b"", 0), (b"a: 1", 0)):
        ran = skipcfg("migrate", "-", "--stdin-filename", "a.yaml", stdin=data)
        assert (ran.code, ran.out.encode(errors="surrogateescape")) == (code, data)


def test_filter_with_check_diff_and_json(skipcfg: Skipcfg) -> None:
    """The options mean the same as for files."""
    arguments = ["migrate", "-", "--stdin-filename", "a.yaml"]
    assert skipcfg(*arguments, "--check", stdin=OLD.encode()).code == 1
    diff = skipcfg(*arguments, "--diff", stdin=OLD.encode())
    assert diff.code == 0
    assert diff.out.startswith("--- a/a.yaml\n+++ b/a.yaml\n")
    report = skipcfg(*arguments, "--format", "json", stdin=OLD.encode()).json
    assert [file["path"] for file in report["files"]] == ["a.yaml"]


# ----------------------------------------------------------------------------- usage

USAGE = {
    "no path": [],
    "a path that does not exist": ["nowhere.yaml"],
    "one of two paths does not exist": ["a.yaml", "nowhere.yaml"],
    "unknown option": ["--no-such-option", "a.yaml"],
    "unknown role": ["--role", "sideways", "a.yaml"],
    "unknown format": ["--format", "xml", "a.yaml"],
    "zero steps": ["--total-steps", "0", "a.yaml"],
    "steps that are no number": ["--total-steps", "many", "a.yaml"],
    "unknown kind to include": ["--include", "everything", "a.yaml"],
    "standard input without a name": ["-"],
    "standard input of no known kind": ["-", "--stdin-filename", "notes.csv"],
    "standard input beside a path": ["-", "a.yaml", "--stdin-filename", "a.yaml"],
}


@pytest.mark.parametrize("name", USAGE)
def test_could_not_run(skipcfg: Skipcfg, name: str) -> None:
    """Bad usage and missing paths exit 2, say why on stderr, and change nothing."""
    path = put("a.yaml")
    ran = skipcfg("migrate", *USAGE[name])
    assert ran.code == 2
    assert ran.out == "" or name == "no path"
    assert "Traceback" not in ran.err
    assert path.read_text() == OLD


@pytest.mark.parametrize("name", [name for name in USAGE if name not in ("no path", "unknown format")])
def test_could_not_run_as_json(skipcfg: Skipcfg, name: str) -> None:
    """With `--format json`, stdout is one object even then, and says why."""
    put("a.yaml")
    ran = skipcfg("migrate", "--format", "json", *USAGE[name])
    assert ran.code == 2
    assert ran.json["version"] == 1
    assert ran.json["error"]


def test_as_a_program() -> None:
    """`python -m skipcfg` exits with the code of the command and writes no colour into a pipe."""
    put("a.yaml", UNDECIDED)
    done = as_program("migrate", "a.yaml")
    assert done.returncode == 1
    assert done.stdout.startswith(b"a.yaml:3:5: error[needs-total-steps]")
    assert b"\x1b" not in done.stdout + done.stderr


def test_several_processes(skipcfg: Skipcfg) -> None:
    """The number of processes changes neither the result nor its order."""
    for number in range(40):
        put(f"conf/{number:02}.yaml", OLD if number % 3 else UNDECIDED)
    one = skipcfg("migrate", "--check", "--format", "json", "--jobs", "1", "conf")
    two = skipcfg("migrate", "--check", "--format", "json", "--jobs", "2", "conf")
    assert one == two
    assert one.code == 1
