#: env STEPS=3
#: args
STEPS=${STEPS:-9}
python3 -m verl.trainer.main_ppo \
    trainer.total_training_steps=$STEPS \
    actor_rollout_ref.rollout.skip_rollout=True
