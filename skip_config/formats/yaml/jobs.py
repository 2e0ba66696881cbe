"""Commands in YAML: the shell blocks, command lists and override lists of job files, whatever runs them.

They are found by what they hold and not by the program whose file it is: SkyPilot's `run`, Kubernetes'
`command` and `args`, Compose, workflows, Ray and Slurm all have a text that starts something, or a list
of words among which an override stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from skip_config import formats
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.argv import Word, WordList, is_override, migrate_lists
from skip_config.formats.embedded.migration import in_order, merge, propose, without_notes
from skip_config.formats.embedded.text import Embedded, as_variable, join
from skip_config.formats.mentions import DOTTED
from skip_config.formats.shell.remarks import mentions_old_settings
from skip_config.formats.yaml.fillers import composed, templated
from skip_config.formats.yaml.nodes import Document, Node
from skip_config.formats.yaml.scalar_text import embedded_scalar
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.request import Request
from skip_config.source import Edit, Source, Span

_LAUNCH: Final = re.compile(
    r"(?:^|[\s;&|('\"])(?:python[\d.]*|torchrun|ray|bash|sh|zsh|srun|sbatch|accelerate|deepspeed|uv|exec|nohup|make"
    r"|[\w./${}-]+\.(?:sh|py))(?=[\s'\"]|\Z)|(?:^|\s)-m\s+[\w${][\w.${}:-]*\.\w"
)
_WORDS_ONLY: Final = re.compile(  # each text can be read in one way only: a second one would double the time per word
    r"\s*(?:(?:[\"']?(?:\+{0,2}[A-Za-z_][\w./@-]*=|~[A-Za-z_])(?:\"[^\"]*\"|'[^']*'|\\[^\r\n]|[^\s\"'\\])*[\"']?"
    r"|-[\w-]+(?:=\S+|\s+(?:[\w./][\w./-]*|-\d*\.\d+)(?=\s))?)(?:\s+|\\[\r\n]\s*|\Z))+",
    re.ASCII,
)
_PROSE_KEYS: Final = frozenset(
    {"name", "description", "desc", "title", "summary", "note", "notes", "comment", "about", "help", "message"}
    | {"override_dirname"}
)
_COMMAND_KEYS: Final = re.compile(r"(?i)(?:run|setup|command|cmd|args?|script|entry_?point|exec|shell|bash|start)s?\Z")
_ENVIRONMENT: Final = re.compile(r"([A-Za-z_]\w*)=(?=[\"']?[+~]{0,2}[A-Za-z_]\w*\.)", re.ASCII)
_SHELL: Final = re.compile(r"(?:^|[\s/])(?:ba|da|z)?sh\s")


@dataclass(slots=True)
class Jobs:
    """What the documents of a file start.

    Args:
        texts: Shell texts.
        lists: Lists of words.
        remarks: What is left alone.
        nodes: Identities of the nodes that texts and lists were made from.
    """

    texts: list[Embedded] = field(default_factory=list)
    lists: list[WordList] = field(default_factory=list)
    remarks: list[Diagnostic] = field(default_factory=list)
    nodes: set[int] = field(default_factory=set)


def find(source: Source, documents: Sequence[Document]) -> Jobs:
    """Find the commands of a file."""
    jobs = Jobs()
    if not mentions_old_settings(source.text):
        return jobs
    for document in documents:
        if document.root is not None:
            _Walk(source, jobs, _is_compose(document.root)).document(document.root)
    return jobs


def _is_compose(root: Node) -> bool:
    return any(key.value == "services" and value.kind == "mapping" for key, value in root.pairs)


@dataclass(slots=True)
class _Place:
    """A scalar in its surroundings.

    Args:
        path: The keys that lead there.
        node: The scalar.
        flow: Whether it stands in brackets.
        name: The variable that it is the value of, or empty.
        kind: The language of its text.
        listed: Whether it is an item of a list.
    """

    path: tuple[str, ...]
    node: Node
    flow: bool
    name: str
    kind: str
    listed: bool


class _Walk:
    def __init__(self, source: Source, jobs: Jobs, compose: bool) -> None:
        self.source = source
        self.jobs = jobs
        self.compose = compose
        self.variables: dict[str, Embedded] = {}
        self.texts: list[Embedded] = []
        self.others: list[_Place] = []

    def document(self, root: Node) -> None:
        stack: list[tuple[tuple[str, ...], Node, Node | None, bool, bool]] = [((), root, None, False, False)]
        while stack:
            path, node, holder, flow, listed = stack.pop()
            flow = flow or node.flow
            if node.kind == "scalar":
                name, kind = _variable_name(path, holder), _language(holder)
                self.scalar(_Place(path, node, flow, name, kind, listed))
            elif node.kind == "mapping":
                stack += [
                    ((*path, key.resolved().value), child, node, flow, False) for key, child in reversed(node.pairs)
                ]
            elif node.kind == "sequence":
                if any(_is_word(item) and is_override(item.value) for item in node.items):
                    self.words(node, holder)
                    stack += [(path, item, holder, flow, True) for item in node.items if not _is_word(item)]
                else:
                    stack += [(path, item, holder, flow, True) for item in reversed(node.items)]
        self.gather()

    def scalar(self, place: _Place) -> None:
        node = place.node
        if self.file(place):
            return
        if "=" not in node.value or not mentions_old_settings(node.value):
            if "$" in node.value and _LAUNCH.search(node.value):
                self.others.append(place)
            return
        key = place.path[-1] if place.path else ""
        if key.lower() in _PROSE_KEYS:
            self.leave(place, "in a text", Severity.NOTE)
            return
        words = _WORDS_ONLY.fullmatch(node.value) is not None
        if not (words or _LAUNCH.search(node.value) or _COMMAND_KEYS.match(key)):
            self.leave(place, "does not stand where a command gets it as an override", Severity.WARNING)
            return
        text = self.text(place)
        if text is None:
            self.leave(place, "stands in a scalar whose lines cannot be told apart", Severity.ERROR)
            return
        self.jobs.nodes.add(id(node))
        entry = _ENVIRONMENT.match(text.text)
        if words and entry and place.listed:
            self.variables[entry[1]] = text.part(entry.end(), len(text.text), text.kind)
        elif words:
            self.variables[place.name or f"TEXT_{len(self.variables)}"] = text
        else:
            self.texts.append(text)

    def file(self, place: _Place) -> bool:
        """A whole file below its name, as in a ConfigMap."""
        name = place.path[-1] if place.path else ""
        kind = formats.kind_of(name, place.node.value) if "." in name and "\n" in place.node.value else None
        if kind is None or not mentions_old_settings(place.node.value):
            return False
        text = embedded_scalar(self.source, place.node, kind, flow=place.flow)
        if text is None:
            return False
        self.jobs.nodes.add(id(place.node))
        self.jobs.texts.append(replace(text, filename=name))
        return True

    def text(self, place: _Place) -> Embedded | None:
        """The inner text of a scalar."""
        text = embedded_scalar(self.source, place.node, place.kind, flow=place.flow)
        if text is not None and self.compose:
            # A command of one string is split into words and not given to a shell, unless it names one.
            text = composed(text, place.listed or _SHELL.search(text.text) is not None)
        return templated(text) if text is not None else None

    def leave(self, place: _Place, why: str, severity: Severity) -> None:
        match = DOTTED.search(self.source.text, place.node.start, place.node.end)
        if match is None:
            return
        remark = Remark(
            "old-setting",
            f"{match[0]} {why}, so it is left alone",
            "see whether it has to become one of skip.rollout or skip.rollout_tq",
        )
        self.jobs.remarks.append(at(self.source, Span(*match.span()), remark, severity, key=match[0]))

    def gather(self) -> None:
        """Put variables before the texts that use them: what they hold reaches the commands there."""
        pending = dict(self.variables)
        texts = list(self.texts)
        if pending:
            for place in self.others:
                text = self.text(place)
                if text is not None and any(_uses(text, name) for name in pending):
                    self.jobs.nodes.add(id(place.node))
                    texts.append(text)
        used = [name for name in pending if any(_uses(text, name) for text in texts)]
        together = [text for text in texts if text.kind == "shell" and any(_uses(text, name) for name in used)]
        if together:
            definitions = [as_variable(name, pending.pop(name)) for name in used]
            self.jobs.texts.append(join([*definitions, *together]))
        self.jobs.texts += [text for text in texts if not any(text is one for one in together)]
        self.jobs.texts += [as_variable(name, text) for name, text in pending.items()]

    def words(self, sequence: Node, holder: Node | None) -> None:
        words = []
        for item in sequence.items:
            node = item.resolved()
            text = embedded_scalar(self.source, node, "") if node.kind == "scalar" and item.kind == "scalar" else None
            if text is not None and _is_word(item) and node.style in (None, "'", '"'):
                self.jobs.nodes.add(id(node))
                words.append(Word(Span(item.start, item.end), text.text, text.starts, node.style or ""))
        if words:
            self.jobs.nodes.add(id(sequence))
            scripts = [item.value.split() for item in sequence.items if item.kind == "scalar" and not _is_word(item)]
            before = (*_command_before(sequence, holder), *(word for script in scripts for word in script))
            self.jobs.lists.append(WordList(tuple(words), sequence.flow, before))


_SEVERAL: Final = re.compile(r"\s(?:\+{0,2}|~)[A-Za-z_]\w*(?:\.[\w@/-]+)+=", re.ASCII)
"""A second override in the same text."""


def _is_word(item: Node) -> bool:
    """Whether an item of a list is one word, and not a whole script as in `[bash, -c, "python …"]`."""
    if item.kind != "scalar" or item.anchor is not None or item.tag is not None:
        return False
    if is_override(item.value):
        return _SEVERAL.search(item.value) is None
    return not _LAUNCH.search(item.value) or not re.search(r"\s", item.value.strip())


def _uses(text: Embedded, name: str) -> bool:
    return re.search(rf"\$\{{?{name}\b", text.text) is not None


def _language(holder: Node | None) -> str:
    """The shell that a workflow's `shell:` beside `run:` names; bash or the like when it names none."""
    named = next((value.value for key, value in holder.pairs if key.value == "shell"), "") if holder else ""
    return {"pwsh": "powershell", "powershell": "powershell", "cmd": "cmd"}.get(named.split(" ")[0], "shell")


