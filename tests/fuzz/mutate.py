"""Turn a text into another that nobody would write."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

PIECES = [
    *"'\"`$(){}[]<>|&;:,#\\%!?*~=+-.@/ \t\n\r\0",
    *(
        "\\\n",
        "\\\r\n",
        "\r\n",
        "\ufeff",
        "\u2028",
        "\x85",
        "\x0c",
        "\x1b[31m",
        "ä",
        "你",
        "\U0001f600",
        "\ud800",
        "\x7f",
    ),
    *("$(", "${", "$((", "$'", '$"', "<<EOF\n", "\nEOF\n", "<<'E'\n", "<<-E\n", "<(", "]]", "[[ ", "&&", "||", "2>&1"),
    *("&a ", "*a", "!!str ", "!!python/object:x ", "<<: ", "? ", "- ", "--- ", "...\n", "|\n", ">+2\n", "%YAML 1.1\n"),
    *(
        '"""',
        "'''",
        'f"',
        "{x}",
        "{{",
        "}}",
        "%(x)s",
        "lambda: ",
        "\\N{DASH}",
        "\\x4",
        "\\u12",
        "\\ud83d",
        "1e999",
        "0x",
    ),
    *(
        "```\n",
        "```bash\n",
        "~~~\n",
        "> ",
        "::\n\n",
        ".. code-block:: yaml\n\n",
        "`x`",
        "%%bash\n",
        "!",
        "endef\n",
        "define x\n",
    ),
    *("actor_rollout_ref", "actor_rollout_ref.rollout.", "rollout", "skip", "skip_rollout", "skip_dump_dir", "skip:"),
    *(
        "skip.rollout.enable=true",
        "enable",
        "max_dump_step",
        "action",
        "dump_dir",
        "steps",
        "gen_batch_size",
        "repeat_last",
    ),
    *(
        "true",
        "null",
        "[1, 2]",
        "trainer.total_training_steps=3",
        "trainer.use_v1",
        "skip_use_default_dir",
        "-1",
        "99999999999",
    ),
    *(
        "python -m verl.trainer.main_ppo ",
        "eval ",
        "bash -c '",
        "export A=",
        "for i in 1; do\n",
        "done\n",
        "# skipcfg: ignore[",
    ),
    *(
        "actor_rollout_ref.rollout.skip.enable=True ",
        "actor_rollout_ref.rollout.skip_dump_dir=/x ",
        "${a.b:${c}}",
        "${oc.env:X}",
    ),
]


def mutate(text: str, others: Sequence[str], chance: random.Random) -> str:
    """One to five changes, chosen by `chance`; `others` are texts from which parts are taken."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 5])):
        text = chance.choice(_WAYS)(text, others, chance)
    return text


def _place(text: str, chance: random.Random) -> int:
    """Often near what is of interest, else anywhere."""
    at = text.find("skip", chance.randrange(len(text) + 1)) if chance.random() < 0.6 else -1
    return min(max(0, at + chance.randrange(-12, 24)), len(text)) if at >= 0 else chance.randrange(len(text) + 1)


def _insert(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + chance.choice(PIECES) + text[at:]


def _replace(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + chance.choice(PIECES) + text[at + chance.choice([1, 1, 2, 8]) :]


def _delete(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + text[at + chance.choice([1, 1, 2, 8, 40]) :]


def _cut(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] if chance.random() < 0.7 else text[at:]


def _repeat(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = _place(text, chance)
    piece = text[at : at + chance.choice([1, 2, 5, 40])] if chance.random() < 0.5 else chance.choice(PIECES)
    return text[:at] + piece * chance.choice([2, 3, 10, 100, 500]) + text[at:]


def _lines(text: str, others: Sequence[str], chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    way = chance.randrange(4)
    if way == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif way == 1:
        lines.insert(two, lines[one])
    elif way == 2:
        del lines[one]
    else:
        lines[one] = chance.choice(["  ", "\t", "# ", "", " "]) + (lines[one][chance.randrange(3) :])
    return "".join(lines)


def _splice(text: str, others: Sequence[str], chance: random.Random) -> str:
    other = chance.choice(others)
    start = _place(other, chance)
    at = _place(text, chance)
    return text[:at] + other[start : start + chance.choice([20, 80, 400])] + text[at + chance.choice([0, 0, 20, 80]) :]


def _newlines(text: str, others: Sequence[str], chance: random.Random) -> str:
    return text.replace("\n", chance.choice(["\r\n", "\r", "\n\n", " ", "\\\n"]))


_WAYS: list[Callable[[str, Sequence[str], random.Random], str]] = [
    *(_insert, _insert, _insert, _replace, _replace, _delete, _delete, _lines, _lines, _splice),
    *(_cut, _repeat, _newlines),
]
