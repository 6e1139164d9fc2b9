"""The sale at the counter, without a widget: the open cart and everything asked around it.

Views listen and paint; each act is one call of `selling` in one short transaction. A scan is
carried out, or visibly waits, before `scan` returns. Source: till.md ("Cart", "Keys", "Sale").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from operator import add
from typing import NoReturn

from pos_app.cashier.sale.open_sale import OpenSale, Part
from pos_app.cashier.sale.questions import (
    NoneInCart,
    NoSuchCode,
    Notice,
    OneVoided,
    PriceQuestion,
    PriceTold,
    Question,
    ReceiptRead,
    ScansWaiting,
    UnusualAmountQuestion,
    VariantQuestion,
    WeightQuestion,
)
from pos_app.cashier.sale.unfinished_input import place_of
from pos_app.cashier.services import TillServices, ToneName
from pos_app.domain.article import Article
from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.cart import CartLine
from pos_app.domain.money import Money, Quantity
from pos_app.errors import DatabaseBusy, NotAllowed, PosError
from pos_app.selling import sell
from pos_app.selling.catalogue import CatalogueRow
from pos_app.selling.missed_codes import UnknownCode
from pos_app.selling.scan import (
    ChooseArticle,
    NotInCart,
    OneRemoved,
    PriceShown,
    ReceiptScanned,
    Scanned,
    ScanPurpose,
    scan,
)
from pos_app.selling.sell import AskIfRight, AskPrice, AskQuantity, ItemAdded
from pos_app.selling.ticket import Ticket
from pos_app.selling.unusual_amounts import Unusual, UsualLimits


class SaleModel(OpenSale):
    """What codes and articles do to the sale; other acts are in `lines`, `carts`, `paying`."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._rules = services.weight_rules()
        self.answering: Question | None = None
        """The question whose answer is being carried out."""

    # --- codes -----------------------------------------------------------------------------------

    def scan(self, code: str) -> None:
        """A code from the scanner: entered at once, or waiting while a question is open or another
        program holds a file."""
        if self.is_asked or self.held_by is not None:
            self._keep(code)
            return
        listed, self.question = self.question, None
        if not self._take(code, by_scanner=True):
            self._keep(code)
        if listed is not None and self.question is None:
            self.tell(Part.QUESTION)  # the row is painted first, then the list goes

    def misread(self, code: str, *, rest_of: str = "") -> None:
        """Of this code a part is missing: it is told, and nothing is looked up.

        rest_of: what was told of the same scan before; both are told as one.
        """
        for told in [one for one in self.notices if rest_of and _is_about(one, rest_of)]:
            self.withdraw(told)
        self._came_to_nothing(UnknownCode(rest_of + code, WhyUnknown.CUT), rest_of=rest_of)

    def enter_code(self, code: str) -> None:
        """A code that was typed, with Enter."""
        if self.held_by is not None or not self._take(code, by_scanner=False):
            self._keep(code)

    def enter_held(self) -> None:
        """Try again what could not be entered because another program held a file."""
        if self.held_by is None or self.is_asked:
            return
        listed, self.question = self.question, None
        self.enter_waiting()
        if listed is not None and self.question is None:
            self.tell(Part.QUESTION)

    def _keep(self, code: str) -> None:
        """It waits behind those that were scanned before it."""
        self.waiting = (*self.waiting, code)
        self.tone("item")
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        """Of those that wait for an answer the question tells; of others a notice does."""
        if self.held_by is not None:
            self.notify(ScansWaiting(len(self.waiting)))
        else:
            for told in [one for one in self.notices if isinstance(one, ScansWaiting)]:
                self.withdraw(told)
        self.tell(Part.WAITING)

    def _take(self, code: str, *, by_scanner: bool) -> bool:
        """Carry a code out; False where it has to wait for a file that another program holds."""
        services, self.held_by = self.services, None
        try:
            done = scan(
                till=services.till,
                catalogue=services.catalogue,
                rules=self._rules,
                ticket=self.ticket,
                code=code,
                times=self.next_quantity,
                purpose=self.purpose,
                limits=self._limits,
            )
        except DatabaseBusy as error:
            self.held_by = error
            self.note_fault(error)
            return False
        except PosError as error:
            self.refuse(error, adding=self.purpose is ScanPurpose.ADD)
        else:
            self._show(done, by_scanner=by_scanner)
        if by_scanner:
            self.scanned_at = services.till.clock.ticks()
        return True

    def _show(self, done: Scanned, *, by_scanner: bool) -> None:
        match done:
            case ItemAdded(ticket, line):
                self.entered(ticket, line)
            case AskQuantity() | AskPrice() | AskIfRight() | ChooseArticle():
                self._ask_about(done)
                if by_scanner and not isinstance(done, AskIfRight):  # that question has its tone
                    self.tone("attention")
            case PriceShown(article, price, total):
                self._end_purpose(PriceTold(article, price, total), "item")
            case OneRemoved(ticket, article):
                self._end_purpose(None, "item")
                self._show_taken_off(ticket, article)
            case NotInCart(article):
                self._end_purpose(NoneInCart(article), "no")
            case UnknownCode():
                self._came_to_nothing(done)
            case ReceiptScanned(verification):
                self.notify(ReceiptRead(verification), "item")

    def _ask_about(self, done: AskQuantity | AskPrice | AskIfRight | ChooseArticle) -> None:
        match done:
            case AskIfRight(article, quantity, unusual):
                self.ask_if_right(unusual, lambda: self.add(article, quantity=quantity, sure=True))
            case AskQuantity(article):
                self.ask(WeightQuestion(article))
            case AskPrice(article):
                self.ask(PriceQuestion(article, self.next_quantity))
            case ChooseArticle(articles):
                self.ask(VariantQuestion(articles))

    def _came_to_nothing(self, missed: UnknownCode, *, rest_of: str = "") -> None:
        self.keep_missed(missed, rest_of=rest_of)
        self.notify(self._unknown(missed.code, missed.why), "no")

    def _unknown(self, code: str, why: WhyUnknown | None) -> NoSuchCode:
        manager = self.services.is_manager and why is None
        named = self.attempt(self.services.catalogue.open_price_articles) if why is None else ()
        return NoSuchCode(code, why, manager, named or ())

    def _end_purpose(self, notice: Notice | None, tone: ToneName) -> None:
        self.purpose = ScanPurpose.ADD
        if notice is not None:
            self.notify(notice, tone)
        else:
            self.tone(tone)
        self.tell(Part.NEXT)

    def _show_taken_off(self, ticket: Ticket, article: Article) -> None:
        """The cart with one less, and words that it is so: a smaller row is easily missed."""
        gone = {line.id for line in ticket.cart.lines if line.removed}
        here = [line for line in ticket.cart.lines if line.article.article_id == article.id]
        self.struck |= gone - {line.id for line in self.ticket.cart.lines if line.removed}
        self.show(ticket, touched=here[-1].id if here else None)
        amounts = [line.quantity for line in here if not line.removed]
        left = reduce(add, amounts) if amounts else None
        self.notify(OneVoided(article, left))

    # --- articles --------------------------------------------------------------------------------

    def tap(self, row: CatalogueRow) -> None:
        """An article of the picker was tapped, or taken with Enter."""
        if row.articles > 1:
            variants = self.attempt(lambda: self.services.catalogue.variants(row.product_id))
            if variants is not None:
                self.ask(VariantQuestion(variants))
            return
        article = self.attempt(lambda: self._article_of(row))
        if article is not None:
            self.choose(article)

    def _article_of(self, row: CatalogueRow) -> Article:
        article = self.services.catalogue.article(row.article_id) if row.article_id else None
        return article if article is not None else _nothing_to_sell()

    def choose(self, article: Article, unknown_code: str = "") -> None:
        """Do with an article what the next code is for: add it, show its price, take one off."""
        match self.purpose:
            case ScanPurpose.ADD:
                self.add(article, quantity=self.next_quantity, unknown_code=unknown_code)
            case ScanPurpose.SHOW_PRICE:
                price = None if article.asks_price else article.price
                self._end_purpose(PriceTold(article, price), "item")
            case ScanPurpose.TAKE_OFF:
                self._take_off(article)

    def add(
        self,
        article: Article,
        *,
        quantity: Quantity | None = None,
        price: Money | None = None,
        unknown_code: str = "",
        sure: bool = False,
    ) -> None:
        """Enter an article, or ask what is still to be said.

        unknown_code: what it is sold for. sure: the cashier said that the numbers are right.
        """
        asked = self.answering
        is_typed = quantity is not None or price is not None
        enter = partial(
            self.add, article, quantity=quantity, price=price, unknown_code=unknown_code, sure=True
        )
        done = self.attempt(
            lambda: sell.add_item(
                till=self.services.till,
                ticket=self.ticket,
                article=article,
                quantity=quantity,
                price=price,
                limits=self._limits if is_typed and not sure else None,
                unknown_code=unknown_code,
            ),
            adding=True,
        )
        match done:
            case ItemAdded(ticket, line):
                self.entered(ticket, line)
            case AskQuantity():
                self.ask(WeightQuestion(article, unknown_code))
            case AskPrice():
                self.ask(PriceQuestion(article, quantity, unknown_code))
            case AskIfRight(_, _, unusual):
                self.ask_if_right(unusual, enter, before=asked)

    @property
    def _limits(self) -> UsualLimits | None:
        """What is asked about; nothing once the next quantity was said to be right."""
        limits = self.services.limits
        agreed = self.next_quantity is not None and limits.of_quantity(self.next_quantity)
        return None if agreed else limits

    def _take_off(self, article: Article) -> None:
        if not any(line.article.article_id == article.id for line in self.ticket.cart.active):
            self._end_purpose(NoneInCart(article), "no")
            return
        ticket = self.attempt(
            lambda: sell.take_one_off(
                till=self.services.till, ticket=self.ticket, article_id=article.id
            )
        )
        if ticket is not None:
            self._end_purpose(None, "item")
            self._show_taken_off(ticket, article)

    def entered(self, ticket: Ticket, line: CartLine) -> None:
        """An item is in the cart: its row is the touched one, the next quantity is one again."""
        parts = {Part.CART}
        if self.next_quantity is not None:
            self.next_quantity = None
            parts.add(Part.NEXT)
        if self.forget_told():
            parts.add(Part.NOTICE)
        self.ticket, self.touched, self.struck = ticket, line.id, frozenset()
        self.tell(*parts)  # the row is painted first
        self.tone("item")

    # --- questions -------------------------------------------------------------------------------

    def ask(self, question: Question) -> None:
        """Open a question; scans wait for its end if it says so.

        One that scans wait for is answered or put away before another: else the article that it
        is about, and what waits behind it, would be lost. None is opened over scans that wait for
        a file, for it would keep them waiting.
        """
        if self.is_asked or (question.waits and self.held_by is not None):
            self.tone("no")
            return
        self.question = question
        self.tell(Part.QUESTION)

    def go_back(self) -> None:
        """One step back from a question: to the one whose answer it doubts, else to the sale."""
        if isinstance(self.question, UnusualAmountQuestion):
            self.ask_again()
        else:
            self.put_away()

    def put_away(self) -> None:
        """End the question without an answer; what was scanned meanwhile is entered now."""
        if self.question is not None:
            self.question = None
            self.tell(Part.QUESTION)
            self.enter_waiting()

    def ask_if_right(
        self, unusual: Unusual, agreed: Callable[[], None], *, before: Question | None = None
    ) -> None:
        """Ask whether a number far above the usual is meant so, before anything is done."""
        self.ask(UnusualAmountQuestion(unusual, agreed, before))
        self.tone("attention")

    def ask_again(self) -> None:
        """The number was wrong: back to the question that it answered."""
        before = self.question.before if isinstance(self.question, UnusualAmountQuestion) else None
        if before is None:
            self.put_away()
            return
        self.question = before
        self.tell(Part.QUESTION)

    def answered(self, act: Callable[[], None]) -> None:
        """End the question, carry out its answer, then enter what waited for it.

        What was typed is kept for the next time where it could not be carried out; the question
        stands on where that may soon be, for it may be about a scan.
        """
        self.answering, self.question = self.question, None
        place = place_of(self.answering, self.ticket)
        failed = self._carried_out(act)
        if failed is None and not isinstance(self.question, UnusualAmountQuestion):
            self.typed_before.forget(place)
        if isinstance(failed, DatabaseBusy) and self.question is None:
            self.question = self.answering
        self.answering = None
        self.tell(Part.QUESTION)
        self.enter_waiting()

    def _carried_out(self, act: Callable[[], None]) -> PosError | None:
        """Why it could not be, None where it was."""
        self.failed = None
        act()
        return self.failed

    def enter_waiting(self) -> None:
        """Enter the scans that waited, in order, until one of them asks a question or finds a
        file held."""
        while self.waiting and self.question is None:
            was_held = self.held_by is not None
            code, *rest = self.waiting
            self.waiting = tuple(rest)
            if not self._take(code, by_scanner=True):
                self.waiting = (code, *self.waiting)
                if not was_held:
                    self._tell_waiting()
                return
            self._tell_waiting()


def _is_about(notice: Notice, code: str) -> bool:
    return isinstance(notice, NoSuchCode) and notice.code == code


def _nothing_to_sell() -> NoReturn:
    raise NotAllowed(
        "This item can't be sold: it has no price and no variant.",
        safe="The cart is unchanged.",
        do="A manager completes it in the catalogue.",
        kind="not_for_sale",
    )
