"""YAML: Hydra configs, overlays and verl's generated files."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import PurePath

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.yaml import interpolation
from skip_config.formats.yaml.nodes import Document, Node, pair_of, select, walk
from skip_config.formats.yaml.package import Package, package_of
from skip_config.formats.yaml.places import content, is_old, old_place, old_places, two_places
from skip_config.formats.yaml.plan import SKIP, Plan
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.readable import MEND
from skip_config.request import Request
from skip_config.source import Source, Span
from skip_config.territory import is_record

GENERATED = "_generated_*.y*ml"

_IN_COMMANDS = (  # each starts with characters of its own, which a search finds at once
    re.compile(r"""\.(?<!verl\.utils\.)['"\\]*skip(?:_rollout|_dump_dir|_use_default_dir|['"\\]*[.=])"""),
    re.compile(r"""gen_batch_size['"\\]*="""),
)
"""What an override of an old setting has, however it is quoted; verl's own `_target_` is none."""

_IN_A_COMMENT = re.compile(r"#[^\r\n]*(?:skip|dump)")
_NEW_IN_COMMANDS = (
    re.compile(r"""skip(?<!\wskip)['"\\]*\.['"\\]*(?:async_)?rollout[\w.${}'"\\-]*="""),
    re.compile(r"""~['"\\]*skip\b"""),
)

_OUTER_KEY = re.compile(rf"""{releases.ROLLOUT_PLACE[0]}["']?\s*:""")
_DOTTED = f"{releases.ROLLOUT_PLACE[-1]}.{SKIP}"


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a YAML file, each of its documents by itself."""
    try:
        documents = parse(source.text)
    except UnreadableError as error:
        return Draft(diagnostics=(unreadable(source, error),))
    job = _Job(source, request, package_of(source.text, source.filename))
    plans = [job.plan(document) for document in documents]
    commands, nodes = _commands(source, documents, request)
    diagnostics = [*(diagnostic for plan in plans for diagnostic in plan.diagnostics), *commands.diagnostics]
    diagnostics += _commented_out(source, documents)
    edits = [*(edit for plan in plans for edit in plan.edits), *commands.edits]
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        edits = []
        diagnostics = [one for one in diagnostics if one.severity is not Severity.NOTE]  # of what is not done

    def verify(result: Source) -> Sequence[str]:
        from skip_config.formats.yaml.proof import wrong_with

        again = _Job(result, request, job.package)
        wrong = wrong_with(source, documents, plans, result, edits, again.plan, nodes if commands.edits else ())
        return [*wrong, *(commands.verify(result) if commands.edits else ())]

    return Draft(tuple(edits), tuple(diagnostics), verify, commands.doubt)


def _commands(source: Source, documents: Sequence[Document], request: Request) -> tuple[Draft, Collection[int]]:
    """The commands that stand in a file; most configs hold none, and need nothing of what reads a shell."""
    if not _holds(source.text, _IN_COMMANDS):
        return Draft(), ()
    from skip_config.formats.yaml import jobs

    draft, found = jobs.migrate(source, documents, request)
    return draft, found.nodes


def _commented_out(source: Source, documents: Sequence[Document]) -> list[Diagnostic]:
    if not _IN_A_COMMENT.search(source.text):
        return []
    from skip_config.formats.yaml.commented import commented_out

    return commented_out(source, documents)


def may_hold_commands(text: str) -> bool:
    """A quick look at a whole file: whether any command in it can have an override that matters."""
    return _holds(text, (*_IN_COMMANDS, *_NEW_IN_COMMANDS))


def _holds(text: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def unreadable(source: Source, error: UnreadableError) -> Diagnostic:
    """The diagnostic for a text that cannot be read as YAML."""
    return at(source, Span(error.start, error.end), Remark(error.name, error.message, MEND), Severity.ERROR)


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
        places = list(old_places(root, self.package))
        place = places[0] if places else None
        if place is None and is_record(self.source.filename) and (logged := _logged(root)):
            plan = Plan()
            remark = Remark("record", "old settings among the values that a run logged: left alone")
            plan.tell(self.source, logged, remark, Severity.NOTE, releases.dotted(releases.ROLLOUT_PLACE))
        elif place is None:
            plan = self._completion(document, root) if complete else Plan()
            self._tell_references(root, plan)
        elif self.package.path:
            plan = Plan()
            self._tell_packaged(place.pairs[0][0], plan)
        elif place.inherited is not None:
            plan = Plan()
            self._tell_inherited(place.inherited, plan)
        elif len(places) > 1:
            plan = Plan()
            other = places[1].pairs[0][0]
            plan.tell(self.source, other, two_places(places), Severity.ERROR, places[1].name_of(other))
        else:
            # What rewrites is imported when there is something to rewrite.
            from skip_config.formats.yaml.rewrite import plan_move

            plan = plan_move(self.source, document, root, place, self.request, complete)
        self._tell_dotted(root, plan)
        self._tell_elsewhere(root, plan)
        if (self.generated or self.request.insert_gen_batch_size) and not plan.diagnostics_of(Severity.ERROR):
            self._insert_gen_batch_size(document, root, plan)
        return plan

    def _completion(self, document: Document, root: Node) -> Plan:
        from skip_config.formats.yaml.rewrite import plan_completion

        plan = plan_completion(self.source, document, root)
        if plan.edits:
            key = next((key for key, _ in root.pairs if key.value == SKIP), root.pairs[0][0])
            remark = Remark("made-complete", f"{SKIP} gets all its roles, as in a complete config of verl 0.9")
            plan.tell(self.source, key, remark, Severity.NOTE, SKIP)
        return plan

    def _insert_gen_batch_size(self, document: Document, root: Node, plan: Plan) -> None:
        from skip_config.formats.yaml import insert
        from skip_config.formats.yaml.block import style_of

        edits = insert.gen_batch_size(self.source, root, style_of(self.source, document))
        before = select(root, *releases.TRAIN_BATCH_SIZE[:-1])
        if edits and before is not None:
            key = next(key for key, _ in before.pairs if key.value == releases.TRAIN_BATCH_SIZE[-1])
            name = releases.dotted(releases.GEN_BATCH_SIZE)
            text = (
                f"{name}: null inserted below {releases.dotted(releases.TRAIN_BATCH_SIZE)}; null means the same number"
            )
            plan.tell(self.source, key, Remark("made-complete", text), Severity.NOTE, name)
        plan.edits = insert.united([*plan.edits, *edits])

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
        from skip_config.formats.yaml.references import points_at_old

        for path, node in walk(root):
            if node.kind == "scalar" and "${" in node.value:
                for target in interpolation.references(node.value, (*self.package.path, *path)):
                    if is_old(target):
                        plan.tell(self.source, node, points_at_old(node.value), Severity.ERROR, releases.dotted(path))
                        break

    def _tell_elsewhere(self, root: Node, plan: Plan) -> None:
        """Old settings in a list of experiments, or below a key of somebody's own launcher."""
        depth = len(releases.ROLLOUT_PLACE)
        here = pair_of(root, releases.ROLLOUT_PLACE[0]) is not None
        if _outer_keys(self.source.text) <= here:
            return
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
        if not _mentions_dotted(self.source.text):
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


# Each document of a file asks these.
@lru_cache(maxsize=2)
def _outer_keys(text: str) -> int:
    return len(_OUTER_KEY.findall(text))


@lru_cache(maxsize=2)
def _mentions_dotted(text: str) -> bool:
    return _DOTTED in text


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
