#: env HOST=h
srun --nodelist="$HOST" bash -lc "source env.sh 2>/dev/null; python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip.enable=True actor_rollout_ref.rollout.skip.max_dump_step=20 trainer.nnodes=\$((1+1))"
