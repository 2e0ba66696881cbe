"""`skipcfg steps`: ranges as people write them, and what is said about those that are none."""

from __future__ import annotations

import pytest

from tests.cli.running import Skipcfg

LISTS = [
    (["5"], "[5]"),
    (["1-3,7"], "[1,2,3,7]"),
    (["1-3", "7"], "[1,2,3,7]"),
    (["1-3 7"], "[1,2,3,7]"),
    ([" 1 - 3 , 7 "], "[1,2,3,7]"),
    (["1..3"], "[1,2,3]"),
    (["1:3"], "[1,2,3]"),
    (["[1, 2, 3]"], "[1,2,3]"),
    (["7,1-3,2"], "[1,2,3,7]"),
    (["4-4"], "[4]"),
    (["007"], "[7]"),
    (["1,2,"], "[1,2]"),
]

REFUSED = [
    ([""], "no steps are named", "such as 1-128,200"),
    (["[]"], "no steps are named", "such as 1-128,200"),
    (["x"], "'x' is neither a step nor a range", "such as 1-128,200"),
    (["1-3,7x"], "'7x' is neither a step nor a range", "such as 1-128,200"),
    (["0-3"], "training steps start at 1", "begin with 1"),
    (["--", "-3"], "training steps start at 1", "write 3 or a range such as 1-3"),
    (["5-2"], "runs backwards", "write 2-5"),
    (["1-"], "has no end", "write 1-N"),
    (["range(1, 4)"], "is Python", "write 1-3"),
    (["1-9999999"], "more than 1,000,000 steps", "name fewer"),
    (["1-600000,700000-1300000"], "more than 1,000,000 steps", "name fewer"),
    (["1" * 30], "larger than any step", "such as 1-128,200"),
]


@pytest.mark.parametrize(("ranges", "expected"), LISTS, ids=[" ".join(ranges) for ranges, _ in LISTS])
def test_a_list_for_the_command_line(skipcfg: Skipcfg, ranges: list[str], expected: str) -> None:
    """One line, without blanks, so that it needs no quotes inside $(…) and bash splits nothing."""
    assert skipcfg("steps", *ranges) == (0, f"{expected}\n", "")


@pytest.mark.parametrize(("ranges", "what", "do"), REFUSED, ids=[" ".join(row[0])[:20] for row in REFUSED])
def test_what_cannot_be_read_is_named_with_what_to_write(
    skipcfg: Skipcfg, ranges: list[str], what: str, do: str
) -> None:
    ran = skipcfg("steps", *ranges)
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
    assert do in ran.err
