"""`skipcfg explain`: what a diagnostic means and how to mend it; also the page `docs/diagnostics.md`."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skip_config.rules import Rule, registry
from skipcfg.streams import fail, out


def explain(name: str | None, listed: bool, markdown: bool) -> int:
    """Print one diagnostic, the list of all, or the page of the documentation. Returns the exit code."""
    if markdown:
        out(page())
    elif listed:
        width = max(len(one) for one in registry())
        out("".join(f"{rule.name:{width}}  {rule.severity.value:7}  {rule.summary}\n" for rule in registry().values()))
    elif name is None:
        return fail("name what a finding has in brackets, such as old-setting, or give --list", as_json=False)
    elif name not in registry():
        near = get_close_matches(name, registry(), 1)
        hint = f"did you mean {near[0]}?" if near else "skipcfg explain --list shows them all"
        return fail(f"no finding is called {name!r}; {hint}", as_json=False)
    else:
        out("\n".join(_text(registry()[name])) + "\n")
    return 0


def severities(rule: Rule) -> str:
    """The severities that its findings have, the usual one first."""
    others = ", ".join(one.value for one in rule.sometimes)
    return f"{rule.severity.value} (in some cases {others})" if others else rule.severity.value


def _text(rule: Rule) -> Iterator[str]:
    yield f"{rule.name}: {severities(rule)}"
    yield f"\n{rule.summary}\n\n{rule.why}"
    if rule.example:
        yield "\nExample:\n"
        yield from (f"    {line}" for line in rule.example.rstrip("\n").split("\n"))
    yield f"\nMend: {rule.mend}"
    yield f"\nHolds since verl {rule.since}. To silence it on one line: # skipcfg: ignore[{rule.name}] why"


def page() -> str:
    """The whole of `docs/diagnostics.md`."""
    parts = [
        "# Diagnostics\n\n"
        "<!-- Made by `skipcfg explain --markdown`. Do not edit: change skip_config/rules instead. -->\n\n"
        "An **error** is something that verl would refuse, or that needs a decision; a **warning** runs and "
        "disappoints; a **note** is worth knowing. `skipcfg explain NAME` prints one entry, and a comment "
        "`# skipcfg: ignore[NAME] why` silences it on its line.\n"
    ]
    for rule in registry().values():
        example = f"\n```yaml\n{rule.example.rstrip()}\n```\n" if rule.example else ""
        parts.append(
            f"\n## {rule.name}\n\n{severities(rule).capitalize()}, since verl {rule.since}. {rule.summary}\n\n"
            f"{rule.why}\n{example}\n**Mend:** {rule.mend}\n"
        )
    return "".join(parts)
