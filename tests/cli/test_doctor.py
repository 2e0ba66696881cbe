"""`skipcfg doctor` and `skipcfg --version`, with distributions laid out as pip lays them out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skip_config.installation import Check, Status, checks, file_system
from skip_config.releases import RELEASES
from tests.cli.running import ROOT, Skipcfg, as_program

FLAT = "actor_rollout_ref: {rollout: {skip_rollout: false, skip_dump_dir: /tmp/x}}\n"
NESTED = "actor_rollout_ref: {rollout: {skip: {enable: false, max_dump_step: 1}}}\n"
MANAGER = "actor_rollout_ref: {rollout: {n: 1}}\nskip: {rollout: {enable: false}}\n"


class Site:
    """A folder on `sys.path`, in which distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, version: str) -> None:
        info = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")

    def lay_out_verl(self, config: str | None) -> Path:
        """A package `verl` that must not be imported."""
        package = self.folder / "verl"
        (package / "trainer" / "config").mkdir(parents=True)
        (package / "__init__.py").write_text("raise SystemExit('verl was imported')\n")
        if config is not None:
            (package / "trainer" / "config" / "_generated_ppo_trainer.yaml").write_text(config)
        return package


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return Site(folder)


def found(name: str, dump_dir: str = ".") -> Check:
    return next(one for one in checks(dump_dir) if one.name == name)


def test_text(skipcfg: Skipcfg) -> None:
    """A line per check, its status first; the last line says what to do next."""
    ran = skipcfg("doctor", "--dump-dir", ".")
    names = ["python", "skipcfg", "hydra-core", "omegaconf", "hydra-plugin", "verl", "transfer-queue", "dump-dir"]
    lines = [line.split() for line in ran.out.splitlines() if line[0] != " "]
    assert [line[1] for line in lines] == names
    assert {line[0] for line in lines} <= {"ok", "warn", "problem"}
    assert ran.code == ("problem" in {line[0] for line in lines})
    assert ran.err.splitlines()[-1].startswith("Next: ")


def test_json(skipcfg: Skipcfg) -> None:
    """Standard output is one object, with the same checks."""
    report = skipcfg("doctor", "--format", "json", "--dump-dir", ".").json
    assert report["version"] == 1
    assert [sorted(one) for one in report["checks"]] == [["advice", "found", "name", "status", "version"]] * 8
    assert all(one["advice"] for one in report["checks"] if one["status"] != "ok")


def test_a_problem_is_exit_code_1(skipcfg: Skipcfg) -> None:
    Path("file").write_text("")
    ran = skipcfg("doctor", "--dump-dir", "file/dumps")
    assert ran.code == 1
    assert "help: name another directory" in ran.out


@pytest.mark.parametrize(
    ("hydra", "omegaconf", "verl", "expected"),
    [
        ("1.3.2", "2.3.0", True, ("ok", "ok")),
        ("1.3.8", "2.3.1", True, ("ok", "ok")),
        ("1.3.8", "2.4.0", True, ("ok", "problem")),
        ("1.4.0rc3", "2.4.0", True, ("problem", "ok")),
        ("1.4.0rc3", "2.4.0", False, ("warn", "ok")),
        ("1.4.0rc3", "2.3.1", False, ("warn", "problem")),
        ("1.4.0", "2.4.0.dev1", False, ("warn", "ok")),
    ],
)
def test_hydra_and_omegaconf(site: Site, hydra: str, omegaconf: str, verl: bool, expected: tuple[str, str]) -> None:
    """hydra-core 1.3 asks for omegaconf below 2.4, 1.4 for 2.4; and 1.4 refuses verl's own configs."""
    site.install("hydra-core", hydra)
    site.install("omegaconf", omegaconf)
    if verl:
        site.lay_out_verl(MANAGER)
    pair = found("hydra-core"), found("omegaconf")
    assert tuple(one.status.value for one in pair) == expected
    assert [one.version for one in pair] == [hydra, omegaconf]
    assert all("pip install" in str(one.advice) for one in pair if one.status is not Status.OK)


def test_the_plugin_is_found_and_composes() -> None:
    assert found("hydra-plugin").status is Status.OK


@pytest.mark.parametrize(
    ("plugin", "says"),
    [
        (None, b"Hydra does not find skipcfg's plugin\n"),
        ("raise ImportError('half an upgrade')\n", b"Hydra does not find skipcfg's plugin: "),
    ],
    ids=["not installed", "cannot be imported"],
)
def test_a_plugin_that_is_not_found(tmp_path: Path, plugin: str | None, says: bytes) -> None:
    """With the reason that Hydra gives, and the command that mends it."""
    site = tmp_path / "site"
    site.mkdir()
    for package in (ROOT / "skip_config", ROOT / "cli" / "skipcfg"):
        (site / package.name).symlink_to(package)
    if plugin is None:  # a package that is no namespace hides the plugin of whatever is installed here
        (site / "hydra_plugins").mkdir()
        (site / "hydra_plugins" / "__init__.py").touch()
    else:
        (site / "hydra_plugins" / "skip_config").mkdir(parents=True)
        (site / "hydra_plugins" / "skip_config" / "__init__.py").write_text(plugin)
    ran = as_program("doctor", "--dump-dir", ".", PYTHONPATH=str(site))
    assert ran.returncode == 1
    assert says in ran.stdout
    assert (b"half an upgrade" in ran.stdout) == (plugin is not None)
    assert b"help: pip install --force-reinstall skipcfg" in ran.stdout


