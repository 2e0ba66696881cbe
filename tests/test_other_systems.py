"""What can be said here about Windows and macOS: their paths, their line endings, calls that they do not have."""

from __future__ import annotations

import ntpath
import os
import sys
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest
from skipcfg import diff

from skip_config import formats, migrate_text, reading, territory, writing
from skip_config.files import Found, write

OLD = "actor_rollout_ref:\n  rollout:\n    skip:\n      enable: true\n      max_dump_step: 2\n      dump_dir: /x\n"


@pytest.mark.parametrize(
    ("path", "record", "tree"),
    [
        (r"C:\runs\outputs\2025-01-01\.hydra\config.yaml", True, None),
        (r"outputs\a\.hydra\overrides.yaml", True, None),
        (r"D:\verl\verl\trainer\config\rollout\rollout.yaml", False, r"D:\verl\verl"),
        (r"\\server\share\conf\a.yaml", False, None),
    ],
)
def test_windows_paths(path: str, record: bool, tree: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drives, shares and backslashes: records and vendored trees are known by their folders."""
    monkeypatch.setattr(territory, "PurePath", PureWindowsPath)
    assert territory.is_record(path) == record
    assert territory.vendored_tree(path) == tree


@pytest.mark.parametrize("name", ["RUN.SH", "Config.YAML", "MAKEFILE", "dockerFile", r"C:\x\a.PS1", r"..\b.BAT"])
def test_names_in_capitals(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems that do not tell cases apart write names as they like."""
    monkeypatch.setattr(formats, "PurePath", PureWindowsPath)
    assert formats.kind_of(name, "")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (r"conf\a.yaml", "conf/a.yaml"),
        (r"D:\other\a.yaml", "other/a.yaml"),
        (r"C:\here\sub\a.yaml", "sub/a.yaml"),
        (r"C:\there\a.yaml", "there/a.yaml"),
    ],
)
def test_names_in_a_diff(path: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With slashes and without a drive, as `git apply` wants them."""
    paths = SimpleNamespace(relpath=_relative, splitdrive=ntpath.splitdrive)
    monkeypatch.setattr(diff, "os", SimpleNamespace(path=paths, sep="\\", pardir=".."))
    assert diff._name(path) == shown


def _relative(path: str) -> str:
    """`ntpath.relpath` from `C:\\here`, whose own way to the current folder exists on Windows only."""
    drive, rest = ntpath.splitdrive(path)
    if drive.lower() not in ("", "c:"):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")
    if not drive:
        return path
    return rest.removeprefix("\\here\\") if rest.startswith("\\here\\") else f"..{rest}"


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_crlf(name: str) -> None:
    """No line feed without its carriage return, as before."""
    text = OLD if name == "a.yaml" else '{"actor_rollout_ref": {"rollout": {\n"skip_rollout": false}}}\n'
    migration = migrate_text(text.replace("\n", "\r\n"), filename=name, total_steps=4)
    assert migration.changed
    assert migration.text.count("\n") == migration.text.count("\r\n")
    assert migration.text.replace("\r\n", "\n") == migrate_text(text, filename=name, total_steps=4).text


def test_calls_that_other_systems_do_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is read and replaced without them."""
    missing = {"chown", "listxattr", "setxattr", "getxattr", "geteuid", "getegid", "O_NONBLOCK", "O_CLOEXEC"}
    there = {name: value for name, value in vars(os).items() if name not in missing}
    for module in (reading, writing):
        monkeypatch.setattr(module, "os", SimpleNamespace(**{**there, "name": "nt"}))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    path = tmp_path / "a.yaml"
    path.write_bytes(b"old\r\n")
    assert reading.read_regular(path) == b"old\r\n"
    write(Found(path, "a.yaml", True), b"old\r\n", b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert os.listdir(path.parent) == ["a.yaml"]
