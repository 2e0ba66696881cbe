"""What well-known programs do with their arguments and their input, as far as overrides are concerned."""

from __future__ import annotations

from typing import Final

PATTERN_PROGRAMS: Final = frozenset({"sed", "grep", "egrep", "fgrep", "rg", "awk", "gawk", "perl"})
"""Their arguments are patterns, not overrides."""

PRINTERS: Final = frozenset({"echo", "printf"})
"""They only show their arguments, unless their output goes somewhere."""

ECHOES: Final = frozenset({"echo", "printf", "cat", "tr"})
"""What they print is what they are given, in other lines perhaps."""

READERS: Final = frozenset({"read", "mapfile", "readarray"})
"""They put their input into a variable."""

FEEDS: Final = frozenset({"xargs", "parallel"})
"""They add their input to the arguments of another program."""

RUNNERS: Final = frozenset({"bash", "sh", "zsh", "sbatch", "qsub", "bsub", "at", "ssh", *FEEDS})
"""They do something with their input: text that is piped to them counts."""

EVALUATORS: Final = frozenset({"eval", "bash", "sh", "ssh", "sbatch"})
"""They read their arguments as a script."""

SILENT: Final = frozenset({"echo", "printf", "cat", "test", "[", ":", "true", "log", "unset", "shift"})
"""They launch nothing, whatever they are given."""
