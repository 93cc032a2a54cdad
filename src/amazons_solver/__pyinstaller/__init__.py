"""How PyInstaller freezes programs that import this package; it finds this by its entry point."""

from pathlib import Path

__all__ = ["hook_folders"]


def hook_folders() -> list[str]:
    """Where the hooks are."""
    return [str(Path(__file__).parent)]
