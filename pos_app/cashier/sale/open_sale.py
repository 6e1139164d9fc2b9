"""The facts of the open sale, and who listens to them; acts on them are `model`'s and others'."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum, auto
from typing import TypeVar

from pos_app.cashier.sale.questions import (
    ACT_TOLD,
    ActFailed,
    Bug,
    CartsSetAside,
    CodesMissed,
    FileKept,
    LastTold,
    NoSuchCode,
    NotDone,
    Notice,
    Question,
    Running,
    ScansWaiting,
)
from pos_app.cashier.sale.screen_state import ScreenState
from pos_app.cashier.sale.unfinished_input import UnfinishedInput
from pos_app.cashier.services import TillServices, ToneName
from pos_app.cashier.storage_faults import ACTS, Where
from pos_app.domain.money import Money, Quantity
from pos_app.domain.store import PickerType, Store
from pos_app.errors import DatabaseBusy, DatabaseDamaged, DiskFailed, DiskFull, PosError
from pos_app.selling import sell
from pos_app.selling.missed_codes import UnknownCode, with_code
from pos_app.selling.sale import Sale
from pos_app.selling.scan import ScanPurpose
from pos_app.selling.ticket import Ticket

DEAD_AFTER_SCAN = 400
"""Milliseconds after a scan in which exact payment does nothing (till.md, Keys)."""
MOST_NOTICES = 9
LOOKED_BACK = 100
"""Sales among which a start looks for the last one and for the last training."""
_OF_STORAGE = (DiskFull, DiskFailed, DatabaseBusy, DatabaseDamaged)

T = TypeVar("T")


class Part(Enum):
    """What of the sale has changed."""

    CART = auto()
    MISSED = auto()
    """Codes that came to nothing; the lines of the cart are as they were."""
    NEXT = auto()
    """Quantity or purpose of the next item."""
    NOTICE = auto()
    NEWS = auto()
    """A notice came; told with NOTICE, which alone may mean that one has gone."""
    QUESTION = auto()
    WAITING = auto()
    """Scans that wait for an answer."""
    LAST = auto()
    SHELF = auto()
    """Catalogue or store."""


Listener = Callable[[frozenset[Part]], None]


class OpenSale:
    """The open cart and everything asked and told around it."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self._listeners: list[Listener] = []
        self.scanned_at: int | None = None
        """Tick at which the last scan had been acted on."""
        self._totals: tuple[Ticket, tuple[Money, ...]] | None = None
        self.store: Store | None = services.catalogue.store()
        self.ticket: Ticket = sell.start(till=services.till, cashier=services.cashier)
        self._stored = self.ticket
        self.touched: int | None = _last_line(self.ticket)
        self.struck: frozenset[int] = frozenset()
        """Removed lines that are still shown, until the next item."""
        self.next_quantity: Quantity | None = None
        self.purpose = ScanPurpose.ADD
        self.question: Question | None = None
        self.typed_before = UnfinishedInput()
        self.notices: tuple[Notice, ...] = ()
        self._told_missed: frozenset[tuple[int, UnknownCode]] = frozenset()
        """Codes that came to nothing and were told of before paying, with their cart."""
        self.waiting: tuple[str, ...] = ()
        """Codes that wait for an answer, or for a file that another program holds."""
        self.held_by: DatabaseBusy | None = None
        """Why what waits can't be entered yet. Nothing else is entered or paid before it."""
        self.failed: PosError | None = None
        """Why the last act that was tried could not be done."""
        self.new_prices: dict[str, Money | None] = {}
        """Articles in the cart whose price has changed since, with the price of now."""
        self._lasts = _lasts(services.sales.last(LOOKED_BACK))
        picker = self.store.product_picker_type if self.store is not None else None
        self.screen = ScreenState(as_list=picker is PickerType.LIST)

    def listen(self, listener: Listener) -> None:
        """Call back with the parts that changed, after each act."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Call nobody back any more: the views are about to be made anew, and listen again."""
        self._listeners.clear()

    @property
    def totals(self) -> tuple[Money, ...]:
        """What each line that is sold costs in the end, in order; worked out once a change."""
        if self._totals is None or self._totals[0] is not self.ticket:
            self._totals = (self.ticket, tuple(self.ticket.cart.totals()))
        return self._totals[1]

    @property
    def total(self) -> Money:
        """The receipt's total."""
        return Money.total(self.totals)

    @property
    def last(self) -> Sale | None:
        """The sale confirmed last; practice has one of its own, and never stands under a sale."""
        return self._lasts.get(self.ticket.kind.is_training)

    def was_confirmed(self, sale: Sale) -> None:
        """This one is the last now."""
        self._lasts[sale.kind.is_training] = sale

    def notify(self, notice: Notice, tone: ToneName | None = None) -> None:
        """Show a notice, on top of those that were not read yet."""
        kept = [one for one in self.notices if _stays(one, under=notice)]
        self.notices = (*kept[-MOST_NOTICES:], notice)
        if tone is not None:
            self.tone(tone)
        self.tell(Part.NOTICE, Part.NEWS)

    def dismiss(self) -> None:
        """Put the notice on top away."""
        if self.notices:
            self.notices = self.notices[:-1]
            self.tell(Part.NOTICE)

    def withdraw(self, notice: Notice) -> None:
        """Take a notice away that is no longer so."""
        if notice in self.notices:
            self.notices = tuple(one for one in self.notices if one != notice)
            self.tell(Part.NOTICE)

    def forget_told(self) -> bool:
        """Put away what the last act brought; whether there was anything."""
        kept = tuple(one for one in self.notices if not isinstance(one, ACT_TOLD))
        had, self.notices = kept != self.notices, kept
        return had

    def set_next(self, quantity: Quantity | None) -> None:
        """The quantity of the next item; None is one. Not of one that was scanned before."""
        if self.held_by is not None:
            self.tone("no")
            return
        self.next_quantity = quantity
        self.tell(Part.NEXT)

    def set_purpose(self, purpose: ScanPurpose) -> None:
        """What the next code is for; not one that was scanned before."""
        if self.held_by is not None:
            self.tone("no")
            return
        self.purpose = purpose
        self.tell(Part.NEXT)

    def note_sale(self, sale: Sale) -> None:
        """A sale moved on; the last one is shown."""
        last = self._lasts.get(sale.kind.is_training)
        if last is not None and sale.key == last.key:
            self.was_confirmed(sale)
            before = self.notices
            self.notices = tuple(LastTold(sale) if _tells(one, sale) else one for one in before)
            self.tell(*(Part.LAST, Part.NOTICE) if self.notices != before else (Part.LAST,))

    def show(self, ticket: Ticket, *, touched: int | None) -> None:
        """The cart after a change, with the row that was touched."""
        before = self.ticket
        self.ticket, self.touched = ticket, touched
        turned = before.kind.is_training is not ticket.kind.is_training
        self.tell(*(Part.CART, Part.LAST) if turned else (Part.CART,))

    def attempt(self, act: Callable[[], T], *, adding: bool = False) -> T | None:
        """Do it, or show why it can't be done; None then. adding: an article to the cart."""
        self.failed = None
        try:
            if self.held_by is not None:
                raise self.held_by  # what was scanned before it goes first
            return act()
        except PosError as error:
            self.refuse(error, adding=adding)
            return None

    def refuse(self, error: PosError, *, adding: bool = False) -> None:
        """An act could not be done: say why."""
        self.failed = error
        self.note_fault(error)
        self.notify(ActFailed(error, adding), "no")

    def note_fault(self, error: PosError) -> None:
        """An act failed: where a file of this machine is at fault, the bottom line says so."""
        if isinstance(error, _OF_STORAGE):
            self.services.faults.met_by_act(error, at=self.services.till.clock.now())

    @property
    def is_asked(self) -> bool:
        """Whether a question stands that must be answered or put away first."""
        return self.question is not None and self.question.waits

    @property
    def is_dead(self) -> bool:
        """Whether a scan was entered just now, so that no exact payment may follow yet."""
        if self.scanned_at is None:
            return False
        return self.services.till.clock.ticks() - self.scanned_at < DEAD_AFTER_SCAN

    def asks_for_missed(self) -> bool:
        """Whether codes that came to nothing are told of now, once before the sale is paid."""
        codes = frozenset((self.ticket.id, one) for one in self.ticket.missed)
        if codes <= self._told_missed:
            return False
        self._told_missed = codes
        self.notify(CodesMissed(len(codes)), "attention")
        return True

    def keep_missed(self, code: UnknownCode, *, rest_of: str = "") -> None:
        """A code came to nothing: it is stored with the cart; where that can't be, with its next
        change. rest_of: what was told of the same scan before."""
        self._told_missed -= {(self.ticket.id, code)}
        missed = with_code(self.ticket.missed, code, rest_of=rest_of)
        if missed == self.ticket.missed:
            return
        till, ticket = self.services.till, self.ticket
        try:
            ticket = sell.keep_missed(till=till, ticket=ticket, missed=missed)
        except PosError as error:
            self.note_fault(error)
            ticket = self._stored = replace(ticket, missed=missed)
        self.ticket = ticket
        self.tell(Part.MISSED)

    def tone(self, name: ToneName) -> None:
        """Sound a tone; the shop may have silenced the first and the third."""
        silenced = self.store is not None and not self.store.is_sound_enabled
        if not (silenced and name in ("item", "done")):
            self.services.tones.play(name)

    def tell(self, *parts: Part) -> None:
        """Tell the views what changed."""
        changed = frozenset(parts)
        if changed & {Part.CART, Part.MISSED} and self.ticket is not self._stored:
            self._stored = self.ticket
            self.services.faults.over(Where.TILL, by=ACTS)
        for listener in self._listeners:
            listener(changed)


def _stays(notice: Notice, *, under: Notice) -> bool:
    """Whether a notice that was not read yet stays when another comes.

    What the cashier's next act brings takes the place of what his last one brought; what comes
    by itself takes no other's place.
    """
    if notice == under:
        return False
    if isinstance(notice, ScansWaiting | CartsSetAside | CodesMissed) and type(notice) is type(
        under
    ):
        return False
    if isinstance(notice, NotDone) and isinstance(under, NotDone) and notice.what == under.what:
        return False
    if isinstance(under, Running | NotDone | FileKept | Bug | ScansWaiting | CartsSetAside):
        return True  # it comes by itself
    return isinstance(notice, NoSuchCode | Running | ScansWaiting | CartsSetAside)


def _lasts(sales: Iterable[Sale]) -> dict[bool, Sale]:
    """The last sale, and the last training under True. sales: the newest first."""
    found: dict[bool, Sale] = {}
    for sale in sales:
        found.setdefault(sale.kind.is_training, sale)
    return found


def _tells(notice: Notice, sale: Sale) -> bool:
    return isinstance(notice, LastTold) and notice.sale.key == sale.key


def _last_line(ticket: Ticket) -> int | None:
    active = ticket.cart.active
    return active[-1].id if active else None
