"""What must hold of every file that holds text of another language; each host's tests use them on its own files."""

from __future__ import annotations

from hypothesis import strategies as st

from skip_config.migrate import Migration, migrate_source
from skip_config.request import Request
from skip_config.source import Source
from skip_config.validate import validate_source

ROLLOUT = "actor_rollout_ref.rollout"
FRAGMENTS = st.sampled_from(
    [
        f"{ROLLOUT}.skip.enable=True",
        f"{ROLLOUT}.skip_rollout=$X",
        "python3 -m verl.trainer.main_ppo ",
        "\\\n",
        "\n",
        "\r\n",
        "\t",
        '"',
        "'",
        "`",
        "$",
        "$$",
        "$(",
        "${",
        "}",
        ")",
        "[",
        "]",
        "{{ x }}",
        "#",
        ": ",
        "- ",
        "|",
        ">",
        "```",
        "!",
        "%%bash\n",
        "\\",
        "é",
        "\u2028",
        "\U0001f389",
        "  ",
    ]
)


@st.composite
def mutations(draw: st.DrawFn, texts: list[str]) -> str:
    """A file in which something was cut out, doubled, or put in."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        size = draw(st.integers(0, 40))
        kind = draw(st.sampled_from(["cut", "insert", "double"]))
        if kind == "cut":
            text = text[:at] + text[at + size :]
        elif kind == "insert":
            text = text[:at] + draw(FRAGMENTS) + text[at:]
        else:
            text = text[:at] + text[at : at + size] + text[at:]
    return text


def bugs(migration: Migration) -> list[str]:
    """What the safety net had to hold back."""
    return [one.message for one in migration.diagnostics if one.name == "result-not-verified"]


def assert_sound(text: str, filename: str, *include: str) -> None:
    """No exception, nothing that skipcfg would call its own bug, and twice is once."""
    request = Request(include=frozenset(include), total_steps=7)
    migration = migrate_source(Source(text, filename), request)
    assert not bugs(migration)
    assert not migrate_source(migration.result, request).changed
    validate_source(migration.source)
