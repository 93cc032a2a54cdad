"""The build's hook: writes digest and commit into what is built, for where no sources and no checkout will be."""

import json
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NoteVersion(BuildHookInterface):
    """Puts ``built.json`` beside the package's modules."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file, but into no editable installation: there sources and checkout are at hand."""
        if version == "editable":
            return
        package = Path(self.root) / "src" / "amazons_solver"
        module = runpy.run_path(str(package / "model" / "version.py"))
        noted = {"digest": module["digest_of"](package), "commit": module["commit"](package)}
        if (
            package / "built.json"
        ).exists():  # unpacked from a source distribution, whose sources may have been patched
            noted["commit"] = json.loads((package / "built.json").read_text(encoding="utf-8")).get("commit")
        file = Path(tempfile.mkdtemp()) / "built.json"
        file.write_text(json.dumps(noted), encoding="utf-8")
        place = "amazons_solver" if self.target_name == "wheel" else "src/amazons_solver"
        build_data["force_include"][str(file)] = f"{place}/built.json"
