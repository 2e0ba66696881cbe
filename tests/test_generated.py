"""`generated_configs/` and `skipcfg generate`: never by hand, never stale, right for migrate and validate."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from skipcfg.app import run

from skip_config import defaults, generated, migrate_text, validate_text
from skip_config.defaults import LAUNCHES, Launch

FOLDER = Path(__file__).parents[1] / "generated_configs"
NAMES = [launch.name for launch in LAUNCHES]


def test_the_folder_holds_what_generate_writes() -> None:
    assert {path.name: path.read_text() for path in FOLDER.iterdir()} == generated.files()


@pytest.mark.parametrize("launch", LAUNCHES, ids=NAMES)
def test_a_file_holds_the_slice_and_says_how_it_was_made(launch: Launch) -> None:
    text = generated.text_of(launch)
    assert yaml.safe_load(text) == defaults.launch(launch.name)
    header = text[: text.index("\ndata:")]
    assert all(line.startswith("#") for line in header.splitlines())
    assert all(word in header for word in ("skipcfg generate", launch.module, launch.primary, *launch.arguments))


@pytest.mark.parametrize("name", generated.files())
def test_migrate_leaves_a_file_alone_and_validate_finds_nothing(name: str) -> None:
    text = generated.files()[name]
    migration = migrate_text(text, filename=name)
    assert (migration.text, migration.diagnostics) == (text, ())
    assert validate_text(text, filename=name) == []


def test_every_setting_has_a_doc() -> None:
    """But for `_target_`, which the runtime ignores."""
    text = generated.text_of(LAUNCHES[-1])
    lines = text[text.index("\ndata:") + 1 :].splitlines()
    bare = [
        line.strip()
        for before, line in zip(["", *lines], lines, strict=False)
        if not line.endswith(":") and not line.lstrip().startswith("#") and not before.lstrip().startswith("#")
    ]
    assert bare == ["_target_: verl.utils.skip.SkipManagerConfig"]


@pytest.mark.parametrize(
    ("primary", "gen_batch_size", "backend"),
    [
        ("ppo_trainer", None, "naive"),
        ("ppo_megatron_trainer", None, "naive"),
        ("fully_async_ppo_trainer", 1, "nccl"),
        ("fully_async_ppo_megatron_trainer", 1, "nccl"),
        ("one_step_off_ppo_trainer", None, "nccl"),
        ("one_step_off_ppo_megatron_trainer", None, "nccl"),
    ],
)
def test_the_defaults_of_a_primary_config(primary: str, gen_batch_size: int | None, backend: str) -> None:
    found = defaults.base(primary)
    assert found["data"]["gen_batch_size"] == gen_batch_size
    assert found["actor_rollout_ref"]["rollout"]["checkpoint_engine"]["backend"] == backend
    assert ("async_training" in found) == primary.startswith("fully_async")


def test_a_caller_may_change_what_it_gets() -> None:
    first = defaults.base()
    first["skip"]["rollout"]["steps"].append(1)
    assert defaults.base()["skip"]["rollout"]["steps"] == []


def test_generate_writes_only_what_is_stale(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "folder"
    assert run(["generate", str(folder)]) == 0
    assert {path.name: path.read_text() for path in folder.iterdir()} == generated.files()
    fresh = folder / "_generated_ppo_trainer_v0.yaml"
    fresh.write_text("old: 1\n")
    capfd.readouterr()
    assert run(["generate", str(folder)]) == 0
    assert fresh.read_text() == generated.files()[fresh.name]
    assert "1 written" in capfd.readouterr().err


def test_check_shows_a_diff_and_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["generate"]) == 0
    assert run(["generate", "--check"]) == 0
    stale = tmp_path / "generated_configs" / "_generated_ppo_trainer_sync.yaml"
    text = stale.read_text().replace("train_batch_size: 1024", "train_batch_size: 1023")
    stale.write_text(text)
    capfd.readouterr()
    assert run(["generate", "--check"]) == 1
    shown = capfd.readouterr().out
    assert shown.startswith("--- a/generated_configs/_generated_ppo_trainer_sync.yaml\n")
    assert "-  train_batch_size: 1023\n+  train_batch_size: 1024\n" in shown
    assert stale.read_text() == text


def test_check_of_a_folder_that_does_not_exist_shows_every_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "--check", str(tmp_path / "nowhere")]) == 1
    assert capfd.readouterr().out.count("\n+++ b/") == len(LAUNCHES)
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_is_a_file_is_bad_usage(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert run(["generate", str(tmp_path / "file")]) == 2
    assert "error: " in capfd.readouterr().err
