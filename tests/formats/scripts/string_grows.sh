#: env KEEP=1
#: args
OPTS="trainer.nnodes=1"
OPTS="$OPTS actor_rollout_ref.rollout.skip.enable=True"
if [ -n "$KEEP" ]; then
  OPTS="$OPTS actor_rollout_ref.rollout.skip.max_dump_step=3"
fi
OPTS+=" trainer.total_epochs=1"
python3 -m verl.trainer.main_ppo ${OPTS}
