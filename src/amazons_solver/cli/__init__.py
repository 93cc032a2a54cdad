"""The command line; the only part that prints, exits and handles signals."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run ``amazons-solver`` with the arguments of this process, and exit."""
    try:
        from amazons_solver.cli.app import app

        app(prog_name="amazons-solver")
    except KeyboardInterrupt:  # before the commands were there to report it
        sys.exit(130)
    except Exception as error:  # such as a library that is damaged
        from amazons_solver.cli.unforeseen import report

        sys.exit(report(error))
