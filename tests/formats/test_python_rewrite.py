"""Forms in which Python code writes old settings: each by what comes out, and by what must not change."""

from __future__ import annotations

import pytest
from formats.python_oracle import Recorder, others, run, skip_of

from skip_config import migrate_text

OLD = "actor_rollout_ref.rollout"
ENTRY = '"-m", "verl.trainer.main_ppo"'


def case(name: str, before: str, after: str) -> object:
    return pytest.param(before.replace("OLD", OLD), after, id=name)


SAFE = [
    case("element of a list", f'C = [{ENTRY}, "OLD.skip.enable=False"]', f'C = [{ENTRY}, "skip.rollout_tq.enable=False"]'),
    case("element of a tuple", 'C = ("trainer.use_v1=True", "OLD.skip.enable=False")', 'C = ("trainer.use_v1=True", "skip.rollout_tq.enable=False")'),
    case("element of a set", 'C = {"trainer.use_v1=True", "OLD.skip.enable=False"}', 'C = {"trainer.use_v1=True", "skip.rollout_tq.enable=False"}'),
    case("single quotes", "C = ['OLD.skip_dump_dir=/x']", "C = ['skip.rollout.dump_dir=/x']"),
    case("raw text", 'C = [r"OLD.skip_dump_dir=\\\\host\\x"]', 'C = [r"skip.rollout.dump_dir=\\\\host\\x"]'),
    case("triple quotes", "C = ['''OLD.skip.enable=False''']", "C = ['''skip.rollout.enable=False''']"),
    case("literals side by side", 'C = ["OLD.skip."\n     "max_dump_step=2"]', 'C = ["skip.rollout.steps=[1,2]"]'),
    case("an f-string without fields", 'C = [f"OLD.skip.enable=False"]', 'C = ["skip.rollout.enable=False"]'),
    case("a doubled brace in an f-string", 'C = [f"OLD.skip_dump_dir=/{{x}}"]', 'C = [f"skip.rollout.dump_dir=/{{x}}"]'),
    case("an escape in the value", r'C = ["OLD.skip_dump_dir=/a\x62"]', r'C = ["skip.rollout.dump_dir=/a\x62"]'),
    case("a plus", 'C = ["+OLD.skip.enable=False"]', 'C = ["skip.rollout.enable=False"]'),
    case("two pluses", 'C = ["++OLD.skip.enable=False"]', 'C = ["skip.rollout.enable=False"]'),
    case("a tilde, the last element", 'C = ["x=1", "~OLD.skip"]', 'C = ["x=1"]'),
    case("a tilde, the first element", 'C = ["~OLD.skip", "x=1"]', 'C = ["x=1"]'),
    case("a tilde on a line of its own", 'C = [\n    "x=1",\n    "~OLD.skip",\n]', 'C = [\n    "x=1",\n]'),
    case("a comma after nothing", 'C = ["trainer.use_v1=True", "OLD.skip.enable=True",]', 'C = ["trainer.use_v1=True", "skip.rollout_tq.enable=True", "skip.rollout_tq.steps=[1]",]'),
    case("no comma after the last line", 'C = [\n    "trainer.use_v1=True",\n    "OLD.skip.enable=True"\n]', 'C = [\n    "trainer.use_v1=True",\n    "skip.rollout_tq.enable=True",\n    "skip.rollout_tq.steps=[1]"\n]'),
    case("a comment behind, no comma", 'C = [\n    "trainer.use_v1=True",\n    "OLD.skip.enable=True"  # on\n]', 'C = [\n    "trainer.use_v1=True",\n    "skip.rollout_tq.enable=True",  # on\n    "skip.rollout_tq.steps=[1]"\n]'),
    case("parentheses around an element", 'C = [("OLD.skip.enable=True"), "trainer.use_v1=True"]', 'C = [("skip.rollout_tq.enable=True"), ("skip.rollout_tq.steps=[1]"), "trainer.use_v1=True"]'),
    case("append", f'C = [{ENTRY}]\nC.append("OLD.skip.enable=True")', f'C = [{ENTRY}]\nC.append("skip.rollout_tq.enable=True")\nC.append("skip.rollout_tq.steps=[1]")'),
    case("append behind a colon", f'C = [{ENTRY}]\nif C: C.append("OLD.skip.enable=True")', f'C = [{ENTRY}]\nif C: C.append("skip.rollout_tq.enable=True"); C.append("skip.rollout_tq.steps=[1]")'),
    case("append of what is removed", 'C = []\nC.append("~OLD.skip")\nC.append("x")', 'C = []\nC.append("x")'),
    case("extend and +=", f'C = [{ENTRY}]\nC.extend(["OLD.skip.enable=True"])\nC += ["OLD.skip.max_dump_step=2"]', f'C = [{ENTRY}]\nC.extend(["skip.rollout_tq.enable=True"])\nC += ["skip.rollout_tq.steps=[1,2]"]'),
    case("spread into another list", f'A = ["OLD.skip.enable=True", "OLD.skip.max_dump_step=2"]\nC = [{ENTRY}, *A]', f'A = ["skip.rollout_tq.enable=True", "skip.rollout_tq.steps=[1,2]"]\nC = [{ENTRY}, *A]'),
    case("arguments of a call", 'run("trainer.use_v1=False", "OLD.skip.enable=True", "OLD.skip.max_dump_step=2")', 'run("trainer.use_v1=False", "skip.rollout.enable=True", "skip.rollout.steps=[1,2]")'),
    case("a keyword's list", 'compose(overrides=["trainer.use_v1=True", "OLD.skip.enable=False"])', 'compose(overrides=["trainer.use_v1=True", "skip.rollout_tq.enable=False"])'),
    case("an option before each", 'C = ["--set", "trainer.use_v1=True", "--set", "OLD.skip.enable=True"]', 'C = ["--set", "trainer.use_v1=True", "--set", "skip.rollout_tq.enable=True", "--set", "skip.rollout_tq.steps=[1]"]'),
    case("a command line", 'C = "python3 -m verl.trainer.main_ppo OLD.skip.enable=True x=1"', "C = \"python3 -m verl.trainer.main_ppo skip.rollout_tq.enable=True 'skip.rollout_tq.steps=[1]' x=1\""),
    case("a command line in single quotes", "C = 'python3 -m verl.trainer.main_ppo OLD.skip.max_dump_step=1 OLD.skip.enable=True'", "C = 'python3 -m verl.trainer.main_ppo \"skip.rollout_tq.steps=[1]\" skip.rollout_tq.enable=True'"),
    case("a command line, an argument in quotes", "C = \"python3 -m verl.trainer.main_ppo 'OLD.skip_dump_dir=/a b'\"", "C = \"python3 -m verl.trainer.main_ppo 'skip.rollout_tq.dump_dir=/a b'\""),
    case("a command line in pieces", 'C = ("python3 -m verl.trainer.main_ppo "\n     "OLD.skip.enable=False")', 'C = ("python3 -m verl.trainer.main_ppo "\n     "skip.rollout_tq.enable=False")'),
    case("a command line that grows", f'C = "python3 -m verl.trainer.main_ppo "\nC += "OLD.skip.enable=True "\nC += "OLD.skip.max_dump_step=2 "', "C = \"python3 -m verl.trainer.main_ppo \"\nC += \"skip.rollout_tq.enable=True \"\nC += \"'skip.rollout_tq.steps=[1,2]' \""),
    case("dotted keys", 'C = {"trainer.use_v1": True, "OLD.skip.enable": True, "OLD.skip.max_dump_step": 2}', 'C = {"trainer.use_v1": True, "skip.rollout_tq.enable": True, "skip.rollout_tq.steps": [1, 2]}'),
    case("dotted keys, a text that is carried over", "C = {'OLD.skip_dump_dir': ROOT + '/x'}", "C = {'skip.rollout.dump_dir': ROOT + '/x'}"),
    case("dotted keys, a count that is computed", 'C = {"OLD.skip.max_dump_step": a or b, "OLD.skip.enable": True, "trainer.use_v1": True}', 'C = {"skip.rollout_tq.steps": list(range(1, (a or b) + 1)), "skip.rollout_tq.enable": True, "trainer.use_v1": True}'),
    case("dotted keys, T is computed", 'C = {"trainer.total_training_steps": t, "trainer.use_v1": True, "OLD.skip_rollout": True, "OLD.skip_dump_dir": d}', 'C = {"trainer.total_training_steps": t, "trainer.use_v1": True, "skip.rollout_tq.enable": True, "skip.rollout_tq.steps": list(range(1, t + 1)), "skip.rollout_tq.action": "repeat", "skip.rollout_tq.dump_dir": d}'),
    case("dotted keys one by one", 'C = {}\nC["trainer.use_v1"] = True\nC["OLD.skip.enable"] = True', 'C = {}\nC["trainer.use_v1"] = True\nC["skip.rollout_tq.enable"] = True\nC["skip.rollout_tq.steps"] = [1]'),
    case("pairs in a list", 'C = [("trainer.use_v1", True), ("OLD.skip.enable", False)]', 'C = [("trainer.use_v1", True), ("skip.rollout_tq.enable", False)]'),
    case("many steps", f'C = [{ENTRY}, "OLD.skip.max_dump_step=20", "OLD.skip.enable=True"]', f'C = [{ENTRY}, f"skip.rollout_tq.steps={{list(range(1, 21))}}", "skip.rollout_tq.enable=True"]'),
    case("an assertion", 'assert "OLD.skip.enable=False" in text', 'assert "skip.rollout.enable=False" in text'),
    case("assertions of one function belong together", 'def test():\n    assert "OLD.skip.enable=True" in c, "x"\n    assert "trainer.use_v1=True" in c\n    assert "OLD.skip.max_dump_step=1" in c', 'def test():\n    assert "skip.rollout_tq.enable=True" in c, "x"\n    assert "trainer.use_v1=True" in c\n    assert "skip.rollout_tq.steps=[1]" in c'),
    case("characters of several bytes before it", 'X = "é数😀"; C = ["日", "OLD.skip.enable=False"]; Y = "é"', 'X = "é数😀"; C = ["日", "skip.rollout.enable=False"]; Y = "é"'),
    case("tabs and a form feed", '\fif X:\n\tC = [\n\t\t"OLD.skip.enable=False",\n\t]', '\fif X:\n\tC = [\n\t\t"skip.rollout.enable=False",\n\t]'),
    case("a line that goes on", 'C = ["x=1"] + \\\n    ["OLD.skip.enable=False"]', 'C = ["x=1"] + \\\n    ["skip.rollout.enable=False"]'),
    case("a coding line that is not followed", '# -*- coding: latin-1 -*-\nC = ["é", "OLD.skip.enable=False"]', '# -*- coding: latin-1 -*-\nC = ["é", "skip.rollout.enable=False"]'),
    case("two commands that share", f'B = ["OLD.skip.enable=False"]\nA = [{ENTRY}, *B]\nC = ["trainer.use_v1=False", *B]', f'B = ["skip.rollout.enable=False", "skip.rollout_tq.enable=False"]\nA = [{ENTRY}, *B]\nC = ["trainer.use_v1=False", *B]'),
    case("handed to a function of the file", f'def go(more):\n    run([{ENTRY}, *more])\ngo(["OLD.skip.enable=False"])', f'def go(more):\n    run([{ENTRY}, *more])\ngo(["skip.rollout_tq.enable=False"])'),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAFE)
