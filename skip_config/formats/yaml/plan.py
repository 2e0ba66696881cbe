"""What is to be done with one YAML document."""

from __future__ import annotations

from dataclasses import dataclass, field

from skip_config.diagnostics import Diagnostic, Fix, Remark, Severity, at
from skip_config.formats.yaml.nodes import Node
from skip_config.legacy import Maybe
from skip_config.releases import MANAGER, Field, Role
from skip_config.source import Edit, Source, Span

SKIP = MANAGER.place[0]


@dataclass(slots=True)
class Plan:
    """What is to be done with one document, and what must hold afterwards.

    Args:
        edits: The edits.
        diagnostics: What to tell.
        removed: Identities of the keys that go.
        expected: Values of fields of `skip` that the result must have.
        rewritten: Identity of a scalar -> its text with the interpolations rewritten.
    """

    edits: list[Edit] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    expected: dict[tuple[Role, Field], Maybe] = field(default_factory=dict)
    rewritten: dict[int, str] = field(default_factory=dict)

    def tell(
        self, source: Source, node: Node, remark: Remark, severity: Severity, key: str | None, fix: Fix | None = None
    ) -> None:
        """Add a diagnostic at a node."""
        span = Span(node.start, max(node.end, node.start))
        self.diagnostics.append(at(source, span, remark, severity, key=key, fix=fix))

    def diagnostics_of(self, severity: Severity) -> list[Diagnostic]:
        """The diagnostics of one severity."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity is severity]
