TOTAL=20
python3 -m verl.trainer.main_ppo \
    'trainer.nnodes=1' \
    'actor_rollout_ref.rollout.skip_rollout=True' \
    "trainer.total_training_steps=${TOTAL}"
