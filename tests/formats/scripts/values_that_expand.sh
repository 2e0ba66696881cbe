#: env USER_DIR=/u WARM=4
#: args
python3 -m verl.trainer.main_ppo \
  actor_rollout_ref.rollout.skip.enable=${ON:-True} \
  actor_rollout_ref.rollout.skip.dump_dir=${USER_DIR:-/nowhere}/$(echo sub)/"a b" \
  actor_rollout_ref.rollout.skip.max_dump_step=${WARM:-3}
