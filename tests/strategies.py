"""Hypothesis strategies: configs with old settings in random layouts, and texts that are nearly YAML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Pairs = list[tuple[str, Any]]

TOTAL_STEPS = 4
"""`trainer.total_training_steps` of every generated config, so that each old setting has an exact new one."""


@dataclass(frozen=True)
class OldConfig:
    """A generated config.

    Args:
        text: The file.
        skip: What every role that gets settings must hold afterwards, or None when nothing is written.
        on: Whether the old switch is on.
        comments: All comments in it.
        kept_lines: Its lines that hold nothing but what stays, line ending included.
    """

    text: str
    skip: dict[str, Any] | None
    on: bool
    comments: tuple[str, ...]
    kept_lines: tuple[str, ...]


_DIRECTORIES = st.sampled_from(
    ["/data/rollouts", "'/data/my runs'", '"/data/#1"', "~/x", "'${oc.env:HOME}/r'", "/数据/😀", "'it''s'"]
)


@st.composite
def _old_settings(draw: st.DrawFn) -> tuple[Pairs, dict[str, Any] | None, bool]:
    """Pairs for `rollout`, what each role must hold afterwards, and whether they are on."""
    import yaml

    directory = draw(st.none() | _DIRECTORIES)
    read = None if directory is None else str(yaml.safe_load(directory))
    on = draw(st.booleans())
    enable = draw(st.sampled_from(["true", "yes", "True", "on", "1"] if on else ["false", "no", "off", "0"]))
    if draw(st.booleans()):
        pairs: Pairs = [("skip_rollout", enable), *([("skip_dump_dir", directory)] if directory else [])]
        skip: dict[str, Any] = {"enable": yaml.safe_load(enable)}
        if directory or on:
            skip["dump_dir"] = read or "/tmp/rollout_dump"
        if on:
            skip |= {"steps": list(range(1, TOTAL_STEPS + 1)), "action": "repeat"}
        return draw(st.permutations(pairs)), skip, on
    count = draw(st.none() | st.integers(1, 6))
    block: Pairs = [("enable", enable)]
    block += [("dump_dir", directory)] if directory else []
    block += [("max_dump_step", str(count))] if count else []
    action = draw(st.sampled_from([None, "cache", "'cache'", "repeat"])) if (count or 1) in (1, 6) else "cache"
    block += [("action", action)] if action else []
    block += [("_target_", "verl.workers.config.SkipConfig")] if draw(st.booleans()) else []
    skip = {"enable": yaml.safe_load(enable)} | ({"dump_dir": read} if directory else {})
    if action == "repeat":
        skip["action"] = "repeat" if count != 6 else "cache"
        skip["steps"] = list(range(1, TOTAL_STEPS + 1))
    else:
        skip |= {"action": "cache"} if action else {}
        skip["steps"] = list(range(1, (count or 1) + 1))
    if not on and not directory and count in (None, 1) and action != "repeat":
        skip = {"enable": skip["enable"]}  # nothing but the defaults of its generation
    return [("skip", draw(st.permutations(block)))], skip, on


_OTHER_VALUES = st.sampled_from(
    ["vllm", "1.0", "null", "[1, 2]", "{a: b}", "'# not a comment'", '"skip: true"', "'${data.seed}'"]
)


class _Writer:
    """Writes pairs as YAML with drawn layout, and notes comments and lines that must stay."""

    def __init__(self, draw: st.DrawFn, newline: str, indent: int, comments: bool) -> None:
        self.draw = draw
        self.newline = newline
        self.indent = indent
        self.with_comments = comments
        self.comments: list[str] = []
        self.kept: list[str] = []
        self.lines: list[str] = []

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def comment(self) -> str:
        self.comments.append(f"# c{len(self.comments)}.")
        return self.comments[-1]

    def key(self, name: str) -> str:
        return self.draw(st.sampled_from([name, name, name, f'"{name}"', f"'{name}'"]))

    def block(self, pairs: Sequence[tuple[str, Any]], level: int, old: bool = False) -> None:
        pad = " " * (level * self.indent)
        for index, (name, value) in enumerate(pairs):
            if index and self.chance(20):
                self.lines.append("")
            if self.with_comments and self.chance(20):
                self.lines.append(pad + self.comment())
            goes = (
                old or name in ("skip_rollout", "skip_dump_dir") or (name == "skip" and (level > 0 or value == "null"))
            )
            behind = f"  {self.comment()}" if self.with_comments and self.chance(20) else ""
            if not isinstance(value, list):
                self.add(f"{pad}{self.key(name)}: {value}".rstrip() + behind, stays=not goes)
            elif level and self.chance(20):
                stays = not goes and not _holds_old(value)
                self.add(f"{pad}{self.key(name)}: {self.flow(value)}{behind}", stays=stays)
            else:
                self.add(f"{pad}{self.key(name)}:{behind}", stays=not goes and not _holds_old(value))
                self.block(value, level + 1, goes)

    def flow(self, pairs: Sequence[tuple[str, Any]]) -> str:
        parts = [f"{self.key(n)}: {self.flow(v) if isinstance(v, list) else v or 'null'}" for n, v in pairs]
        return "{" + ", ".join(parts) + self.draw(st.sampled_from(["", ","])) + "}"

    def add(self, line: str, stays: bool) -> None:
        self.lines.append(line)
        if stays:
            self.kept.append(line)


def _holds_old(pairs: Pairs) -> bool:
    """Whether a mapping holds old settings, so that its line may change or go."""
    return any(
        name in ("skip_rollout", "skip_dump_dir", "skip") or (isinstance(value, list) and _holds_old(value))
        for name, value in pairs
    )


@st.composite
def old_configs(draw: st.DrawFn) -> OldConfig:
    """Hydra configs with old settings that have an exact counterpart."""
    settings, skip, on = draw(_old_settings())
    others: Pairs = [(f"k{index}", draw(_OTHER_VALUES)) for index in range(draw(st.integers(0, 3)))]
    rollout = draw(st.permutations([*settings, *others]))
    siblings: Pairs = draw(st.sampled_from([[], [("actor", [("strategy", "fsdp")])]]))
    place: Pairs = [("actor_rollout_ref", draw(st.permutations([("rollout", rollout), *siblings])))]
    if draw(st.integers(0, 9)) == 0 and (settings[0][0] != "skip" or "dump_dir" in dict(settings[0][1])):
        place = [("rollout", rollout)]
    top: Pairs = [
        *place,
        ("trainer", [("total_training_steps", str(TOTAL_STEPS)), ("nnodes", "1")]),
        *draw(st.sampled_from([[], [("data", [("train_batch_size", "8"), ("seed", "null")])]])),
        *draw(
            st.sampled_from([[], [("skip", [("_target_", "verl.utils.skip.SkipManagerConfig")])], [("skip", "null")]])
        ),
    ]
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    writer = _Writer(draw, newline, draw(st.sampled_from([2, 4])), draw(st.booleans()))
    writer.block(draw(st.permutations(top)), 0)
    if writer.with_comments and writer.chance(20):
        writer.lines.append(writer.comment())
    text = newline.join(writer.lines) + draw(st.sampled_from([newline, newline, "", newline * 2]))
    return OldConfig(text, skip, on, tuple(writer.comments), tuple(writer.kept))


_FRAGMENTS = [
    "actor_rollout_ref", "rollout", "skip", "skip_rollout", "enable", "dump_dir", "max_dump_step", "data", "trainer",
    "train_batch_size", ":", ": ", "- ", "? ", "  ", "    ", "\n", "\n  ", "\n    ", "\n      ", "\r\n", "\r", "\t",
    "{", "}", "[", "]", ", ", ",", "#", " # c", "|", "|+", ">-", "'", '"', "&a ", "*a", "<<: ", "!!str ", "!x ",
    "${", "${skip.enable}", "}", "---\n", "...\n", "%YAML 1.1\n", "\u0085", "\u2028", "\ufeff", "true", "null", "1",
    "~", "\\", "\x00", "é", "😀",
]  # fmt: skip

yaml_like = st.lists(st.sampled_from(_FRAGMENTS), max_size=40).map("".join)
"""Texts made of what YAML files are made of, in any order."""


def mutated(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Real-looking files with pieces taken out, doubled or put elsewhere."""

    @st.composite
    def change(draw: st.DrawFn) -> str:
        text = draw(st.sampled_from(texts))
        for _ in range(draw(st.integers(1, 4))):
            start = draw(st.integers(0, len(text)))
            end = min(len(text), start + draw(st.integers(0, 12)))
            middle = draw(st.sampled_from(["", "", text[start:end] * 2, *_FRAGMENTS]))
            text = text[:start] + middle + text[end:]
        return text

    return change()
