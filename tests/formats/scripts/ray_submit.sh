#: env ADDR=h:1
ray job submit --address="http://$ADDR" --runtime-env-json='{"env_vars": {"A": "b"}}' \
    -- \
    python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.skip.enable=True \
    actor_rollout_ref.rollout.skip.max_dump_step=2
