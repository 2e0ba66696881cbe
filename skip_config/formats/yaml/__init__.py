"""YAML: Hydra configs, overlays and verl's generated files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePath

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft, Request
from skip_config.formats.yaml import insert, interpolation, jobs
from skip_config.formats.yaml.block import style_of
from skip_config.formats.yaml.check import first_difference
from skip_config.formats.yaml.comments import commented_out
from skip_config.formats.yaml.places import Package, content, old_place, package_of
from skip_config.formats.yaml.references import points_at_old
from skip_config.formats.yaml.rewrite import SKIP, Plan, plan_completion, plan_move
from skip_config.formats.yaml.scalars import setting
from skip_config.formats.yaml.tree import Document, Node, UnreadableError, parse, select, walk
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.source import Source, Span
from skip_config.territory import is_record

GENERATED = "_generated_*.y*ml"

ADDITIONS = frozenset(
    {(SKIP,), (SKIP, "_target_"), releases.GEN_BATCH_SIZE}
    | {(SKIP, role) for role in releases.ROLES}
    | {(SKIP, role, name) for role in releases.ROLES for name in releases.FIELDS}
)
"""All that a migration may add to a document."""
_DOTTED = f"{releases.ROLLOUT_PLACE[-1]}.{SKIP}"


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a YAML file, each of its documents by itself."""
    try:
        documents = parse(source.text)
    except UnreadableError as error:
        return Draft(diagnostics=(unreadable(source, error),))
    job = _Job(source, request, package_of(source.text, source.filename))
    plans = [job.plan(document) for document in documents]
    commands, found = jobs.migrate(source, documents, request)
    diagnostics = [*(diagnostic for plan in plans for diagnostic in plan.diagnostics), *commands.diagnostics]
    diagnostics += commented_out(source, documents)
    edits = [*(edit for plan in plans for edit in plan.edits), *commands.edits]
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        edits = []
        diagnostics = [one for one in diagnostics if one.severity is not Severity.NOTE]  # of what is not done

    def verify(result: Source) -> Sequence[str]:
        wrong = _verify(job, documents, plans, result, found.nodes if commands.edits else ())
        return [*wrong, *(commands.verify(result) if commands.edits else ())]

    return Draft(tuple(edits), tuple(diagnostics), verify)


def unreadable(source: Source, error: UnreadableError) -> Diagnostic:
    """The diagnostic for a text that cannot be read as YAML."""
    return at(source, Span(error.start, error.end), Remark(error.name, error.message), Severity.ERROR)


