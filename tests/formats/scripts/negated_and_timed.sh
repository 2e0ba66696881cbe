if ! python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2; then exit 1; fi
time python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=3
