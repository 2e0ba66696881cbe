from omegaconf import OmegaConf


def debug_config(config, folder):
    rollout = config.actor_rollout_ref.rollout
    rollout.n = 4
    config.skip.rollout_tq.enable = True
    config.skip.rollout_tq.dump_dir = folder / "dumps"  # on the local disk
    OmegaConf.update(config, "trainer.use_v1", True)
    OmegaConf.update(config, "skip.rollout_tq.steps", [1, 2], merge=False)
    return config
