#: unsafe
python3 -m verl.trainer.main_ppo trainer.total_training_steps=6 actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=3 actor_rollout_ref.rollout.skip.action="repeat"
