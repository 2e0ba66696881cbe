C=(actor_rollout_ref.rollout.skip_rollout=True)
python3 -m verl.trainer.main_ppo "${C[@]}" trainer.total_training_steps=3
python3 -m verl.trainer.main_ppo "${C[@]}" trainer.total_training_steps=30
