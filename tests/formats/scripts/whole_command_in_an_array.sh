cmd=(python3 -m verl.trainer.main_ppo)
cmd+=(actor_rollout_ref.rollout.skip.enable=True)
cmd+=(actor_rollout_ref.rollout.skip.max_dump_step=2)
"${cmd[@]}"
