"""Text and bytes, positions, and edits that touch no other character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skip_config.source import Edit, OverlappingEditsError, Source, Span, apply


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_bytes_come_back(text: str, bom: bool) -> None:
    """Decoding and encoding give the same bytes, byte-order mark and line endings included."""
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    assert Source.decode(data, "a.yaml").encode() == data


def test_byte_order_mark_is_no_character() -> None:
    """Offsets and columns count without it."""
    source = Source.decode(b"\xef\xbb\xbfkey: 1\n", "a.yaml")
    assert source.bom
    assert source.text == "key: 1\n"
    assert source.position(0) == (1, 1)


def test_other_encodings_are_refused() -> None:
    """Bytes that are not UTF-8 raise."""
    with pytest.raises(UnicodeDecodeError):
        Source.decode(b"caf\xe9", "a.yaml")


NEWLINES = {
    "line feeds": ("a\nb\n", "\n"),
    "carriage return and line feed": ("a\r\nb\r\n", "\r\n"),
    "carriage returns": ("a\rb\r", "\r"),
    "one line": ("a", "\n"),
    "empty": ("", "\n"),
    "mostly CR LF": ("a\r\nb\r\nc\n", "\r\n"),
    "mostly LF": ("a\nb\nc\r\n", "\n"),
    "as many of both": ("a\nb\r\n", "\r\n"),
}


@pytest.mark.parametrize("name", NEWLINES)
def test_newline(name: str) -> None:
    """New lines end as most lines of the file do."""
    text, wanted = NEWLINES[name]
    assert Source(text, "a.yaml").newline == wanted


POSITIONS = {
    "start": ("ab\ncd", 0, (1, 1)),
    "end of a line": ("ab\ncd", 2, (1, 3)),
    "start of the next": ("ab\ncd", 3, (2, 1)),
    "end of the text": ("ab\ncd", 5, (2, 3)),
    "behind CR LF": ("ab\r\ncd", 4, (2, 1)),
    "behind CR": ("ab\rcd", 3, (2, 1)),
    "a wide character is one column": ("😀x", 1, (1, 2)),
    "U+0085 and U+2028 end no line": ("a\u0085b\u2028c\nd", 4, (1, 5)),
    "form feed ends no line": ("a\x0cb", 2, (1, 3)),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_position(name: str) -> None:
    """Lines and columns as editors count them, from 1."""
    text, offset, wanted = POSITIONS[name]
    assert Source(text, "a.yaml").position(offset) == wanted


@given(st.text("ab\n\r\u2028"))
def test_lines_part_the_text(text: str) -> None:
    """Every character is in exactly one line."""
    source = Source(text, "a.yaml")
    lines = []
    offset = 0
    while offset < len(text):
        span = source.line_span(offset)
        assert span.start == offset
        lines.append(text[span.start : span.end])
        offset = span.end
    assert "".join(lines) == text


def test_edits_are_applied_by_place() -> None:
    """The order in which edits are given does not matter, and the same edit twice is one."""
    edits = [Edit(Span(4, 5), "E"), Edit(Span(0, 1), ""), Edit(Span(2, 2), "+"), Edit(Span(4, 5), "E")]
    assert apply("abcde", edits) == "b+cdE"


def test_neighbours_do_not_overlap() -> None:
    """An insertion beside a deletion is allowed, on either side."""
    assert apply("abc", [Edit(Span(1, 2), ""), Edit(Span(1, 1), "x"), Edit(Span(2, 2), "y")]) == "axyc"


OVERLAPS = {
    "one inside the other": [Edit(Span(0, 4), ""), Edit(Span(1, 2), "x")],
    "ends that cross": [Edit(Span(0, 2), ""), Edit(Span(1, 3), "")],
    "the same place, different texts": [Edit(Span(1, 1), "x"), Edit(Span(1, 1), "y")],
    "insertion inside a deletion": [Edit(Span(0, 3), ""), Edit(Span(2, 2), "x")],
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_overlaps_raise(name: str) -> None:
    """Two different edits of the same characters are a bug of whoever made them."""
    with pytest.raises(OverlappingEditsError):
        apply("abcde", OVERLAPS[name])


@given(st.lists(st.tuples(st.text("ab\n"), st.text("cd", min_size=1)), max_size=4), st.text("ab\n"))
def test_everything_outside_stays(pieces: list[tuple[str, str]], rest: str) -> None:
    """Text outside the spans comes out as it was."""
    text, edits = "", []
    for kept, goes in pieces:
        text += kept + goes
        edits.append(Edit(Span(len(text) - len(goes), len(text)), ""))
    assert apply(text + rest, edits) == "".join(kept for kept, _ in pieces) + rest
