python3 ./verl/trainer/main_ppo.py actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=2
