"""`python -m tests.fuzz [--inputs N] [--seed N] [--out DIR]`: try mutants of every kind of file, and say how many."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.engine import Record, fuzz
from tests.fuzz.seeds import seeds

STEP = 500


def main() -> int:
    """Fuzz, print a line now and then, and fail if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=20_000, help="how many to try")
    parser.add_argument("--seed", type=int, default=0, help="another number tries other inputs")
    parser.add_argument("--kind", action="append", help="only files of this ending, e.g. sh; may be given again")
    parser.add_argument("--out", type=Path, help="folder for the inputs that are not dealt with as promised")
    arguments = parser.parse_args()
    chosen = [seed for seed in seeds() if not arguments.kind or seed.name.rpartition(".")[2] in arguments.kind]
    record = Record()
    told: set[str] = set()
    began = time.monotonic()
    while record.tried < arguments.inputs:
        fuzz(chosen, arguments.seed * 1_000_000 + record.tried, min(STEP, arguments.inputs - record.tried), record)
        for what, problem in record.problems.items():
            if what in told:
                continue
            told.add(what)
            print(f"{what}\n{problem.seed.name} {problem.request}\n{problem.details}", flush=True)
            if arguments.out:
                arguments.out.mkdir(parents=True, exist_ok=True)
                name = arguments.out / f"{arguments.seed}-{len(told)}.{problem.seed.name.rpartition('.')[2]}"
                name.write_bytes(problem.seed.text.encode("utf-8", "surrogatepass"))
        passed = time.monotonic() - began
        print(
            f"{record.tried:,} inputs, {record.rewritten:,} rewritten, slowest {record.slowest:.2f} s, largest "
            f"{record.largest / 1e6:.0f} MB, {len(told)} kinds of problems, {passed:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    print(f"{record.tried:,} inputs tried ({record.rewritten:,} rewritten): {len(told)} kinds of problems")
    return 1 if told else 0


if __name__ == "__main__":
    raise SystemExit(main())
