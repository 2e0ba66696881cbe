"""Settings as tests use them: the grid that is compared in full, strategies to draw more, and their YAML."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from skip_config.legacy import MISSING, LegacySkip
from skip_config.releases import FLAT, NESTED, SUPPORTED_ACTIONS
from skip_config.runtime import ONE_FILE


class OldCase(NamedTuple):
    """Old settings, T, and the dumps that lie in the directory at the start."""

    old: LegacySkip
    total_steps: int
    dumps: dict[int, int]


class NewCase(NamedTuple):
    """Settings of one role of the manager, T, and the dumps that lie in the directory at the start."""

    enable: bool
    steps: tuple[int, ...]
    action: str
    total_steps: int
    dumps: dict[int, int]


DIRECTORY = "@DIRECTORY@"
SCATTERED = (
    {},
    {1: 501, 2: 502, 3: 503},
    {2: 502, 5: 505},
    {-1: 499, 0: 500, 9: 509},
    {-2: 498, 5: 505},
    {-1: 499, 5: 505},
)

FLAT_GRID = [
    OldCase(LegacySkip("flat", enable, DIRECTORY), total_steps, dumps)
    for enable, total_steps, dumps in product(
        (True, False, MISSING, None, 1, "no", "", 0.0), (0, 1, 2, 4, 7), ({}, {ONE_FILE: 501})
    )
]

NESTED_GRID = [
    OldCase(LegacySkip("nested", True, DIRECTORY, last, action), total_steps, dumps)
    for action, last, total_steps, dumps in product(
        (*NESTED.actions, MISSING),
        (-2, 0, 1, 2, 3, 5, 8, MISSING),
        (0, 1, 2, 3, 4, 6, 7),
        ({}, {1: 501, 2: 502, 3: 503}, {2: 502, 5: 505}),
    )
] + [
    OldCase(LegacySkip("nested", enable, DIRECTORY, last, action), 4, {})
    for enable, last, action in [
        (False, 3, "repeat"),
        (None, 3, "repeat"),
        (MISSING, 3, "repeat"),
        ("", 3, "repeat"),
        ("false", 3, "repeat"),
        (2, 3, "repeat"),
        (True, 2.5, "cache"),
        (True, 2.5, "repeat"),
        (True, 0.5, "cache"),
        (True, 0.5, "repeat"),
        (True, 0.5, "repeat_last"),
        (True, float("inf"), "repeat"),
        (True, float("nan"), "cache"),
        (True, float("nan"), "repeat"),
        (True, True, "repeat"),
        (True, False, "repeat"),
        (True, None, "cache"),
        (True, "3", "cache"),
        (True, [3], "cache"),
        (True, 3, "CACHE"),
        (True, 3, None),
        (True, 3, "random"),
        (True, 3, 1),
    ]
]

NEW_GRID = [
    NewCase(True, steps, action, total_steps, dumps)
    for action, steps, total_steps, dumps in product(
        SUPPORTED_ACTIONS,
        (
            (),
            (1,),
            (1, 2, 3),
            (1, 2, 3, 4, 5, 6, 7, 8),
            (3, 4, 5, 6),
            (2, 4, 6),
            (6, 4, 2, 4),
            (5,),
            (-3, -1, 0),
            (-1, 0, 1, 1),
            (100,),
        ),
        (1, 3, 8),
        SCATTERED,
    )
] + [NewCase(True, (1, 2), "repeat", 0, dumps) for dumps in SCATTERED]
NEW_GRID += [NewCase(False, (1, 2, 3), action, 4, dumps) for action, dumps in product(SUPPORTED_ACTIONS, SCATTERED)]

_batch_numbers = st.integers(500, 520)


def _dumps_of(old: LegacySkip) -> SearchStrategy[dict[int, int]]:
    places = st.just(ONE_FILE) if old.generation == "flat" else st.integers(1, 12)
    return st.dictionaries(places, _batch_numbers, max_size=4)


old_values: SearchStrategy[LegacySkip] = st.one_of(
    st.builds(LegacySkip, st.just("flat"), enable=st.sampled_from([True, False, MISSING]), dump_dir=st.just(DIRECTORY)),
    st.builds(
        LegacySkip,
        st.just("nested"),
        enable=st.sampled_from([True, True, True, 1, False, MISSING]),
        dump_dir=st.just(DIRECTORY),
        max_dump_step=st.one_of(
            st.integers(-3, 15), st.just(MISSING), st.integers(-8, 72).map(lambda eighths: eighths / 8)
        ),
        action=st.sampled_from([*NESTED.actions, MISSING]),
    ),
)
old_cases = old_values.flatmap(lambda old: st.builds(OldCase, st.just(old), st.integers(1, 14), _dumps_of(old)))
new_cases = st.builds(
    NewCase,
    st.booleans() | st.just(True),
    st.lists(st.integers(-3, 16), max_size=12).map(tuple),
    st.sampled_from(SUPPORTED_ACTIONS),
    st.integers(0, 14),
    st.dictionaries(st.integers(-3, 14), _batch_numbers, max_size=4),
)


def composed(old: LegacySkip) -> LegacySkip:
    """The settings as a run gets them: what the file leaves out comes from verl's own defaults.

    Without them the 0.8 runtime falls back to `repeat`; no run that Hydra composed gets there.
    """
    if old.generation == "flat":
        return old
    given = {"enable": old.enable, "max_dump_step": old.max_dump_step, "action": old.action}
    return replace(old, **{key: NESTED.defaults[key] for key, value in given.items() if value is MISSING})


def old_yaml(old: LegacySkip) -> str:
    """The settings in the smallest config that the runtime of their generation can start with."""
    generation = FLAT if old.generation == "flat" else NESTED
    values = {"enable": old.enable, "dump_dir": old.dump_dir, "steps": old.max_dump_step, "action": old.action}
    lines = [f"{key}: {scalar(values[name])}" for name, key in generation.keys.items() if values[name] is not MISSING]
    if generation is NESTED:
        lines = ["skip:", *(f"  {line}" for line in lines)]
    body = "\n".join(f"    {line}" for line in lines)
    return f"actor_rollout_ref:\n  rollout:\n    n: 1\n{body}\ndata:\n  train_batch_size: 1\ntrainer:\n  nnodes: 1\n"


def new_yaml(role: str, case: NewCase) -> str:
    """The settings of one role in the smallest config that the manager can start with."""
    return (
        f"skip:\n  {role}:\n    enable: {scalar(case.enable)}\n    dump_dir: {scalar(DIRECTORY)}\n"
        f"    steps: {list(case.steps)}\n    action: {case.action}\n" + REST_OF_NEW
    )


REST_OF_NEW = (
    "actor_rollout_ref:\n  rollout:\n    n: 1\ndata:\n  train_batch_size: 1\ntrainer:\n  v1:\n    trainer_mode: sync\n"
)


def scalar(value: object) -> str:
    """A value as YAML; JSON's notation is YAML's, but for the floats that JSON does not have."""
    if isinstance(value, float):
        return {float("inf"): ".inf", float("-inf"): "-.inf"}.get(value, ".nan" if value != value else f"{value:f}")
    return json.dumps(value)
