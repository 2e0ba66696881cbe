BASE = {
    "trainer.use_v1": False,
    "skip.rollout.enable": True,
    "skip.rollout.dump_dir": "/data/dumps",
}


def variants(args):
    for count in (1, args.most):
        yield BASE | {"skip.rollout.steps": list(range(1, count + 1)), "trainer.nnodes": 1}
