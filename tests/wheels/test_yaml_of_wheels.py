"""The YAML files that verl released, migrated and checked (`pytest -m wheels`)."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import cache
from typing import Any

import pytest

from skip_config import migrate_text, releases, validate_text
from skip_config.migrate import Migration
from skip_config.releases import MANAGER, RELEASES
from tests import yaml_oracle
from tests.wheel_cache import MANAGER_RELEASES, wheel

pytestmark = pytest.mark.wheels

OLD_RELEASES = tuple(one for one in RELEASES if one not in MANAGER_RELEASES)
NEW_RELEASES = MANAGER_RELEASES
GENERATED = ("_generated_ppo_trainer.yaml", "_generated_ppo_megatron_trainer.yaml")
GENERATED_SINCE_0_7_1 = ("_generated_ppo_torchtitan_trainer.yaml", "_generated_ppo_veomni_trainer.yaml")


def generated_of(version: str) -> list[str]:
    """The names of the reference files of a release."""
    return [*GENERATED, *(GENERATED_SINCE_0_7_1 if version not in ("0.6.0", "0.6.1", "0.7.0") else ())]


def text_of(version: str, name: str) -> str:
    return (wheel(version) / "verl/trainer/config" / name).read_bytes().decode()


@cache
def migrated(version: str, name: str) -> Migration:
    return migrate_text(text_of(version, name), filename=f"conf/{name}")


CASES = [(version, name) for version in OLD_RELEASES for name in generated_of(version)]
each_old_reference = pytest.mark.parametrize(("version", "name"), CASES, ids=["-".join(case) for case in CASES])


def old_places(config: dict[str, Any]) -> dict[str, Any]:
    rollout = config["actor_rollout_ref"]["rollout"]
    return {key: value for key, value in rollout.items() if key in releases.FLAT_KEYS or key == releases.NESTED_BLOCK}


@pytest.mark.parametrize("version", [*OLD_RELEASES, *NEW_RELEASES])
def test_reference_files_are_the_known_ones(version: str) -> None:
    """No reference file is overlooked."""
    there = {path.name for path in (wheel(version) / "verl/trainer/config").glob("_generated_*.yaml")}
    assert there == set(generated_of(version))


@each_old_reference
def test_block_is_that_of_0_9_1(version: str, name: str) -> None:
    """(a) The `skip` block has the keys, the order and the values of 0.9.1's own file, before `ray_kwargs`."""
    (ours,) = yaml_oracle.documents(migrated(version, name).text)
    (theirs,) = yaml_oracle.documents(text_of("0.9.1", name))
    assert yaml_oracle.in_order(ours["skip"]) == yaml_oracle.in_order(theirs["skip"])
    keys = list(ours)
    assert keys[keys.index("skip") + 1 :][:1] == (["ray_kwargs"] if "ray_kwargs" in keys else [])


@each_old_reference
def test_no_old_key_is_left(version: str, name: str) -> None:
    """(b) Nothing of the old settings remains."""
    result = migrated(version, name)
    (before,), (after,) = yaml_oracle.documents(text_of(version, name)), yaml_oracle.documents(result.text)
    assert old_places(before)
    assert not old_places(after)
    assert {one.severity.value for one in result.diagnostics} <= {"note"}


@each_old_reference
def test_gen_batch_size_follows_train_batch_size(version: str, name: str) -> None:
    """(c) `data.gen_batch_size: null` stands directly after `data.train_batch_size`."""
    (after,) = yaml_oracle.documents(migrated(version, name).text)
    keys = list(after["data"])
    assert keys[keys.index("train_batch_size") + 1] == "gen_batch_size"
    assert after["data"]["gen_batch_size"] is None


@each_old_reference
def test_everything_else_is_equal(version: str, name: str) -> None:
    """(d) All other values are equal, and in the same order."""
    (before,), (after,) = (
        yaml_oracle.documents(text_of(version, name)),
        yaml_oracle.documents(migrated(version, name).text),
    )
    before["data"].pop("gen_batch_size", None)
    del after["data"]["gen_batch_size"]
    assert yaml_oracle.elsewhere(after) == yaml_oracle.elsewhere(before)


