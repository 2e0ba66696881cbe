"""What `skipcfg validate` checks: one small module per rule, gathered here in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from skip_config.diagnostics import Severity
from skip_config.source import Span
from skip_config.view import View


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found.

    Args:
        path: The key in question.
        message: One sentence: the key, the value found, what is allowed.
        span: Its place in the file; None when the file does not write it.
        help: What to do.
    """

    path: tuple[str, ...]
    message: str
    span: Span | None = None
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Args:
        name: In kebab-case, by what is wrong.
        severity: Of its findings.
        summary: One line.
        why: What the runtime does.
        example: A config that the rule speaks about.
        mend: How to put it right.
        since: The first verl release that it holds for.
        check: Looks at a config.
    """

    name: str
    severity: Severity
    summary: str
    why: str
    example: str
    mend: str
    since: str
    check: Callable[[View], Iterable[Hit]]


def all_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of the report.

    `runtime_refuses` is not among them: it speaks only where none of these has found an error.
    """
    from skip_config.rules import no_such_key, role_not_used, steps_empty, unsupported_action, wrong_type

    return (no_such_key.RULE, wrong_type.RULE, unsupported_action.RULE, role_not_used.RULE, steps_empty.RULE)
