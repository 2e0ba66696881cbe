#: total-steps 7
python3 -m verl.trainer.main_ppo \
    trainer.nnodes=1 \
    actor_rollout_ref.rollout.skip_rollout=true 2>&1 | tee "run.log"
