"""Every file and command in docs/hydra.md, run in order, prints what the page shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skip_config import defaults
from tests.console import Command, File, agrees, run, steps
from tests.wheel_cache import wheel

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "hydra.md"

MAIN_PPO = """\
import hydra

@hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
def main(config):
    pass

main()
"""


def stand_in(folder: Path) -> Path:
    """A package `verl` that composes its config and does nothing more: the real one needs torch and a GPU.

    Returns:
        The folder of its configs, still empty.
    """
    config = folder / "verl" / "trainer" / "config"
    config.mkdir(parents=True)
    for package in (config, config.parent, config.parents[1]):
        (package / "__init__.py").write_text("")
    (config.parent / "main_ppo.py").write_text(MAIN_PPO)
    return config


def check_page(folder: Path, packages: Path) -> None:
    shutil.copytree(DOCS / "hydra_program", folder / "hydra_program")
    wrong = []
    for step in steps(PAGE.read_text()):
        if isinstance(step, File):
            (folder / step.name).write_text(step.text)
        else:
            printed = run(step.line, folder, [packages])
            if not agrees(step.output, printed):
                wrong.append(f"$ {step.line}\n{printed}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.wheels
def test_the_page_with_verl_s_own_configs(tmp_path: Path) -> None:
    config = stand_in(tmp_path / "packages")
    shutil.copytree(wheel("0.9.1") / "verl" / "trainer" / "config", config, dirs_exist_ok=True)
    (config / "__init__.py").write_text("")  # verl's imports torch
    (tmp_path / "work").mkdir()
    check_page(tmp_path / "work", tmp_path / "packages")


PROGRAM_RUNS = [one.line for one in steps(PAGE.read_text()) if isinstance(one, Command) and "hydra_program" in one.line]


@pytest.mark.parametrize("command", PROGRAM_RUNS)
def test_the_example_program(tmp_path: Path, command: str) -> None:
    """What the page says of it, also where there is no wheel."""
    shutil.copytree(DOCS / "hydra_program", tmp_path / "hydra_program")
    shown = next(one.output for one in steps(PAGE.read_text()) if isinstance(one, Command) and one.line == command)
    assert agrees(shown, run(command, tmp_path, []))


def test_the_page_shows_each_preset_once() -> None:
    text = PAGE.read_text()
    folder = Path(defaults.__file__).parent / "conf" / "skip"
    table = text[text.index("| preset |") : text.index("`cache` saves")]
    assert sorted(path.stem for path in folder.iterdir()) == sorted(
        name for name in table.replace("`", " ").replace(",", " ").split() if (folder / f"{name}.yaml").exists()
    )


def test_the_page_has_commands() -> None:
    assert sum(isinstance(step, Command) for step in steps(PAGE.read_text())) >= 10
