"""The Hydra plugin: found, on the search path, quick, and harmless whatever is broken."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from hydra.plugins.search_path_plugin import SearchPathPlugin
from omegaconf import OmegaConf

from hydra_plugins.skip_config import SkipConfigSearchPathPlugin
from skip_config import SkipManagerConfig

PLUGIN = "hydra_plugins.skip_config"

PROGRAM = """\
import hydra
from omegaconf import OmegaConf

@hydra.main(config_path=None, version_base=None)
def main(cfg):
    print(OmegaConf.to_yaml(cfg, resolve=True), end="")

main()
"""


def run(folder: Path, *arguments: str, first_on_path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `PROGRAM` in an empty folder."""
    (folder / "program.py").write_text(PROGRAM)
    paths = [str(first_on_path)] if first_on_path else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, *(path for path in sys.path if path)])}
    command = [sys.executable, "program.py", *arguments, "hydra.run.dir=.", "hydra.output_subdir=null"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_hydra_finds_the_plugin() -> None:
    found = [one.__name__ for one in Plugins.instance().discover(SearchPathPlugin)]
    assert SkipConfigSearchPathPlugin.__name__ in found


def test_its_import_takes_less_than_three_milliseconds() -> None:
    """Measured by Hydra itself, each time in a fresh process; a busy machine gets ten tries."""
    code = f"""
        from hydra.core.plugins import Plugins
        print(Plugins.instance().get_stats().modules_import_time[{PLUGIN!r}])
    """

    def once() -> float:
        run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
        assert run.stderr == ""
        return float(run.stdout)

    assert any(once() < 0.003 for _ in range(10))


def test_its_import_loads_nothing_of_the_library_but_the_two_package_files() -> None:
    code = f"import {PLUGIN}, sys; print(sorted(name for name in sys.modules if name.startswith('skip_config')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("['skip_config', 'skip_config.conf']\n", "")


def test_the_schema_is_in_the_config_store(tmp_path: Path) -> None:
    (tmp_path / "program.yaml").write_text("defaults:\n  - skip_config_schema@skip\n  - _self_\n")
    with initialize_config_dir(str(tmp_path), version_base=None):
        config = compose("program")
    assert OmegaConf.get_type(config, "skip") is SkipManagerConfig
    assert OmegaConf.to_object(config.skip) == SkipManagerConfig()


def test_a_composition_without_a_preset_builds_nothing(tmp_path: Path) -> None:
    """Hydra copies the whole store each time, and what it holds must not be built for that."""
    code = f"""
        import sys
        from hydra import compose, initialize_config_dir
        with initialize_config_dir({str(tmp_path)!r}, version_base=None):
            compose(overrides=["+a=1"])
        print(sorted(name for name in sys.modules if name.startswith("skip_config")))
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("['skip_config', 'skip_config.conf']\n", "")


def test_the_search_path_is_shown(tmp_path: Path) -> None:
    shown = run(tmp_path, "--info", "searchpath")
    assert "| skip_config | pkg://skip_config.conf |" in shown.stdout
    assert shown.stderr == ""


def test_a_program_that_uses_no_preset_is_as_before(tmp_path: Path) -> None:
    """No output of ours, nothing written."""
    result = run(tmp_path, "+a=1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "a: 1\n", "")
    assert sorted(os.listdir(tmp_path)) == ["program.log", "program.py"]


@pytest.mark.parametrize(
    ("files", "config"),
    [
        pytest.param(
            {"skip/off.yaml": "mine: true\n", "program.yaml": 'defaults:\n  - skip: "off"\n'},
            {"skip": {"mine": True}},
            id="a group of the same name, with an option of the same name",
        ),
        pytest.param(
            {"skip/weekend.yaml": "days: 2\n", "program.yaml": "defaults:\n  - skip: weekend\n"},
            {"skip": {"days": 2}},
            id="a group of the same name",
        ),
        pytest.param({"program.yaml": "skip: 3\n"}, {"skip": 3}, id="a key of the same name"),
        pytest.param({"program.yaml": "skip:\n  enable: maybe\n"}, {"skip": {"enable": "maybe"}}, id="a block"),
    ],
)
def test_what_a_program_calls_skip_stays_its_own(
    tmp_path: Path, files: dict[str, str], config: dict[str, object]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with initialize_config_dir(str(tmp_path), version_base=None):
        assert compose("program") == config


REAL = Path(__file__).parents[1] / "hydra_plugins" / "skip_config" / "__init__.py"


def plugin_source() -> str:
    return REAL.read_text()


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("raise RuntimeError('broken')", id="it raises"),
        pytest.param("raise ImportError('broken')", id="it cannot import something"),
        pytest.param("raise KeyError('broken')", id="it raises what Hydra never expects"),
        pytest.param("def (", id="it is no Python"),
    ],
)
@pytest.mark.parametrize("module", ["skip_config/__init__.py", "skip_config/conf/__init__.py"])
def test_a_broken_library_ends_no_program(tmp_path: Path, module: str, broken: str) -> None:
    """Only ImportError leaves the plugin, which Hydra reports as a warning before it goes on."""
    site = tmp_path / "site"
    for name in ("hydra_plugins/skip_config", "skip_config", "skip_config/conf"):
        (site / name).mkdir(parents=True)
        (site / name / "__init__.py").write_text("")
    (site / "hydra_plugins/skip_config/__init__.py").write_text(plugin_source())
    (site / module).write_text(broken + "\n")
    with pytest.raises(ImportError, match="the plugin of skipcfg cannot start"):
        load_alone(site)


def load_alone(site: Path) -> None:
    """Execute the plugin of `site` as Hydra would, with the library of `site`."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "skip_config"}
    sys.path.insert(0, str(site))
    file = site / "hydra_plugins/skip_config/__init__.py"
    try:
        exec(compile(file.read_text(), str(file), "exec"), {"__file__": str(file), "__name__": PLUGIN})
    finally:
        sys.path.remove(str(site))
        for name in [name for name in sys.modules if name.split(".")[0] == "skip_config"]:
            del sys.modules[name]
        sys.modules.update(kept)


def test_a_store_of_another_shape_ends_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConfigStore, "instance", lambda: object())
    with pytest.raises(ImportError, match="the plugin of skipcfg cannot start"):
        exec(compile(plugin_source(), PLUGIN, "exec"), {"__file__": str(REAL), "__name__": PLUGIN})


def test_a_program_of_a_broken_installation_runs(tmp_path: Path) -> None:
    """The whole of it once: Hydra warns, and the program does its work."""
    site = tmp_path / "site"
    (site / "hydra_plugins/skip_config").mkdir(parents=True)
    (site / "skip_config").mkdir()
    (site / "hydra_plugins/skip_config/__init__.py").write_text(plugin_source())
    (site / "skip_config/__init__.py").write_text("raise RuntimeError('broken')\n")
    (tmp_path / "work").mkdir()
    result = run(tmp_path / "work", "+a=1", first_on_path=site)
    assert (result.returncode, result.stdout) == (0, "a: 1\n")
    assert "the plugin of skipcfg cannot start: RuntimeError('broken')" in result.stderr


def test_a_file_called_skip_config_in_the_folder_of_a_program_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "skip_config.py").write_text("print('run by mistake')\n")
    result = run(tmp_path, "+a=1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "a: 1\n", "")
