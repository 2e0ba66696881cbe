"""Any input: findings, never an exception, and not for long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skip_config import migrate_text, validate_config, validate_text
from skip_config.diagnostics import Severity
from skip_config.migrate import migrate_source
from skip_config.request import Request
from skip_config.runtime import Refused, Unknown
from skip_config.source import Source
from skip_config.trace import trace_text

BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
TEXTS = {
    "a thousand levels": "skip:\n" + "".join(f"{' ' * depth}a:\n" for depth in range(1, 1000)),
    "a thousand brackets": "skip: " + "[" * 1000 + "]" * 1000 + "\n",
    "alias bomb": BOMB + "skip: {rollout: {steps: *a39, enable: *a39}}\n",
    "alias bomb by merge keys": "m0: &m0 {enable: true}\n"
    + "".join(f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}\n" for n in range(1, 40))
    + "skip: {rollout: *m39}\n",
    "recursive alias": "skip: &s {rollout: *s, rollout_tq: {steps: &t [*t]}}\n",
    "recursive merge": "skip: &s {<<: *s, rollout: {}}\n",
    "interpolation cycle": "skip: {rollout: {dump_dir: '${skip.rollout.dump_dir}'}}\n",
    "cycle that grows": "skip: {rollout: {dump_dir: '${a}'}}\na: '${b}${b}'\nb: '${a}${a}'\n",
    "endless interpolation": "skip: {rollout: {dump_dir: '" + "${" * 5000 + "'}}\n",
    "object tag": "skip: !!python/object/apply:os.system ['echo hacked']\n",
    "object tag on a field": "skip: {rollout: {enable: !!python/name:os.system }}\n",
    "keys that are no text": "skip: {1: 2, null: 3, true: 4, [a]: 5, {b: c}: 6}\n",
    "NUL": "skip:\n  rollout: {enable: \0true}\n",
    "lone surrogate": 'skip: {rollout: {dump_dir: "\\ud800"}}\n',
    "a long number": f"skip: {{rollout: {{enable: true, steps: [{'9' * 6000}]}}}}\n",
    "a long list": f"skip: {{rollout: {{enable: true, steps: [{'1, ' * 50_000}]}}}}\n",
    "many documents": "skip: {rollout: {enable: maybe}}\n---\n" * 500,
    "defaults of all kinds": "defaults: [ppo_trainer, {a: [b]}, {c: {d: e}}, [f], null, 5]\n"
    "skip: {rollout: {enable: yes}}\n",
    "defaults that are no list": "defaults: {ppo_trainer: *x}\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", list(TEXTS.values()), ids=list(TEXTS))
def test_hostile_text(text: str) -> None:
    started = time.process_time()
    validate_text(text, filename="c.yaml")
    assert time.process_time() - started < 5


@pytest.mark.parametrize("line", [True, False], ids=["on one line", "on many"])
def test_a_text_that_is_too_long(line: bool) -> None:
    """Fifty megabytes are not parsed, whatever kind they are, and the message names the limit."""
    text = "skip: {rollout: {}}\n" + ("# x " if line else "# x\n") * 12_500_000
    started = time.process_time()
    for name in set(NAMES) - {"a.log"}:  # which is searched and not parsed
        (found,) = validate_text(text, filename=name)
        assert (found.name, "0,000 are read" in found.message) == ("cannot-parse", True)
        assert {one.name for one in migrate_text(text, filename=name).diagnostics} <= {"cannot-parse"}
    assert time.process_time() - started < 2


DENSE = {
    "a.yaml": "actor_rollout_ref: {{rollout: {{skip_rollout: false, x: [{}1]}}}}\n",
    "a.json": '{{"rollout": {{"skip_rollout": false, "x": [{}1]}}}}\n',
    "a.py": "a = ['actor_rollout_ref.rollout.skip.enable=True']\nb = [{}1]\n",
}


@pytest.mark.parametrize("name", sorted(DENSE))
def test_as_much_as_is_read(name: str) -> None:
    """Up to the limit within seconds; beyond it, at once and with the limit in the message."""
    most = 490_000 if name == "a.yaml" else 99_000
    for count, name_of in ((most, None), (3_000_000, "cannot-parse")):
        text = DENSE[name].format("1, " * count if name_of is None else "1," * count)
        started = time.process_time()
        found = migrate_text(text, filename=name).diagnostics
        assert time.process_time() - started < 5
        assert [one.name for one in found if one.name == "cannot-parse"] == ([name_of] if name_of else [])
    assert re.search("200,000 words|500,000 lines, items|5,000,000", found[0].message)


def test_limits_are_named() -> None:
    (found,) = validate_text("skip: " + "[" * 500 + "]" * 500 + "\n", filename="c.yaml")
    assert "400 levels" in found.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.sampled_from(["enable", "steps", "action", "dump_dir", "_target_", "x"]), JSON, max_size=4)
BLOCKS = st.dictionaries(st.sampled_from(["rollout", "rollout_tq", "async_rollout", "x"]), FIELDS | JSON, max_size=3)


@given(block=BLOCKS | JSON, trainer=JSON, data=JSON)
def test_drawn_config(block: object, trainer: object, data: object) -> None:
    """Nothing in a config makes `validate_config` raise."""
    validate_config({"skip": block, "trainer": trainer, "data": data, "actor_rollout_ref": {}})


def test_recursive_mapping() -> None:
    config: dict[str, object] = {"actor_rollout_ref": {}}
    config["skip"] = {"rollout": config}
    (found,) = validate_config(config)
    assert found.name == "cannot-parse"


@given(text=st.text(max_size=60))
def test_drawn_text(text: str) -> None:
    validate_text(f"skip:\n  rollout: {text}\n", filename="c.yaml")


NAMES = [
    *("a.yaml", "a.sh", "a.py", "a.json", "a.ipynb", "a.md", "a.rst", "a.log", "a.ps1", "a.bat"),
    *("Makefile", "Dockerfile"),
]
OLD = "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.skip_rollout=True"


@pytest.mark.parametrize("name", NAMES)
def test_half_of_a_surrogate_pair(name: str) -> None:
    """No file can hold it, but a caller of the library can."""
    for found in (migrate_text(f"{OLD} \ud800\n", filename=name).diagnostics, validate_text("\udcff", filename=name)):
        assert [one.name for one in found] == ["cannot-decode"]


NESTED = {
    "brackets": "[" * 20_000,
    "parentheses": "a = " + "(" * 5_000 + ")" * 5_000,
    "sums": f"a = ['{OLD}']" + " + ['x']" * 5_000,
    "command substitutions": f"{OLD} " + "$(" * 20_000,
    "quotes in quotes": f"{OLD} " + "\"'" * 20_000,
    "conditions": "if true; then\n" * 3_000 + OLD,
    "quoted paragraphs": ">" * 20_000 + f" {OLD}",
    "attributes": f"a = ['{OLD}']\nb" + ".c" * 5_000,
    "expansions": f"{OLD} " + "${a:-" * 5_000 + "}" * 5_000,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", list(NESTED.values()), ids=list(NESTED))
def test_nested_deeply(text: str, name: str) -> None:
    """Findings, and no exception: in no kind of file."""
    for found in (migrate_text(text, filename=name).diagnostics, validate_text(text, filename=name)):
        assert not {"result-not-verified"} & {one.name for one in found}


HUGE = "3" * 300


@pytest.mark.parametrize(
    "action", ["cache", "repeat", "repeat_last"], ids=["cached", "repeated in turn", "the last one repeated"]
)
def test_as_many_steps_as_atoms(action: str) -> None:
    """A number of training steps is not counted up to."""
    old = f"{OLD.replace('_rollout=', '.enable=')} actor_rollout_ref.rollout.skip.max_dump_step=1"
    started = time.process_time()
    migrate_text(
        f"{old} actor_rollout_ref.rollout.skip.action={action} trainer.total_training_steps={HUGE}\n", filename="a.sh"
    )
    new = f"skip: {{rollout: {{enable: true, steps: [1], action: {action}}}}}\n"
    new += f"trainer: {{total_training_steps: {HUGE}}}\n"
    assert isinstance(trace_text(new, filename="c.yaml"), Unknown | Refused)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", ["a.sh", "a.py", "Makefile", "a.md"])
def test_time_grows_with_the_length(name: str) -> None:
    """Ten times as many settings take about ten times as long, not a hundred times."""
    line = f"a = ['{OLD.rpartition(' ')[2]}']\n" if name == "a.py" else f"\t{OLD}\n"
    _grows_evenly(line * 200, line * 2_000, name)


def _grows_evenly(short: str, long: str, name: str) -> None:
    """Ten times the text; less than a fiftieth of a second says nothing."""
    times = []
    for text in (short, long):
        started = time.process_time()
        migrate_source(Source(text, name), Request(include=frozenset({"docs", "comments", "records"})))
        validate_text(text, filename=name)
        times.append(time.process_time() - started)
    assert times[1] < 40 * max(times[0], 0.02)


AROUND = {
    "a.yaml": ('run: "', '"\n'),
    "a.py": ('a = "', '"\n'),
    "a.json": ('{"a": "', '"}'),
    "a.ipynb": ('{"cells": [{"cell_type": "code", "source": "!', '"}]}'),
    "a.md": ("```bash\n", "\n```\n"),
    "a.rst": ("::\n\n  ", "\n"),
    "Makefile": ("t:\n\t", "\n"),
    "Dockerfile": ("FROM a\nRUN ", "\n"),
}
PIECES = {
    "overrides": f"{OLD.rpartition(' ')[2]} ",
    "commands": f"{OLD} ; ",
    "quotes": "'\" ",
    "quotes in a word": "\\'rollout=skip\"' ",
    "substitutions": "$(rollout skip) ${a} ",
    "open substitutions": "$(rollout ${skip ",
    "backslashes": "\\\\ rollout.skip=",
    "brackets": "[{(rollout,skip",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("piece", list(PIECES.values()), ids=list(PIECES))
def test_time_grows_with_the_length_of_a_line(piece: str, name: str) -> None:
    """No way to quote costs the square of its length."""
    before, behind = AROUND.get(name, ("", "\n"))
    inner = piece.replace("\\", "\\\\").replace('"', '\\"') if before.endswith(('"', "!")) else piece
    _grows_evenly(*(before + inner * (size // len(inner)) + behind for size in (4_000, 40_000)), name)


def _doubling(first: str, line: str, count: int = 30) -> str:
    return first + "".join(line.format(n, n - 1) for n in range(1, count))


_SETTING = OLD.rpartition(" ")[2]
_ARRAYS = 'A{0}=("${{A{1}[@]}}" "${{A{1}[@]}}")\n'
DOUBLED = {
    "arrays": ("a.sh", _doubling(f"A0=({_SETTING})\n", _ARRAYS) + f"{OLD} ${{A29[@]}}"),
    "empty arrays": ("a.sh", _doubling("A0=()\n", _ARRAYS) + f"{OLD} ${{A29[@]}}"),
    "make": ("Makefile", _doubling(f"A0={_SETTING}\n", "A{0}=$(A{1}) $(A{1})\n") + f"t:\n\t{OLD} $(A29)\n"),
    "PowerShell": ("a.ps1", _doubling(f"$a0 = @('{_SETTING}')\n", "$a{0} = $a{1} + $a{1}\n") + f"{OLD} @a29\n"),
    "cmd": ("a.bat", _doubling(f"set A0={_SETTING}\n", "set A{0}=%A{1}% %A{1}%\n") + f"{OLD} %A29%\n"),
    "Python": ("a.py", _doubling(f"a0 = ['{_SETTING}']\n", "a{0} = [*a{1}, *a{1}]\n") + "run(['-m', 'a.b', *a29])\n"),
    "Python, one name": ("a.py", f"a = ['{_SETTING}']\n" + "a = [*a, *a]\n" * 30 + "run(['-m', 'a.b', *a])\n"),
    "Python, functions": (
        "a.py",
        _doubling("def f0(*a): run(['-m', 'a.b', *a])\n", "def f{0}(*a): f{1}(*a, *a); f{1}(*a)\n")
        + f"f29('{_SETTING}')\n",
    ),
    "interpolations": (
        "a.yaml",
        _doubling("a0: x\n", "a{0}: ${{a{1}}}${{a{1}}}\n")
        + "actor_rollout_ref: {rollout: {skip: {enable: true, dump_dir: '${a29}'}}}\n",
    ),
}


@pytest.mark.parametrize(("name", "text"), DOUBLED.values(), ids=DOUBLED)
def test_what_doubles_thirty_times(name: str, text: str) -> None:
    """As alias bombs, in the languages whose variables can hold each other: nothing is counted out."""
    started = time.process_time()
    for found in (migrate_text(text, filename=name).diagnostics, validate_text(text, filename=name)):
        assert found
        assert "result-not-verified" not in {one.name for one in found}
    assert time.process_time() - started < 2


@pytest.mark.parametrize("guard", ["", "if x{0}:\n    "], ids=["always", "sometimes"])
def test_a_list_that_grows_a_thousand_times(guard: str) -> None:
    """Each line names what all lines before it made."""
    text = "a = []\n" + "".join(f"{guard.format(n)}a = a + ['x{n}=1']\n" for n in range(1_000))
    text += f"a = a + ['{_SETTING}']\nrun(['-m', 'a.b', *a])\n"
    started = time.process_time()
    assert migrate_text(text, filename="a.py", total_steps=2).changed
    assert time.process_time() - started < 5


def test_a_variable_that_is_set_and_used_in_turns() -> None:
    """Each use looks at all that it was set to before."""
    text = f"CMD='{OLD}'\n" + 'eval $CMD\nCMD="$CMD trainer.nnodes=1"\n' * 100
    started = time.process_time()
    migrate_text(text, filename="a.sh", total_steps=2)
    validate_text(text, filename="a.sh")
    assert time.process_time() - started < 2


@pytest.mark.parametrize("bounds", ["1,5,0", "5", "1,5,2", "0,0,0", "", "1,2,3,4", "a,b"])
def test_a_range_of_steps(bounds: str) -> None:
    """Whatever Hydra makes of it, it is a finding."""
    found = validate_text(f"{_LAUNCH} skip.rollout.enable=True 'skip.rollout.steps=range({bounds})'\n", filename="a.sh")
    assert {one.name for one in found} & {"override-is-a-sweep", "override-not-readable", "wrong-type"}


def test_backticks_without_partners() -> None:
    """As in a Markdown file that was taken for a script; the grammar of bash takes twice the time for each of these."""
    text = "python3 -p_dir` | where |\n```bash\n" * 60 + OLD + " \\"
    started = time.process_time()
    assert [one.name for one in migrate_text(text, filename="a.sh", total_steps=2).diagnostics] == [
        "script-not-readable"
    ]
    validate_text(text, filename="a.sh")
    assert time.process_time() - started < 2


NUMBERS = {
    "400 digits": "9" * 400,
    "5,000 digits": "9" * 5_000,
    "below zero": "-" + "9" * 5_000,
    "hexadecimal": "0x" + "f" * 5_000,
    "binary": "0b" + "1" * 20_000,
    "a digit that is none": "\u00b2",
    "larger than a list": "999999999",
}
_LAUNCH = "python -m verl.trainer.main_ppo"
_FLAT = "actor_rollout_ref.rollout.skip"
PLACES_OF_NUMBERS = {
    "a.yaml": "actor_rollout_ref: {rollout: {skip: {enable: true, max_dump_step: %s}}}\n",
    "total.yaml": "actor_rollout_ref: {rollout: {skip_rollout: true}}\ntrainer: {total_training_steps: %s}\n",
    "new.yaml": "data: {gen_batch_size: %s}\nskip: {rollout: {enable: %s, steps: [%s]}}\n",
    "a.sh": f"{_LAUNCH} {_FLAT}.enable=True {_FLAT}.max_dump_step=%s\n",
    "variable.sh": f"N=%s\n{_LAUNCH} {_FLAT}.enable=True {_FLAT}.max_dump_step=$N\n",
    "new.sh": f"{_LAUNCH} skip.rollout.enable=True 'skip.rollout.steps=range(1,%s)'\n",
    "argument.sh": f"f() {{ {_LAUNCH} ${{%s}} {_FLAT}.enable=True; }}\nf a\n",
    "a.ps1": f"{_LAUNCH} {_FLAT}.enable=True {_FLAT}.max_dump_step=%s\n",
    "Makefile": f"N = %s\nrun:\n\t{_LAUNCH} {_FLAT}.enable=True {_FLAT}.max_dump_step=$(N)\n",
    "a.json": '{"actor_rollout_ref": {"rollout": {"skip": {"enable": true, "max_dump_step": %s}}}}',
    "a.py": f"C = {{'{_FLAT}.enable': True, '{_FLAT}.max_dump_step': %s}}\n",
    "display.py": "C = {'actor_rollout_ref': {'rollout': {'skip': {'enable': True, 'max_dump_step': %s}}}}\n",
    "range.py": f"C = {{'skip.rollout.steps': list(range(1, %s)), '{_FLAT}.enable': False}}\n",
    "format.py": f"C = ['{_FLAT}.max_dump_step={{%s}}'.format(1)]\n",
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS.keys())
@pytest.mark.parametrize("name", PLACES_OF_NUMBERS)
def test_numbers_of_any_size(name: str, number: str) -> None:
    """Which nothing lists, and some of which Python cannot even print."""
    text = PLACES_OF_NUMBERS[name].replace("%s", number)
    started = time.process_time()
    validate_text(text, filename=name)
    for options in ({"total_steps": 3}, {"unsafe": True}):
        found = migrate_text(text, filename=name, **options).diagnostics  # type: ignore[arg-type]
        assert "result-not-verified" not in [one.name for one in found]
    assert time.process_time() - started < 2


def test_a_count_that_stands_for_every_step() -> None:
    """As people write it into a variable: no command line takes a list of that length."""
    migration = migrate_text(PLACES_OF_NUMBERS["variable.sh"].replace("%s", "999999"), filename="a.sh", total_steps=3)
    assert not migration.changed
    (error,) = [one for one in migration.diagnostics if one.severity is Severity.ERROR]
    assert "the script sets to 999999, more steps than a command line can list" in error.message
    none = migrate_text(PLACES_OF_NUMBERS["variable.sh"].replace("%s", "0"), filename="a.sh", total_steps=3)
    assert "more steps" not in " ".join(one.message for one in none.diagnostics)


def test_the_longest_list_that_is_written_is_checked_soon() -> None:
    """Ten thousand steps, as `migrate` writes them at most, and one that stands twice."""
    steps = ",".join(map(str, [*range(1, 10_001), 7]))
    started = time.process_time()
    found = validate_text(f"{_LAUNCH} skip.rollout_tq.enable=True 'skip.rollout_tq.steps=[{steps}]'\n", filename="a.sh")
    assert time.process_time() - started < 2
    assert "step-doubled" in [one.name for one in found]
