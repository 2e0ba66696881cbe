"""Runs in the environments of `hydra_envs`: composes what standard input asks for, prints what comes of it."""

from __future__ import annotations

import json
import sys

import hydra
from omegaconf import OmegaConf

from skip_config import validate_config

request = json.load(sys.stdin)
base = {"version_base": None} if hydra.__version__.startswith("1.3.") else {}
answer = {}
with hydra.initialize_config_dir(request["folder"], **base):
    for key, overrides in request["lists"].items():
        try:
            config = hydra.compose(request["name"], [*request["overrides"], *overrides])
        except hydra.errors.HydraException as error:
            answer[key] = {"failure": f"{error} {error.__cause__ or ''}"}
        else:
            errors = [one.name for one in validate_config(config) if one.severity.value == "error"]
            answer[key] = {"config": OmegaConf.to_container(config), "errors": errors}
print(json.dumps(answer))