def test_a_safe_form_is_rewritten(before: str, after: str) -> None:
    migration = migrate_text(before, filename="launch.py")
    assert migration.text == after
    assert {one.severity.value for one in migration.diagnostics} == {"note"}
    assert not migrate_text(after, filename="launch.py").changed


UNSAFE = [
    case("a field", 'C = [f"OLD.skip_dump_dir={d}/x"]', 'C = [f"skip.rollout.dump_dir={d}/x"]'),
    case("a field that counts", f'C = [{ENTRY}, "OLD.skip.enable=True", f"OLD.skip.max_dump_step={{n}}"]', f'C = [{ENTRY}, "skip.rollout_tq.enable=True", f"skip.rollout_tq.steps={{list(range(1, n + 1))}}"]'),
    case("a field with format and quotes", "C = [f'OLD.skip.max_dump_step={c[\"n\"]:d}', 'OLD.skip.enable=True', 'trainer.use_v1=True']", "C = [f'skip.rollout_tq.steps={list(range(1, c[\"n\"] + 1))}', 'skip.rollout_tq.enable=True', 'trainer.use_v1=True']"),
    case("text from the environment that counts", f'import os\nN = os.environ["N"]\nC = [{ENTRY}, "OLD.skip.enable=True", f"OLD.skip.max_dump_step={{N}}"]', f'import os\nN = os.environ["N"]\nC = [{ENTRY}, "skip.rollout_tq.enable=True", f"skip.rollout_tq.steps={{list(range(1, int(N) + 1))}}"]'),
    case("plus", 'C = ["OLD.skip_dump_dir=" + d]', 'C = ["skip.rollout.dump_dir=" + d]'),
    case("plus a number", 'C = ["trainer.use_v1=True", "OLD.skip.enable=True", "OLD.skip.max_dump_step=" + str(n)]', 'C = ["trainer.use_v1=True", "skip.rollout_tq.enable=True", f"skip.rollout_tq.steps={list(range(1, n + 1))}"]'),
    case("percent", 'C = ["OLD.skip_dump_dir=%s" % d]', 'C = ["skip.rollout.dump_dir=%s" % d]'),
    case("format", 'C = ["OLD.skip_dump_dir={}/{}".format(d, e)]', 'C = ["skip.rollout.dump_dir={}/{}".format(d, e)]'),
    case("a key from a constant", f'P = "OLD"\nC = [f"{{P}}.skip_dump_dir={{d}}"]', 'P = "actor_rollout_ref.rollout"\nC = [f"skip.rollout.dump_dir={d}"]'),
    case("a field in a command line", 'C = f"python3 -m verl.trainer.main_ppo OLD.skip.enable=True OLD.skip.max_dump_step={n}"', "C = f\"python3 -m verl.trainer.main_ppo skip.rollout_tq.enable=True 'skip.rollout_tq.steps={list(range(1, n + 1))}'\""),
    case("an attribute", "c.OLD.skip.enable = False", "c.skip.rollout.enable = False"),
    case("an attribute of an attribute", "self.config.OLD.skip_dump_dir = x  # why", "self.config.skip.rollout.dump_dir = x  # why"),
    case("items", "c['actor_rollout_ref']['rollout']['skip']['enable'] = False", "c['skip']['rollout']['enable'] = False"),
    case("items and attributes", 'c.actor_rollout_ref["rollout"].skip.enable = False', "c.skip.rollout.enable = False"),
    case("an alias", "r = c.OLD\nr.skip_dump_dir = x", "r = c.actor_rollout_ref.rollout\nc.skip.rollout.dump_dir = x"),
    case("setattr", 'setattr(c.OLD.skip, "enable", False)', 'setattr(c.skip.rollout, "enable", False)'),
    case("OmegaConf.update", 'OmegaConf.update(c, "OLD.skip.enable", False, force_add=True)', 'OmegaConf.update(c, "skip.rollout.enable", False, force_add=True)'),
    case("two roles", "if x:\n    c.OLD.skip.enable = True  # on\n", "if x:\n    c.skip.rollout.enable = True  # on\n    c.skip.rollout_tq.enable = True\n    c.skip.rollout.steps = [1]\n    c.skip.rollout_tq.steps = [1]\n"),
    case("a dict on one line", 'C = {"actor_rollout_ref": {"rollout": {"n": 1, "skip_rollout": False, "skip_dump_dir": d}}, "a": 1}', 'C = {"actor_rollout_ref": {"rollout": {"n": 1}}, "a": 1, "skip": {"rollout": {"enable": False, "dump_dir": d}}}'),
    case("a dict that becomes another", "C = {'actor_rollout_ref': {'rollout': {'skip_rollout': False}}}", "C = {'skip': {'rollout': {'enable': False}}}"),
    case("calls of dict", "C = dict(a=1, actor_rollout_ref=dict(rollout=dict(skip=dict(enable=False, dump_dir='/x'))))", "C = dict(a=1, skip=dict(rollout=dict(enable=False, dump_dir='/x', steps=[1])))"),
    case("a dict inside a call", 'go(cfg, OmegaConf.create({"rollout": {"skip_rollout": x, "n": 1}, "trainer": {"use_v1": True, "total_training_steps": 2}}))', 'go(cfg, OmegaConf.create({"rollout": {"n": 1}, "trainer": {"use_v1": True, "total_training_steps": 2}, "skip": {"rollout_tq": {"enable": x, "dump_dir": "/tmp/rollout_dump", "steps": [1, 2], "action": "repeat"}}}))'),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), UNSAFE)
