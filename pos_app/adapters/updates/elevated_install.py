"""Runs with an administrator's rights: it checks an installer once more, and starts that very file.

    pos-app.exe -m pos_app.adapters.updates.elevated_install MANIFEST INSTALLER

The till checked both, but in a folder in which every user of the computer may write. So the
installer is copied into the program's folder, where only administrators may write, the copy is
checked by the manifest, the manifest by the key that counts on this computer, and the copy is
started. The files that the copy replaces are closed by then: this process ends at once. Source:
updates.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pos_app import __version__, installed, log
from pos_app.adapters.updates.signed_release import is_whole, signed_release
from pos_app.adapters.updates.source import SOURCE_KIND, UpdateSource, trusted_source
from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.errors import Refused
from pos_app.wire.update_manifest import LARGEST

SYSTEM = "windows" if sys.platform == "win32" else "linux"
SWITCHES = ("/S", "/CLOSE", "/RESTART")
"""The installer asks no question, closes the till first and opens it afterwards."""
FOLDER = "update"
"""The folder in the program's folder; setup and the uninstaller remove it
(packaging/windows/setup.nsi)."""
NOT_SIGNED = 3
NOT_STARTED = 4
NOT_NEWER = 5
NO_SOURCE = 6
"""The exit codes, in this order: the file is not what the maker signed; the system did not let it
be copied or started; its version is not newer than this one; the trusted source of this computer
can't be read or used."""
NOT_NEWER_KIND = "update_not_newer"
_CODES = {NOT_NEWER_KIND: NOT_NEWER, SOURCE_KIND: NO_SOURCE}
"""The exit codes by kind of refusal; any other refusal means NOT_SIGNED."""
_PIECE = 1024 * 1024

_log = log.get(__name__)


def checked_copy(
    manifest: Path, installer: Path, *, source: UpdateSource, ours: Version, folder: Path
) -> Path:
    """Copy the installer into `folder`, checked to be what the maker signed for a version newer
    than ours. Raises Refused, OSError; then there is no copy."""
    with manifest.open("rb") as file:
        release = signed_release(file.read(LARGEST + 1), source.key)
    installer_file = _installer_of(release, ours)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy = folder / f"pos-app-{release.version}.exe"
    try:
        _copy(installer, copy, installer_file.size)
        if not is_whole(copy, installer_file):
            raise Refused("update_exchanged.file")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return copy


def _installer_of(release: Release, ours: Version) -> InstallerFile:
    """Return the installer. Raises Refused for no newer version: old ones were signed too."""
    installer_file = release.installers.get(SYSTEM)
    if installer_file is None or release.version <= ours:
        raise Refused(f"{NOT_NEWER_KIND}.offer", version=release.version)
    return installer_file


def _copy(whole: Path, copy: Path, size: int) -> None:
    """Copy at most one byte more than the manifest's size, so that a larger file fills no disk."""
    with whole.open("rb") as from_there, copy.open("xb") as out:
        left = size + 1
        while left and (piece := from_there.read(min(_PIECE, left))):
            out.write(piece)
            left -= len(piece)


def run(
    given: Sequence[str],
    *,
    source: Callable[[], UpdateSource] = trusted_source,
    program: Path | None = None,
    start: Callable[[Sequence[str]], object] = subprocess.Popen,
) -> int:
    """Run, and return the exit code. given: MANIFEST INSTALLER. program: the program's folder."""
    path = program or installed.launchers()
    if path is None:
        _log.error("no installer laid this program out")
        return NOT_STARTED
    manifest, installer = map(Path, given)
    ours = Version.parse(__version__)
    try:
        copy = checked_copy(manifest, installer, source=source(), ours=ours, folder=path / FOLDER)
        start([str(copy), *SWITCHES])
    except Refused as error:
        _log.error("the installer was not started: %s", error)
        return _CODES.get(error.kind, NOT_SIGNED)
    except OSError as error:
        _log.error("the installer was not started: %s", error)
        return NOT_STARTED
    return 0


if __name__ == "__main__":
    log.configure()
    sys.exit(run(sys.argv[1:]))
