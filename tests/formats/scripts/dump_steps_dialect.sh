python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True 'actor_rollout_ref.rollout.skip.dump_steps=[2,4]' actor_rollout_ref.rollout.skip.max_dump_step=9
