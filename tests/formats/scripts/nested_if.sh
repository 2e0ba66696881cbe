#: env A=1 B=1
#: env A=1
#: env B=1
#: args
args=(trainer.total_training_steps=4)
if [ -n "$A" ]; then
  args+=(actor_rollout_ref.rollout.skip_rollout=True)
  if [ -n "$B" ]; then
    args+=(actor_rollout_ref.rollout.skip_dump_dir=/b)
  else
    args+=(actor_rollout_ref.rollout.skip_dump_dir=/nob)
  fi
fi
python3 -m verl.trainer.main_ppo "${args[@]}"
