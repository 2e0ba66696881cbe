OPTS='actor_rollout_ref.rollout.skip_rollout=True trainer.total_training_steps=20'
python3 -m verl.trainer.main_ppo $OPTS
