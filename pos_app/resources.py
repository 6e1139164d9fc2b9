"""The folder of the files that come with the program: icons, fonts, licences."""

from __future__ import annotations

from pathlib import Path

from pos_app.errors import MachineError


def folder() -> Path:
    """The folder `resources`: inside an installed package, or beside the package in a checkout.

    Raises MachineError when the installation is incomplete.
    """
    package = Path(__file__).parent
    for place in (package / "resources", package.parent / "resources"):
        if place.is_dir():
            return place
    raise MachineError(
        f"The folder {package / 'resources'} is missing.",
        safe="Nothing was changed.",
        do="Install the program again.",
    )
