"""Hypothesis: Python launchers with old settings, in random containers, quotes and layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

OLD = "actor_rollout_ref.rollout"
TOTAL_STEPS = 5


@dataclass(frozen=True)
class Launcher:
    """A generated file, whose `C` is the list of words that a command gets.

    Args:
        text: The file.
        skip: What each role that gets settings must hold afterwards.
        kept_lines: Its lines that hold nothing that moves.
    """

    text: str
    skip: dict[str, Any]
    kept_lines: tuple[str, ...]


@st.composite
def _settings(draw: st.DrawFn) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    directory = draw(st.sampled_from(["/data/d", "/数据/é", "/a b", "~x"]))
    if draw(st.booleans()):
        pairs = [("skip_rollout", "True"), ("skip_dump_dir", directory)]
        skip = {"enable": True, "dump_dir": directory, "steps": [*range(1, TOTAL_STEPS + 1)], "action": "repeat"}
        return draw(st.permutations(pairs)), skip
    count = draw(st.integers(1, 30))
    pairs = [("skip.enable", "True"), ("skip.dump_dir", directory), ("skip.max_dump_step", str(count))]
    return draw(st.permutations(pairs)), {"enable": True, "dump_dir": directory, "steps": [*range(1, count + 1)]}


def _literal(draw: st.DrawFn, value: str) -> str:
    """A text in one of the ways in which Python writes it."""
    quote = draw(st.sampled_from(["'", '"', '"""', "'''"]))
    prefix = draw(st.sampled_from(["", "", "r", "u", "f", "rf"]))
    if draw(st.integers(0, 5)) == 0:
        cut = draw(st.integers(1, len(value) - 1))
        return f'({prefix}{quote}{value[:cut]}{quote} "{value[cut:]}")'
    return f"{prefix}{quote}{value}{quote}"


@st.composite
def launchers(draw: st.DrawFn) -> Launcher:
    """A file with settings of one generation."""
    pairs, skip = draw(_settings())
    prefix = draw(st.sampled_from(["", "+", "++"]))
    words = [_literal(draw, f"{prefix}{OLD}.{key}={value}") for key, value in pairs]
    head = ['"python3"', '"-m"', '"verl.trainer.main_ppo"', f'"trainer.total_training_steps={TOTAL_STEPS}"']
    layout = draw(st.sampled_from(["lines", "one line", "append", "extend", "spread", "function"]))
    comment = draw(st.sampled_from(["", "  # é why"]))
    pad = draw(st.sampled_from(["    ", "\t", "  "]))
    before = draw(
        st.lists(st.sampled_from(["X = 'ü'", "# a comment", "", "Y = [1,  2 ]", "Z = f'{1:>{4}}'"]), max_size=3)
    )
    if layout == "lines":
        last = draw(st.sampled_from([",", ""]))
        body = [
            "C = [",
            f"{pad}{', '.join(head)},",
            *(f"{pad}{word},{comment}" for word in words),
            f"{pad}'x=1'{last}",
            "]",
        ]
    elif layout == "one line":
        body = [f"C = [{', '.join([*head, *words])}, 'x=1']{comment}"]
    elif layout == "append":
        body = [f"C = [{', '.join(head)}]", *(f"C.append({word}){comment}" for word in words)]
    elif layout == "extend":
        body = [f"C = [{', '.join(head)}]", f"C += [{words[0]}]{comment}", f"C.extend(({', '.join(words[1:])},))"]
    elif layout == "spread":
        body = [f"A = ({', '.join(words)},){comment}", f"C = [{', '.join(head)}, *A]"]
    else:
        body = [f"def go():{comment}", f"{pad}return [{', '.join([*head, *words])}]", "C = go()"]
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [*before, *body]
    end = draw(st.sampled_from([newline, ""]))
    kept = tuple(line for line in lines if not any(word in line for word in words))
    return Launcher(newline.join(lines) + end, skip, kept)


@st.composite
def broken_files(draw: st.DrawFn) -> str:
    """A launcher with characters taken out, put in or doubled."""
    text = draw(launchers()).text
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        piece = draw(
            st.sampled_from(["", "'", '"', "[", ")", "{", "\\", "\n", "f'", "é", "\f", "=", OLD + ".skip.enable=1"])
        )
        text = text[:at] + piece + text[at + draw(st.integers(0, 3)) :]
    return text
