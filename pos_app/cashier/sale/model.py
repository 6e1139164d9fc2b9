"""The sale at the till, without a widget: the open cart and everything asked and told around it.

Views listen and paint; each act is one call of `selling` in one short transaction. A scan is
entered, or visibly waits, before `scan` returns. Source: till.md ("Cart", "Keys", "Sale").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial, reduce
from operator import add
from typing import NoReturn, TypeVar
from uuid import uuid4

from pos_app.cashier.sale.catalogue_pages import FAVOURITES_CHIP, RowWindow
from pos_app.cashier.sale.notices import (
    ActFailed,
    CartsSetAside,
    CodesMissed,
    LastTold,
    NoneInCart,
    NoSuchCode,
    NoticeList,
    NotTaken,
    OneVoided,
    PriceTold,
    ReceiptRead,
    RecentNotices,
    Relabelled,
    SaleDropped,
    SaleNotice,
    ScansWaiting,
    TrainingEnded,
)
from pos_app.cashier.sale.questions import (
    TEXT,
    LinePrice,
    LineQuantity,
    NextQuantity,
    PriceQuestion,
    Question,
    SuspendedCarts,
    UnfinishedInput,
    UnusualAmountQuestion,
    VariantQuestion,
    VoidQuestion,
    WeightQuestion,
    place_of,
)
from pos_app.cashier.services import TillServices, ToneName
from pos_app.cashier.storage_faults import ACTS, Where
from pos_app.domain.article import Article
from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.cart import CartLine
from pos_app.domain.discount import LineDiscount
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import typed_quantity_text
from pos_app.domain.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.store import PickerType, Store
from pos_app.domain.tax import TaxLabel
from pos_app.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DiskFailed,
    DiskFull,
    FilesReplaced,
    MachineError,
    NotAllowed,
    NotFound,
    PosError,
)
from pos_app.selling.catalogue.catalogue import CatalogueRow, create_for_code
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ConfirmedSale, exact_card
from pos_app.selling.sale.confirm_checks import (
    AfterTraining,
    Hindrance,
    PaymentBegun,
    UntoldCodes,
)
from pos_app.selling.sale.missed_codes import UnknownCode, with_code
from pos_app.selling.sale.receipt_drafts import Drafts, FaultPlace, PaymentFault, due_of
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.scan import (
    ChooseArticle,
    NotInCart,
    OneRemoved,
    PriceShown,
    ReadCode,
    ReceiptScanned,
    Scanned,
    ScanPurpose,
    read_code,
    scan,
)
from pos_app.selling.sale.sell import AskIfRight, AskPrice, AskQuantity, ItemAdded
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.selling.sale.unusual_amounts import Unusual, UsualLimits

DEAD_AFTER_SCAN = 400
"""Milliseconds after a scan in which exact payment does nothing (till.md, Keys)."""
NEWEST_SALES = 100
"""Sales among which a start looks for the last one and for the last training."""
_STORAGE_ERRORS = (DiskFull, DiskFailed, DatabaseBusy, DatabaseDamaged, FilesReplaced)
_PAGE_OF_FAULT = {
    FaultPlace.COST_CENTRE: FaultPlace.BUYER,
    FaultPlace.WIRE_TIME: FaultPlace.ADVANCE,
}
"""Places of faults whose page has another name."""
_UNFINISHED = {
    FaultPlace.BUYER: ("The buyer's details are not right.", "Correct or remove the buyer (F5)."),
    FaultPlace.DELIVERY: (
        "How the buyer gets the receipt is not right.",
        "Correct it in the payment (F12).",
    ),
    FaultPlace.ADVANCE: ("The advance is not right.", "Correct it in the payment (F12)."),
    FaultPlace.TEXT: ("The text on the receipt is too long.", "Shorten it in the payment (F12)."),
    FaultPlace.LINES: ("A corporate card is paid by voucher alone.", "Take the payment (F12)."),
}
"""What a key of exact payment says of a fault, and what to do."""

T = TypeVar("T")


class Part(Enum):
    """What of the sale has changed."""

    CART = auto()
    """Its lines, what they cost, and which of them is current."""
    KIND = auto()
    """The kind of document, or it stayed where another was chosen."""
    MISSED = auto()
    """Codes that came to nothing; the lines of the cart are as they were."""
    NEXT = auto()
    """Quantity or purpose of the next item."""
    NOTICE = auto()
    NEWS = auto()
    """A notice came; told with NOTICE, which alone may mean that one has gone."""
    QUESTION = auto()
    WAITING = auto()
    """Scans that wait for an answer, or for a file that another program holds."""
    LAST = auto()
    """The last sale."""
    CATALOGUE = auto()


Listener = Callable[[frozenset[Part]], None]


class ScreenState:
    """What the sale's screen shows beside its model: it outlives the widgets, which read it and
    change it by its methods."""

    def __init__(self, *, as_list: bool) -> None:
        self.as_list = as_list
        """Rows of the picker instead of tiles."""
        self.text = ""
        """What is typed in the search; another cart begins with nothing typed."""
        self.rows: RowWindow | None = None
        """What the picker shows, once there is a picker."""
        self.chip_before = FAVOURITES_CHIP
        """The category that an ended search brings back."""
        self.scrolled = 0
        """Of the picker, in pixels."""
        self.pad_wanted = False
        self.recent = RecentNotices()
        self.told_in_payment: SaleNotice | None = None
        """The notice that the payment shows."""
        self._given: set[str] = set()

    def rows_of(self, services: TillServices) -> RowWindow:
        """The rows of the picker, opened once."""
        if self.rows is None:
            self.rows = RowWindow(services.catalogue, services.till.clock)
        return self.rows

    def set_as_list(self, as_list: bool) -> None:
        self.as_list = as_list

    def type_search(self, text: str) -> None:
        self.text = text

    @property
    def typed_digits(self) -> str:
        """What is typed, where it may be money or an article: no key drops that in silence."""
        typed = self.text.strip()
        return typed if any(map(str.isdigit, typed)) else ""

    def begin_search(self, chip: str) -> None:
        """A search begins. chip: the category that it leaves."""
        self.chip_before = chip

    def scroll_to(self, place: int) -> None:
        self.scrolled = place

    def want_pad(self, wanted: bool) -> None:
        self.pad_wanted = wanted

    def tell_in_payment(self, notice: SaleNotice | None) -> None:
        self.told_in_payment = notice

    def is_change_given(self, sale: Sale | None) -> bool:
        """Whether another cart was begun after that sale: its change was given out."""
        return sale is not None and sale.key in self._given

    def note_change_given(self, sale: Sale) -> None:
        self._given.add(sale.key)


class SaleModel:
    """The open cart, its lines, questions and notices, and the keys that pay it."""

    open_payment: Callable[[], None]
    """Goes on with the payment that was begun; whoever shows payments sets it."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self._listeners: list[Listener] = []
        self._confirmed_listeners: list[Callable[[Sale], None]] = []
        self._rules = services.weight_rules()
        self._limits = services.limits
        self.store: Store | None = services.catalogue.store()
        self.ticket: Ticket = sell.start(till=services.till, cashier=services.cashier)
        self._stored = self.ticket
        """The cart as it was stored last."""
        self.current_line_id: int | None = _last_line_id(self.ticket)
        self.shown_removed: frozenset[int] = frozenset()
        """Removed lines that are still shown, until the next item."""
        self.new_prices: dict[str, Money | None] = {}
        """Articles in the cart whose price has changed since, with the price of now."""
        self.suspended_count = len(self.suspended())
        self.next_quantity: Quantity | None = None
        self.purpose = ScanPurpose.ADD
        self.question: Question | None = None
        self._answering: Question | None = None
        """The question whose answer is being carried out."""
        self.unfinished_input = UnfinishedInput()
        self._notices = NoticeList()
        self._told_missed: frozenset[tuple[int, UnknownCode]] = frozenset()
        """Unknown codes that were told of before paying, with their cart."""
        self._left_for_training = ""
        """Key of the cart of sales that came back when training ended, until the first try to
        confirm it told so: whoever trained confirms once more."""
        self.waiting: tuple[ReadCode, ...] = ()
        """Codes that wait for an answer, or for a file that another program holds."""
        self.held_by: DatabaseBusy | None = None
        """Why what waits can't be entered yet. Nothing else is entered or paid before it."""
        self._scanned_at: int | None = None
        """Tick at which the last scan had been acted on."""
        self._failed: PosError | None = None
        """Why the last act that was tried could not be done."""
        self._last_sales = _last_sales(services.sales.last(NEWEST_SALES))
        picker = self.store.product_picker_type if self.store is not None else None
        self.screen = ScreenState(as_list=picker is PickerType.LIST)
        self.check_articles()

    # --- listeners -------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Call back with the parts that changed, after each act."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Call no view back any more: they are about to be made anew, and listen again."""
        self._listeners.clear()

    def listen_confirmed(self, listener: Callable[[Sale], None]) -> None:
        """Call back with each sale that was confirmed, once its successor is the open cart."""
        self._confirmed_listeners.append(listener)

    def tell(self, *parts: Part) -> None:
        """Tell the views what changed."""
        changed = frozenset(parts)
        if self.ticket is not self._stored and (Part.CART in changed or Part.MISSED in changed):
            self._stored = self.ticket
            self.services.faults.clear(Where.TILL, by=ACTS)
        for listener in self._listeners:
            listener(changed)

    # --- acts and their errors -------------------------------------------------------------------

    def attempt(self, act: Callable[[], T], *, adding: bool = False) -> T | None:
        """Do it, or show why it can't be done; None then. adding: an article to the cart."""
        self._failed = None
        try:
            if self.held_by is not None:
                raise self.held_by  # what was scanned before it goes first
            return act()
        except PosError as error:
            self.refuse(error, adding=adding)
            return None

    def refuse(self, error: PosError, *, adding: bool = False) -> None:
        """An act could not be done: say why."""
        self._failed = error
        self.note_fault(error)
        self.notify(ActFailed(error, adding), "no")

    def note_fault(self, error: PosError) -> None:
        """An act failed: where a file of this machine is at fault, the bottom line says so."""
        if isinstance(error, _STORAGE_ERRORS):
            self.services.faults.report_from_act(error, at=self.services.till.clock.now())

    def tone(self, name: ToneName) -> None:
        """Sound a tone; the shop may have silenced the first and the third."""
        silenced = self.store is not None and not self.store.is_sound_enabled
        if not (silenced and name in ("item", "done")):
            self.services.tones.play(name)

    # --- notices ---------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[SaleNotice, ...]:
        """What was not read yet, the newest last."""
        return self._notices.unread

    def notify(self, notice: SaleNotice, tone: ToneName | None = None) -> None:
        self._notices.add(notice)
        if tone is not None:
            self.tone(tone)
        self.tell(Part.NOTICE, Part.NEWS)

    def dismiss(self) -> None:
        """Put the notice on top away."""
        if self._notices.unread:
            self._notices.drop_newest()
            self.tell(Part.NOTICE)

    def withdraw(self, notice: SaleNotice) -> None:
        """Take a notice away that is no longer true."""
        if self._notices.remove(notice):
            self.tell(Part.NOTICE)

    # --- codes -----------------------------------------------------------------------------------

    def read_code(self, text: str) -> ReadCode:
        """What a scanned or typed code means in this shop; nothing is looked up."""
        return read_code(text, self._rules)

    def scan(self, code: ReadCode, *, rest_of: str = "") -> None:
        """A code from the scanner: entered at once, or waiting while a question is open or another
        program holds a file. rest_of: what was told of it before as misread."""
        if rest_of and self._notices.remove_told_of_code(rest_of):
            self.tell(Part.NOTICE)
        if self.is_asked or self.held_by is not None:
            self._keep_waiting(code)
            return
        listed, self.question = self.question, None
        if not self._enter(code, by_scanner=True):
            self._keep_waiting(code)
        if listed is not None and self.question is None:
            self.tell(Part.QUESTION)  # the row is painted first, then the list goes

    def misread(self, code: str, why: WhyUnknown = WhyUnknown.CUT, *, rest_of: str = "") -> None:
        """This code was not read as it is: that is told, and nothing is looked up.

        rest_of: what was told of the same scan before; both are told as one.
        """
        if rest_of:
            self._notices.remove_told_of_code(rest_of)
        self._missed(UnknownCode(rest_of + code, why), rest_of=rest_of)

    def enter_code(self, text: str) -> None:
        """A code that was typed, with Enter."""
        code = self.read_code(text)
        if self.held_by is not None or not self._enter(code, by_scanner=False):
            self._keep_waiting(code)

    def enter_held(self) -> None:
        """Try again what could not be entered because another program held a file."""
        if self.held_by is None or self.is_asked:
            return
        listed, self.question = self.question, None
        self._enter_waiting()
        if listed is not None and self.question is None:
            self.tell(Part.QUESTION)

    def set_next_quantity(self, quantity: Quantity | None) -> None:
        """The quantity of the next item; None is one. Not of one that was scanned before."""
        if self.held_by is not None:
            self.tone("no")
            return
        self.next_quantity = quantity
        self.tell(Part.NEXT)

    def type_next_quantity(self, quantity: Quantity) -> None:
        """The quantity of the next item, unless it has to be asked about first."""
        unusual = self._limits.of_quantity(quantity)
        if unusual is None:
            self.set_next_quantity(quantity)
            return
        asked = self._answering or NextQuantity()
        self.unfinished_input.keep(asked, self.ticket, {TEXT: typed_quantity_text(quantity)})
        self.unfinished_input.leave(place_of(asked, self.ticket))
        self._ask_if_right(unusual, lambda: self.set_next_quantity(quantity), before=asked)

    def set_purpose(self, purpose: ScanPurpose) -> None:
        """What the next code is for; not one that was scanned before."""
        if self.held_by is not None:
            self.tone("no")
            return
        self.purpose = purpose
        self.tell(Part.NEXT)

    def _enter(self, code: ReadCode, *, by_scanner: bool) -> bool:
        """Carry a code out; False where it has to wait for a file that another program holds."""
        services, self.held_by = self.services, None
        try:
            done = scan(
                till=services.till,
                catalogue=services.catalogue,
                ticket=self.ticket,
                code=code,
                times=self.next_quantity,
                purpose=self.purpose,
                limits=self._limits_now,
            )
        except DatabaseBusy as error:
            self.held_by = error
            self.note_fault(error)
            return False
        except PosError as error:
            self.refuse(error, adding=self.purpose is ScanPurpose.ADD)
        else:
            if isinstance(done, ItemAdded):
                self._item_added(done)
            else:
                self._show_scanned(done, by_scanner=by_scanner)
        if by_scanner:
            self._scanned_at = services.till.clock.ticks()
        return True

    def _show_scanned(self, done: Scanned, *, by_scanner: bool) -> None:
        """What a code led to that is no new item."""
        match done:
            case AskQuantity() | AskPrice() | AskIfRight() | ChooseArticle():
                self._ask_about(done)
                if by_scanner and not isinstance(done, AskIfRight):  # that question has its tone
                    self.tone("attention")
            case PriceShown(article, price, total):
                self._end_purpose(PriceTold(article, price, total), "item")
            case OneRemoved(ticket, article):
                self._end_purpose(None, "item")
                self._show_voided(ticket, article)
            case NotInCart(article):
                self._end_purpose(NoneInCart(article), "no")
            case UnknownCode():
                self._missed(done)
            case ReceiptScanned(verification):
                self.notify(ReceiptRead(verification), "item")

    def _ask_about(self, done: AskQuantity | AskPrice | AskIfRight | ChooseArticle) -> None:
        match done:
            case AskIfRight(article, _, unusual, Money() as total):
                self._ask_if_right(unusual, lambda: self._add_for_total(article, total))
            case AskIfRight(article, quantity, unusual):
                self._ask_if_right(
                    unusual, lambda: self.add(article, quantity=quantity, confirmed=True)
                )
            case AskQuantity(article):
                self.ask(WeightQuestion(article))
            case AskPrice(article):
                self.ask(PriceQuestion(article, self.next_quantity))
            case ChooseArticle(articles):
                self.ask(VariantQuestion(articles))

    def _missed(self, code: UnknownCode, *, rest_of: str = "") -> None:
        """A code came to nothing: it is kept with the cart, and told."""
        self._keep_missed(code, rest_of=rest_of)
        is_sound = code.why is None
        open_price = self.attempt(self.services.catalogue.open_price_articles) if is_sound else None
        may_create = is_sound and self.services.is_manager
        self.notify(NoSuchCode(code.code, code.why, may_create, open_price or ()), "no")

    def _keep_missed(self, code: UnknownCode, *, rest_of: str) -> None:
        """Store a missed code with the cart; where that can't be, it is stored with the cart's next
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

    def _keep_waiting(self, code: ReadCode) -> None:
        """It waits behind those that were scanned before it."""
        self.waiting = (*self.waiting, code)
        self.tone("item")
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        """Of those that wait for an answer the question tells; of others a notice does."""
        if self.held_by is not None:
            self.notify(ScansWaiting(len(self.waiting)))
        elif self._notices.remove_scans_waiting():
            self.tell(Part.NOTICE)
        self.tell(Part.WAITING)

    def _enter_waiting(self) -> None:
        """Enter the scans that waited, in order, until one of them asks a question or finds a
        file held."""
        while self.waiting and self.question is None:
            was_held = self.held_by is not None
            code, *rest = self.waiting
            self.waiting = tuple(rest)
            if not self._enter(code, by_scanner=True):
                self.waiting = (code, *self.waiting)
                if not was_held:
                    self._tell_waiting()
                return
            self._tell_waiting()

    def _end_purpose(self, notice: SaleNotice | None, tone: ToneName) -> None:
        """What the next code was for is done: codes are sold again."""
        self.purpose = ScanPurpose.ADD
        if notice is not None:
            self.notify(notice, tone)
        else:
            self.tone(tone)
        self.tell(Part.NEXT)

    def _show_voided(self, ticket: Ticket, article: Article) -> None:
        """The cart with one less, and words that it is so: a smaller row is easily missed."""
        lines = ticket.shown_cart.lines
        gone = {line.id for line in lines if line.removed}
        here = [line for line in lines if line.article.article_id == article.id]
        self.shown_removed |= gone - {line.id for line in self.removed_lines}
        self._show_less(ticket, current=here[-1].id if here else None)
        amounts = [line.quantity for line in here if not line.removed]
        self.notify(OneVoided(article, reduce(add, amounts) if amounts else None))

    # --- articles --------------------------------------------------------------------------------

    def tap(self, row: CatalogueRow) -> None:
        """An article of the picker was tapped, or taken with Enter."""
        catalogue = self.services.catalogue
        if row.articles > 1:
            variants = self.attempt(lambda: catalogue.variants(row.product_id))
            if variants is not None:
                self.ask(VariantQuestion(variants))
            return
        article = self.attempt(
            lambda: (
                (catalogue.article(row.article_id) if row.article_id else None) or _not_for_sale()
            )
        )
        if article is not None:
            self.choose(article)

    def choose(self, article: Article, unknown_code: str = "") -> None:
        """Do with an article what the next code is for: add it, show its price, take one off."""
        match self.purpose:
            case ScanPurpose.ADD:
                self.add(article, quantity=self.next_quantity, unknown_code=unknown_code)
            case ScanPurpose.SHOW_PRICE:
                price = None if article.asks_price else article.price
                self._end_purpose(PriceTold(article, price), "item")
            case ScanPurpose.TAKE_OFF:
                self._take_one_off(article)

    def add(
        self,
        article: Article,
        *,
        quantity: Quantity | None = None,
        price: Money | None = None,
        unknown_code: str = "",
        confirmed: bool = False,
    ) -> None:
        """Enter an article, or ask what is still to be said.

        unknown_code: what it is sold for. confirmed: the cashier said that the numbers are right.
        """
        asked = self._answering
        is_typed = quantity is not None or price is not None
        enter = partial(
            self.add,
            article,
            quantity=quantity,
            price=price,
            unknown_code=unknown_code,
            confirmed=True,
        )
        done = self.attempt(
            lambda: sell.add_item(
                till=self.services.till,
                ticket=self.ticket,
                article=article,
                quantity=quantity,
                price=price,
                limits=self._limits_now if is_typed and not confirmed else None,
                unknown_code=unknown_code,
            ),
            adding=True,
        )
        match done:
            case ItemAdded():
                self._item_added(done)
            case AskQuantity():
                self.ask(WeightQuestion(article, unknown_code))
            case AskPrice():
                self.ask(PriceQuestion(article, quantity, unknown_code))
            case AskIfRight(_, _, unusual):
                self._ask_if_right(unusual, enter, before=asked)

    def _add_for_total(self, article: Article, total: Money) -> None:
        """Enter what a label says a pack costs; the cashier said that it is right."""
        done = self.attempt(
            lambda: sell.add_for_total(
                till=self.services.till, ticket=self.ticket, article=article, total=total
            ),
            adding=True,
        )
        if isinstance(done, ItemAdded):
            self._item_added(done)

    def create_article(
        self, *, code: str, name: str, price: Money, label: TaxLabel, unit_id: str | None
    ) -> bool:
        """A manager adds as little of an article as a receipt needs, and it goes into the cart.

        False when it could not be added to the catalogue, which is shown.
        """
        services = self.services
        product_id = str(uuid4())
        edit = self.attempt(
            lambda: create_for_code(
                services.editor,
                product_id=product_id,
                name=name,
                label=label,
                price=price,
                code=code or None,
                unit_id=unit_id,
                by=services.cashier,
                at=services.till.clock.now(),
            )
        )
        if edit is None:
            return False
        if self.question is not None:  # it is in the catalogue, also where the cart can't take it
            self.unfinished_input.forget(place_of(self.question, self.ticket))
        self.answered(lambda: self._add_created(product_id))
        self.tell(Part.CATALOGUE)
        return True

    def catalogue_changed(self) -> None:
        """Another program changed the catalogue: read the store and what is in the cart anew."""
        self.store = self.services.catalogue.store()
        self.check_articles()

    def check_articles(self) -> PosError | None:
        """See what of the articles in the cart is other by now: the entered price stays and the new
        one is shown, name and tax label are taken. Returns why they could not be stored."""
        articles: dict[str, Article] = {}
        found: dict[str, Money | None] = {}
        for line in self.active_lines:
            try:
                article = self.services.catalogue.article(line.article.article_id)
            except MachineError:
                return None  # the bottom line says so; all stays as entered in any case
            if article is None:
                continue
            articles[article.id] = article
            if article.asks_price or article.price in (None, line.article.price):
                continue
            found[article.id] = article.price
        if found != self.new_prices:
            self.new_prices = found
            self.tell(Part.CART)
        return self._follow_catalogue(articles)

    def _follow_catalogue(self, articles: Mapping[str, Article]) -> PosError | None:
        before = self.active_lines
        try:
            ticket = sell.follow_catalogue(
                till=self.services.till, ticket=self.ticket, articles=articles
            )
        except PosError as error:
            self.note_fault(error)
            return error
        if ticket is not self.ticket:
            self._show(ticket, current=self.current_line_id)
            pairs = zip(before, self.active_lines, strict=True)
            labels = [(now.article.frozen.name, was.article.frozen.label, now.article.frozen.label)
                      for was, now in pairs]  # fmt: skip
            if changed := tuple(dict.fromkeys(one for one in labels if one[1] is not one[2])):
                self.notify(Relabelled(changed))
        return None

    @property
    def _limits_now(self) -> UsualLimits | None:
        """What a typed number is asked about; nothing once the next quantity was said to be
        right."""
        following = self.next_quantity
        if following is not None and self._limits.of_quantity(following) is not None:
            return None
        return self._limits

    def _item_added(self, done: ItemAdded) -> None:
        """Its row is the current one, the next quantity is one again."""
        parts = {Part.CART}
        if self.next_quantity is not None:
            self.next_quantity = None
            parts.add(Part.NEXT)
        if self._notices.unread and self._notices.remove_act_told():
            parts.add(Part.NOTICE)
        self.ticket, self.current_line_id = done.ticket, done.line.id
        self.shown_removed = frozenset()
        self.tell(*parts)  # the row is painted first
        self.tone("item")

    def _take_one_off(self, article: Article) -> None:
        if not any(line.article.article_id == article.id for line in self.active_lines):
            self._end_purpose(NoneInCart(article), "no")
            return
        ticket = self.attempt(
            lambda: sell.take_one_off(
                till=self.services.till, ticket=self.ticket, article_id=article.id
            )
        )
        if ticket is not None:
            self._end_purpose(None, "item")
            self._show_voided(ticket, article)

    def _add_created(self, product_id: str) -> None:
        variants = self.attempt(
            lambda: self.services.catalogue.variants(product_id) or _not_found()
        )
        if variants is not None:
            self.add(variants[0], quantity=self.next_quantity)

    # --- questions -------------------------------------------------------------------------------

    @property
    def is_asked(self) -> bool:
        """Whether a question is open that must be answered or closed first."""
        return self.question is not None and self.question.waits

    def ask(self, question: Question, *, typed: str = "") -> None:
        """Open a question; scans wait for its end if it says so. typed: before its key was pressed.

        One that scans wait for is answered or closed before another: else the article that it
        is about, and what waits behind it, would be lost. None is opened over scans that wait for
        a file, for it would keep them waiting.
        """
        if self.is_asked or (question.waits and self.held_by is not None):
            self.tone("no")
            return
        if typed:
            self.unfinished_input.keep(question, self.ticket, {TEXT: typed})
        self.question = question
        self.tell(Part.QUESTION)

    def go_back(self) -> None:
        """One step back from a question: to the one whose answer it doubts, else to the sale."""
        if isinstance(self.question, UnusualAmountQuestion):
            self.ask_again()
        else:
            self.put_away()

    def put_away(self) -> None:
        """Close the question without an answer; what was scanned meanwhile is entered now."""
        if self.question is not None:
            self.unfinished_input.leave(place_of(self.question, self.ticket))
            self.question = None
            self.tell(Part.QUESTION)
            self._enter_waiting()

    def ask_again(self) -> None:
        """The number was wrong: back to the question that it answered."""
        before = self.question.before if isinstance(self.question, UnusualAmountQuestion) else None
        if before is None:
            self.put_away()
            return
        self.question = before
        self.tell(Part.QUESTION)

    def answered(self, act: Callable[[], None]) -> None:
        """Close the question, carry out its answer, then enter what waited for it.

        What was typed is kept for the next time where it could not be carried out; the question
        stays open where that may soon be, for it may be about a scan.
        """
        self._answering, self.question = self.question, None
        place = place_of(self._answering, self.ticket)
        self.unfinished_input.leave(place)
        failed = self._carry_out(act)
        if failed is None and not isinstance(self.question, UnusualAmountQuestion):
            self.unfinished_input.forget(place)
        if isinstance(failed, DatabaseBusy) and self.question is None:
            self.question = self._answering
        self._answering = None
        self.tell(Part.QUESTION)
        self._enter_waiting()

    def answer_quantity(self, quantity: Quantity) -> None:
        """How much: of the article asked about, of a line, or of the next item."""
        match self.question:
            case WeightQuestion(article, code):
                self.answered(lambda: self.add(article, quantity=quantity, unknown_code=code))
            case LineQuantity(line_id):
                self.answered(lambda: self._quantity_if_right(line_id, quantity))
            case _:
                self.answered(lambda: self.type_next_quantity(quantity))

    def answer_price(self, price: Money) -> None:
        """What one costs: of the article asked about, or of a line."""
        match self.question:
            case PriceQuestion(article, quantity, code):
                counted = quantity or (None if article.by_weight else Quantity.ONE)
                self.answered(
                    lambda: self.add(article, quantity=counted, price=price, unknown_code=code)
                )
            case LinePrice(line_id):
                self.answered(lambda: self._price_if_right(line_id, price))

    def _carry_out(self, act: Callable[[], None]) -> PosError | None:
        """Why it could not be, None where it was."""
        self._failed = None
        act()
        return self._failed

    def _ask_if_right(
        self, unusual: Unusual, agreed: Callable[[], None], *, before: Question | None = None
    ) -> None:
        """Ask whether a number far above the usual is meant so, before anything is done."""
        self.ask(UnusualAmountQuestion(unusual, agreed, before))
        self.tone("attention")

    def _quantity_if_right(self, line_id: int, quantity: Quantity) -> None:
        line = self._active_line(line_id)
        if line is not None:
            unusual = self._limits.of_line(quantity, line.price, line.article)
            self._if_right(unusual, lambda: self.set_quantity(line_id, quantity))

    def _price_if_right(self, line_id: int, price: Money) -> None:
        line = self._active_line(line_id)
        if line is not None:
            unusual = self._limits.of_line(line.quantity, price, line.article)
            self._if_right(unusual, lambda: self.set_price(line_id, price))

    def _if_right(self, unusual: Unusual | None, act: Callable[[], None]) -> None:
        if unusual is None:
            act()
        else:
            self._ask_if_right(unusual, act, before=self._answering)

    # --- lines -----------------------------------------------------------------------------------

    @property
    def active_lines(self) -> tuple[CartLine, ...]:
        """Lines that will be sold."""
        return self.ticket.cart.active

    @property
    def removed_lines(self) -> tuple[CartLine, ...]:
        """Lines that can be put back; of a cart that ended with its last line too."""
        return tuple(line for line in self.ticket.shown_cart.lines if line.removed)

    @property
    def current_line(self) -> CartLine | None:
        """The line that keys act on, if it is still sold."""
        return None if self.current_line_id is None else self._active_line(self.current_line_id)

    def select_line(self, line_id: int) -> None:
        if self.current_line_id != line_id:
            self._show(self.ticket, current=line_id)

    def select_next_line(self, step: int) -> None:
        """Make the line `step` further down the current one; stays at the ends."""
        ids = [line.id for line in self.active_lines]
        if ids:
            here = ids.index(self.current_line_id) if self.current_line_id in ids else len(ids) - 1
            self.select_line(ids[min(max(here + step, 0), len(ids) - 1)])

    def increase(self, line_id: int) -> None:
        """One piece more; what is weighed or priced by a label asks for its quantity."""
        line = self._active_line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self.ask(LineQuantity(line_id))
        else:
            self.set_quantity(line_id, line.quantity + Quantity.ONE)

    def decrease(self, line_id: int) -> None:
        """One piece less; the last one removes the line."""
        line = self._active_line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self.ask(LineQuantity(line_id))
        elif line.quantity <= Quantity.ONE:
            self.remove_line(line_id)
        else:
            self.set_quantity(line_id, line.quantity - Quantity.ONE)

    def set_quantity(self, line_id: int, quantity: Quantity) -> None:
        self._change_line(partial(sell.change_quantity, quantity=quantity), line_id)

    def set_price(self, line_id: int, price: Money) -> None:
        self._change_line(partial(sell.change_price, price=price), line_id)

    def set_discount(self, line_id: int, discount: LineDiscount) -> None:
        """Lower a line by a percentage or an amount; None takes it back."""
        self._change_line(partial(sell.discount_line, discount=discount), line_id)

    def put_back_line(self, line_id: int) -> None:
        self._change_line(sell.put_back, line_id)
        self.check_articles()

    def remove_line(self, line_id: int) -> None:
        """Remove a line; it stays shown until the next item."""
        before = [line.id for line in self.active_lines]
        ticket = self.attempt(
            lambda: sell.remove_line(till=self.services.till, ticket=self.ticket, line_id=line_id)
        )
        if ticket is not None:
            self.shown_removed |= {line_id}
            self._show_less(ticket, current=_neighbour(before, line_id))

    def _active_line(self, line_id: int) -> CartLine | None:
        return next((line for line in self.active_lines if line.id == line_id), None)

    def _change_line(self, act: Callable[..., Ticket], line_id: int) -> None:
        """act: of `selling.sale.sell`, on one line."""
        ticket = self.attempt(
            lambda: act(till=self.services.till, ticket=self.ticket, line_id=line_id)
        )
        if ticket is not None:
            self.shown_removed -= {line_id}
            self._show(ticket, current=line_id)

    # --- carts -----------------------------------------------------------------------------------

    @property
    def total(self) -> Money:
        return self.ticket.cart.total

    def suspended(self) -> Sequence[Ticket]:
        """The carts set aside of the present sort (training apart), the longest first."""
        return self._suspended_like(self.ticket)

    def suspend_or_recall(self) -> None:
        """F6: set the cart aside; with an empty one, show those that are."""
        if self.ticket.cart.is_empty:
            self.ask(SuspendedCarts())
        else:
            self.suspend()

    def suspend(self) -> None:
        """Set the cart aside and open the next."""
        self._exchange_cart(lambda: sell.suspend(till=self.services.till, ticket=self.ticket))

    def recall(self, cart_id: int) -> None:
        """Take a suspended cart back; the present one is suspended if anything is in it."""
        till = self.services.till

        def recall() -> None:
            self._exchange_cart(lambda: sell.recall(till=till, ticket=self.ticket, cart_id=cart_id))

        self.answered(recall)

    def ask_void(self) -> None:
        """Ask why the sale is dropped; an empty one has nothing to drop."""
        if self.ticket.cart.lines:
            self.ask(VoidQuestion())
        else:
            self.attempt(_nothing_to_drop)

    def void(self, reason: str) -> None:
        """End the cart without a sale."""
        total = self.total

        def void() -> None:
            act = partial(sell.void, till=self.services.till, ticket=self.ticket, reason=reason)
            if self._exchange_cart(act):
                self.notify(SaleDropped(total))

        self.answered(void)

    def set_kind(self, kind: DocumentKind) -> None:
        """Make it another document; training has a cart of its own and needs a manager."""
        services = self.services
        if kind.is_training and not services.is_manager:
            self.attempt(_managers_only)
            self.tell(Part.KIND)
            return
        self._exchange_cart(
            lambda: sell.set_kind(
                till=services.till, ticket=self.ticket, kind=kind, cashier=services.cashier
            )
        )

    def take_back(self, sale: Sale) -> None:
        """The lines of a cancelled sale in a new cart, to be corrected.

        Raises PosError, for the screen where it was asked for to tell it; nothing was
        changed then.
        """
        if self.is_asked:
            _answer_first()
        if self.held_by is not None:
            raise self.held_by
        self._show_other(sell.take_back(till=self.services.till, ticket=self.ticket, sale=sale))

    def begin_anew(self) -> None:
        """A copy was put back, so the cart that was open was set aside: another one is open now,
        and the cashier is told."""
        services, training = self.services, self.ticket.kind.is_training
        try:
            found = sell.start(till=services.till, cashier=services.cashier, training=training)
            aside = len(services.till.carts.set_aside())
        except PosError as error:
            self.refuse(error)
            return
        self._show_other(found)
        if aside:
            self.notify(CartsSetAside(aside), "attention")

    def ticket_saved(self, ticket: Ticket) -> None:
        """The payment stored with the cart what was added to it."""
        self._show(ticket, current=self.current_line_id)

    def _exchange_cart(self, act: Callable[[], Ticket]) -> bool:
        """Whether it was done."""
        # The question is about this cart, and scans wait for it: they never move to another.
        ticket = self.attempt(_answer_first if self.is_asked else act)
        if ticket is None:
            self.tell(Part.KIND)
            return False
        self._show_other(ticket)
        return True

    def _suspended_like(self, ticket: Ticket) -> Sequence[Ticket]:
        """The suspended carts that can take the place of this one."""
        carts = sell.suspended(till=self.services.till)
        return [cart for cart in carts if cart.kind.is_training is ticket.kind.is_training]

    def _show(self, ticket: Ticket, *, current: int | None) -> None:
        """The cart after a change, with its current line."""
        before, parts = self.ticket.kind, {Part.CART}
        self.ticket, self.current_line_id = ticket, current
        if ticket.kind is not before:
            parts |= {Part.KIND, Part.LAST}  # practice has a last sale of its own
        self.tell(*parts)

    def _show_less(self, ticket: Ticket, *, current: int | None) -> None:
        """The cart with less in it; where it ended with its last line, the next one, under that
        line, which can be put back."""
        if ticket.emptied is None:
            self._show(ticket, current=current)
            return
        typed = self._typed_before(ticket)
        self.purpose, self.new_prices = ScanPurpose.ADD, {}
        self._show(ticket, current=None)
        self.tell(Part.NEXT)
        self._tell_not_taken(typed)

    def _show_other(self, ticket: Ticket) -> None:
        """Another cart, with nothing left of what was under way in the one before."""
        typed = self._typed_before(ticket)
        self._left_for_training = ""
        self._clear_for(ticket)
        parts = (Part.NEXT, Part.NOTICE) if self._notices.remove_act_told() else (Part.NEXT,)
        self._show(ticket, current=_last_line_id(ticket))
        self.tell(*parts)
        self.check_articles()  # it may have waited for hours
        self._tell_not_taken(typed)

    def _typed_before(self, ticket: Ticket) -> str:
        """The digits that are dropped when this cart comes."""
        return self.screen.typed_digits if ticket.key != self.ticket.key else ""

    def _tell_not_taken(self, typed: str) -> None:
        if typed:
            self.notify(NotTaken(typed), "no")

    def _clear_for(self, ticket: Ticket) -> None:
        self.shown_removed = frozenset()
        self.next_quantity = None
        self.purpose = ScanPurpose.ADD
        self.new_prices = {}
        self.suspended_count = len(self._suspended_like(ticket))

    # --- paying by one key -----------------------------------------------------------------------

    @property
    def can_pay_by_key(self) -> bool:
        """Whether exact payment acts now: not on an empty cart, during a question, after a scan, or
        while scans wait to be entered."""
        if self.ticket.cart.is_empty or self.is_asked or self.held_by is not None:
            return False
        if self._scanned_at is None:
            return True
        return self.services.till.clock.ticks() - self._scanned_at >= DEAD_AFTER_SCAN

    @property
    def due(self) -> Money:
        """What is to be paid now."""
        return due_of(self.ticket)

    @property
    def cash_due(self) -> Money:
        return cash_owed(self.due, in_whole_dinars=self.services.in_whole_dinars)

    def pay_cash(self, received: Money | None = None) -> None:
        """Cash, exactly or as received. Where something was received already the payment opens."""
        cash = self.cash_due if received is None else received
        self._pay(Payments.of({PaymentMethod.CASH: cash}))

    def pay_card(self) -> None:
        """The exact amount by card; likewise."""
        self._pay(exact_card(self.due))

    def sale_confirmed(self, done: ConfirmedSale) -> None:
        """A sale is frozen: it is the last one now, and its successor is the open cart."""
        self._last_sales[done.sale.kind.is_training] = done.sale
        self._notices.clear()
        self._left_for_training = ""
        following = self._after_training(done) if done.sale.kind.is_training else done.ticket
        self._clear_for(following)
        self.ticket, self.current_line_id = following, _last_line_id(following)
        self.tell(Part.CART, Part.KIND, Part.NEXT, Part.LAST, Part.NOTICE)
        self.check_articles()
        if done.sale.kind.is_training:
            self.notify(LastTold(done.sale))  # the column shows the last sale again
        self.tone("done")
        self.services.outbox.wake()
        for listener in self._confirmed_listeners:
            listener(done.sale)

    def _after_training(self, done: ConfirmedSale) -> Ticket:
        """The cart of real sales, as it was left: the next customer's receipt is no practice. Where
        it can't be read, the one of training, which its banner says."""
        services = self.services
        try:
            found = sell.start(till=services.till, cashier=services.cashier)
        except PosError as error:
            self.note_fault(error)
            return done.ticket
        if not found.cart.is_empty:
            self._left_for_training = found.key
        return found

    def _pay(self, paid: Payments, *, agreed: bool = False) -> None:
        """Confirm the sale; where it can't be, say why."""
        if not self.can_pay_by_key:
            self.tone("no")
            return
        if (error := self.check_articles()) is not None:
            self.refuse(error)
            return
        codes = frozenset((self.ticket.id, one) for one in self.ticket.missed)
        untold = 0 if codes <= self._told_missed else len(codes)
        match self.confirm(
            self.ticket, self._drafts, paid, agreed=agreed, by_key=True, untold_codes=untold
        ):
            case PaymentBegun():
                self.open_payment()
            case UntoldCodes(count):
                self._told_missed = codes
                self.notify(CodesMissed(count), "attention")
            case Unusual() as unusual:
                self._ask_if_right(unusual, lambda: self._pay_if_none_waits(paid))
            case PaymentFault() as fault:
                self.refuse(self._not_finished(fault))
            case PosError() as error:
                self.refuse(error)
            case ConfirmedSale() as done:
                self.sale_confirmed(done)

    def confirm(
        self,
        ticket: Ticket,
        drafts: Drafts,
        paid: Payments,
        *,
        agreed: bool,
        by_key: bool = False,
        untold_codes: int = 0,
    ) -> ConfirmedSale | Hindrance:
        """The one way to confirm, by a key or in the payment; as that of the services. That
        training has ended is told here."""
        found = self.services.confirm(
            ticket,
            drafts,
            paid,
            held_by=self.held_by,
            agreed=agreed,
            by_key=by_key,
            after_training=ticket.key == self._left_for_training,
            untold_codes=untold_codes,
        )
        if isinstance(found, AfterTraining):
            self._left_for_training = ""
            self.notify(TrainingEnded(), "attention")
        return found

    def _pay_if_none_waits(self, paid: Payments) -> None:
        """What was scanned while the question was open belongs to this sale, so it goes first."""
        if not self.waiting:
            self._pay(paid, agreed=True)

    @property
    def _drafts(self) -> Drafts:
        """What the cart keeps beside its lines, over the store's usual way."""
        usual = Drafts.usual(self.store, built=self.services.ways_here)
        return usual.with_added(self.ticket.typed_details)

    def _not_finished(self, fault: PaymentFault) -> NotAllowed:
        """What was begun for the receipt and is not right: it is never left out in silence."""
        if fault == self._drafts.buyer.unconfirmed_warning():
            return NotAllowed(
                "The buyer's number looks mistyped and was not confirmed.",
                safe="Nothing was issued; the cart is unchanged.",
                do="Check it (F5): confirm, correct or remove it.",
                kind="doubted_buyer",
            )
        place = _PAGE_OF_FAULT.get(fault.place, fault.place)
        what, do = _UNFINISHED[place]
        return NotAllowed(
            what,
            safe="Nothing was issued; the cart is unchanged.",
            do=do,
            kind=f"unfinished_{place}",
        )

    # --- the last sale ---------------------------------------------------------------------------

    @property
    def last(self) -> Sale | None:
        """The sale confirmed last; practice has one of its own, and is never shown as a sale."""
        return self._last_sales.get(self.ticket.kind.is_training)

    def note_sale(self, sale: Sale) -> None:
        """A sale moved on; the last one is shown."""
        last = self._last_sales.get(sale.kind.is_training)
        if last is not None and sale.key == last.key:
            self._last_sales[sale.kind.is_training] = sale
            is_told = self._notices.update_sale(sale)
            self.tell(*(Part.LAST, Part.NOTICE) if is_told else (Part.LAST,))


