"""Put together what the settings meant, what the file shows and what the user asked: what gets written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from skip_config.diagnostics import Fix, Remark, Severity
from skip_config.legacy import MISSING, LegacySkip
from skip_config.releases import Role
from skip_config.request import Request
from skip_config.roles import Evidence, choose_roles
from skip_config.trace import behaviour
from skip_config.translate import NewSkip, TotalSteps, translate


class Finding(NamedTuple):
    """A remark with its severity and the kind of fix that there is."""

    remark: Remark
    severity: Severity
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with old settings that hold together.

    Args:
        roles: The roles that get the settings.
        settings: What each of them gets; None when a person has to decide first.
        findings: What to tell.
        on: Whether the old switch is on; None when it may be.
    """

    roles: tuple[Role, ...]
    settings: NewSkip | None
    findings: tuple[Finding, ...]
    on: bool | None


def decide(old: LegacySkip, evidence: Evidence, request: Request, total_steps: TotalSteps) -> Decision:
    """Decide for one config or one command.

    Args:
        old: Its old settings.
        evidence: What it shows about its trainer.
        request: What the user asked.
        total_steps: T as the same file states it; it wins over the request's.
    """
    translation = translate(old, request.total_steps if total_steps is None else total_steps)
    choice = choose_roles(evidence, translation.on, request.role, old.enable is MISSING)
    findings: list[Finding] = []
    settings = translation.settings
    obstacle = translation.obstacle(request.unsafe)
    if obstacle:
        settings = None
        fix = Fix.UNSAFE if translation.applies_unsafe and not request.unsafe else None
        findings.append(Finding(obstacle, Severity.ERROR, fix))
    elif translation.problem:
        accepted = translation.problem._replace(help=None)  # it says how to accept
        findings.append(Finding(accepted, Severity.WARNING, Fix.UNSAFE))
    if choice.problem and not request.unsafe:
        settings = None
        findings.append(Finding(choice.problem, Severity.ERROR, Fix.UNSAFE))
    elif choice.problem:
        findings.append(Finding(choice.problem, Severity.WARNING, Fix.UNSAFE))
    findings += [Finding(remark, Severity.WARNING) for remark in choice.warnings]
    if settings is not None:
        notes = (*choice.notes, *translation.notes)
        if translation.on is not False:
            steps = request.total_steps if total_steps is None else total_steps
            notes = (*notes, behaviour(old, settings, steps))
        findings += [Finding(remark, Severity.NOTE) for remark in notes]
    return Decision(choice.roles, settings, tuple(findings), translation.on)