@dataclass(frozen=True, slots=True)
class _Job:
    source: Source
    request: Request
    package: Package

    @property
    def generated(self) -> bool:
        return fnmatch(PurePath(self.source.filename).name, GENERATED)

    def plan(self, document: Document) -> Plan:
        root = content(document)
        if root is None:
            return Plan()
        complete = (self.generated or is_record(self.source.filename)) and (
            select(root, releases.ROLLOUT_PLACE[0]) is not None
        )
        place = old_place(root, self.package)
        if place is None and is_record(self.source.filename) and (logged := _logged(root)):
            plan = Plan()
            remark = Remark("record", "old settings among the values that a run logged: left alone")
            plan.tell(self.source, logged, remark, Severity.NOTE, releases.dotted(releases.ROLLOUT_PLACE))
        elif place is None:
            plan = plan_completion(self.source, document, root) if complete else Plan()
            self._tell_references(root, plan)
        elif self.package.path:
            plan = Plan()
            self._tell_packaged(place.pairs[0][0], plan)
        elif place.inherited is not None:
            plan = Plan()
            self._tell_inherited(place.inherited, plan)
        else:
            plan = plan_move(self.source, document, root, place, self.request, complete)
        self._tell_dotted(root, plan)
        self._tell_elsewhere(root, plan)
        if (self.generated or self.request.insert_gen_batch_size) and not plan.diagnostics_of(Severity.ERROR):
            plan.edits += insert.gen_batch_size(self.source, root, style_of(self.source, document))
        plan.edits = insert.united(plan.edits)
        return plan

    def _tell_packaged(self, key: Node, plan: Plan) -> None:
        name = releases.dotted((*releases.ROLLOUT_PLACE, key.value))
        plan.tell(
            self.source,
            key,
            Remark(
                "cannot-move-here",
                f"Hydra places this file at {releases.dotted(self.package.path)}, so its old settings cannot move to "
                f"the top-level {SKIP} inside it",
                f"set {SKIP}.rollout_tq.* in the primary config or on the command line, and remove them here",
            ),
            Severity.ERROR,
            name,
        )

    def _tell_inherited(self, key: Node, plan: Plan) -> None:
        plan.tell(
            self.source,
            key,
            Remark(
                "old-setting-inherited",
                "old settings come into actor_rollout_ref.rollout by an alias or a merge key, and other places may "
                "share them",
                f"write {SKIP}.rollout_tq.* at the top level, and take the old keys out of the shared mapping",
            ),
            Severity.ERROR,
            releases.dotted(releases.ROLLOUT_PLACE),
        )

    def _tell_references(self, root: Node, plan: Plan) -> None:
        if not interpolation.may_point_at_old(self.source.text):
            return
        for path, node in walk(root):
            if node.kind == "scalar" and "${" in node.value:
                for target in interpolation.references(node.value, (*self.package.path, *path)):
                    if is_old(target):
                        plan.tell(self.source, node, points_at_old(node.value), Severity.ERROR, releases.dotted(path))
                        break

    def _tell_elsewhere(self, root: Node, plan: Plan) -> None:
        """Old settings in a list of experiments, or below a key of somebody's own launcher."""
        depth = len(releases.ROLLOUT_PLACE)
        for path, node in walk(root):
            if len(path) <= depth or path[-depth:] != releases.ROLLOUT_PLACE:
                continue
            key = next((key for key, _ in node.pairs if is_old((*releases.ROLLOUT_PLACE, key.value))), None)
            if key is not None:
                remark = Remark(
                    "old-setting",
                    f"{releases.dotted((*path, key.value))} does not stand where verl reads it, so it is left alone",
                    f"see whether it has to become {SKIP}.rollout or {SKIP}.rollout_tq beside {path[-depth]}",
                )
                plan.tell(self.source, key, remark, Severity.WARNING, releases.dotted((*path, key.value)))

    def _tell_dotted(self, root: Node, plan: Plan) -> None:
        if _DOTTED not in self.source.text:
            return
        for path, node in walk(root):
            for key, _ in node.pairs:
                if key.kind == "scalar" and "." in key.value:
                    parts = tuple(key.value.lstrip("+~").split("."))
                    if is_old(parts) or is_old((*path, *parts)):
                        self._tell_dotted_key(path, key, plan)

    def _tell_dotted_key(self, path: tuple[str, ...], key: Node, plan: Plan) -> None:
        if path == ("hydra", "sweeper", "params"):
            remark = Remark(
                "old-setting-in-sweep",
                f"the sweep over {key.value} stops with verl 0.9, which has no such key",
                f"sweep over {SKIP}.rollout_tq.* instead",
            )
            plan.tell(self.source, key, remark, Severity.ERROR, key.value)
            return
        remark = Remark(
            "dotted-key",
            f"{key.value!r} with dots is one literal name in YAML: it never had an effect",
            f"remove it, or write {SKIP}: with its keys below",
        )
        plan.tell(self.source, key, remark, Severity.WARNING, key.value)


def _logged(root: Node) -> Node | None:
    """The first old key of a config as Weights & Biases records it: each value below a key `value`."""
    first, *rest = releases.ROLLOUT_PLACE
    rollout = select(root, first, "value", *rest)
    if rollout is None or rollout.kind != "mapping":
        return None
    return next((key for key, _ in rollout.pairs if is_old((*releases.ROLLOUT_PLACE, key.value))), None)


