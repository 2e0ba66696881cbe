"""Which files are looked at, and how they are replaced."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from skip_config import files, writing
from skip_config.files import Candidate, Found, NestedRepository, PathError

OLD = "actor_rollout_ref:\n  rollout:\n    skip_rollout: false\n"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(*names: str, text: str = OLD) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def found(*paths: str) -> list[str]:
    return [step.found.shown for step in files.candidates(paths) if isinstance(step, Candidate)]


# ---------------------------------------------------------------------- the walk


def test_a_folder_is_walked_in_order() -> None:
    """Files first, then folders, each by name, named as the user would name them."""
    put("conf/b.yaml", "conf/a.yml", "conf/sub/c.YAML", "conf/notes.csv", "conf/data.bin")
    assert found("conf") == ["conf/a.yml", "conf/b.yaml", "conf/sub/c.YAML"]
    assert found(".") == found("conf")


def test_a_file_that_mentions_nothing_is_passed_by() -> None:
    """A walk reads only what could hold settings; a named file is always looked at."""
    put("conf/other.yaml", text="a: 1\n")
    assert found("conf") == []
    assert found("conf/other.yaml") == ["conf/other.yaml"]


def test_each_file_comes_once() -> None:
    """Named twice, inside a named folder, by another spelling, by a link: once, by its first name."""
    put("conf/a.yaml")
    Path("link.yaml").symlink_to("conf/a.yaml")
    assert found("conf/a.yaml", "./conf/a.yaml", "conf", "link.yaml") == ["conf/a.yaml"]
    assert found("link.yaml", "conf") == ["link.yaml"]


def test_links_do_not_lead_out_of_the_tree() -> None:
    """A link to a file elsewhere is followed only when it was named; links to folders never are."""
    put("elsewhere/a.yaml")
    Path("conf").mkdir()
    Path("conf/out.yaml").symlink_to("../elsewhere/a.yaml")
    Path("conf/folder").symlink_to("../elsewhere")
    Path("conf/broken.yaml").symlink_to("nothing")
    Path("conf/around").symlink_to(".")
    assert found("conf") == []
    assert found("conf/out.yaml") == ["conf/out.yaml"]


IGNORED = {
    "by name": ({".gitignore": "a.yaml\n"}, ["conf/b.yaml", "conf/sub/c.yaml"]),
    "by pattern": ({".gitignore": "*.yaml\n"}, []),
    "a folder": ({".gitignore": "sub/\n"}, ["conf/a.yaml", "conf/b.yaml"]),
    "taken in again": ({".gitignore": "*.yaml\n!b.yaml\n"}, ["conf/b.yaml"]),
    "taken in again further down": ({".gitignore": "*.yaml\n", "conf/.gitignore": "!a.yaml\n"}, ["conf/a.yaml"]),
    "left out further down": ({"conf/sub/.gitignore": "*\n"}, ["conf/a.yaml", "conf/b.yaml"]),
    "from the root": ({".gitignore": "/a.yaml\n/conf/a.yaml\n"}, ["conf/b.yaml", "conf/sub/c.yaml"]),
    "by the other file": ({".ignore": "conf/sub\n"}, ["conf/a.yaml", "conf/b.yaml"]),
    "with CR LF": ({".gitignore": "a.yaml\r\nb.yaml\r\n"}, ["conf/sub/c.yaml"]),
    "comments and blank lines": ({".gitignore": "# b.yaml\n\n"}, ["conf/a.yaml", "conf/b.yaml", "conf/sub/c.yaml"]),
}


@pytest.mark.parametrize("name", IGNORED)
def test_ignore_files(name: str) -> None:
    """A walk leaves out what version control does."""
    rules, wanted = IGNORED[name]
    put("conf/a.yaml", "conf/b.yaml", "conf/sub/c.yaml")
    for path, text in rules.items():
        put(path, text=text)
    assert found(".") == wanted


def test_a_named_file_is_never_ignored() -> None:
    """Ignore files are about walks."""
    put("conf/a.yaml")
    put(".gitignore", text="*\n")
    assert found("conf/a.yaml") == ["conf/a.yaml"]


def test_ignore_files_above_a_folder_count_in_a_repository() -> None:
    """They count as far up as the repository goes."""
    put("conf/a.yaml", "conf/b.yaml")
    put(".gitignore", text="a.yaml\n")
    assert found("conf") == ["conf/a.yaml", "conf/b.yaml"]
    Path(".git").mkdir()
    assert found("conf") == ["conf/b.yaml"]


def test_a_named_folder_is_not_ignored() -> None:
    """A folder that version control leaves out is walked when the user names it."""
    put("outputs/a.yaml")
    put(".gitignore", text="outputs/\n")
    Path(".git").mkdir()
    assert found(".") == []
    assert found("outputs") == ["outputs/a.yaml"]


def test_folders_of_tools_are_not_entered() -> None:
    """Environments, caches and version control hold no configs of the user."""
    put(".git/a.yaml", "node_modules/a.yaml", ".venv/a.yaml", "__pycache__/a.yaml", ".hydra/a.yaml")
    assert found(".") == [".hydra/a.yaml"]


def test_a_repository_inside_is_named_and_not_entered() -> None:
    """A submodule is somebody else's."""
    put("conf/a.yaml", "vendor/tool/b.yaml")
    Path("vendor/tool/.git").write_text("gitdir: elsewhere\n")
    steps = list(files.candidates(["."]))
    assert [one.shown for one in steps if isinstance(one, NestedRepository)] == ["vendor/tool"]
    assert found(".") == ["conf/a.yaml"]
    assert found("vendor/tool") == ["vendor/tool/b.yaml"]


