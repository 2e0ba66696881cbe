OPTIONS=(
    data.seed=1
    actor_rollout_ref.rollout.skip.enable=True # keep
    actor_rollout_ref.rollout.skip.max_dump_step=17 # first weeks
)
python3 -m verl.trainer.main_ppo "${OPTIONS[@]}"
