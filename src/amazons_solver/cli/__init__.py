"""The command line; the only part that prints, exits and handles signals."""

from amazons_solver.cli import ending

__all__ = ["main"]


def main() -> None:
    """Run ``amazons-solver`` with the arguments of this process, and exit."""
    ending.catch_signals()
    try:
        from amazons_solver.cli.app import app

        app(prog_name="amazons-solver")
    except Exception as error:  # such as a library that is damaged
        from amazons_solver.cli.unforeseen import report

        ending.end(report(error))
