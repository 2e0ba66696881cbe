"""Documents: what they say about old settings is reported, and with `--include docs` their code blocks are edited.

Shell and YAML blocks are inner texts like any other. Prose, tables and diffs are never edited: they tell
about a release, and a person has to read them again.
"""
