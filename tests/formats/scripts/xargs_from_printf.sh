printf '%s\n' actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2 | xargs python3 -m verl.trainer.main_ppo trainer.nnodes=1
