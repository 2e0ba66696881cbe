#!/usr/bin/env bash
# Replays the first batches while the reward is worked on.
set -xeuo pipefail

project_name=${PROJECT:-"replay"}
exp_name="reward-$(date +%m%d)"
dump_steps=${DUMP_STEPS:-24}
dump_root=${DUMP_ROOT:-"${HOME}/dumps"}

# ---- algorithm
adv_estimator=grpo
max_prompt_length=$((1024 * 2))
max_response_length=$((1024 * 8))

DATA=(
    data.train_files="['${HOME}/a.parquet','${HOME}/b.parquet']"
    data.max_prompt_length=${max_prompt_length}
    data.max_response_length=${max_response_length}
    data.train_batch_size=256
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n=8
    # replay: needs about 4 GB for each step
    actor_rollout_ref.rollout.skip.enable=True              # off for the real run
    actor_rollout_ref.rollout.skip.dump_dir="${dump_root}/${project_name}"
    actor_rollout_ref.rollout.skip.max_dump_step=${dump_steps}
    # actor_rollout_ref.rollout.skip.action=repeat
)

if [[ "${DEBUG:-0}" == "1" ]]; then
    ROLLOUT+=(
        actor_rollout_ref.rollout.skip.max_dump_step=2
    )
fi

ray job submit --no-wait --runtime-env=env.yaml \
    -- python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=${adv_estimator} \
    "${DATA[@]}" \
    "${ROLLOUT[@]}" \
    trainer.project_name="${project_name}" \
    trainer.experiment_name="${exp_name}" \
    trainer.total_epochs=2 "$@"
