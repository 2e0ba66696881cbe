"""Entry point of `skipcfg` and `python -m skipcfg`: runs a command and turns any failure into an exit code."""

from __future__ import annotations

import sys

from skipcfg.stopping import Stopped, end_on_signals, stop_on_signals


def main() -> None:
    """Run the command line and exit: 0 done, 1 findings, 2 could not run, 128 and more: stopped by a signal."""
    try:
        stop_on_signals()
        from skipcfg.app import run

        code = run(sys.argv[1:])
        end_on_signals()
    except Stopped as stopped:
        sys.exit(stopped.exit_code)
    sys.exit(code)


if __name__ == "__main__":
    main()
