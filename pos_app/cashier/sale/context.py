"""The listeners and the notices that all parts of the sale share, and the trial of acts that may
fail. Source: till.md ("Notices")."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from decimal import Decimal
from enum import Enum, auto
from functools import partial
from typing import TypeVar

from pos_app import errors, log
from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.gate.manager_lock import Permit, never_allowed
from pos_app.cashier.sale.catalogue_pages import FAVOURITES_CHIP, RowWindow
from pos_app.cashier.sale.notices import ActFailed, GiveBack, NoticeList, RecentNotices, SaleNotice
from pos_app.cashier.services.tasks import failure_of
from pos_app.cashier.services.till_services import TillServices, ToneName
from pos_app.domain.article.store import PickerType, Store
from pos_app.domain.money.payment import Payments
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale.sale import Sale

_log = log.get(__name__)

_STORAGE_ERRORS = (
    errors.DiskFull,
    errors.DiskFailed,
    errors.DatabaseBusy,
    errors.DatabaseDamaged,
    errors.FilesReplaced,
)

T = TypeVar("T")


class ScreenState:
    """The state of the sale's screen beside its model. It outlives the widgets, which read and
    change it."""

    def __init__(self, *, as_list: bool) -> None:
        self.as_list = as_list
        """Whether the picker shows a list instead of tiles."""
        self.text = ""
        """The text in the search; it is empty for another cart."""
        self.rows: RowWindow | None = None
        self.chip_before = FAVOURITES_CHIP
        """The category that a search left, and that its end brings back."""
        self.scrolled = 0
        """The picker's scroll position in pixels."""
        self.pad_wanted = False
        self.recent = RecentNotices()
        self.shown_in_payment: SaleNotice | None = None
        self._given: set[str] = set()

    def rows_of(self, services: TillServices) -> RowWindow:
        if self.rows is None:
            self.rows = RowWindow(services.catalogue, services.till.clock)
        return self.rows

    @property
    def typed_digits(self) -> str:
        """The typed text if it may be money or an article, which no key may drop in silence."""
        typed = self.text.strip()
        return typed if any(map(str.isdigit, typed)) else ""

    def is_change_given(self, sale: Sale | None) -> bool:
        """Tell whether another cart was begun after that sale, so that its change was given out."""
        return sale is not None and sale.key in self._given

    def note_change_given(self, sale: Sale) -> None:
        self._given.add(sale.key)


class SalePart(Enum):
    """The parts of the sale that may change."""

    CART = auto()
    """The lines of the cart, their prices, or which line is current."""
    KIND = auto()
    """The kind of document; also where another kind was chosen and refused."""
    OTHER_CART = auto()
    """Another cart came, so Attention may have other rows: what a cart stood for stands there once
    that cart has ended, and leaves when another one takes it."""
    MISSED = auto()
    """The missed codes; the lines of the cart are as they were."""
    NEXT = auto()
    """Quantity or purpose of the next item."""
    NOTICE = auto()
    NEWS = auto()
    """A notice came. NEWS comes together with NOTICE; NOTICE alone may mean that a notice was
    removed."""
    QUESTION = auto()
    WAITING = auto()
    LAST = auto()
    CATALOGUE = auto()


Listener = Callable[[frozenset[SalePart]], None]


