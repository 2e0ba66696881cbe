"""New overrides in scripts, checked: Hydra's grammar first, then verl's own rules."""

from __future__ import annotations

import pytest

from skip_config.formats.shell.check import check_script, overrides_of
from skip_config.source import Source

RUN = "python3 -m verl.trainer.main_ppo"
NEW = "skip.rollout_tq"


def found(text: str) -> list[tuple[str, str, int | None]]:
    return [(one.severity.value, one.name, one.line) for one in check_script(Source(text, "run.sh"))]


WRONG = {
    "a sweep": (f"{NEW}.steps=1,2,3", "override-is-a-sweep"),
    "a range": (f'"{NEW}.steps=range(1,4)"', "override-is-a-sweep"),
    "a number": (f"{NEW}.steps=5", "wrong-type"),
    "quotes that reach Hydra": (f"\"{NEW}.steps='[1,2]'\"", "wrong-type"),
    "an action in capitals": (f"{NEW}.action=CACHE", "unsupported-action"),
    "an unknown key": (f"{NEW}.step=[1]", "no-such-key"),
    "an unknown role": ("skip.rollout_v1.enable=True", "no-such-key"),
    "a plus on a key that is there": (f"+{NEW}.dump_dir=/d", "prefix-on-existing-key"),
    "a tilde on a key that is there": (f"~{NEW}.enable", "prefix-on-existing-key"),
    "a home directory without quotes": (f"{NEW}.dump_dir=~/x", "override-not-readable"),
    "an old key": ("actor_rollout_ref.rollout.skip.enable=True", "old-setting"),
}


@pytest.mark.parametrize(("word", "name"), WRONG.values(), ids=WRONG.keys())
def test_refused(word: str, name: str) -> None:
    assert found(f"{RUN} \\\n  {word}\n") == [("error", name, 2)]


FINE = {
    "a list in quotes": f"{NEW}.steps='[1,2]' {NEW}.enable=True",
    "a list of seq": f'{NEW}.steps="[$(seq -s, 1 $N)]" {NEW}.enable=True',
    "values that the shell knows": f'{NEW}.enable="${{ON}}" {NEW}.action=${{A:-cache}} {NEW}.steps="[$all]"',
    "two pluses": f"++{NEW}.enable=True ++{NEW}.steps=[1]",
    "a plus on a list": f"+{NEW}.steps=[1]",
    "a home directory in quotes": f"\"{NEW}.dump_dir='~/x'\"",
    "an interpolation": f"'{NEW}.dump_dir=${{trainer.default_local_dir}}/x'",
}


@pytest.mark.parametrize("words", FINE.values(), ids=FINE.keys())
def test_accepted(words: str) -> None:
    assert found(f"{RUN} {words}") == []


def test_an_empty_list_of_a_role_that_is_on_is_a_warning() -> None:
    assert found(f"{RUN} {NEW}.enable=True {NEW}.steps=[]") == [("warning", "steps-empty", 1)]


def test_a_role_that_the_launched_trainer_does_not_ask_is_a_warning() -> None:
    text = f"A=(skip.rollout.enable=True skip.rollout.steps=[1])\n{RUN} trainer.use_v1=True ${{A[@]}}"
    assert found(text) == [("warning", "role-not-used", 1)]


def test_arguments_of_a_function_are_checked_at_their_place() -> None:
    assert found(f'go() {{ {RUN} "$@"; }}\ngo {NEW}.steps=5\n') == [("error", "wrong-type", 2)]


def test_overrides_are_given_in_the_order_in_which_they_arrive() -> None:
    (command,) = overrides_of(
        Source(f"A=({NEW}.enable=True b.c=1)\n{RUN} x.y=$Z ${{A[@]}} {NEW}.enable=False", "run.sh")
    )
    assert command.module == "verl.trainer.main_ppo"
    ((x, first, other, last),) = command.paths
    assert [one.text for one in (x, first, other, last)] == [
        "x.y=0",
        f"{NEW}.enable=True",
        "b.c=1",
        f"{NEW}.enable=False",
    ]
    assert x.opaque is not None
    assert x.opaque.text == "$Z"


def test_another_program_may_have_a_skip_of_its_own() -> None:
    assert found("python other.py skip.first=1,2 skip.last=5") == []


ASYNC = "python3 -m verl.experimental.fully_async_policy.fully_async_main"
ON = f"{NEW}.enable=True '{NEW}.steps=[1]'"
DIVIDE = "gen-batch-size-does-not-divide"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param(f"{RUN} data.gen_batch_size=30 data.train_batch_size=100", [DIVIDE], id="without skip settings"),
        pytest.param(f"{RUN} {ON} data.gen_batch_size=30", [DIVIDE], id="over verl's default"),
        pytest.param(f"{RUN} --config-name my {ON} data.gen_batch_size=30", [], id="over a config of one's own"),
        pytest.param(f"{RUN} --config-name my {ON.replace('_tq', '')}", [], id="a config that may choose the trainer"),
        pytest.param(f"{RUN} {ON.replace('_tq', '')}", ["role-not-used"], id="a role of the other trainer"),
        pytest.param("bash x.sh data.gen_batch_size=30 data.train_batch_size=100", [], id="another program"),
        pytest.param(f"{ASYNC} +data.gen_batch_size=1", ["prefix-on-existing-key"], id="a key that is there"),
        pytest.param(f"{RUN} +data.gen_batch_size=4", [], id="a key that is null"),
        pytest.param(f"python3 -m recipe.dapo.main_dapo {ON}", ["loop-without-manager"], id="the DAPO recipe"),
        pytest.param(
            f"python3 -m recipe.dapo.main_dapo {ON} data.gen_batch_size=96 data.train_batch_size=32",
            ["loop-without-manager"],
            id="the DAPO recipe fetches as it likes",
        ),
    ],
)
def test_what_lies_under_a_command(text: str, names: list[str]) -> None:
    assert [name for _, name, _ in found(text)] == names
