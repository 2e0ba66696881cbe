"""Drawn `skip` blocks: valid, nearly valid and absurd, as YAML text inside a config that verl could start with."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from skip_config.releases import FIELDS, ROLES

VALID = {
    "enable": ["true", "false", "yes", "no", "on", "Off", "1", "0", "2", "-1", "'true'", '"on"', "'0'", "y", "N"],
    "dump_dir": ["/tmp/x", "~/x", "'~'", "relative/x", "5", "1.50", "true", "2020-01-01", "''", "é", "'a b'", ".inf"],
    "steps": ["[]", "[1]", "[1, 2, 3]", "[-1, 0, 1, 1]", "['1', '2']", "['1_0']", "[010, 0x10, 1_000]", "[0b11]"],
    "action": ["cache", "repeat", "'cache'", '"repeat"', "!!str cache"],
}
ABSURD = [
    *("maybe", "'True '", "' true'", "null", "~", "''", "Null", "'null'", "???", "'???'", "' '", "=", "<<"),
    *("1.0", "0.0", "1e3", "'1e3'", "1.", ".5", ".nan", "-.inf", "1:30", "190:20:30", "0o7", "08", "1__0", "_1", "+1"),
    *("99999999999999999999999", "0xFFFFFFFFFFFFFFFFFFFF", "'１'", "' 1 '", "'1,2'", "'[1, 2]'", "(1, 2)", "1, 2"),
    *("2020-01-01 10:00:00", "2020-13-45", "CACHE", "random", "empty", "repeat_last", "SkipAction.CACHE"),
    *("[]", "{}", "[1]", "[[1]]", "{a: 1}", "{0: 1}", "[null]", "[true]", "[1.0]", "[1e3]", "['a']", "['']", "[[]]"),
    *("[{}]", "[{a: 1}]", "['???']", "[~]", "['true']", "['1.0']", "[.inf]", "[cache]", "[2020-01-01]", "['0x10']"),
    *("!!str 5", "!!str", "!!int '3'", "!!int x", "!!float 1", "!!bool 'yes'", "!!bool x", "!!null ''", "!!null x"),
    *("!!binary aGk=", "!custom x", "!custom [1]", "!!python/tuple [1, 2]", "!!python/name:os.system", "!!set {a, b}"),
    *("!!timestamp 2020-01-01", "!!seq [1]", "!!map {a: 1}", "!!omap [a: 1]", "! 5", "! true", "!!int 010"),
    *("*number", "*text", "*list", "*mapping", "*switch", "*nowhere", "&own 1", "&own true", "&own [1]"),
    *("'a: b'", "a#b", '"\\t"', '"\\u0001"', "'{}'", "@x", "`x`", "%x", "- 1", "|\n      text", ">-\n      true"),
]
INTERPOLATIONS = [
    *("\\${number}", "'\\${number}'"),
    *("${number}", "${text}", "${switch}", "${list}", "${mapping}", "${nothing}", "${number.x}", "${list.0}"),
    *(
        "a${number}b",
        "${number}${number}",
        "${oc.env:SKIPCFG_NOT_SET}",
        "${oc.env:SKIPCFG_NOT_SET,3}",
        "${oc.env:HOME}",
    ),
    *(
        "${oc.select:nowhere}",
        "${oc.select:nowhere,cache}",
        "${oc.decode:'[1,2]'}",
        "${oc.decode:'true'}",
        "${nosuch:1}",
    ),
    *("${.enable}", "${.action}", "${.self}", "${..rollout.enable}", "${..rollout_tq.steps}", "${...number}"),
    *("${....number}", "${skip.rollout.enable}", "${skip.rollout.steps}", "${skip}", "${rollout.enable}", "${missing}"),
    *("'${'", "'${}'", "'${number'", "$number", "$$", "${trainer.v1.trainer_mode}"),
    *("['${number}']", "['${number}', 2]", "['${text}']", "['${list}']", "['${nothing}']", "['${missing}']"),
    *("'${oc.create:[1,2]}'", "'${oc.dict.keys:mapping}'"),
]
KEYS = [
    *("stepz", "step", "Enable", "enabled", "max_dump_step", "all_steps", "compress", "load_dir", "_convert_", "''"),
    *("_target_", "_target_", "_recursive_", "_args_", "1", "1.5", "true", "null", "~", "2020-01-01", "? [1]\n      "),
    *("rollout", "skip", "'enable'", "!!str enable", '"ste\\x70s"', "<<", "enable ", "a.b", "rollout.enable", "é"),
]
ROLE_VALUES = [
    "",
    "null",
    "~",
    "{}",
    "[]",
    "[1]",
    "5",
    "true",
    "text",
    "''",
    "???",
    "'???'",
    "*mapping",
    "*role",
    "1.5",
]
BLOCKS = [
    "",
    "null",
    "{}",
    "[]",
    "[1]",
    "5",
    "0",
    "0.0",
    "false",
    "true",
    "text",
    "''",
    "???",
    "*mapping",
    "*block",
    "1.5",
]

BEFORE = """\
number: &number 3
text: &text hello
switch: &switch true
list: &list [1, 2]
missing: ???
mapping: &mapping {a: 1}
role: &role {enable: true, steps: [1]}
block: &block {rollout: {enable: true}}
"""
AFTER = """\
actor_rollout_ref:
  rollout:
    n: {n}