def _variable_name(path: tuple[str, ...], holder: Node | None) -> str:
    """The name of the environment variable that a scalar is the value of, or empty."""
    if not path:
        return ""
    name = path[-1]
    if name == "value" and holder is not None:
        name = next((value.value for key, value in holder.pairs if key.value == "name"), "")
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else ""


def _command_before(sequence: Node, holder: Node | None) -> tuple[str, ...]:
    """The words of a container's `command` or `entrypoint`, for its `args` or `command`."""
    words: list[str] = []
    for key, value in holder.pairs if holder is not None else ():
        if value is not sequence and key.value in ("command", "entrypoint", "module"):
            node = value.resolved()
            words += [item.value for item in node.items] if node.kind == "sequence" else node.value.split()
    return tuple(words)


# -------------------------------------------------------------------- migration


def migrate(source: Source, documents: Sequence[Document], request: Request) -> tuple[Draft, Jobs]:
    """Propose edits on the commands of a file.

    Returns:
        The draft, and what was found.
    """
    jobs = find(source, documents)
    if not jobs.texts and not jobs.lists:
        return Draft(diagnostics=tuple(jobs.remarks)), jobs
    inner = merge(propose(jobs.texts, request), _texts)
    listed, expected = migrate_lists(source, jobs.lists, request)
    diagnostics = [*inner.diagnostics, *listed.diagnostics, *jobs.remarks]
    edits: tuple[Edit, ...] = (*inner.edits, *listed.edits)
    if any(one.severity is Severity.ERROR for one in diagnostics):
        return Draft(diagnostics=in_order(without_notes(diagnostics))), jobs

    def verify(result: Source) -> Sequence[str]:
        return [*(inner.verify(result) if inner.edits else ()), *_wrong_lists(result, expected)]

    return Draft(edits, in_order(diagnostics), verify, inner.doubt), jobs


def _read(source: Source) -> Jobs:
    try:
        return find(source, parse(source.text))
    except UnreadableError:
        return Jobs()


def _texts(source: Source) -> list[Embedded]:
    return _read(source).texts


def _wrong_lists(result: Source, expected: list[list[str]]) -> Iterator[str]:
    found = [[word.text for word in one.words] for one in _read(result).lists]
    for one in expected:
        if one not in found and any(is_override(text) for text in one):
            yield f"a list reads back as none of the expected ones: {one}"
