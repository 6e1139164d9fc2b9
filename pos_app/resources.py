"""The folder of the files that come with the program: icons, fonts, licences."""

from __future__ import annotations

from pathlib import Path

from pos_app import po_file
from pos_app.errors import MachineError


def folder() -> Path:
    """The folder of `po_file.resources`. Raises MachineError when the installation is incomplete;
    the error's words stand here, since the files of texts are missing too."""
    path = po_file.resources()
    if not path.is_dir():
        raise MachineError(
            what=f"The folder {path} is missing.",
            safe="Nothing was changed.",
            do="Install the program again.",
        )
    return path
