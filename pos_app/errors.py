"""The tree of expected errors.

An expected error says what happened, whether the sale is safe, and what to do. It is caught and
shown. Anything that is not a PosError is a bug: it is never caught to be shown as an error, but
logged with its cause.

An error is made of its class, a kind and values: `NotAllowed("not_correctable", number=number)`.
Its English stands in `resources/texts/en.po` and is looked up when it is asked for: for logs, the
command line, API answers, and a till in English. A till in Serbian looks the words up in `sr.po`.
TextsDamaged and the error of a missing folder `resources` bring their English along, since the
files may be missing. So do a few errors whose sentence or kind is made while the program runs.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from pos_app import po_file

PUT_BACK = (
    "copy it to a safe place, with its -wal and -shm, and have support read what is in it before a"
    " backup takes its place"
)
"""The advice for a damaged database: data confirmed since the backup are nowhere else."""
_WRITE_PROTECTED = 19
"""The Windows error of a medium that can't be written."""


class Words(NamedTuple):
    """The words of an error. what is None if the words stand in the file of texts."""

    what: str | None = None
    safe: str = ""
    do: str = ""


class PosError(Exception):
    """Root of every expected error.

    kind: names the case within the class. Where one case has several English sentences, the kind
    has a second part after a dot: "empty.cart" has its own English words. Programs and texts in
    other languages use "empty". values: the values that the words name. what, safe, do: words that
    come from outside, such as a server's answer; they replace the words of the file.
    """

    code: ClassVar[str] = "pos_error"

    def __init__(
        self,
        kind: str = "",
        /,
        *,
        what: str | None = None,
        safe: str = "",
        do: str = "",
        **values: Any,
    ) -> None:
        super().__init__(kind)
        self.full_kind = str(kind)
        self.values = values
        self.given = Words(what, safe, do)

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @property
    def kind(self) -> str:
        return self.full_kind.partition(".")[0]

    @property
    def what(self) -> str:
        """The event, in English."""
        return self._written("") if self.given.what is None else self.given.what

    @property
    def safe(self) -> str:
        """Whether the sale or data is safe, in English; may be empty."""
        return self.given.safe or self._advice(".safe")

    @property
    def do(self) -> str:
        """The advice on what to do now, in English; may be empty."""
        return self.given.do or self._advice(".do")

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.safe, self.do) if part)

    def reworded(self, **words: str) -> Self:
        self.given = self.given._replace(**words)
        return self

    def named(self) -> Mapping[str, object]:
        """The values that the error's words may name."""
        return self.values

    def in_english(self, write: Callable[[Mapping[str, object]], Mapping[str, object]]) -> Words:
        """Return what, safe and do with their values as `write` writes them for the reader."""
        if self.given.what is not None:
            return self.given
        values = write(self.named())
        parts = (self._written(part, values) for part in ("", ".safe", ".do"))
        return Words(*(own or made for own, made in zip(("", *self.given[1:]), parts, strict=True)))

    def _advice(self, part: str) -> str:
        return self._written(part) if self.given.what is None else ""

    def _written(self, part: str, values: Mapping[str, object] | None = None) -> str:
        """Return a part of the error's English from the file; where the file can't be read, class,
        kind and values."""
        values = self.named() if values is None else values
        try:
            english = po_file.english_errors()
            codes = codes_of(type(self))
            keys = [key_of(code, kind) for kind in (self.full_kind, "") for code in codes]
            key = next(filter(english.__contains__, keys), "")
            if not part or f"{key}{part}" in english:
                return english[f"{key}{part}"][0].format_map(values)
        except (po_file.Damaged, LookupError):
            if not part:
                named = ", ".join(f"{name}={value}" for name, value in values.items())
                return f"{key_of(self.code, self.full_kind)} ({named})"
        return ""


def codes_of(kind: type[PosError]) -> tuple[str, ...]:
    """Return the code of an error class, then the codes of its base classes."""
    return tuple(one.code for one in kind.__mro__ if issubclass(one, PosError))


def key_of(code: str, kind: str) -> str:
    """Return the id of an error's words in the files of texts."""
    return f"error.{code}.{kind}" if kind else f"error.{code}"


# --- bad input --------------------------------------------------------------------------


class Invalid(PosError):
    """A value from outside that can't become a domain value. `field` is the value's path, may be
    "". The words may name the field that the error was made with."""

    def __init__(self, kind: str = "", /, *, field: str = "", **more: Any) -> None:
        super().__init__(kind, **more)
        self.field = self._named_field = field

    def named(self) -> Mapping[str, object]:
        return {"field": self._named_field, **self.values}

    def at(self, field: str) -> Invalid:
        self.field = field
        return self


