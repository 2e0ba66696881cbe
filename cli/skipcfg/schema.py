"""`skipcfg schema`: print the JSON Schema for editors."""

from __future__ import annotations

import json

from skip_config import json_schema
from skipcfg.streams import out


def schema(full: bool) -> int:
    """Print the schema of the `skip` block, or of a whole overlay file. Returns the exit code."""
    out(json.dumps(json_schema.overlay() if full else json_schema.skip_block(), indent=2) + "\n")
    return 0
