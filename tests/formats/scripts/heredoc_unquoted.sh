#: env OUT=/o WARM=3
cat <<EOF > job.sh
#!/bin/bash
python3 -m verl.trainer.main_ppo \\
  actor_rollout_ref.rollout.skip.enable=True \\
  actor_rollout_ref.rollout.skip.dump_dir="${OUT}" \\
  actor_rollout_ref.rollout.skip.max_dump_step=${WARM}
EOF
bash job.sh
