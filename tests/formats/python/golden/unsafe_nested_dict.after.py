CONFIG = {
    "data": {"train_batch_size": 8},
    "actor_rollout_ref": {
        "rollout": {
            "n": 4,
        },
    },
    "trainer": {"use_v1": False},  # the old trainer
    # what the debugging runs share
    "skip": {
        "rollout": {
            "enable": True,
            "dump_dir": ROOT / "dumps",
            "steps": list(range(1, 2 * WARM + 1)),
        },
    },
}
