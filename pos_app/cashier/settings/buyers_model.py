"""The buyers' book as a manager sees it: found firms, the edited one, a sheet that is written or
read. Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pos_app.cashier.services.long_work import FilePoll
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import Invalid, MachineError, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.buyers.buyer_sheet import SheetOfBuyers, checked_buyer, number_text
from pos_app.selling.file_work import FileDone, FileWork

MOST_ROWS = 30
"""The most firms of the list; further ones are looked for."""
_EVERY = 1_000_000
_FIELDS = ("number", "name", "email")


@dataclass(frozen=True, slots=True)
class BuyerEdit:
    """The fields as typed. before: the edited firm, None for a new one, whose number is typed."""

    before: KnownBuyer | None = None
    number: str = ""
    name: str = ""
    email: str = ""

    @classmethod
    def of(cls, buyer: KnownBuyer | None) -> BuyerEdit:
        if buyer is None:
            return cls()
        return cls(buyer, number_text(buyer.id), buyer.name, buyer.email)

    @property
    def typed_fields(self) -> dict[str, str]:
        """The fields that a person changed."""
        return _changed(self, BuyerEdit.of(self.before))

    def renewed(self, now: KnownBuyer | None) -> BuyerEdit:
        """These fields, of which those that nobody changed are as the book has them now."""
        if now is None:
            return replace(self, before=None)
        return replace(BuyerEdit.of(now), **self.typed_fields)  # type: ignore[arg-type]

    def come_meanwhile(self, now: KnownBuyer | None) -> dict[str, str]:
        """What came into the book for the changed fields since they were read."""
        came = {} if now is None else _changed(BuyerEdit.of(now), BuyerEdit.of(self.before))
        typed = self.typed_fields
        return {field: new for field, new in came.items() if typed.get(field, new) != new}


def _changed(edit: BuyerEdit, was: BuyerEdit) -> dict[str, str]:
    pairs = {field: (getattr(edit, field), getattr(was, field)) for field in _FIELDS}
    return {field: new for field, (new, old) in pairs.items() if new != old}


@dataclass(frozen=True, slots=True)
class BuyersDone:
    """What was done last. text_id: of its words, which count `many`."""

    text_id: str
    many: int = 1


class BuyerBookModel(ActingModel):
    """query: the search as typed. edit: the edited firm. sheet: what a sheet has that was read, to
    be taken in. follow: follows work with a file to its end, whatever screen stands then."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.query = ""
        self.edit: BuyerEdit | None = None
        self.faults: dict[str, Invalid] = {}
        self.asks_removal = False
        """Whether it is asked if the edited firm shall be removed."""
        self.sheet: SheetOfBuyers | None = None
        self.work: FilePoll | None = None
        self.done: BuyersDone | None = None
        self.follow: Callable[[FileWork], FilePoll] = FilePoll
        self._put_away: dict[BuyerId | None, BuyerEdit] = {}

    # --- what is shown ---------------------------------------------------------------------------

    def rows(self) -> Sequence[KnownBuyer]:
        """Return the first firms that the search finds."""
        try:
            return self.services.buyers.find(self.query, at_most=MOST_ROWS)
        except MachineError as error:
            self.note_failed("find", error)
            return ()

    def count(self) -> int:
        try:
            return self.services.buyers.count()
        except MachineError:
            return 0

    @property
    def has_typed(self) -> bool:
        return self.edit is not None and bool(self.edit.typed_fields)

    @property
    def has_changes(self) -> bool:
        """Whether something typed is not saved, or a sheet that was read is not taken in."""
        return self.has_typed or bool(self._put_away) or self.sheet is not None

    @property
    def is_step(self) -> bool:
        """Whether a form or a read sheet stands in place of the list."""
        return self.edit is not None or self.sheet is not None

    def renamed(self) -> Sequence[tuple[str, str]]:
        """Return the names of the book, and those that the read sheet puts in their place."""
        buyers = () if self.sheet is None else self.sheet.buyers
        try:
            names = self.services.buyers.names_of([str(one.id) for one in buyers])
        except MachineError:
            return ()
        pairs = ((names.get(str(one.id), one.name), one.name) for one in buyers if one.name)
        return [(old, new) for old, new in pairs if old != new]

    def leave(self) -> None:
        self.done, self.failure, self.asks_removal, self.query = None, None, False, ""

    # --- one firm --------------------------------------------------------------------------------

    def search(self, query: str) -> None:
        self.query = query
        self._begin_act()
        self.announce()

    def open(self, buyer: KnownBuyer | None) -> None:
        """Edit a firm, None for a new one; what was typed for it before stands there again."""
        self._keep_typed()
        self._begin_act()
        try:
            buyer = self._in_book(buyer)
        except MachineError as error:
            self.note_failed("find", error)
        kept = self._put_away.pop(None if buyer is None else buyer.id, None)
        self.edit = kept or BuyerEdit.of(buyer)
        self._renew(self.edit, buyer)
        self.announce()

    def step_back(self) -> None:
        """Go back to the list; what was typed is found again, and a read sheet is put away."""
        self._keep_typed()
        self._begin_act()
        self.edit = self.sheet = None
        self.announce()

    def type(self, **typed_fields: str) -> None:
        if self.edit is None:
            return
        made = replace(self.edit, **typed_fields)  # type: ignore[arg-type]
        if made != self.edit:
            self.edit, self.failure = made, None
            for field in typed_fields:
                self.faults.pop(field, None)
            if self.asks_removal:
                self.ask_removal(False)

    def drop_typed(self) -> None:
        before = None if self.edit is None else self.edit.before
        self.edit = None if before is None else BuyerEdit.of(before)
        self._begin_act()
        self.announce()

    def save(self) -> None:
        """Store the edited firm, or tell at its field what is wrong."""
        edit = self.edit
        if edit is None:
            return
        self._begin_act()
        try:
            self._store(edit)
        except Invalid as error:
            self.faults[error.field] = error
            self.services.tones.play("no")
        except PosError as error:
            self._fail("save", error)
        else:
            if not self.faults:
                self.edit = None
                self._note(BuyersDone("set.buyers.saved"))
        self.announce()

    def _store(self, edit: BuyerEdit) -> None:
        """Store what the manager changed, or tell what came into the book for it meanwhile."""
        now = self._in_book(edit.before)
        if self._renew(edit, now):
            self.services.tones.play("no")
            return
        buyer = self._checked(edit)
        if now is None:
            self.services.buyers.take_in([buyer])
        else:
            typed = {field: getattr(buyer, field) for field in edit.typed_fields}
            self.services.buyers.change(buyer.id, **typed)

    @property
    def lacks(self) -> Invalid | None:
        """What keeps the edited firm from being saved, or None."""
        try:
            if self.edit is not None:
                self._checked(self.edit)
        except Invalid as error:
            return error
        except MachineError:
            return None  # saving tells it
        return None

    def _checked(self, edit: BuyerEdit) -> KnownBuyer:
        buyer = checked_buyer(edit.number, edit.name, edit.email)
        if edit.before is None and self.services.buyers.buyer(buyer.id) is not None:
            raise Invalid("buyer_known", field="number")
        return buyer

    def ask_removal(self, asks: bool) -> None:
        self.asks_removal = asks
        self.announce()

    def remove(self) -> None:
        """Remove the edited firm. Receipts keep their buyer."""
        edit = self.edit
        if edit is None or edit.before is None:
            return
        self._begin_act()
        try:
            self.services.buyers.remove(edit.before.id)
        except PosError as error:
            self._fail("remove", error)
        else:
            self.edit = None
            self._note(BuyersDone("set.buyers.removed"))
        self.announce()

    # --- sheets ----------------------------------------------------------------------------------

    def write_sheet(self, path: Path) -> None:
        self._begin_act()
        try:
            buyers = self.services.buyers.find("", at_most=_EVERY)
        except MachineError as error:
            self._fail("write", error)
            self.announce()
        else:
            self._begin_work(self.services.buyer_sheets.write(buyers, path))

    def read_sheet(self, path: Path) -> None:
        self._keep_typed()
        self._begin_act()
        self.edit = self.sheet = None
        self._begin_work(self.services.buyer_sheets.read(path))

    def take_sheet(self) -> None:
        """Take the firms of the read sheet into the book."""
        sheet = self.sheet
        if sheet is None or not sheet.buyers:
            return
        self._begin_act()
        try:
            self.services.buyers.take_in(sheet.buyers)
        except PosError as error:
            self._fail("take", error)
        else:
            self.sheet = None
            self._note(BuyersDone("set.buyers.taken", len(sheet.buyers)))
        self.announce()

    def _begin_work(self, begun: FileWork) -> None:
        self.work = work = self.follow(begun)
        work.ended.connect(lambda result: self._end_work(work, result))
        self.announce()

    def _end_work(self, work: FilePoll, result: object) -> None:
        self.work = None
        work.deleteLater()
        if isinstance(result, PosError):
            self._fail("file", result)
        elif isinstance(result, SheetOfBuyers):
            self._keep_typed()
            self.edit, self.sheet = None, result
        elif isinstance(result, FileDone) and not work.is_stopped:
            self.done = BuyersDone("set.buyers.written", result.done)
        self.announce()

    # --- parts -----------------------------------------------------------------------------------

    def _in_book(self, buyer: KnownBuyer | None) -> KnownBuyer | None:
        return None if buyer is None else self.services.buyers.buyer(buyer.id)

    def _renew(self, edit: BuyerEdit, now: KnownBuyer | None) -> bool:
        """Let the form follow the book; tell whether a changed field has another value there."""
        came = edit.come_meanwhile(now)
        self.edit = edit.renewed(now)
        self.faults = {
            field: Invalid("buyer_meanwhile", field=field, value=value)
            for field, value in came.items()
        }
        return bool(came)

    def _keep_typed(self) -> None:
        edit = self.edit
        if edit is not None and self.has_typed:
            self._put_away[None if edit.before is None else edit.before.id] = edit

    def _begin_act(self) -> None:
        self.failure, self.done, self.asks_removal, self.faults = None, None, False, {}

    def _fail(self, act: str, error: PosError) -> None:
        self.note_failed(act, error)
        self.on_failure(error)
        self.services.tones.play("no")

    def _note(self, done: BuyersDone) -> None:
        self.done = done
        self.note_setting("buyers", self.lifted_by())
