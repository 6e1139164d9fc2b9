"""Keeps a data folder for its user alone: folders 0700, files 0600.

On Windows a folder of the user's own has such rights already, and nothing is done; those of a
folder in ProgramData are the installer's (windows.md, "Layout and behaviour").
"""

from __future__ import annotations

import errno
import os
import stat
from itertools import chain, count
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder import CA, CATALOGUE, JOURNAL, TILL
from pos_app.errors import DataFolderNotWritable, DiskFailed
from pos_app.settings import FILE_NAME, LAST_GOOD

_FOLDER, _FILE = 0o700, 0o600
READ_TRIES = 3
"""The number of attempts to read a file that the disk does not give, before it is reported."""
OF_THE_DISK = frozenset({errno.EIO, errno.ENXIO, errno.ENODEV, getattr(errno, "ESTALE", errno.EIO)})
"""The system's errors of a failing disk, or of the way to it."""
_OURS = (JOURNAL, TILL, CATALOGUE, Path("processor", "ledger.db"), Path("logs", "server.log"))
"""A folder is ours if it has one of these files; one that only has the name is not touched."""
_INSTALL = "install.json"
_BESIDE = (_INSTALL, FILE_NAME, LAST_GOOD, "witness.json", "secrets.sealed", "client.json")
"""`secrets.toml` and `secrets.key` are not mended but reported: others may have read them."""
_PLATFORM = Path("platform")
_OF_PLATFORM = (_PLATFORM / "platform.db", _PLATFORM / "files")
_AMONG_OURS = frozenset(
    {
        *(_PLATFORM.name, *_BESIDE, "secrets.toml", "secrets.key", CA.name),
        *(path.parts[0] for path in _OURS),
    }
)
_OTHERS, _GROUP = 0o007, 0o070

_log = log.get(__name__)


def make_private() -> None:
    """Let this process make files and folders for its user alone from now on."""
    if os.name == "posix":
        os.umask(0o077)


def write_private(path: Path, content: bytes) -> None:
    """Write a file for this user alone, whole or not at all. Raises DataFolderNotWritable."""
    draft = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE), "wb") as file:
            draft.chmod(_FILE)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise DataFolderNotWritable.of(path.parent, error) from error


def read_again(path: Path, *, most: int = -1) -> bytes:
    """Read a file, or its first `most` bytes; a disk that does not give it is asked again.

    Raises OSError where it is no file; DiskFailed where the disk does not give it;
    DataFolderNotWritable where this user has no right to it.
    """
    for left in reversed(range(READ_TRIES)):
        try:
            with path.open("rb") as file:
                return file.read(most)
        except PermissionError as error:
            raise DataFolderNotWritable.of(path, error) from error
        except OSError as error:
            if error.errno not in OF_THE_DISK:
                raise
            if not left:
                raise DiskFailed.to_give(path, error.strerror) from error
    raise AssertionError


def free_name(path: Path) -> Path:
    """Return the path, with a number where it is taken: no kept file is overwritten."""
    names = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(one for one in chain([path], names) if not one.exists())


def mend(data: Path) -> None:
    """Close to others what another program, as one that put a copy back, left open. A file of
    another user can't be changed; the log says so."""
    if os.name != "posix":
        return
    for file in _OURS:
        if _is_there(data / file):
            _mend_folder((data / file).parent)
    if _is_there(data / _INSTALL):
        _mend_one(data, _FOLDER)
        for name in _BESIDE:
            _mend_one(data / name, _FILE)
    if any(_rights(data / name) for name in _OF_PLATFORM):
        mend_platform(data)


def mend_platform(data: Path, *, tells: bool = False) -> None:
    """Close a platform's folder, its settings and, if nothing else lies in it, its data folder.

    What is open to all is closed as a shop's. What is open to a group alone was opened by a person:
    it stays. tells: the log says what stays open.
    """
    if os.name != "posix":
        return
    _close(data / _PLATFORM, _FOLDER)
    for name in (FILE_NAME, LAST_GOOD):
        _close(data / name, _FILE)
    others = sorted({path.name for path in _within(data)} - _AMONG_OURS)
    if not others:
        _close(data, _FOLDER)
    elif tells and _rights(data) & _OTHERS:
        _log.warning("%s is open to other users, for more than ours is in it: %s", data, others[0])


def _close(path: Path, mode: int) -> None:
    rights = _rights(path)
    if rights & _OTHERS:
        _mend_one(path, mode)
    elif rights & _GROUP:
        words = "%s is open to its group, which stays so. If nobody wanted that: chmod g= %s"
        _log.warning(words, path, path)


def _rights(path: Path) -> int:
    """Return the rights of a file, or none where it is missing or closed to us."""
    try:
        return 0 if path.is_symlink() else stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the folder is closed to us: the code that opens its files reports more
        return False


def _mend_folder(folder: Path) -> None:
    """Close a folder, its files and the open folders inside to other users. Folders inside that
    were closed already are not searched: nobody else could reach their files."""
    _mend_one(folder, _FOLDER)
    for path in _within(folder):
        if not path.is_dir():
            _mend_one(path, _FILE)
        elif stat.S_IMODE(path.stat().st_mode) != _FOLDER:
            _mend_folder(path)


def _within(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if not path.is_symlink()]
    except OSError as error:
        _log.warning("the rights of %s can't be mended: %s", folder, error)
        return []


def _mend_one(path: Path, mode: int) -> None:
    try:
        if stat.S_IMODE(path.stat().st_mode) != mode:
            path.chmod(mode)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.EROFS:  # nobody can change a read-only medium
            _log.warning("the rights of %s can't be mended: %s", path, error)