def test_paths_that_do_not_exist() -> None:
    """They are told before anything is read."""
    put("a.yaml")
    with pytest.raises(PathError, match=r"nowhere\.yaml: no such file or directory"):
        files.check(["a.yaml", "nowhere.yaml"])


def test_names_with_blanks_and_line_breaks() -> None:
    """Any name that the system allows."""
    put("with blank/a b.yaml", "c\nd.yaml", "ä/你.yaml")
    assert found(".") == ["c\nd.yaml", "with blank/a b.yaml", "ä/你.yaml"]


# -------------------------------------------------------------------- replacing


def replace(name: str, text: str) -> int:
    path = Path(name)
    return files.write(Found(path, name, True), path.read_bytes(), text.encode())


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_the_mode_stays(mode: int) -> None:
    """A script stays executable, a private file private."""
    put("a.yaml")
    os.chmod("a.yaml", mode)
    replace("a.yaml", "new\n")
    assert stat.S_IMODE(os.stat("a.yaml").st_mode) == mode
    assert Path("a.yaml").read_text() == "new\n"


def test_a_link_stays_a_link() -> None:
    """What it points at is replaced."""
    put("conf/a.yaml")
    Path("link.yaml").symlink_to("conf/a.yaml")
    replace("link.yaml", "new\n")
    assert Path("link.yaml").is_symlink()
    assert Path("conf/a.yaml").read_text() == "new\n"


def test_nothing_else_is_left_in_the_folder() -> None:
    """No temporary file remains."""
    put("conf/a.yaml")
    replace("conf/a.yaml", "new\n")
    assert [path.name for path in Path("conf").iterdir()] == ["a.yaml"]


def test_hard_links_are_counted() -> None:
    """They cannot be replaced together, so the caller is told."""
    put("a.yaml")
    os.link("a.yaml", "b.yaml")
    assert replace("a.yaml", "new\n") == 1
    assert Path("b.yaml").read_text() == OLD


def test_a_file_that_somebody_else_migrated_is_done() -> None:
    """Workers that outlive a killed run may get there first; that is no error of the next run."""
    put("a.yaml", "new\n")
    writing.replace(Path("a.yaml"), OLD.encode(), b"new\n")
    assert [path.name for path in Path().iterdir() if "a.yaml" in path.name] == ["a.yaml"]
    assert Path("a.yaml").read_text() == "new\n"


def test_a_file_that_somebody_else_changed_stays() -> None:
    """What was written meanwhile is not overwritten."""
    put("a.yaml", text="theirs\n")
    with pytest.raises(PathError, match="changed"):
        files.write(Found(Path("a.yaml"), "a.yaml", True), OLD.encode(), b"ours\n")
    assert Path("a.yaml").read_text() == "theirs\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is locked for root")
def test_read_only_files_stay() -> None:
    """A file without write permission is not replaced, although the folder would allow it."""
    put("a.yaml")
    os.chmod("a.yaml", 0o444)
    with pytest.raises(PathError, match="read-only"):
        replace("a.yaml", "new\n")
    assert Path("a.yaml").read_text() == OLD


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is locked for root")
def test_unreadable_files_and_folders() -> None:
    """A file that cannot be read is told; a folder that a walk cannot enter is passed by."""
    put("conf/a.yaml", "conf/locked/b.yaml", "conf/c.yaml")
    os.chmod("conf/a.yaml", 0)
    os.chmod("conf/locked", 0)
    try:
        steps = list(files.candidates(["conf"]))
    finally:
        os.chmod("conf/locked", 0o755)
    assert [str(one) for one in steps if isinstance(one, PathError)] == ["conf/a.yaml: permission denied"]
    assert [one.found.shown for one in steps if isinstance(one, Candidate)] == ["conf/c.yaml"]


def test_a_walk_finds_scripts_whose_names_do_not_say_so(tmp_path: Path) -> None:
    """A script without extension, by its shebang; and one whose extension ends in a character that nobody sees."""
    script = "#!/bin/bash\npython3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True\n"
    for name in ("launch", "run.sh\u200b"):
        (tmp_path / name).write_text(script, encoding="utf-8")
    found = {step.found.path.name for step in files.candidates([str(tmp_path)]) if isinstance(step, Candidate)}
    assert found == {"launch", "run.sh\u200b"}
