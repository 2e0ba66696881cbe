"""Scripts put together from pieces: what is set, how it is quoted, where it stands, how lines go on and end."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

ROLLOUT = "actor_rollout_ref.rollout"
LAUNCH = "python3 -m verl.trainer.main_ppo"

COUNTS = st.sampled_from(["1", "2", "5", "16", "17", "40", "$WARM", "${WARM}", "${WARM:-3}"])
SWITCHES = st.sampled_from(["True", "true", "False", "${ON:-True}"])
DIRECTORIES = st.sampled_from(["/data/dump", "$OUT/dump", "${OUT}/a", "/d"])
PREFIXES = st.sampled_from(["", "", "", "+", "++"])


class Script(NamedTuple):
    """A script, and whether its old settings can be moved without a decision."""

    text: str
    newline: str


@st.composite
def nested_settings(draw: st.DrawFn) -> list[str]:
    settings = [f"{draw(PREFIXES)}{ROLLOUT}.skip.enable={draw(SWITCHES)}"]
    if draw(st.booleans()):
        settings.append(f"{draw(PREFIXES)}{ROLLOUT}.skip.max_dump_step={draw(COUNTS)}")
    if draw(st.booleans()):
        settings.append(f"{ROLLOUT}.skip.dump_dir={draw(DIRECTORIES)}")
    if draw(st.booleans()):
        settings.append(f"{ROLLOUT}.skip.action=cache")
    if draw(st.booleans()):
        settings.append(f"~{ROLLOUT}.skip_rollout")
    return settings


@st.composite
def flat_settings(draw: st.DrawFn) -> list[str]:
    settings = [f"{draw(PREFIXES)}{ROLLOUT}.skip_rollout={draw(SWITCHES)}"]
    if draw(st.booleans()):
        settings.append(f"{ROLLOUT}.skip_dump_dir={draw(DIRECTORIES)}")
    total = draw(st.sampled_from(["1", "7", "30", "$STEPS", "${STEPS}"]))
    return [*settings, f"trainer.total_training_steps={total}"]


OTHERS = st.lists(
    st.sampled_from(
        [
            "trainer.nnodes=1",
            "data.train_files=/a/b.parquet",
            "+data.x.y=z",
            f"{ROLLOUT}.n=4",
            f"{ROLLOUT}.skip_tokenizer_init=False",
        ]
    ),
    max_size=3,
    unique=True,
)


def _quoted(style: str, word: str) -> str:
    if style == "single" and "$" not in word:
        return f"'{word}'"
    if style == "double":
        return f'"{word}"'
    if style == "value" and "=" in word:
        key, _, value = word.partition("=")
        return f'{key}="{value}"'
    return word


STYLES = st.sampled_from(["bare", "single", "double", "value"])


def _lines(words: list[str], indentation: str, sign: str) -> str:
    return f" {sign}\n{indentation}".join(words)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A whole script. It sets WARM, STEPS and OUT itself."""
    words = draw(st.one_of(nested_settings(), flat_settings()))
    words = draw(st.permutations([*words, *draw(OTHERS)]))
    place = draw(
        st.sampled_from(
            ["line", "lines", "array", "appended", "string", "eval", "single", "double", "quoted", "heredoc"]
        )
    )
    indentation = draw(st.sampled_from(["  ", "    ", "\t"]))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    start = "export WARM=3 STEPS=4 OUT=/out\n"
    end = draw(st.sampled_from(["", " 2>&1 | tee log", ' "$@"', " > log &\nwait"]))
    plain = [word if place in ("string", "eval", "single", "double") else _quoted(draw(STYLES), word) for word in words]
    body = _PLACES[place](plain, indentation, end)
    return Script((start + body + "\n").replace("\n", newline), newline)


def _array(words: list[str], indentation: str, end: str) -> str:
    inner = "".join(f"{indentation}{word}\n" for word in words)
    return f'ARGS=(\n{inner})\n{LAUNCH} "${{ARGS[@]}}"{end}'


def _appended(words: list[str], indentation: str, end: str) -> str:
    inner = "".join(f"for _ in once; do\n{indentation}ARGS+=({word})\ndone\n" for word in words)
    return f'ARGS=()\n{inner}{LAUNCH} "${{ARGS[@]}}"{end}'


_PLACES = {
    "line": lambda words, indentation, end: f"{LAUNCH} {' '.join(words)}{end}",
    "lines": lambda words, indentation, end: _lines([LAUNCH, *words], indentation, "\\") + end,
    "array": _array,
    "appended": _appended,
    "string": lambda words, indentation, end: f'OPTS="{" ".join(words)}"\n{LAUNCH} $OPTS{end}',
    "eval": lambda words, indentation, end: f'CMD="{_lines([LAUNCH, *words], indentation, chr(92))}"\neval "$CMD"{end}',
    "single": lambda words, indentation, end: f"srun bash -c '{_lines([LAUNCH, *words], indentation, chr(92))}'{end}",
    "double": lambda words, indentation, end: f'srun bash -c "{" ".join([LAUNCH, *words])}"{end}',
    "quoted": lambda words, indentation, end: (
        f"cat > job.sh <<'EOF'\n{_lines([LAUNCH, *words], indentation, chr(92))}\nEOF\nbash job.sh{end}"
    ),
    "heredoc": lambda words, indentation, end: (
        f"cat > job.sh <<EOF\n{_lines([LAUNCH, *words], indentation, chr(92) * 2)}\nEOF\nbash job.sh{end}"
    ),
}
