"""The Hydra side with verl's real configs, and with the Hydra releases that people have."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from skip_config import defaults
from skip_config.defaults import LAUNCHES, Launch
from skip_config.releases import MANAGER, ROLES
from tests.stubbed_verl import manager_of
from tests.wheel_cache import MANAGER_RELEASES, wheel
from tests.wheels.hydra_envs import (
    NEWEST,
    OLDEST,
    PRE_RELEASE,
    REPOSITORY,
    STABLE,
    Case,
    composed,
    environment,
    python_with,
)

pytestmark = pytest.mark.wheels

TRAINER = "trainer/config"
FULLY_ASYNC = "experimental/fully_async_policy/config"
ONE_STEP_OFF = "experimental/one_step_off_policy/config"

ASYNC = ["data.train_batch_size=0", "actor_rollout_ref.hybrid_engine=false"]

PRIMARIES = {
    **{f"ppo_trainer, {engine}": (TRAINER, "ppo_trainer", [f"model_engine={engine}"]) for engine in ("dp", "megatron")},
    **{f"ppo_trainer, {one}": (TRAINER, "ppo_trainer", [f"model_engine={one}"]) for one in ("veomni", "torchtitan")},
    "ppo_megatron_trainer": (TRAINER, "ppo_megatron_trainer", []),
    "fully_async_ppo_trainer": (FULLY_ASYNC, "fully_async_ppo_trainer", ASYNC),
    "fully_async_ppo_megatron_trainer": (FULLY_ASYNC, "fully_async_ppo_megatron_trainer", ASYNC),
    "one_step_off_ppo_trainer": (ONE_STEP_OFF, "one_step_off_ppo_trainer", []),
    "one_step_off_ppo_megatron_trainer": (ONE_STEP_OFF, "one_step_off_ppo_megatron_trainer", []),
}
"""Every primary config of the trainers: folder, name, overrides."""

PRESETS = {f"{role}_{action}": ((role,), action) for role in ROLES for action in MANAGER.actions} | {
    f"both_{action}": (("rollout", "rollout_tq"), action) for action in MANAGER.actions
}


def case_of(version: str, primary: str) -> Case:
    """A primary config of a wheel; its own search path would need verl installed, which needs torch."""
    folder, name, overrides = PRIMARIES[primary]
    root = wheel(version) / "verl"
    return Case(root / folder, name, (f"hydra.searchpath=[file://{root / TRAINER}]", *overrides))


def with_values(preset: str) -> list[str]:
    """The overrides that use a preset, with values for the roles that it switches on."""
    roles, _ = PRESETS[preset]
    return [f"+skip={preset}", *(f"skip.{role}.{one}" for role in roles for one in ("steps=[1,2]", "dump_dir=/dumps"))]


def block_of(preset: str) -> dict[str, Any]:
    """What `with_values` has to compose."""
    block: dict[str, Any] = defaults.base()["skip"]
    roles, action = PRESETS[preset]
    for role in roles:
        block[role] = {"enable": True, "dump_dir": "/dumps", "steps": [1, 2], "action": action}
    return block


@pytest.mark.parametrize("primary", PRIMARIES)
@pytest.mark.parametrize(
    ("requirements", "version"),
    [(NEWEST, "0.9.0"), (NEWEST, "0.9.1"), (OLDEST, "0.9.1")],
    ids=["newest hydra-core 1.3, verl 0.9.0", "newest hydra-core 1.3, verl 0.9.1", "hydra-core 1.3.2, verl 0.9.1"],
)
def test_every_preset_composes_and_changes_nothing_else(
    requirements: tuple[str, ...], version: str, primary: str
) -> None:
    lists = {"plain": [], "off": ["+skip=off"], **{preset: with_values(preset) for preset in PRESETS}}
    found = composed(python_with(requirements), case_of(version, primary), lists)
    plain = found["plain"]["config"]
    assert found["off"] == found["plain"] == {"config": plain, "errors": []}
    for preset in PRESETS:
        assert found[preset] == {"config": plain | {"skip": block_of(preset)}, "errors": []}, preset


@pytest.mark.parametrize("requirements", STABLE.values(), ids=STABLE)
def test_wrong_overrides_fail_at_composition_with_the_key_named(requirements: tuple[str, ...]) -> None:
    """The plain block lets the values pass."""
    wrong = ["enable=maybe", "steps=[1,x]", "dump_dir=null", "actoin=cache"]
    lists = {text: ["+skip=rollout_tq_cache", f"skip.rollout_tq.{text}"] for text in wrong}
    plain = {f"plain {text}": [f"skip.rollout_tq.{text}"] for text in wrong[:3]}
    found = composed(python_with(requirements), case_of("0.9.1", "ppo_trainer, dp"), lists | plain)
    for text in wrong:
        assert f"skip.rollout_tq.{text.split('=')[0]}" in found[text]["failure"]
    assert all("config" in found[key] for key in plain)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("version", MANAGER_RELEASES)
def test_the_real_manager_takes_what_a_preset_composes(version: str, preset: str) -> None:
    case = case_of(version, "ppo_trainer, dp")
    with initialize_config_dir(str(case.folder), version_base=None):
        config = compose(case.name, [*case.overrides, *with_values(preset)])
    manager = manager_of(version).manager
    manager.init(config)
    roles, action = PRESETS[preset]
    for role in ROLES:
        read = getattr(manager.config, role)
        assert read.enable == (role in roles)
        if role in roles:
            assert (read.steps, read.dump_dir, read.action) == ([1, 2], "/dumps", action)


PROGRAM = """\
import hydra
from omegaconf import OmegaConf
from skip_config import validate_config

