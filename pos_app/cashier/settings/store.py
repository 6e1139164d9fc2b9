"""The store as a manager edits it: what was typed, and where it is saved. No widget.

With a platform it is the platform's, and the till takes what that answers; what can't be sent now
stays typed here. Without one it is the till's own. Source: till.md (Settings), platform-api.md
(Store).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from pos_app.cashier.services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.cashier.settings.platform import PlatformModel
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.store import PickerType, PrintMethod, ReceiptLanguage, Store, payment_rows
from pos_app.errors import Invalid, MachineError, NotDelivered


class StoreText(StrEnum):
    """A field of text."""

    NAME = "name"
    ADDRESS = "address"
    CITY = "city"
    ZIP = "zip"
    PHONE = "phone"
    GLN = "gln"


class StoreSwitch(StrEnum):
    """A yes or no."""

    THERMAL = "thermal"
    A4 = "a4"
    EMAIL = "email"
    PRINT_BANK_ACCOUNTS = "print_bank_accounts"
    PRINT_DISCOUNTS = "print_discounts"
    IS_SOUND_ENABLED = "is_sound_enabled"
    DEFAULT_UNKNOWN_AMOUNT_ADVANCE = "default_unknown_amount_advance"


PRINT_METHODS = (StoreSwitch.THERMAL, StoreSwitch.A4, StoreSwitch.EMAIL)


class StoreModel(ActingModel):
    """on_saved: called when the till's store is another, so that the sale takes it at once."""

    def __init__(self, services: TillServices, platform: PlatformModel) -> None:
        super().__init__(services)
        self._platform = platform
        self.on_saved: Callable[[], None] = lambda: None
        self.store: Store | None = None
        """As the catalogue has it; None before there is one."""
        self.texts = dict.fromkeys(StoreText, "")
        self.switches = dict.fromkeys(StoreSwitch, False)
        self.language = ReceiptLanguage.CYRILLIC
        self.picker = PickerType.GRID
        self.methods: list[PaymentMethod] = []
        self.begins: list[bool] = []
        """Of each method in `methods`, whether it begins a row."""
        self.name_is_missing = False
        self.saved_at: datetime | None = None
        self.read()

    @property
    def has_platform(self) -> bool:
        """Whether the store is a platform's."""
        setup = self._platform.setup
        return bool(setup.url if setup is not None else self.services.settings.platform.url)

    @property
    def waits(self) -> bool:
        """Whether it could not be sent: the platform is not reached."""
        error = self.failure
        is_told = error is not None and error.values.get("kind") == "platform_away"
        return is_told or isinstance(error, NotDelivered)

    # --- as it is --------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the store anew; what was typed stays."""
        try:
            told = self.services.catalogue.store()
        except MachineError as error:
            self.failure = error
            return
        if told == self.store:
            return
        had_changes = self.store is not None and self.has_changes
        self.store = told
        if not had_changes:
            self.drop()

    @property
    def has_changes(self) -> bool:
        return self.store is not None and self._made() != self.store

    # --- typed -----------------------------------------------------------------------------------

    def type(self, entry: StoreText, text: str) -> None:
        self.texts[entry] = text
        if entry is StoreText.NAME:
            self.name_is_missing = not text.strip()
        self._changed()

    def switch(self, switch: StoreSwitch, on: bool) -> None:
        self.switches[switch] = on
        self._changed()

    def choose_language(self, language: ReceiptLanguage) -> None:
        self.language = language
        self._changed()

    def choose_picker(self, picker: PickerType) -> None:
        self.picker = picker
        self._changed()

    def move(self, method: PaymentMethod, by: int) -> None:
        """Exchange it with the one before or after it; rows keep their lengths."""
        at = self.methods.index(method)
        to = at + by
        if 0 <= to < len(self.methods):
            self.methods[at], self.methods[to] = self.methods[to], self.methods[at]
            self._changed()

    def set_begins(self, method: PaymentMethod, begins: bool) -> None:
        """Whether a row of the payment window begins with it; the first one always does."""
        at = self.methods.index(method)
        self.begins[at] = begins or at == 0
        self._changed()

    @property
    def rows(self) -> tuple[tuple[PaymentMethod, ...], ...]:
        """The payment window as it is typed."""
        made: list[list[PaymentMethod]] = []
        for method, begins in zip(self.methods, self.begins, strict=True):
            if begins or not made:
                made.append([])
            made[-1].append(method)
        return tuple(tuple(row) for row in made)

    def drop(self) -> None:
        """Throw away what was typed."""
        store = self.store
        if store is not None:
            ways = store.handed_over_by
            self.texts = {entry: getattr(store, entry) or "" for entry in StoreText}
            self.switches = {
                one: getattr(ways if one in PRINT_METHODS else store, one) for one in StoreSwitch
            }
            self.language, self.picker = store.language, store.product_picker_type
            rows = payment_rows(store)
            self.methods = [method for row in rows for method in row]
            self.begins = [not place for row in rows for place, _ in enumerate(row)]
        self.name_is_missing, self.failure = False, None
        self._changed()

    def leave(self) -> None:
        self.saved_at = None

    def _changed(self) -> None:
        self.saved_at = None
        self.tell()

    def _made(self) -> Store:
        """The store as it is typed; what was not touched is as it was given, and the name stays
        where none is typed."""
        before = self.store
        assert before is not None
        told: dict[str, Any] = {}
        for one in StoreText:
            words, given = self.texts[one].strip(), getattr(before, one)
            told[one.value] = given if words == (given or "") else words or None
        told["name"] = told["name"] or before.name
        ways = PrintMethod(*(self.switches[one] for one in PRINT_METHODS))
        order = before.payment_methods_order
        if self.rows != payment_rows(before):
            order = tuple(tuple(method.value for method in row) for row in self.rows)
        told |= {one.value: self.switches[one] for one in StoreSwitch if one not in PRINT_METHODS}
        return replace(
            before,
            **told,
            language=self.language,
            product_picker_type=self.picker,
            print_method=before.print_method if ways == before.handed_over_by else ways,
            payment_methods_order=order,
        )

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """At the platform, else here; what is typed stays where it failed."""
        before, desk = self.store, self.services.platform_desk
        if before is None or self.name_is_missing or not self.has_changes:
            return
        after = self._made()
        is_ours = not self.has_platform or desk is None

        async def save_it() -> Store:
            assert desk is not None
            return await desk.change_store(before, after)

        kept = after if is_ours else await self.act("save", save_it)
        if kept is not None:
            self._keep(kept)
        self.tell()

    def _keep(self, store: Store) -> None:
        try:
            self.services.desk.keep_store(store)
        except (MachineError, Invalid) as error:
            self.failure = error
            return
        self.store = store
        self.drop()
        self.saved_at = self.services.till.clock.now()
        self.on_saved()
