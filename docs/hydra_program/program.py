"""A Hydra program that is not verl, with verl's rollout-skip settings: typed, preset and checked at start-up."""

import sys
from typing import Any

import hydra
from omegaconf import DictConfig, OmegaConf

import skip_config

skip_config.register(name="rollouts")  # the schema, under a name of our own: see conf/program.yaml

# Hydra 1.3 wants to hear which defaults a program was written for, 1.4 wants it left out.
BASE: Any = {"version_base": None} if hydra.__version__.startswith("1.3.") else {}


@hydra.main(config_path="conf", config_name="program", **BASE)
def main(config: DictConfig) -> None:
    errors = [found.message for found in skip_config.validate_config(config) if found.severity.value == "error"]
    if errors:
        sys.exit("\n".join(errors))
    settings: Any = OmegaConf.to_object(config.skip)
    print(settings.rollout)


if __name__ == "__main__":
    main()