@each_old_reference
def test_other_lines_stay(version: str, name: str) -> None:
    """(e) Lines only go where old settings stood and only come where new ones stand; the others are the same bytes."""
    before, after = text_of(version, name).splitlines(True), migrated(version, name).text.splitlines(True)
    gone: list[str] = []
    come: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            gone += before[a:b]
            come += after[c:d]
    assert len(gone) == (2 if version < "0.8" else 6)
    assert all("skip" in line or "  " * 3 in line for line in gone)
    assert len(come) == 1 + 2 + 3 * 5  # gen_batch_size; skip and _target_; three roles


@each_old_reference
def test_twice_is_once(version: str, name: str) -> None:
    """(f) The migrated file migrates to itself, without a word, and is valid."""
    once = migrated(version, name).text
    twice = migrate_text(once, filename=f"conf/{name}")
    assert twice.text == once
    assert not twice.diagnostics
    assert not [one for one in validate_text(once, filename=f"conf/{name}") if one.severity.value == "error"]


@pytest.mark.parametrize("version", NEW_RELEASES)
@pytest.mark.parametrize("name", [*GENERATED, *GENERATED_SINCE_0_7_1])
def test_new_reference_files_stay(version: str, name: str) -> None:
    """0.9's own reference files come out unchanged and validate clean."""
    result = migrated(version, name)
    assert not result.changed
    assert not result.diagnostics
    assert not validate_text(text_of(version, name), filename=f"conf/{name}")


@pytest.mark.parametrize("version", [*OLD_RELEASES, *NEW_RELEASES])
def test_every_other_yaml_file(version: str) -> None:
    """No file of a wheel makes us fail, and only those change in which an old setting stands."""
    root = wheel(version)
    files = [path for path in sorted(root.rglob("*.y*ml")) if not path.name.startswith("_generated_")]
    assert len(files) > 20
    for path in files:
        text = path.read_bytes().decode()
        # Under a name of its own, so that neither verl's tree nor a group folder exempts it.
        result = migrate_text(text, filename=f"conf/{path.name}")
        assert not [one for one in result.diagnostics if one.name == "result-not-verified"], path
        if result.changed:
            assert holds_old(text), path
        validate_text(text, filename=f"conf/{path.name}")
        in_place = migrate_text(text, filename=str(path.relative_to(root)))
        assert not in_place.changed, path
        assert {one.name for one in in_place.diagnostics} <= {"vendored"}, path


def holds_old(text: str) -> bool:
    return any(
        isinstance(document, dict)
        and isinstance((document.get("actor_rollout_ref") or {}).get("rollout"), dict)
        and bool(old_places(document))
        for document in yaml_oracle.documents(text)
    )


@pytest.mark.parametrize("version", ["0.8.0", "0.9.1"])
def test_defaults_of_the_group_file(version: str) -> None:
    """What `releases.py` says of keys and defaults is what the shipped files say."""
    (config,) = yaml_oracle.documents(text_of(version, GENERATED[0]))
    if version == "0.8.0":
        block = config["actor_rollout_ref"]["rollout"]["skip"]
        assert block == {"_target_": releases.NESTED.target, **releases.NESTED.defaults}
        return
    assert config["skip"]["_target_"] == MANAGER.target
    assert tuple(key for key in config["skip"] if key != "_target_") == releases.ROLES
    for role in releases.ROLES:
        assert config["skip"][role] == {**MANAGER.defaults, "steps": list(MANAGER.defaults["steps"])}  # type: ignore[call-overload]


@pytest.mark.parametrize("version", ["0.6.0", "0.6.1", "0.7.0", "0.7.1"])
def test_defaults_of_the_flat_settings(version: str) -> None:
    """The flat keys and their defaults, in every release that has them."""
    (config,) = yaml_oracle.documents(text_of(version, GENERATED[0]))
    assert old_places(config) == dict(releases.FLAT.defaults)


@pytest.mark.parametrize("generation", releases.GENERATIONS, ids=lambda generation: generation.name)
def test_since_and_until(generation: releases.Generation) -> None:
    """Each generation's place is in its releases and in no other."""
    for version in (*OLD_RELEASES, *NEW_RELEASES):
        (node,) = yaml_oracle.documents(text_of(version, GENERATED[0]))
        for part in generation.place:
            node = node.get(part) if isinstance(node, dict) else None
        keys = set(node or ()) & set(generation.defaults) if generation is not MANAGER else set(node or ())
        within = generation.since <= version <= (generation.until or version)
        assert bool(keys) == within, version
