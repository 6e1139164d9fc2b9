"""The folders of a platform's signers: which signer has an element, and in which folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.errors import DataFolderNotWritable

_SIGNERS = Path("platform", "signers")
_WITNESSES = "witnesses"

_log = log.get(__name__)


def signers_folder(data: Path) -> Path:
    return data / _SIGNERS


def signer_folder(data: Path, number: int) -> Path:
    return signers_folder(data) / str(number)


def element_folder(signer: Path, uid: str) -> Path:
    return signer / uid


def witness_folder(signer: Path, uid: str) -> Path:
    """Return the folder of the witness of an element's journal, and make it. It is outside the
    signers' folders, so that it stays where these are put back from a copy. Raises
    DataFolderNotWritable."""
    folder = signer.parents[1] / _WITNESSES / uid
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataFolderNotWritable.of(folder, error) from error
    return folder


def home_of(uid: str, signers: int) -> int:
    """Return the number of the signer that has the element, among `signers`."""
    return int.from_bytes(hashlib.sha256(uid.encode()).digest()[:8], "big") % signers


def bring_home(data: Path, number: int) -> None:
    """Move each element to its signer among `number`. No signer may run. Raises AlreadyRunning
    where one still does, DataFolderNotWritable."""
    for folder in sorted(signers_folder(data).glob("[0-9]*")):
        with FolderLock(folder / "signer.lock", what="signer"):
            for element in sorted(folder.glob("????????")):
                home = signer_folder(data, home_of(element.name, number))
                if not element.is_dir() or home == folder:
                    continue
                try:
                    home.mkdir(parents=True, exist_ok=True)
                    element.rename(element_folder(home, element.name))
                except OSError as error:
                    raise DataFolderNotWritable.of(home, error) from error
                _log.info("an element has another signer now: %s", element.name)
