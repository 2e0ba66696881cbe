cat > job.sh <<EOF
WARM=3
python3 -m verl.trainer.main_ppo \\
  actor_rollout_ref.rollout.skip.enable=True \\
  actor_rollout_ref.rollout.skip.max_dump_step=\${WARM} \\
  trainer.nnodes=1
EOF
bash job.sh
