"""What we say about a config beside what the manager of verl 0.9 says."""

from __future__ import annotations

from typing import Any

from omegaconf import OmegaConf

from skip_config import validate_config, validate_text
from skip_config.diagnostics import Severity
from skip_config.schema import SkipManagerConfig
from tests.skip_blocks import USUAL_AFTER

Answer = dict[str, Any]


def disagreement(text: str, real: Answer) -> str | None:
    """How we disagree about a config with the real manager, or None.

    Args:
        text: The whole config.
        real: `{"refused": why}` or `{"accepted": {role: {field: value}}}`.
    """
    refused = "refused" in real
    errors = [one.message for one in validate_text(text, filename="config.yaml") if one.severity is Severity.ERROR]
    if errors and not refused:
        return f"validate_text: {errors[0]}"
    # In a file, an interpolation may point at what another file of the composition holds.
    # And a file without the block may be composed with verl's own, which has it, as may the other sections.
    elsewhere = "${" in text or "\nskip:" not in text or not text.endswith(USUAL_AFTER)
    if refused and not errors and not elsewhere:
        return f"validate_text accepts, verl: {real['refused']}"
    try:
        config = OmegaConf.create(text)
    except Exception:  # the text is not YAML: the runtime never sees a config
        return None if refused else "OmegaConf cannot load what verl loads"
    errors = [one.message for one in validate_config(config) if one.severity is Severity.ERROR]
    # What only the environment knows is not judged, so there only a wrong refusal is a disagreement.
    asks_outside = "${oc.env:" in text or "${oc.decode:" in text
    if refused != bool(errors) and not (asks_outside and refused):
        return f"validate_config: {errors[:1]}, verl: {real.get('refused')}"
    if not refused and real["accepted"] and our_values(config) != real["accepted"]:
        return f"values: {our_values(config)}, verl: {real['accepted']}"
    return None


def our_values(config: Any) -> dict[str, dict[str, object]]:
    """The settings of each role as our own schema holds them."""
    OmegaConf.resolve(config)
    block = (
        SkipManagerConfig()
        if not config.skip
        else OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(SkipManagerConfig), config.skip))
    )
    return {
        role: {name: getattr(getattr(block, role), name) for name in ("enable", "dump_dir", "steps", "action")}
        for role in ("rollout", "rollout_tq", "async_rollout")
    }


def start(manager: Any, text: str) -> Answer:
    """Start a manager as verl's entry points do, `OmegaConf.resolve` first."""
    try:
        config = OmegaConf.create(text)
        OmegaConf.resolve(config)
        manager.init(config)
    except Exception as error:  # whatever stops the training run is the answer
        return {"refused": f"{type(error).__name__}: {error}"}
    return {
        "accepted": {
            role: {"enable": skip.enable, "dump_dir": skip.dump_dir, "steps": skip.steps, "action": skip.action.value}
            for role, skip in manager.skip_instances.items()
        }
    }
