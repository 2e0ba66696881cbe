"""An edited YAML text read by parsing only what was touched: the same as parsing all of it, or no answer."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from skip_config.formats.yaml.nodes import Document, Node
from skip_config.formats.yaml.reparse import reparse
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.source import Edit, Span, apply

TEXT = """\
# head
data:
  # about the next
  train_batch_size: 4
  files: [a, b]

actor:
  rollout:
    n: 1  # one
    skip:
      enable: true
    name: |+
      text: x

      # still text

  list:
  - x: 1
  - y
  quoted: "one
    two"
last: end
"""

LINES = """\
a: 1
b:
skip: x
- x
# note

    # deep
  c: 2
    d: [1,
]
  e: |
  f: >-
  text
'q
g: "q
? k
: v
---
...
%TAG
&x h: 1
i: *x
  j: {}
\ufeffk: 1
\tl: 1
m: &x 1
    n: 1\r
o: 1\u2028p: 2
data:
    q:
      - r: 1
        s: 2
<<: {t: 1}
!!map
  u: !t
"""
lines = st.one_of(st.sampled_from(["a1: 1", "  c1: 2", "    d1: 3", "b1:", ""]), st.sampled_from(LINES.split("\n")))
texts = st.integers(0, 3).flatmap(
    lambda n: st.lists(lines, max_size=12).map(lambda added: "\n".join([TEXT, *added] if n else added))
)


def shape(document: Document) -> object:
    """All that a document says, offsets left out."""
    return None if document.root is None else _shape(document.root)


def _shape(node: Node) -> object:
    pairs = [(_shape(key), _shape(value)) for key, value in node.pairs]
    target = None if node.target is None else _shape(node.target)
    items = [_shape(item) for item in node.items]
    return node.kind, node.value, node.style, node.tag, node.anchor, node.flow, pairs, items, target


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and edits, mostly of whole lines."""
    text = draw(texts)
    starts = [0, *(index + 1 for index, letter in enumerate(text) if letter == "\n"), len(text)]
    places = st.sampled_from(starts) if draw(st.integers(0, 3)) else st.integers(0, len(text))
    points = sorted(draw(st.lists(places, min_size=2, max_size=6, unique=True)) if text else [0, 0])
    edits = []
    for start, end in zip(points[::2], points[1::2], strict=False):
        stop = draw(st.sampled_from([start, end]))
        new = "".join(f"{line}\n" for line in draw(st.lists(lines, max_size=3)))
        edits.append(Edit(Span(start, stop), draw(st.sampled_from([new, new, new[:-1], text[start:end] + new]))))
    return text, edits


@given(edited())
def test_the_same_as_parsing_all_of_it(given: tuple[str, list[Edit]]) -> None:
    text, edits = given
    try:
        before = parse(text)
    except UnreadableError:
        return
    found = reparse(text, before, edits)
    event("answered" if found else "not answered")
    if found is not None:
        assert [shape(found)] == [shape(one) for one in parse(apply(text, edits))]


@pytest.mark.parametrize(
    ("start", "end", "new", "parsed"),
    [
        ("    skip:", "    name", "", []),
        ("  files", "  files", "  gen_batch_size: null\n", ["  gen_batch_size: null\n  files: [a, b]\n\n"]),
        ("last", "last", "skip:\n  enable: true\n", ["skip:\n  enable: true\nlast: end\n"]),
        ("actor:", "last", "", []),
        ("    n: 1", "    skip", "    n: 2\n", ["    n: 2\n"]),
        ("  list", "last", "", []),
    ],
)
def test_little_is_parsed(start: str, end: str, new: str, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = parse(TEXT)
    edit = Edit(Span(TEXT.index(start), TEXT.index(end)), new)
    seen: list[str] = []

    def noted(text: str) -> list[Document]:
        seen.append(text)
        return parse(text)

    monkeypatch.setattr("skip_config.formats.yaml.reparse.parse", noted)
    found = reparse(TEXT, before, [edit])
    assert found is not None
    assert shape(found) == shape(parse(apply(TEXT, [edit]))[0])
    assert seen == parsed


@pytest.mark.parametrize(
    "new",
    ["# goes to the block before\n", "\n", "  more: deep\n", 'skip: "open\n', "...\n", "data: again\n", "skip: 1 "],
)
def test_no_answer_where_it_is_in_doubt(new: str) -> None:
    place = TEXT.index("last")
    assert reparse(TEXT, parse(TEXT), [Edit(Span(place, place), new)]) is None
