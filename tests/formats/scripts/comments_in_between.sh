ARGS=(
    # what the run reuses
    actor_rollout_ref.rollout.skip.enable=True
    # actor_rollout_ref.rollout.skip.action=repeat_last
    actor_rollout_ref.rollout.skip.max_dump_step=2   # two
)
# python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True
python3 -m verl.trainer.main_ppo "${ARGS[@]}"