class SaleContext:
    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.store: Store | None = services.catalogue.store()
        picker = self.store.product_picker_type if self.store is not None else None
        self.screen = ScreenState(as_list=picker is PickerType.LIST)
        self.notice_list = NoticeList()
        self.blocked_by: errors.DatabaseBusy | None = None
        """Why scans can't be entered yet. Nothing else is entered or paid before them."""
        self.failed: errors.PosError | None = None
        self._listeners: list[tuple[Listener, frozenset[SalePart]]] = []
        self._is_telling_fault = False
        self._refused: dict[Hashable, errors.PosError] = {}
        """By subject of an act, as a question's or a cart's code: why it was refused last, while
        its notice is unread."""
        self.approval: Permit | None = None
        """Asks somebody to lift an act. It is None without a window, because nobody can be
        asked."""
        self.is_approving: Callable[[], bool] = lambda: False
        """Tells whether somebody is asked to lift an act, or an act that was lifted is being done.
        No scan that waits is entered then, because nobody lifted it."""
        self.as_answer: Callable[[Callable[[], None]], Callable[[], None]] = lambda then: then
        """Makes an act that has to be lifted the answer to the question that asked for it, which
        stays open meanwhile."""
        self.cart_key: Callable[[], str] = str
        """Returns the key of the open cart."""
        self.follow_file: Callable[[], None] = lambda: None
        """Shows the cart that is open in the till's file, if another one is shown."""
        self.is_payment_begun: Callable[[], bool] = lambda: False
        """Tells whether the payment of the open cart was opened before."""

    # --- listeners -------------------------------------------------------------------------------

    def listen(self, listener: Listener, *sale_parts: SalePart) -> None:
        """Call back with all changed parts, after each act that changed one of these parts."""
        self._listeners.append((listener, frozenset(sale_parts)))

    def forget_listeners(self) -> None:
        """Forget all listeners, because the views are made anew and listen again."""
        self._listeners.clear()

    def announce(self, *sale_parts: SalePart) -> None:
        """Call the listeners of these parts. A listener that fails keeps neither the others nor the
        act from going on; while its fault is told it is not told again."""
        changed = frozenset(sale_parts)
        for listener, followed in tuple(self._listeners):
            if changed & followed:
                self._tell(listener, changed)

    def _tell(self, listener: Listener, changed: frozenset[SalePart]) -> None:
        error = failure_of(partial(listener, changed))
        if error is None:
            return
        if self._is_telling_fault:
            _log.error("a listener failed again", exc_info=error)
            return
        self._is_telling_fault = True
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        finally:
            self._is_telling_fault = False

    # --- acts and their errors -------------------------------------------------------------------

    def attempt(self, act: Callable[[], T], *, adding: bool = False) -> T | None:
        """Do an act; if it fails show why, and return None. adding: the act puts an article into
        the cart."""
        self.failed = None
        try:
            if self.blocked_by is not None:
                raise self.blocked_by  # the waiting scans go first
            return act()
        except errors.PosError as error:
            self.refuse(error, adding=adding)
            return None

    def permit(
        self,
        act: Act,
        then: Callable[[], None],
        *,
        percent: Decimal = Decimal(0),
        about: About = NOTHING_ELSE,
    ) -> None:
        """Do an act if the present cashier may; else have it lifted. percent: of a discount. about:
        what is shown to the person who lifts it."""
        leave = self.attempt(lambda: self.services.leave(act, percent))
        if leave is Leave.MAY:
            then()
        elif leave is not None and self.approval is not None:
            lifted = self.as_answer(partial(self._if_same_cart, self.cart_key(), then))
            self.approval(act, lifted, percent=percent, about=about)
        elif leave is not None:
            self.refuse(never_allowed(act))

    def _if_same_cart(self, key: str, then: Callable[[], None]) -> None:
        """Do a lifted act on a cart, unless another cart is open by now."""
        if self.cart_key() == key:
            then()
        else:
            self.refuse(errors.NotAllowed("other_cart"))

    def refuse(self, error: errors.PosError, *, adding: bool = False) -> None:
        self.failed = error
        self.note_fault(error)
        self.notify(ActFailed(error, adding), "no")

    def follow_refusal(self, subject: Hashable, failed: errors.PosError | None) -> None:
        """Take away the notice that the last act on a subject was refused, since that act was done
        again. failed: why it was refused this time, too."""
        before = self._refused.pop(subject, None)
        if failed is not None:
            self._refused[subject] = failed
        unread = [one for one in self.notices if isinstance(one, ActFailed)]
        for notice in unread:
            if notice.error is before:
                self.withdraw(notice)
        told = {id(one.error) for one in unread}
        self._refused = {one: why for one, why in self._refused.items() if id(why) in told}

    def note_fault(self, error: errors.PosError) -> None:
        """Show in the status line that a file of this machine is at fault, if one is. A cart that
        differs from the file gives way to the one there, so that the next act is done."""
        if isinstance(error, errors.NotAllowed) and error.kind == "cart_changed":
            self.follow_file()
        if isinstance(error, _STORAGE_ERRORS):
            self.services.faults.report_from_act(error, at=self.services.till.clock.now())

    def tone(self, name: ToneName) -> None:
        """Sound a tone; the shop may have silenced "item" and "done"."""
        silenced = self.store is not None and not self.store.is_sound_enabled
        if not (silenced and name in ("item", "done")):
            self.services.tones.play(name)

    # --- notices ---------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[SaleNotice, ...]:
        """The unread notices, the newest last."""
        return self.notice_list.unread

    def notify(self, notice: SaleNotice, tone: ToneName | None = None) -> None:
        self.notice_list.add(notice)
        if tone is not None:
            self.tone(tone)
        self.announce(SalePart.NOTICE, SalePart.NEWS)

    def dismiss(self) -> None:
        if self.notice_list.unread:
            before = self.notices
            self.notice_list.drop_newest()
            self._forget_given(before)
            self.announce(SalePart.NOTICE)

    def clear_notices(self) -> None:
        """Drop the notices of a sale that is over."""
        before = self.notices
        self.notice_list.clear()
        self._forget_given(before)

    def tell_goes_back(self) -> None:
        """Tell again what goes back of advances that are no more, where nobody read it before the
        till ended."""
        given = self.attempt(self.services.till.carts.given_for_advances) or {}
        for advance, one in given.items():
            if one.goes_back:
                self.give_back(advance, Payments.summed(one.paid))

    def give_back(self, advance: str, paid: Payments) -> None:
        """Say that what was given for an advance that is no more goes back. The file has it until
        that was read."""
        self.notify(GiveBack(paid, advance=advance), "attention")

    def _forget_given(self, before: tuple[SaleNotice, ...]) -> None:
        for notice in before:
            if isinstance(notice, GiveBack) and notice.advance and notice not in self.notices:
                with suppress(errors.MachineError):  # the next start tells it once more
                    self.services.till.carts.give_for_advance(notice.advance, 0, ())

    def exchange(self, notice: SaleNotice, now: SaleNotice) -> None:
        """Show more in place of a notice, if it is still unread."""
        if self.notice_list.exchange(notice, now):
            self.announce(SalePart.NOTICE)

    def withdraw(self, notice: SaleNotice) -> None:
        """Remove a notice that is no longer true."""
        if self.notice_list.remove(notice):
            self.announce(SalePart.NOTICE)
