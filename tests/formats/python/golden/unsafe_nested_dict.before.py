CONFIG = {
    "data": {"train_batch_size": 8},
    "actor_rollout_ref": {
        "rollout": {
            "n": 4,
            "skip": {
                # what the debugging runs share
                "enable": True,
                "dump_dir": ROOT / "dumps",
                "max_dump_step": 2 * WARM,
            },
        },
    },
    "trainer": {"use_v1": False},  # the old trainer
}
