R=actor_rollout_ref.rollout
python3 -m verl.trainer.main_ppo \
  $R.skip.enable=True \
  ${R}.skip.max_dump_step=2 \
  "$R.skip.dump_dir=/k"
