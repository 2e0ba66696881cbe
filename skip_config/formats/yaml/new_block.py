"""The lines of the new `skip` block: from moved settings, and verl 0.9's defaults where it is completed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence

from skip_config import releases
from skip_config.formats.yaml import insert
from skip_config.formats.yaml.block import Line, Style, steps_text
from skip_config.formats.yaml.comments import SortedComments
from skip_config.formats.yaml.nodes import Node, entries, pair_of
from skip_config.formats.yaml.settings import Gathered
from skip_config.formats.yaml.values import Values
from skip_config.releases import MANAGER, Field, Role
from skip_config.source import Edit, Source
from skip_config.translate import KEPT, NewSkip


def role_line(
    role: Role, settings: NewSkip, gathered: Gathered, values: Values, comments: SortedComments | None
) -> Line:
    lines = []
    spare: list[str] = []
    for name in releases.FIELDS:
        text = _field_text(name, settings, gathered, values)
        above = comments.above.get(name, []) if comments else []
        behind = comments.behind.get(name, "") if comments else ""
        if text is None:
            spare += [*above, *([behind.strip()] if behind else [])]
        else:
            lines.append(Line(name, text, tuple(above), behind))
    if comments:
        comments.block += spare
    return Line(role, below=tuple(lines), last=tuple(comments.last) if comments else ())


def _field_text(name: Field, settings: NewSkip, gathered: Gathered, values: Values) -> str | None:
    if name == "steps":
        return None if settings.steps is None else steps_text(settings.steps)  # type: ignore[arg-type]
    value = getattr(settings, name)
    if value is None:
        return None
    if value is KEPT:
        return values.text(gathered.nodes[name][1])
    return str(value).lower() if isinstance(value, bool) else str(value)


def target_line() -> Line:
    """`_target_` of the block, as verl's own files have it."""
    return Line("_target_", str(MANAGER.target))


def default_line(name: Field) -> Line:
    """A field with verl 0.9's default."""
    default = MANAGER.defaults[name]
    if isinstance(default, tuple):
        return Line(name, steps_text(default))
    return Line(name, str(default).lower() if isinstance(default, bool) else str(default))


def completed(lines: Sequence[Line], there: Collection[str]) -> list[Line]:
    """Role lines with all fields, and the roles that neither they nor the file have, in verl's order."""
    given = {line.key: line for line in lines}
    result = []
    for role in releases.ROLES:
        line = given.get(role, Line(role))
        if role in given or role not in there:
            fields = {one.key: one for one in line.below}
            below = tuple(fields.get(name) or default_line(name) for name in releases.FIELDS)
            result.append(Line(role, above=line.above, behind=line.behind, below=below, last=line.last))
    return result


def complete_roles(source: Source, root: Node, skip: Node, style: Style) -> list[Edit]:
    """Add `_target_` and the fields that the roles of an existing block lack.

    Raises:
        insert.CannotInsertError: The first key of the block is written in a way that nothing can precede.
    """
    edits = []
    if "_target_" not in entries(skip):
        edits.append(insert.insert_first(source, skip, target_line(), style))
    for role in releases.ROLES:
        pair = pair_of(skip, role)
        if pair is None:
            continue
        there = entries(pair[1].resolved()) if pair[1].resolved().kind == "mapping" else {}
        missing = [default_line(name) for name in releases.FIELDS if name not in there]
        if missing:
            with contextlib.suppress(insert.CannotInsertError):  # a role that is no mapping stays as it is
                edits += insert.insert_into(source, root, pair, missing, style)
    return edits