data:
  train_batch_size: {train}
  gen_batch_size: {gen}
trainer:
  v1:
    trainer_mode: {mode}
    separate_async:
      parameter_sync_step: {sync}
"""
USUAL = {"n": "1", "train": "1", "gen": "null", "mode": "sync", "sync": "4"}
USUAL_AFTER = AFTER.format(**USUAL)
UNUSUAL = {
    "n": ["null", "'8'", "x", "1.5", "[1]", "???"],
    "train": ["null", "x", "{}", "???", ".inf"],
    "gen": ["1", "???"],
    "mode": ["separate_async", "colocate_async", "null", "5", "???", "x"],
    "sync": ["null", "x", "'2'", "???"],
}


def _after(random: Random) -> str:
    values = dict(USUAL)
    if random.random() < 0.1:
        values["mode"] = "separate_async"
        changed = random.choice(list(UNUSUAL))
        values[changed] = random.choice(UNUSUAL[changed])
        if random.random() < 0.3:
            return AFTER.format(**values).replace(
                "  v1:\n    ", "  " + random.choice(["v2:\n    ", "v1: null\n  v3:\n    "])
            )
    return AFTER.format(**values)


def draw(seed: int) -> str:
    """The config that belongs to a seed."""
    random = Random(seed)
    strangeness = random.choice([0, 0.05, 0.2, 0.5])
    if random.random() < strangeness / 4:
        value = random.choice([*BLOCKS, "${mapping}", "${block}", "${nothing}", "${number}", "!custom {}"])
        return f"{BEFORE}{'' if random.random() < 0.1 else f'skip: {value}'}\n{_after(random)}"
    lines = _target(random, strangeness)
    for role in random.sample(ROLES, random.randint(0, 3)):
        lines += _role(random, role, strangeness)
    if random.random() < strangeness:
        lines.append(f"{_key(random)}: {_value(random, random.choice(FIELDS), 0.5)}")
    if lines and random.random() < strangeness / 4:
        lines.append(
            random.choice(["<<: *block", "<<: *mapping", "<<: [*block, *mapping]", "rollout: {}", "<<: *number"])
        )
    body = "".join(f"  {line}\n" for line in lines)
    return f"{BEFORE}skip:\n{body}{_after(random)}"


def _role(random: Random, role: str, strangeness: float) -> list[str]:
    if random.random() < strangeness / 3:
        return [f"{role}: {random.choice([*ROLE_VALUES, '${role}', '${.rollout}', '${mapping}', '!custom {}'])}"]
    lines = _target(random, strangeness)
    for field in random.sample(FIELDS, random.randint(0, 4)):
        value = _value(random, field, strangeness)
        if field == "steps" and value.startswith("[") and "," in value and random.random() < 0.2:
            lines += ["steps:", *(f"  - {item.strip()}" for item in value[1:-1].split(","))]
        else:
            lines.append(f"{field}: {value}")
    if random.random() < strangeness:
        lines.append(f"{_key(random)}: {_value(random, random.choice(FIELDS), 0.5)}")
    if random.random() < strangeness / 4:
        lines.append(random.choice(["<<: *role", "<<: *mapping", "enable: true", "<<: [*role]"]))
    return [f"{role}:", *(f"  {line}" for line in lines)]


def _target(random: Random, strangeness: float) -> list[str]:
    if random.random() < 0.7:
        return []
    strange = random.random() < strangeness
    return [f"_target_: {random.choice(ABSURD if strange else ['verl.utils.skip.SkipManagerConfig', 'x', '5'])}"]


def _value(random: Random, field: str, strangeness: float) -> str:
    if random.random() >= strangeness:
        return random.choice(VALID[field])
    if field == "steps" and random.random() < 0.4:
        pool = random.choice([ABSURD, ["1", "2", "'3'", "'${number}'", "'${text}'", "'${nothing}'", "'???'"]])
        items = random.choices(pool, k=random.randint(1, 3))
        return f"[{', '.join(items)}]"
    others: Sequence[str] = [value for values in VALID.values() for value in values]
    return random.choice(random.choice([ABSURD, ABSURD, INTERPOLATIONS, others]))


def _key(random: Random) -> str:
    return random.choice(KEYS)