@hydra.main(config_path=None, version_base=None)
def main(config):
    errors = [one.name for one in validate_config(config) if one.severity.value == "error"]
    with open("result.yaml", "w") as file:
        OmegaConf.save({"skip": config.skip, "errors": errors}, file)

main()
"""


def run_program(folder: Path, python: Path, case: Case, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `PROGRAM` with `@hydra.main`, in its own process, in `folder`."""
    (folder / "program.py").write_text(PROGRAM)
    command = [str(python), "program.py", "--config-path", str(case.folder), "--config-name", case.name]
    return subprocess.run(
        [*command, *arguments, *case.overrides, "hydra.job.chdir=true"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def result_in(folder: Path) -> Any:
    return yaml.safe_load((folder / "result.yaml").read_text())


@pytest.mark.parametrize("primary", ["ppo_trainer, megatron", "fully_async_ppo_trainer", "one_step_off_ppo_trainer"])
@pytest.mark.parametrize("requirements", STABLE.values(), ids=STABLE)
def test_a_preset_in_a_program_of_its_own(tmp_path: Path, requirements: tuple[str, ...], primary: str) -> None:
    case = case_of("0.9.1", primary)
    arguments = [*with_values("both_cache"), "hydra.run.dir=run"]
    done = run_program(tmp_path, python_with(requirements), case, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert result_in(tmp_path / "run") == {"skip": block_of("both_cache"), "errors": []}


@pytest.mark.parametrize("requirements", STABLE.values(), ids=STABLE)
def test_a_sweep_over_presets(tmp_path: Path, requirements: tuple[str, ...]) -> None:
    sweep = ["--multirun", "+skip=off,rollout_tq_cache,rollout_tq_repeat", "hydra.sweep.dir=sweep"]
    values = ["skip.rollout_tq.steps=[1,2]", "skip.rollout_tq.dump_dir=/dumps"]
    done = run_program(tmp_path, python_with(requirements), case_of("0.9.1", "ppo_trainer, dp"), *sweep, *values)
    assert (done.returncode, done.stderr) == (0, "")
    jobs = [result_in(tmp_path / "sweep" / str(number)) for number in range(3)]
    off: Any = defaults.base()["skip"]
    off["rollout_tq"] |= {"steps": [1, 2], "dump_dir": "/dumps"}
    assert [job["skip"] for job in jobs] == [off, block_of("rollout_tq_cache"), block_of("rollout_tq_repeat")]
    assert all(job["errors"] == [] for job in jobs)


def test_with_verl_0_8_the_plugin_is_harmless_and_a_preset_says_why_it_fails(tmp_path: Path) -> None:
    folder = wheel("0.8.0") / "verl" / TRAINER
    program = "import hydra\n@hydra.main(config_path=None, version_base=None)\ndef main(config):\n    pass\nmain()\n"
    (tmp_path / "program.py").write_text(program)
    command = [str(python_with(NEWEST)), "program.py", "--config-path", str(folder), "--config-name", "ppo_trainer"]

    def run(*arguments: str, with_plugin: bool) -> subprocess.CompletedProcess[str]:
        env = environment(with_plugin)
        return subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    with_it, without = (run("--cfg", "job", with_plugin=plugin) for plugin in (True, False))
    assert (with_it.returncode, with_it.stderr) == (0, "")
    assert with_it.stdout == without.stdout
    refused = run("+skip=rollout_cache", with_plugin=True)
    assert refused.returncode == 1
    assert "need verl 0.9.0 or newer, and this program runs an older one" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("version", MANAGER_RELEASES)
@pytest.mark.parametrize("launch", LAUNCHES, ids=[launch.name for launch in LAUNCHES])
def test_the_slice_of_a_launch_is_what_verl_composes(version: str, launch: Launch) -> None:
    folder = FULLY_ASYNC if launch.primary.startswith("fully_async") else TRAINER
    searchpath = f"hydra.searchpath=[file://{wheel(version) / 'verl' / TRAINER}]"
    with initialize_config_dir(str(wheel(version) / "verl" / folder), version_base=None):
        config = compose(launch.primary, [searchpath, *launch.arguments])
    whole = OmegaConf.to_container(config)
    ours = defaults.launch(launch.name)
    if version == "0.9.0":
        ours["algorithm"]["filter_groups"]["metric"] = None  # the one default here that 0.9.1 changed
    assert slice_of(whole, ours) == ours
    assert list_order(whole, ours["skip"], "skip") == list_order(ours, ours["skip"], "skip")


@pytest.mark.parametrize("primary", PRIMARIES)
def test_the_defaults_of_a_primary_config_are_what_verl_composes(primary: str) -> None:
    case = case_of("0.9.1", primary)
    with initialize_config_dir(str(case.folder), version_base=None):
        whole = OmegaConf.to_container(compose(case.name, [case.overrides[0]]))
    ours = defaults.base(case.name)
    assert slice_of(whole, ours) == ours


def slice_of(whole: Any, part: Any) -> Any:
    """The values of `whole` at the places that `part` has; an empty mapping or a list is a value."""
    if not isinstance(part, dict) or not part:
        return whole
    return {key: slice_of(whole[key], value) for key, value in part.items()}


def list_order(whole: Any, part: Any, key: str) -> Any:
    return [key, *((one, list(whole[key][one])) for one in part if isinstance(part[one], dict))]


# ---------------------------------------------------------------- the pre-release, which verl cannot use


def test_verl_s_own_configs_do_not_compose_with_the_pre_release() -> None:
    """verl 0.9.1 has `../optim` in defaults lists, which Hydra 1.4 refuses, and `validate --config-dir` says so."""
    python, case = python_with(PRE_RELEASE), case_of("0.9.1", "ppo_trainer, dp")
    assert "Parent traversal" in composed(python, case, {"plain": []})["plain"]["failure"]
    code = f"from skip_config.hydra_layers import compose; print(compose({str(case.folder)!r}, {case.name!r}, [])[0])"
    command = [str(python), "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "refuses the '..' in defaults lists that verl's own configs have: use hydra-core 1.3 with verl" in done.stdout
    )


def test_plugin_presets_and_schema_work_with_the_pre_release(tmp_path: Path) -> None:
    (tmp_path / "main.yaml").write_text(yaml.safe_dump(defaults.base()))
    (tmp_path / "typed.yaml").write_text("defaults:\n  - skip_config_schema@skip\n  - _self_\n")
    python = python_with(PRE_RELEASE)
    lists = {preset: with_values(preset) for preset in PRESETS}
    wrong = {"wrong": ["+skip=off", "skip.rollout.enable=maybe"], "list": ["+skip=off", "skip.rollout.steps=[x]"]}
    found = composed(python, Case(tmp_path, "main"), {"off": ["+skip=off"]} | lists | wrong)
    assert found["off"]["config"]["skip"] == defaults.base()["skip"]
    assert {preset: found[preset]["config"]["skip"] for preset in PRESETS} == {one: block_of(one) for one in PRESETS}
    assert "skip.rollout.enable" in found["wrong"]["failure"]
    assert "skip.rollout.steps" in found["list"]["failure"]
    typed = composed(python, Case(tmp_path, "typed"), {"plain": [], "wrong": ["skip.rollout.steps=3"]})
    assert typed["plain"]["config"]["skip"]["rollout"]["steps"] == []
    assert "skip.rollout.steps" in typed["wrong"]["failure"]


@pytest.mark.parametrize("requirements", [OLDEST, NEWEST, PRE_RELEASE], ids=["1.3.2", "newest 1.3", "pre-release"])
def test_the_example_program_runs_without_a_warning(tmp_path: Path, requirements: tuple[str, ...]) -> None:
    program = REPOSITORY / "docs" / "hydra_program" / "program.py"
    command = [str(python_with(requirements)), "-W", "error", str(program), "hydra.run.dir=."]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "enable=True" in done.stdout
