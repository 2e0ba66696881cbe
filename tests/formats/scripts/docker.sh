docker run --rm -v "$PWD":/w img bash -c "cd /tmp && \
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.skip_rollout=True \
    trainer.total_training_steps=3"