def _last_sales(sales: Iterable[Sale]) -> dict[bool, Sale]:
    """The last sale, and the last training under True. sales: the newest first."""
    found: dict[bool, Sale] = {}
    for sale in sales:
        found.setdefault(sale.kind.is_training, sale)
    return found


def _last_line_id(ticket: Ticket) -> int | None:
    active = ticket.cart.active
    return active[-1].id if active else None


def _is_weighed(line: CartLine) -> bool:
    return line.article.by_weight or line.stated_total is not None


def _neighbour(ids: list[int], gone: int) -> int | None:
    """The line that is current once one has gone: the one before it, else the next."""
    if gone not in ids:
        raise NotFound(
            "This item is no longer in the cart.", safe="The cart is unchanged.", kind="line"
        )
    place = ids.index(gone)
    left = ids[:place] + ids[place + 1 :]
    return left[max(place - 1, 0)] if left else None


def _not_found() -> NoReturn:
    raise NotFound(
        "The new item is not in the catalogue.",
        safe="The cart is unchanged.",
        do="Search for it, or call the manager.",
        kind="article",
    )


def _not_for_sale() -> NoReturn:
    raise NotAllowed(
        "This item can't be sold: it has no price and no variant.",
        safe="The cart is unchanged.",
        do="A manager completes it in the catalogue.",
        kind="not_for_sale",
    )


def _answer_first() -> NoReturn:
    raise NotAllowed(
        "Answer the question first.",
        do="Or go back with Esc.",
        kind="question",
    )


def _managers_only() -> NoReturn:
    raise NotAllowed(
        "Training is started by a manager.",
        safe="The cart is unchanged.",
        kind="manager_only",
    )


def _nothing_to_drop() -> NoReturn:
    raise NotAllowed("The cart is empty.", kind="nothing_to_drop")