def test_an_unsafe_form_waits_for_the_word(before: str, after: str) -> None:
    held = migrate_text(before, filename="launch.py")
    assert not held.changed
    assert [(one.severity.value, one.fix and one.fix.value) for one in held.diagnostics if one.severity.value == "error"] == [("error", "unsafe")]
    migration = migrate_text(before, filename="launch.py", unsafe=True)
    assert migration.text == after
    assert "error" not in {one.severity.value for one in migration.diagnostics}
    assert not migrate_text(after, filename="launch.py", unsafe=True).changed


NOTHING = [
    case("another key", 'C = ["OLD.n=4", "OLD.skip_tokenizer_init=True"]', ""),
    case("another program's key", 'C = ["train.skip_rollout=True", "skip_rollout=True", "rollout.skip.enable=1"]', ""),
    case("new settings", 'C = ["skip.rollout_tq.enable=True", "skip.rollout_tq.steps=[1,2]"]', ""),
    case("new settings in a dict", 'C = {"skip": {"rollout": {"enable": True}}, "actor_rollout_ref": {"rollout": {"n": 4}}}', ""),
    case("new settings assigned", "c.skip.rollout.enable = True", ""),
    case("a variable of that name", 'SKIP_DUMP_DIR = "/x"\nskip_rollout = True\nprint(skip_rollout)', ""),
    case("an option of that name", 'p.add_argument("--skip_rollout", action="store_true")\nif args.skip_rollout: go()', ""),
    case("another attribute", "self.skip_rollout = True\nmodel.skip.enable = True", ""),
    case("another get", 'kwargs.get("skip_rollout", False)', ""),
    case("gen_batch_size with null as default", 'c.data.get("gen_batch_size", None) or 4', ""),
    case("gen_batch_size without default", 'c.data.get("gen_batch_size")', ""),
    case("gen_batch_size as an override", 'C = ["-m", "verl.trainer.main_ppo", "+data.gen_batch_size=4"]', ""),
    case("bytes", 'C = [b"OLD.skip.enable=True"]', ""),
    case("an empty file", "", ""),
    case("only a comment of another kind", "# skip this rollout", ""),
    case("a trainer that is not asked", "class T(RayPPOTrainer):\n    def fit(self):\n        self.skip(rollout)", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "_"), NOTHING)
