"""The model of the store's page: the values that a manager types, and how they are saved. The store
of a platform is saved at the platform, and the till keeps what the platform answers. A change that
can't be sent now applies here at once and waits to be sent (`selling.synchronisation.store_edits`).
Without a platform the store is saved only here. Source: till.md (Settings), platform-api.md
(Store), platform-contract.md 6."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from pos_app import errors
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.cashier.settings.platform_model import PlatformModel
from pos_app.domain.article.barcodes import is_gln
from pos_app.domain.article.fields import STORE_FIELDS, FieldKind
from pos_app.domain.article.store import (
    PickerType,
    PrintMethod,
    ReceiptLanguage,
    Store,
    payment_rows,
)
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.setup.safe_connection import UNSAFE
from pos_app.selling.catalogue.catalogue import CatalogueEditor
from pos_app.selling.synchronisation.catalogue_edits import EditSide, FieldConflict
from pos_app.selling.synchronisation.store_edits import StoreEdit, differing


class StoreText(StrEnum):
    NAME = "name"
    ADDRESS = "address"
    CITY = "city"
    ZIP = "zip"
    PHONE = "phone"
    GLN = "gln"


_FOR_LATER = tuple(
    f"platform_{why}" for why in ("away", "web_page", "elsewhere", "unknown", "stale", *UNSAFE)
)
"""The kinds of refusals after which the next synchronisation sends the change."""
PRINT_METHODS = tuple(one.name for one in fields(PrintMethod))
SWITCHES = (*PRINT_METHODS, *(one.name for one in STORE_FIELDS if one.kind is FieldKind.FLAG))


class StoreModel(ActingModel):
    """on_saved: called after the till's store has changed, so that the sale uses it at once."""

    def __init__(self, services: TillServices, platform: PlatformModel) -> None:
        super().__init__(services)
        self._platform = platform
        self.on_saved: Callable[[], None] = lambda: None
        self.store: Store | None = None
        self._base_of_typed: Store | None = None
        """Like `store`, but a field in which a manager typed keeps the value that it had before the
        typing."""
        self.edit: StoreEdit | None = None
        """The changes that wait to be sent, or for a manager's decision."""
        self.texts = dict.fromkeys(StoreText, "")
        self.switches = dict.fromkeys(SWITCHES, False)
        self.language = ReceiptLanguage.CYRILLIC
        self.picker = PickerType.GRID
        self.methods: list[PaymentMethod] = []
        self.begins: list[bool] = []
        """Whether each of `methods` begins a row of the payment."""
        self.name_is_missing = False
        self._refused_gln = ""
        """The typed GLN for which the press that saves was refused."""
        self.saved_at: datetime | None = None
        self._store_error_after_saving: errors.PosError | None = None
        """The error that kept the till from storing what the platform had stored."""
        self.read()

    @property
    def has_platform(self) -> bool:
        setup = self._platform.setup
        return self.services.has_platform if setup is None else bool(setup.url)

    # --- as it is --------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the store anew. Typed values stay; fields without typed text take what others
        changed meanwhile."""
        try:
            store = self.services.catalogue.store()
            edit = None if store is None else self.services.editor.store_edit(store.id)
        except errors.MachineError as error:
            self.note_failed("read", error)
            return
        self.note_done("read")
        self.edit = edit
        if store == self.store:
            return
        if store is None or self.store is None:
            self.store = store
            self.drop()
        else:
            self._follow(store, since=self.store, shown_store=self._base_of_typed or self.store)
        if self.is_only_there and not self.has_changes:
            self.failure = None  # a synchronisation brought the saved values

    def _follow(self, store: Store, *, since: Store, shown_store: Store) -> None:
        """Take the catalogue's present store. since: values that differ from this store were typed,
        and stay. shown_store: the earlier `_base_of_typed`."""
        typed, missing = self._made(), self.name_is_missing
        changed = differing(since, typed)
        self.store = store
        self._base_of_typed = replace(
            store, **{name: getattr(shown_store, name) for name in changed}
        )
        self._show(replace(store, **{name: getattr(typed, name) for name in changed}))
        if missing:
            self.texts[StoreText.NAME] = ""
        self.announce()

    @property
    def meanwhile(self) -> tuple[FieldConflict, ...]:
        """The fields that somebody else changed after a manager typed in them. The manager must
        decide about them before anything is saved."""
        store, shown = self.store, self._base_of_typed
        if store is None or shown is None:
            return ()
        typed = self._made()
        return tuple(
            FieldConflict(name, *(getattr(one, name) for one in (shown, typed, store)))
            for name in differing(shown, store)
            if name in differing(typed, store)
        )

    def settle_meanwhile(self, field: str, side: EditSide) -> None:
        """Decide which value of a field counts: the typed one, or the one of somebody else."""
        store, shown = self.store, self._base_of_typed
        if store is None or shown is None:
            return
        now = {field: getattr(store, field)}
        if side is EditSide.THEIRS:
            typed, self.name_is_missing = self._made(), self.name_is_missing and field != "name"
            self._show(replace(typed, **now))
        self._base_of_typed = replace(shown, **now)
        self._changed()

    @property
    def is_only_there(self) -> bool:
        """Whether the platform has the saved values but the till could not store them (`failure`).
        The next synchronisation brings them."""
        return self.failure is not None and self.failure is self._store_error_after_saving

    @property
    def has_changes(self) -> bool:
        return self.store is not None and self._made() != self.store

    # --- typed -----------------------------------------------------------------------------------

    def type(self, entry: StoreText, text: str) -> None:
        self.texts[entry] = text
        if entry is StoreText.NAME:
            self.name_is_missing = not text.strip()
        self._changed()

    @property
    def gln_is_wrong(self) -> bool:
        """Whether the typed GLN is new and can't be one."""
        text = self.texts[StoreText.GLN].strip()
        is_kept = self.store is not None and text == (self.store.gln or "")
        return bool(text) and not is_kept and not is_gln(text)

    def refuse_gln(self) -> None:
        self._refused_gln = self.texts[StoreText.GLN]
        self.announce()

    @property
    def gln_is_refused(self) -> bool:
        """Whether the press that saves was refused for the GLN that is typed now."""
        return self.gln_is_wrong and self.texts[StoreText.GLN] == self._refused_gln

    def switch(self, switch: str, on: bool) -> None:
        self.switches[switch] = on
        self._changed()

    def choose_language(self, language: ReceiptLanguage) -> None:
        self.language = language
        self._changed()

    def choose_picker(self, picker: PickerType) -> None:
        self.picker = picker
        self._changed()

    def move(self, method: PaymentMethod, by: int) -> None:
        """Exchange a method with its neighbour; the rows keep their lengths."""
        at = self.methods.index(method)
        to = at + by
        if 0 <= to < len(self.methods):
            self.methods[at], self.methods[to] = self.methods[to], self.methods[at]
            self._changed()

    def set_begins(self, method: PaymentMethod, begins: bool) -> None:
        """Set whether a method begins a row of the payment window. The first method always begins
        one."""
        at = self.methods.index(method)
        self.begins[at] = begins or at == 0
        self._changed()

    @property
    def rows(self) -> tuple[tuple[PaymentMethod, ...], ...]:
        made: list[list[PaymentMethod]] = []
        for method, begins in zip(self.methods, self.begins, strict=True):
            if begins or not made:
                made.append([])
            made[-1].append(method)
        return tuple(tuple(row) for row in made)

    def drop(self) -> None:
        self._base_of_typed = self.store
        if self.store is not None:
            self._show(self.store)
        self.name_is_missing, self._refused_gln, self.failure = False, "", None
        self._changed()

    def _show(self, store: Store) -> None:
        ways = store.handed_over_by
        self.texts = {entry: getattr(store, entry) or "" for entry in StoreText}
        self.switches = {
            one: getattr(ways if one in PRINT_METHODS else store, one) for one in SWITCHES
        }
        self.language, self.picker = store.language, store.product_picker_type
        rows = payment_rows(store)
        self.methods = [method for row in rows for method in row]
        self.begins = [not index for row in rows for index, _ in enumerate(row)]

    def leave(self) -> None:
        self.saved_at = None
        if not self.is_only_there:
            self.failure = None

    def _changed(self) -> None:
        self.saved_at = None
        self.announce()

    def _made(self) -> Store:
        """Return the store with the typed values. A value that was not changed keeps the form in
        which it came, and an empty name is replaced by the present one."""
        before = self.store
        assert before is not None
        values: dict[str, Any] = {}
        for one in StoreText:
            words, given = self.texts[one].strip(), getattr(before, one)
            values[one.value] = given if words == (given or "") else words or None
        values["name"] = values["name"] or before.name
        ways = PrintMethod(*(self.switches[one] for one in PRINT_METHODS))
        order = before.payment_methods_order
        if self.rows != payment_rows(before):
            order = tuple(tuple(method.value for method in row) for row in self.rows)
        values |= {one: self.switches[one] for one in SWITCHES if one not in PRINT_METHODS}
        return replace(
            before,
            **values,
            language=self.language,
            product_picker_type=self.picker,
            print_method=before.print_method if ways == before.handed_over_by else ways,
            payment_methods_order=order,
        )

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """Save the typed values at the platform, or only here if there is none. They wait for the
        next synchronisation if the platform can't be asked now or older changes wait. After a
        failure the typed values stay."""
        self.read()
        before, platform = self.store, self.services.platform_setup
        is_wrong = self.name_is_missing or self.gln_is_wrong
        if before is None or self.running or is_wrong or not self.has_changes:
            return
        if self.meanwhile:
            self.announce()
            return
        after, editor = self._made(), self.services.editor
        if not self.has_platform:
            self._write(lambda: editor.keep_store(after), after)
        elif self.edit is not None or platform is None:
            self._queue(before, after)
        else:
            answered = await self.act(
                "save", lambda: platform.change_store(before, after), may_wait=True
            )
            if answered is not None:
                self._write(lambda: editor.keep_store(answered), after)
                self._store_error_after_saving = self.failure
            elif self._is_for_later:
                self._queue(before, after, was_sent=self._is_unknown)
            if self.failure is not None:
                self.on_failure(self.failure)
        self.announce()

    @property
    def _is_unknown(self) -> bool:
        """Whether the platform may have made the change."""
        error = self.failure
        return isinstance(error, errors.OutcomeUnknown) or (
            error is not None and error.kind == "platform_unknown"
        )

    @property
    def _is_for_later(self) -> bool:
        """Whether the next synchronisation shall send the change, which does no harm if the
        platform has it."""
        error = self.failure
        if isinstance(error, errors.NotDelivered | errors.OutcomeUnknown):
            return True
        return error is not None and error.kind in _FOR_LATER

    def _queue(self, before: Store, after: Store, *, was_sent: bool = False) -> None:
        by, at = self.services.cashier, self.services.till.clock.now()
        queue = self.services.editor.queue_store
        self._write(lambda: queue(before, after, by=by, at=at, was_sent=was_sent), after, send=True)

    def _write(self, write: Callable[[], None], after: Store, *, send: bool = False) -> None:
        """Write a saved store. after: the store with the values that were typed when it was saved.
        send: whether the change shall be sent to the platform soon."""
        if self._settle(write, send=send):
            self.saved_at = self.services.till.clock.now()
            if self.store is not None:
                self._follow(self.store, since=after, shown_store=after)

    # --- what waits ------------------------------------------------------------------------------

    def decide(self, field: str, side: EditSide) -> None:
        """Decide which side's value of a field counts, if both the till and the platform changed
        it."""
        self._with_edit(lambda editor, edit: editor.decide_store(edit.ours.id, {field: side}))

    def send_again(self) -> None:
        """Send again the change that the platform refused."""
        by, at = self.services.cashier, self.services.till.clock.now()
        self._with_edit(lambda editor, edit: editor.queue_store(edit.ours, edit.ours, by=by, at=at))

    def withdraw(self) -> None:
        """Withdraw the waiting changes, so that the platform's values count."""
        self._with_edit(lambda editor, edit: editor.drop_store_edit(edit.ours.id))

    def _with_edit(self, act: Callable[[CatalogueEditor, StoreEdit], None]) -> None:
        self.read()  # the edit may have been sent meanwhile
        edit = self.edit
        if edit is not None:
            self._settle(lambda: act(self.services.editor, edit), send=True)
        self._changed()

    def _settle(self, write: Callable[[], None], *, send: bool) -> bool:
        """Write a change, and have the till use it at once; return whether it was written."""
        self.failure = None
        try:
            write()
        except errors.PosError as error:
            self.failure = error
            return False
        self.note_act(self.lifted_by())
        self.read()
        self.on_saved()
        if send and self.services.sync is not None:
            self.services.sync.ask()
        return True