class NotFound(PosError):
    """The requested object does not exist."""


class NotAllowed(PosError):
    """The act is not allowed in this state (a table of states refused it)."""


class AlreadyStored(PosError):
    """A row whose id is derived from the request is stored already, though a look-up did not find
    it."""


# --- a remote act: refused, not delivered, unknown ----------------------------------------


class RemoteError(PosError):
    """A remote act that did not end in "done"."""


class Refused(RemoteError):
    """The other side declined: surely not done. `reply_code` is the other side's code, may be
    ""."""

    def __init__(self, kind: str = "", /, *, reply_code: str = "", **more: Any) -> None:
        super().__init__(kind, **more)
        self.reply_code = reply_code


class Unreadable(Refused):
    """The server can no longer read its copy of an issued receipt: the act had no effect. values:
    `number` of the receipt."""


class NoSuchReceipt(Refused):
    """The journal of the till's server has no such receipt: it was issued elsewhere, or is lost."""


class NotDelivered(RemoteError):
    """No byte of the request was sent: surely not done."""


class OutcomeUnknown(RemoteError):
    """The request may have been carried out; only a look-up can show it."""


# --- this machine --------------------------------------------------------------------------


class MachineError(PosError):
    """The machine does not give what the program needs. file: the name of the database with the
    fault, without folders, or ""."""

    file: str = ""

    def about(self, file: str) -> Self:
        self.file = file
        return self


class DataFolderNotWritable(MachineError):
    """The data folder can't be made or written to."""

    @staticmethod
    def of(folder: object, error: Exception) -> DataFolderNotWritable:
        """The error for the system's reason why the folder can't be made or written to."""
        if _is_read_only(error):
            return DataFolderNotWritable("read_only", path=str(folder), why=error)
        return DataFolderNotWritable("folder", path=str(folder), why=error)


def _is_read_only(error: Exception) -> bool:
    """Whether the medium is write-protected, so that no right of this user's would help."""
    values = getattr(error, "errno", None), getattr(error, "winerror", None)
    return values[0] == errno.EROFS or values[1] == _WRITE_PROTECTED


class ProgramError(PosError):
    """The program made an error, whose cause is in the log."""


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
    """A file that the program has open is no longer the file at its path, so nobody would find data
    written to it. No money is taken then.

    values: `path` of that file. kind: "copied" where an open database was copied to the path in
    `copy`, "uncopied" where it could not be, "lock" for the lock of a program's folder,
    "overwritten" for a database that another program wrote into.
    """


class UnsafeSqlite(MachineError):
    """The SQLite library in use carries a known data-loss bug."""


class DiskFull(MachineError):
    """A commit failed because the disk is full."""


class DiskFailed(MachineError):
    """A read or a write failed although the disk has room. kind: "uncertain" where a commit failed
    and may yet be found after a restart."""

    @staticmethod
    def to_give(path: object, why: object) -> DiskFailed:
        """The error for a file that the disk can't read, however often it is asked."""
        return DiskFailed("to_give", path=path, why=why)


class ServerEnded(MachineError):
    """The till's server can't be started, or ended before it answered, and gave no reason."""


class PortTaken(MachineError):
    """The address to listen on is in use: `by` is "ourselves" or "stranger"."""


class CertificateUnread(MachineError):
    """The machine could not open a certificate now; the certificate itself may be valid."""


class SettingsBroken(MachineError):
    """The settings file can't be read, or a setting has a value that is not allowed."""


# --- told to another program ---------------------------------------------------------------


def as_members(error: PosError) -> dict[str, object]:
    """An error as plain values for another program of ours, which rebuilds it by `from_members`."""
    named = {"kind": error.kind, **error.values} if error.kind else error.values
    values = {name: _plain(value) for name, value in named.items()}
    return {
        "code": error.code,
        **Words(error.what, error.safe, error.do)._asdict(),
        "values": values,
    }


def from_members(members: Mapping[str, object]) -> MachineError:
    """Rebuild the error of `as_members`. One with an unknown code becomes a ServerEnded with the
    same words."""
    known = {kind.code: kind for kind in MachineError.__subclasses__()}
    made = known.get(str(members.get("code")), ServerEnded)
    what, safe, do = (str(members.get(part, "")) for part in Words._fields)
    values = members.get("values")
    named = {str(name): value for name, value in values.items()} if isinstance(values, dict) else {}
    return made(str(named.pop("kind", "")), what=what, safe=safe, do=do, **named)


def _plain(value: object) -> object:
    return value if isinstance(value, int) else str(value)
