# läuft überall · 说明
NAME="versuch-ß-测试"
python3 -m verl.trainer.main_ppo trainer.experiment_name="$NAME" \
  actor_rollout_ref.rollout.skip.dump_dir=/däta/🗂 \
  actor_rollout_ref.rollout.skip.enable=True \
  actor_rollout_ref.rollout.skip.max_dump_step=2  # größer
