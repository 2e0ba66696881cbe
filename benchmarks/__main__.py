"""`python -m benchmarks [NAME...] [--write]`: run benchmarks and print their tables.

Peers first: `python -m pip install -r benchmarks/requirements.txt`.
`instructions` needs valgrind.
"""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import growth, instructions, many_files, one_file, start_up, tree
from benchmarks.table import Table

BENCHMARKS = {
    "one-file": one_file.run,
    "instructions": instructions.run,
    "start-up": start_up.run,
    "many-files": many_files.run,
    "tree": tree.run,
    "growth": growth.run,
}
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"

HEAD = """\
# Performance

Written by `python -m benchmarks --write` (after `python -m pip install -r benchmarks/requirements.txt`). Times are from
one run on one machine, taken in turns with the peers; the ratios are what counts.

"""


def main() -> int:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; default: all")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    tables: list[Table] = []
    for name in arguments.names or BENCHMARKS:
        table = BENCHMARKS[name]()
        print(table.markdown(), flush=True)
        tables.append(table)
    if arguments.write:
        python = f"Python {platform.python_version()}"
        peers = ", ".join(
            f"{name} {version(name)}" for name in ("PyYAML", "ruamel.yaml", "yaml-edit", "yamlpath", "typer")
        )
        PAGE.write_text(HEAD + f"{python}, {peers}.\n\n" + "\n".join(table.markdown() for table in tables))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
