"""One file: verl 0.8.0's `_generated_ppo_trainer.yaml` (915 lines), safety net included."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.table import Table, in_turns, milliseconds, ratio
from skip_config import migrate_text
from skip_config.releases import FIELDS, MANAGER, ROLES
from tests.wheel_cache import wheel

NAME = "_generated_ppo_trainer.yaml"


def generated(version: str) -> Path:
    """The file of one release."""
    return wheel(version) / "verl" / "trainer" / "config" / NAME


def new_block() -> dict[str, object]:
    """The block that verl 0.9 has in its place."""
    role = {name: list(value) if isinstance(value := MANAGER.defaults[name], tuple) else value for name in FIELDS}
    return {"_target_": MANAGER.target, **{name: dict(role) for name in ROLES}}


def with_skipcfg(text: str) -> str:
    """Our migration, verified."""
    return migrate_text(text, filename=NAME).text


def with_ruamel(text: str) -> str:
    """Load, edit, dump: what ruamel.yaml's round trip is made for."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    config = yaml.load(text)
    del config["actor_rollout_ref"]["rollout"]["skip"]
    config["data"].insert(list(config["data"]).index("train_batch_size") + 1, "gen_batch_size", None)
    config.insert(list(config).index("ray_kwargs"), "skip", new_block())
    out = io.StringIO()
    yaml.dump(config, out)
    return out.getvalue()


def with_ruamel_load_and_dump(text: str) -> str:
    """Only load and dump."""
    from ruamel.yaml import YAML

    yaml = YAML()
    out = io.StringIO()
    yaml.dump(yaml.load(text), out)
    return out.getvalue()


def with_yaml_edit(text: str) -> str:
    """The same removal and the same two insertions; no check of the result."""
    from yaml_edit import Document

    document = Document.parse(text)
    document.remove_path("actor_rollout_ref.rollout.skip")
    document.get_mapping("data").insert_after("train_batch_size", "gen_batch_size", None)
    document.insert_before("ray_kwargs", "skip", new_block())
    return str(document)


def with_yamlpath(text: str) -> None:
    """yamlpath's command, which removes the old block only; its start is part of it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / NAME
        file.write_text(text)
        command = [str(Path(sys.executable).with_name("yaml-set")), "--delete", "--change"]
        subprocess.run([*command, "actor_rollout_ref.rollout.skip", str(file)], check=True, capture_output=True)


def run() -> Table:
    """Measure all of them."""
    text = generated("0.8.0").read_text(encoding="utf-8")
    contestants = {
        "skipcfg `migrate_text`, verified": lambda: with_skipcfg(text),
        "yaml-edit (Rust), same edits, not verified": lambda: with_yaml_edit(text),
        "ruamel.yaml load + dump": lambda: with_ruamel_load_and_dump(text),
        "ruamel.yaml load + edit + dump": lambda: with_ruamel(text),
    }
    best = in_turns(contestants, 15)
    best["yamlpath `yaml-set --delete` (a process)"] = in_turns({"": lambda: with_yamlpath(text)}, 3)[""]
    ours = next(iter(best.values()))
    rows = [(name, milliseconds(seconds), ratio(ours, seconds)) for name, seconds in best.items()]
    note = f"`migrate_text` on verl 0.8.0's `{NAME}`, {len(text.splitlines())} lines, best of 15."
    return Table("One file", note, ("", "time", "skipcfg against it"), rows)
