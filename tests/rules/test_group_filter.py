"""Tables of cases of `skip_config.rules.group_filter`."""

from tests.rules.table import PPO, mode, quiet, speaks

test_group_filter_without_metric_quiet = quiet(
    "group-filter-without-metric",
    {
        "default metric": PPO + "algorithm: {filter_groups: {enable: true}}\n",
        "off": PPO + "algorithm: {filter_groups: {enable: false, metric: null}}\n",
        "interpolation": PPO + "algorithm: {filter_groups: {enable: true, metric: '${m}'}}\n",
        "own sampler": PPO
        + "algorithm: {filter_groups: {enable: true, metric: null}}\n"
        + "trainer: {v1: {sampler: {custom_sampler: {path: a.py, name: B}}}}\n",
        "V0": PPO + "algorithm: {filter_groups: {enable: true, metric: null}}\n" + "trainer: {use_v1: false}\n",
    },
)

test_group_filter_without_metric_speaks = speaks(
    "group-filter-without-metric",
    {
        "null": PPO + "algorithm: {filter_groups: {enable: true, metric: null}}\n",
        "empty": PPO + "algorithm: {filter_groups: {enable: true, metric: ''}}\n",
    },
)

test_group_filter_reward_model_quiet = quiet(
    "group-filter-reward-model",
    {
        "rule-based": PPO + "algorithm: {filter_groups: {enable: true}}\n",
        "with a pool": PPO
        + "algorithm: {filter_groups: {enable: true}}\n"
        + "reward: {reward_model: {enable: true, enable_resource_pool: true}}\n",
        "no filter": PPO + "reward: {reward_model: {enable: true}}\n",
    },
)

test_group_filter_reward_model_speaks = speaks(
    "group-filter-reward-model",
    {
        "colocated": PPO + "algorithm: {filter_groups: {enable: true}}\n" + "reward: {reward_model: {enable: true}}\n",
        "said so": PPO
        + "algorithm: {filter_groups: {enable: true}}\n"
        + "reward: {reward_model: {enable: true, enable_resource_pool: false}}\n",
    },
)

test_group_filter_limit_ignored_quiet = quiet(
    "group-filter-limit-ignored",
    {
        "zero": PPO + "algorithm: {filter_groups: {enable: true, max_num_gen_batches: 0}}\n",
        "off": PPO + "algorithm: {filter_groups: {enable: false, max_num_gen_batches: 9}}\n",
        "V0": PPO
        + "algorithm: {filter_groups: {enable: true, max_num_gen_batches: 9}}\n"
        + "trainer: {use_v1: false}\n",
    },
)

test_group_filter_limit_ignored_speaks = speaks(
    "group-filter-limit-ignored",
    {
        "a limit": PPO + "algorithm: {filter_groups: {enable: true, max_num_gen_batches: 9}}\n",
        "null": PPO + "algorithm: {filter_groups: {enable: true, max_num_gen_batches: null}}\n",
    },
)

test_group_filter_inflight_quiet = quiet(
    "group-filter-inflight",
    {
        "positive": PPO + "algorithm: {filter_groups: {enable: true, max_inflight_gen_batches: 2}}\n",
        "off": PPO + "algorithm: {filter_groups: {enable: false, max_inflight_gen_batches: 0}}\n",
        "another mode": PPO
        + "algorithm: {filter_groups: {enable: true, max_inflight_gen_batches: 0}}\n"
        + mode("colocate_async"),
    },
)

test_group_filter_inflight_speaks = speaks(
    "group-filter-inflight",
    {
        "zero": PPO + "algorithm: {filter_groups: {enable: true, max_inflight_gen_batches: 0}}\n",
        "fraction": PPO + "algorithm: {filter_groups: {enable: true, max_inflight_gen_batches: 1.5}}\n",
    },
)
