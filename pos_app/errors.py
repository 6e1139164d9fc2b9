"""The tree of expected errors.

An expected error says what happened, whether the sale is safe, and what to do.
It is caught and shown. Anything that is not a PosError is a bug: it is never
caught for show, but logged with its cause.

Texts here are English: for logs, the command line, API answers, and a till in English. A till in
Serbian shows its catalogue's text for `code` (one per class, stable) with the given `values`.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from typing import ClassVar, Self

OR_SUPPORT = "If you don't know how, call support and read this out."
"""The advice to a person without a command line, after the advice to one with it."""
PUT_BACK = (
    "copy it to a safe place, with its -wal and -shm, and have support read what is in it before a"
    " backup takes its place"
)
"""The advice for a damaged database: data confirmed since the backup are nowhere else."""
_WRITE_PROTECTED = 19
"""The Windows error of a medium that can't be written."""


class PosError(Exception):
    """Root of every expected error.

    what: the event. safe: whether the sale or data is safe. do: what to do now. values: the values
    that a translation of this error needs.
    """

    code: ClassVar[str] = "pos_error"

    def __init__(self, what: str, *, safe: str = "", do: str = "", **values: object) -> None:
        super().__init__(what)
        self.what = what
        self.safe = safe
        self.do = do
        self.values = values

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.safe, self.do) if part)


# --- bad input --------------------------------------------------------------------------


class Invalid(PosError):
    """A value from outside that can't become a domain value. `field` is its path, may be ""."""

    def __init__(self, what: str, *, field: str = "", **values: object) -> None:
        super().__init__(what, safe="", do="", **values)
        self.field = field

    def at(self, field: str) -> Invalid:
        """Set the path of the field at fault."""
        self.field = field
        return self


class NotFound(PosError):
    """The requested object does not exist."""


class NotAllowed(PosError):
    """The act is not allowed in this state (a table of states refused it)."""


class AlreadyStored(PosError):
    """A row whose name is derived is stored already, though a look-up did not find it."""


# --- a remote act: refused, not delivered, unknown ----------------------------------------


class RemoteError(PosError):
    """A remote act that did not end in "done"."""


class Refused(RemoteError):
    """The other side declined: surely not done. `reply_code` is its own code, may be ""."""

    def __init__(
        self, what: str, *, reply_code: str = "", safe: str = "", do: str = "", **values: object
    ) -> None:
        super().__init__(what, safe=safe, do=do, **values)
        self.reply_code = reply_code


class Unreadable(Refused):
    """The server can no longer read its copy of an issued receipt: the act had no effect.

    values: `number`, under which it is signed.
    """


class NoSuchReceipt(Refused):
    """The journal of the till's server has no such receipt: it was issued elsewhere, or is lost."""


class NotDelivered(RemoteError):
    """No byte of the request was sent: surely not done."""


class OutcomeUnknown(RemoteError):
    """The request may have been carried out; only a look-up can show it."""


# --- this machine --------------------------------------------------------------------------


class MachineError(PosError):
    """The machine does not give what the program needs.

    file: the name of the database with the fault, without folders, or "".
    """

    file: str = ""

    def about(self, file: str) -> Self:
        """Set the database with the fault."""
        self.file = file
        return self


class DataFolderNotWritable(MachineError):
    """The data folder can't be made or written to."""

    @staticmethod
    def of(folder: object, error: Exception) -> DataFolderNotWritable:
        """The error from the system's message when the folder was to be made or written to."""
        if _is_read_only(error):
            return DataFolderNotWritable(
                f"The disk that holds {folder} can only be read now: {error}.",
                safe="Nothing was changed; what was confirmed before is kept.",
                do="A disk that fails is locked against writing by the system. Delete nothing:"
                f" restart the computer; if it stays so, call support. {OR_SUPPORT}",
                kind="read_only",
                path=str(folder),
            )
        return DataFolderNotWritable(
            f"The data folder {folder} can't be written to: {error}.",
            safe="Nothing was changed; what was confirmed before is kept.",
            do="Give this user the right to write there, or choose another folder with --data."
            f" {OR_SUPPORT}",
            path=str(folder),
        )


def _is_read_only(error: Exception) -> bool:
    """Whether the medium is write-protected, so that no right of this user's would help."""
    told = getattr(error, "errno", None), getattr(error, "winerror", None)
    return told[0] == errno.EROFS or told[1] == _WRITE_PROTECTED


class TextsDamaged(MachineError):
    """The file with the till's texts is missing, or is no catalogue."""


class AlreadyRunning(MachineError):
    """Another program of the same kind owns this data folder."""


class DatabaseTooNew(MachineError):
    """A database was written by a newer version of the product."""


class DatabaseDamaged(MachineError):
    """A database can't be read, or is not ours."""


class DatabaseBusy(MachineError):
    """Another connection holds the database for longer than we wait."""


class FilesReplaced(MachineError):
    """A file that the program has open is no longer the one of its name, so that nobody would find
    data written to it. No money is taken then.

    values: `path` of that file; `copy`, the path to which an open database was copied. `kind`
    "uncopied" where it could not be, "lock" for the lock of a program's folder, "overwritten" for a
    database that another program wrote into.
    """


class UnsafeSqlite(MachineError):
    """The SQLite library in use carries a known data-loss bug."""


class DiskFull(MachineError):
    """A commit failed because the disk is full."""


class DiskFailed(MachineError):
    """The disk failed a read or a write, with room on it.

    values: `kind` "uncertain" where a commit that failed may be found after a restart all the same.
    """

    @staticmethod
    def to_give(path: object, why: object) -> DiskFailed:
        """The error for a file that the disk can't read, however often it is asked."""
        return DiskFailed(
            f"The disk does not give the file {path}: {why}.",
            safe="It was left as it is. That says nothing of what is in it.",
            do="Delete nothing and move nothing: restart the computer; if it stays so, call"
            " support.",
        )


class ServerEnded(MachineError):
    """The till's server can't be started, or ended before it answered, without a reason."""


class PortTaken(MachineError):
    """The address to listen on is in use: `by` is "ourselves" or "stranger"."""


class CertificateUnread(MachineError):
    """The machine could not open a certificate now; the certificate itself may be valid."""


class SettingsBroken(MachineError):
    """The settings file can't be read, or a setting has a value that is not allowed."""


# --- told to another program ---------------------------------------------------------------


def as_members(error: PosError) -> dict[str, object]:
    """An error as plain values for another program of ours, which rebuilds it by `from_members`."""
    values = {name: _plain(value) for name, value in error.values.items()}
    parts = {"what": error.what, "safe": error.safe, "do": error.do}
    return {"code": error.code, **parts, "values": values}


def from_members(members: Mapping[str, object]) -> MachineError:
    """The error of `as_members`. An error with an unknown code keeps its own words."""
    known = {kind.code: kind for kind in MachineError.__subclasses__()}
    kind = known.get(str(members.get("code")), ServerEnded)
    what, safe, do = (str(members.get(part, "")) for part in ("what", "safe", "do"))
    values = members.get("values")
    told = {str(name): value for name, value in values.items()} if isinstance(values, dict) else {}
    return kind(what, safe=safe, do=do, **told)


def _plain(value: object) -> object:
    return value if isinstance(value, int) else str(value)
