"""PyInstaller's hook: modules that are imported by name when they are needed, and the files that are no modules."""

import json
import tempfile
from pathlib import Path

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

from amazons_solver.model.version import NOTED, commit, digest

datas = collect_data_files("amazons_solver", excludes=["**/__pycache__", NOTED])
hiddenimports = collect_submodules("amazons_solver", filter=lambda name: "__pyinstaller" not in name)

# A frozen program has no sources to tell its version from.
_noted = Path(tempfile.mkdtemp()) / NOTED
_noted.write_text(json.dumps({"digest": digest(), "commit": commit()}), encoding="utf-8")
datas.append((str(_noted), "amazons_solver"))