def test_nothing_to_say(text: str, _: str) -> None:
    migration = migrate_text(text, filename="launch.py", unsafe=True)
    assert migration.text == text
    assert migration.diagnostics == ()


@pytest.mark.parametrize("text", [str(one.values[0]) for one in SAFE if str(one.values[0]).startswith("C = [") and "a or b" not in str(one.values[0])])  # type: ignore[attr-defined]
def test_the_command_gets_the_same_otherwise(text: str) -> None:
    """What runs after a migration is what ran before, settings aside."""
    before, after = (run(one).names["C"] for one in (text, migrate_text(text, filename="x.py").text))
    if before and isinstance(before[0], tuple):
        before, after = ([f"{key}={value}" for key, value in pairs] for pairs in (before, after))
    assert others(after) == others(before)
    assert not any(word.lstrip("+~").startswith(OLD + ".skip") for word in after)
    assert all(isinstance(one, dict) for one in skip_of(after).values())


def test_assignments_reach_the_config_as_values() -> None:
    text = f"def arm(c, n):\n    c.{OLD}.skip.enable = True\n    c.{OLD}.skip.max_dump_step = n\n    c.trainer.use_v1 = True\n"
    config = Recorder()
    run(migrate_text(text, filename="x.py", unsafe=True).text).names["arm"](config, 3)
    assert config.tree() == {"skip": {"rollout_tq": {"enable": True, "steps": [1, 2, 3]}}, "trainer": {"use_v1": True}}


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
def test_branches_get_their_own_settings(warm: bool) -> None:
    text = (
        "import subprocess\n"
        "def go(warm):\n"
        f"    c = ['python', {ENTRY}]\n"
        "    if warm:\n"
        f"        c += ['{OLD}.skip.enable=True', '{OLD}.skip.max_dump_step=2']\n"
        "    else:\n"
        f"        c.append('{OLD}.skip.enable=False')\n"
        "    subprocess.run(c)\n"
    )
    ran = run(migrate_text(text, filename="x.py").text + f"go({warm})\n")
    wanted = {"enable": True, "steps": [1, 2]} if warm else {"enable": False}
    assert [skip_of(words) for words in ran.commands] == [{"rollout_tq": wanted}]
