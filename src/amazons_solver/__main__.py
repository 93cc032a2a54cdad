"""``python -m amazons_solver``: the command line."""

from amazons_solver.cli import main

if __name__ == "__main__":
    main()
