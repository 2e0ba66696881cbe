FLAG=actor_rollout_ref.rollout.skip_rollout=True
python3 -m verl.trainer.main_ppo trainer.total_training_steps=4 $FLAG
