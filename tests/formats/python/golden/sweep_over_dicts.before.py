BASE = {
    "trainer.use_v1": False,
    "actor_rollout_ref.rollout.skip.enable": True,
    "actor_rollout_ref.rollout.skip.dump_dir": "/data/dumps",
}


def variants(args):
    for count in (1, args.most):
        yield BASE | {"actor_rollout_ref.rollout.skip.max_dump_step": count, "trainer.nnodes": 1}
