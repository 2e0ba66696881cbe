"""The docs site: `python -m sphinx -W --keep-going docs OUT`. A page that is read loads nothing from other hosts."""

from __future__ import annotations

from skip_config import __version__

project = "skipcfg"
copyright = "The skipcfg developers"
version = release = __version__
html_title = f"skipcfg {version}"

extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["examples", "hydra_program", "*.py"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
# Some examples show what cannot be parsed; the text is what counts, and it stays readable without colours.
suppress_warnings = ["misc.highlighting_failure"]