def old_keys(root: Node, source: Source) -> list[tuple[str, tuple[int, int]]]:
    """The full names of the old settings of a document, each with the span of its key."""
    place = old_place(root, package_of(source.text, source.filename))
    if place is None:
        return []
    found = []
    for key, value in place.pairs:
        block = value.resolved()
        if place.nested and key is place.nested[0] and block.kind == "mapping" and block.pairs:
            inner = [one for one, _ in block.pairs if one.kind == "scalar"]
            found += [(releases.dotted((*place.absolute, key.value, one.value)), (one.start, one.end)) for one in inner]
        else:
            found.append((releases.dotted((*place.absolute, key.value)), (key.start, key.end)))
    return found


def is_old(path: Sequence[str]) -> bool:
    """Whether a path in the composed config is one of an old setting."""
    place = releases.ROLLOUT_PLACE
    if tuple(path[: len(place)]) != place or len(path) == len(place):
        return False
    return path[len(place)] in releases.FLAT_KEYS or path[len(place)] == releases.NESTED_BLOCK


# -------------------------------------------------------------------- the safety net


def _verify(
    job: _Job, before: list[Document], plans: list[Plan], result: Source, commands: Collection[int]
) -> list[str]:
    try:
        after = parse(result.text)
    except UnreadableError as error:
        return [f"it no longer loads: {error.message}"]
    if len(after) < len(before) and all(document.root is None for document in before[len(after) :]):
        before = before[: len(after)]
    if len(after) != len(before) and any(plan.edits for plan in plans):
        kept = [(d, p) for d, p in zip(before, plans, strict=False) if not _emptied(d, p)]
        if len(kept) != len(after):
            return [f"{len(before)} documents before, {len(after)} after"]
        before, plans = [d for d, _ in kept], [p for _, p in kept]
    wrong = []
    again = _Job(result, job.request, job.package)
    for old, new, plan in zip(before, after, plans, strict=False):
        old_root, new_root = content(old), content(new)
        if old_root is None:
            continue
        if new_root is None:
            if not _emptied(old, plan):
                wrong.append("a document lost its content")
            continue
        wrong += _wrong_settings(new_root, plan)
        difference = first_difference(old_root, new_root, plan.removed, ADDITIONS, plan.rewritten, commands)
        if difference:
            wrong.append(f"another value changed: {difference}")
        if _points_at_old(new_root, result):
            wrong.append("an interpolation points at an old setting")
        if again.plan(new).edits:
            wrong.append("a second run would change it again")
        if any(old_place(new_root, Package()) is not None for _ in plan.removed):
            wrong.append("an old setting is still there")
    return wrong


def _points_at_old(root: Node, result: Source) -> bool:
    return interpolation.may_point_at_old(result.text) and any(
        is_old(target)
        for path, node in walk(root)
        if node.kind == "scalar" and "${" in node.value
        for target in interpolation.references(node.value, path)
    )


def _emptied(document: Document, plan: Plan) -> bool:
    root = document.root
    return root is not None and bool(root.pairs) and all(id(key) in plan.removed for key, _ in root.pairs)


def _wrong_settings(root: Node, plan: Plan) -> list[str]:
    wrong = []
    for (role, name), wanted in plan.expected.items():
        node = select(root, SKIP, role, name)
        got: Maybe = MISSING if node is None else setting(node)
        if wanted is MISSING or _same(wanted, got):
            continue
        wrong.append(f"{SKIP}.{role}.{name} is {got!r}, wanted {wanted!r}")
    return wrong


def _same(wanted: Maybe, got: Maybe) -> bool:
    # The text of an interpolation may change with its place; what it points at is checked by the rewriting.
    if isinstance(wanted, Opaque):
        return isinstance(got, Opaque)
    return type(wanted) is type(got) and wanted == got