def test_a_plugin_that_breaks_hydra_is_named(tmp_path: Path) -> None:
    """Any exception in any plugin ends every Hydra program; the check tells it and goes on."""
    plugin = tmp_path / "broken" / "hydra_plugins" / "broken"
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").write_text("raise RuntimeError('the tracker is not configured')\n")
    path = os.pathsep.join([str(ROOT), str(ROOT / "cli"), str(tmp_path / "broken")])
    ran = as_program("doctor", "--dump-dir", ".", PYTHONPATH=path)
    assert ran.returncode == 1
    assert b"Hydra cannot compose here: RuntimeError: the tracker is not configured" in ran.stdout
    assert b"dump-dir" in ran.stdout


@pytest.mark.parametrize(
    ("version", "config", "status", "says"),
    [
        ("0.7.1", FLAT, "warn", "reads actor_rollout_ref.rollout.skip_rollout"),
        ("0.8.0", NESTED, "warn", "reads actor_rollout_ref.rollout.skip.enable"),
        ("0.9.1", MANAGER, "ok", "reads skip.rollout"),
        ("0.9.0.dev", NESTED, "warn", "reads actor_rollout_ref.rollout.skip.enable"),
        ("0.9.0.dev", MANAGER, "ok", "reads skip.rollout"),
        ("0.10.0", MANAGER, "warn", "reads skip.rollout"),
        ("0.10.0", "trainer: {}\n", "warn", "no rollout-skip settings that skipcfg knows"),
        ("0.9.1", None, "warn", "its shipped config cannot be read"),
        ("0.9.1", "a: [\n", "warn", "its shipped config cannot be read"),
        ("0.9.1", "- a\n", "warn", "its shipped config cannot be read"),
    ],
    ids=[
        *("flat", "nested", "manager", "nested under a newer name", "manager under the same name", "a later release"),
        *("settings moved again", "no config", "broken config", "a list for a config"),
    ],
)
def test_the_keys_tell_what_verl_reads(site: Site, version: str, config: str | None, status: str, says: str) -> None:
    """Development versions were reported by two generations each, so the version does not."""
    site.install("verl", version)
    site.lay_out_verl(config)
    one = found("verl")
    assert (one.status.value, one.version) == (status, version)
    assert says in one.found
    assert (one.advice is None) == (status == "ok")


def test_verl_as_a_source_tree_on_the_path(site: Site) -> None:
    """Without metadata, its own file tells the release."""
    (site.lay_out_verl(MANAGER) / "version").mkdir()
    (site.folder / "verl" / "version" / "version").write_text("0.9.1\n")
    assert found("verl")[1:4:2] == (Status.OK, "0.9.1")


@pytest.mark.parametrize(
    ("version", "verl", "status"),
    [
        ("0.1.8", True, "problem"),
        ("0.1.8", False, "warn"),
        ("0.1.9", True, "warn"),
        ("0.1.10", True, "ok"),
        ("0.2.0.dev0", True, "ok"),
        (None, True, "warn"),
    ],
)
def test_transfer_queue(site: Site, version: str | None, verl: bool, status: str) -> None:
    if version:
        site.install("TransferQueue", version)
    if verl:
        site.lay_out_verl(MANAGER)
    one = found("transfer-queue")
    assert (one.status.value, one.version) == (status, version)
    assert (one.advice is None) == (status == "ok")


@pytest.mark.parametrize(("where", "says"), [(".", "there, writable"), ("a/b", "not there yet, can be made")])
def test_a_dump_directory(where: str, says: str) -> None:
    """Nothing is made to find out."""
    one = found("dump-dir", where)
    assert one.status is not Status.PROBLEM
    assert says in one.found
    assert " GB free" in one.found or " TB free" in one.found
    assert not Path("a").exists()


MOUNTS = r"""
22 1 0:21 / / rw,relatime - overlay overlay rw
23 22 0:22 / /dev/shm rw - tmpfs shm rw
24 22 0:23 / /mnt/my\040data rw shared:3 - nfs4 server:/export rw
25 24 0:24 / /mnt/my\040data/scratch rw - ext4 /dev/sda1 rw
26 22 0:25 / /mnt rw - xfs /dev/sdb rw
""".lstrip()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "overlay"),
        ("/mntx", "overlay"),
        ("/mnt", "xfs"),
        ("/dev/shm/x", "tmpfs"),
        ("/mnt/my data/x", "nfs4"),
        ("/mnt/my data/scratch/x", "ext4"),
    ],
)
def test_the_file_system_of_a_folder(folder: str, kind: str) -> None:
    table = Path("mountinfo")
    table.write_text(MOUNTS)
    assert file_system(Path(folder), table) == kind


def test_no_table_of_mounts_says_nothing() -> None:
    assert file_system(Path("/"), Path("nowhere")) is None


def test_version(skipcfg: Skipcfg) -> None:
    """The first line is for programs, the rest for a bug report."""
    ran = skipcfg("--version")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [line[0] for line in lines] == ["skipcfg", "knows", "Python", "hydra-core", "omegaconf"]
    assert lines[1][1:] == ["verl", RELEASES[0], "to", RELEASES[-1]]
