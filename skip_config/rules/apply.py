"""Run the rules on a config."""

from __future__ import annotations

from skip_config.diagnostics import Diagnostic, Remark, at
from skip_config.releases import dotted
from skip_config.rules import Hit, Rule, all_rules
from skip_config.source import Source
from skip_config.trainer import is_for_verl
from skip_config.view import View


def check_view(view: View, source: Source) -> list[Diagnostic]:
    """Run the rules on a config that is for verl; findings have their places in `source`."""
    return [
        at(
            source,
            hit.span,
            Remark(rule.name, hit.message, hit.help or as_help(rule.mend)),
            hit.severity or rule.severity,
            key=dotted(hit.path),
        )
        for rule, hit in hits(view)
    ]


def as_help(mend: str) -> str:
    """The mend of a rule, which is written for a page, as other helps are: without quotes, a clause when it is one."""
    text = mend.replace("`", "").removesuffix(".")
    first = text.partition(" ")[0]
    return text if ". " in text or first[1:] != first[1:].lower() else text[0].lower() + text[1:]


def hits(view: View) -> list[tuple[Rule, Hit]]:
    """What the rules find in a config, in the order of the rules."""
    if not is_for_verl(view):
        return []
    return [(rule, hit) for rule in all_rules() if rule.check is not None for hit in rule.check(view)]
