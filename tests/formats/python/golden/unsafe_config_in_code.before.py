from omegaconf import OmegaConf


def debug_config(config, folder):
    rollout = config.actor_rollout_ref.rollout
    rollout.n = 4
    rollout.skip.enable = True
    rollout.skip.dump_dir = folder / "dumps"  # on the local disk
    OmegaConf.update(config, "trainer.use_v1", True)
    OmegaConf.update(config, "actor_rollout_ref.rollout.skip.max_dump_step", 2, merge=False)
    return config
