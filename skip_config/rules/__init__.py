"""What `skipcfg` can say: one small module per rule of `validate`, and tables of what its other parts tell.

`registry` is the only list of names: `skipcfg explain` and `docs/diagnostics.md` are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

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
        severity: When it differs from the rule's.
    """

    path: tuple[str, ...]
    message: str
    span: Span | None = None
    help: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One diagnostic.

    Args:
        name: In kebab-case, by what is wrong.
        severity: Of its findings.
        summary: One line.
        why: What the runtime does.
        example: A config that the rule speaks about.
        mend: How to put it right.
        since: The first verl release that it holds for.
        check: Looks at a config; None for what another part of skipcfg finds.
        sometimes: Severities that single findings have instead.
    """

    name: str
    severity: Severity
    summary: str
    why: str
    example: str
    mend: str
    since: str
    check: Callable[[View], Iterable[Hit]] | None = None
    sometimes: tuple[Severity, ...] = ()


_RULES = (
    "skip_block",
    "no_such_key",
    "wrong_type",
    "unsupported_action",
    "missing_value",
    "unresolved_interpolation",
    "complete_config",
    "role_not_used",
    "loop_without_manager",
    "two_roles_on",
    "steps_empty",
    "steps_out_of_range",
    "steps_doubled",
    "repeat_replays",
    "feed_order",
    "dump_dir",
    "trainer_mode",
    "train_batch_size",
    "gen_batch_size",
    "off_policy",
    "sync_step",
    "separate_async",
    "fully_async",
    "warm_up",
    "group_filter",
)
_TOLD = ("told_by_migrate", "told_by_readers", "told_by_checks", "told_by_commands")


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """The rules of `validate`, in the order of the report."""
    return tuple(rule for name in _RULES for rule in _module(name))


@lru_cache(maxsize=1)
def registry() -> dict[str, Rule]:
    """Every diagnostic that skipcfg can print, by name, in alphabetical order."""
    told = [rule for name in _TOLD for rule in _module(name)]
    return {rule.name: rule for rule in sorted((*all_rules(), *told), key=lambda rule: rule.name)}


def _module(name: str) -> tuple[Rule, ...]:
    rules: tuple[Rule, ...] = import_module(f"{__name__}.{name}").RULES
    return rules
