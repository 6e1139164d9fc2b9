"""Each scanned, typed, tapped or answered input becomes a line of the cart, a question or a notice.

A scan is entered, or visibly waits, before `scan` returns. Source: till.md ("Keys", "Scanner").
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NoReturn, TypeVar
from uuid import uuid4

from pos_app import errors, log
from pos_app.cashier.gate.about import About
from pos_app.cashier.sale import notices
from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.sale.context import SaleContext, SalePart
from pos_app.cashier.sale.open_cart import OpenCart
from pos_app.cashier.sale.questions import (
    TEXT,
    LinePrice,
    LineQuantity,
    NewArticle,
    NextQuantity,
    PriceQuestion,
    Question,
    VariantQuestion,
    WeightQuestion,
    subject_of,
)
from pos_app.cashier.sale.typed import PricePart, line_at
from pos_app.cashier.services.tasks import guarded_answer
from pos_app.cashier.services.till_services import ToneName
from pos_app.cashier.words.cart_texts import past_its_day
from pos_app.domain.article import barcodes
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import parse_amount, parse_quantity, typed_quantity_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import Cart, CartLine
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.selling.catalogue.catalogue import CatalogueRow, FoundArticle, create_for_code
from pos_app.selling.catalogue.codes import ReadCode, found_by, named_code, read_code
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.people import check_no_badge
from pos_app.selling.people.rights import Act
from pos_app.selling.sale import sell
from pos_app.selling.sale.missed_codes import UnknownCode
from pos_app.selling.sale.scan import (
    AskExpired,
    ChooseArticle,
    NotInCart,
    PriceShown,
    ReceiptScanned,
    Scanned,
    ScanPurpose,
    TookOff,
    no_article,
    scan,
    taken_by,
    use,
)
from pos_app.selling.sale.sell import AskIfRight, AskLeave, AskPrice, AskQuantity, ItemAdded
from pos_app.selling.sale.unusual_amounts import Unusual, UnusualKind, UsualLimits

_log = log.get(__name__)

T = TypeVar("T")

_OF_NO_GOODS = (barcodes.WhyUnknown.RECEIPT, barcodes.WhyUnknown.ID_CARD)


class CodeEntry:
    def __init__(self, context: SaleContext, questions: Questions, cart: OpenCart) -> None:
        self._context = context
        self._questions = questions
        self._services = context.services
        self._till = context.services.till
        self._cart = cart
        self.waiting: tuple[ReadCode, ...] = ()
        self._asked_by: ReadCode | None = None
        """The code of goods that the open question is about, if it was not tapped."""
        self._free: tuple[tuple[Article, Quantity], ...] = ()
        self._free_of = ""
        """The lines for nothing that are yet to be asked about, and the key of their cart."""
        self.scanned_at: int | None = None
        """The tick at which the last scan had been carried out."""

    # --- codes -----------------------------------------------------------------------------------

    def read_code(self, text: str) -> ReadCode:
        """Return the meaning of a scanned or typed code in this shop."""
        return read_code(text, self._services.code_rules(), self._services.catalogue)

    def scan(self, code: ReadCode, *, rest_of: str = "") -> None:
        """Enter a scanned code at once, behind those that wait; let it wait while a question is
        open or a database is locked by another program. rest_of: the part of the code that was
        reported before as misread."""
        if rest_of and self._context.notice_list.remove_notice_of_code(rest_of):
            self._context.announce(SalePart.NOTICE)
        if self._questions.is_asked or self._context.blocked_by is not None:
            self._keep_waiting(code)
            return
        if self.waiting:
            self._keep_waiting(code)
            self.enter_blocked()
            return
        listed, self._questions.question = self._questions.question, None
        try:
            if not self._enter(code, by_scanner=True):
                self._keep_waiting(code)
        finally:
            self._close_listed(listed)

    def misread(
        self, code: str, why: barcodes.WhyUnknown = barcodes.WhyUnknown.CUT, *, rest_of: str = ""
    ) -> None:
        """Report a code that was read wrong or in part; nothing is looked up.

        rest_of: the part of the same scan reported before; both are reported as one.
        """
        if rest_of:
            self._context.notice_list.remove_notice_of_code(rest_of)
        self._missed(UnknownCode(rest_of + code, why), rest_of=rest_of)

    def miss(self, code: ReadCode | None, *, rest_of: str) -> None:
        """Count a scan that came while a badge was asked for. None for a misread: it may be a part
        of a badge, so it is counted without its code. The rest of one is not counted again."""
        missed: Scanned = UnknownCode("", barcodes.WhyUnknown.CUT)
        name = ""
        if code is not None:
            missed = no_article(code)
            with contextlib.suppress(errors.PosError):
                for one in found_by(code, self._services.catalogue)[:1]:
                    missed, name = UnknownCode(named_code(code)), one.article.name
        if not isinstance(missed, UnknownCode) or missed.why in _OF_NO_GOODS:
            self._context.tone("no")
            return
        if code is not None or not rest_of:
            self._cart.keep_missed(missed, rest_of=rest_of)
        self._context.notify(notices.NotAdded(missed.code, None, False, name=name), "no")

    def enter_code(self, text: str) -> None:
        code = self.read_code(text)
        if self._context.blocked_by is not None or not self._enter(code, by_scanner=False):
            self._keep_waiting(code)

    def enter_blocked(self) -> None:
        """Try again to enter the scans that wait for a file or for the end of an approval."""
        if not self.waiting or self._questions.is_asked or self._context.is_approving():
            return
        listed, self._questions.question = self._questions.question, None
        self.enter_waiting()
        self._close_listed(listed)

    def finish(self) -> None:
        """End the question and enter the waiting scans, because the cart is about to be held for
        the person who left it. Each code that asks something counts as missed there. Raises
        DatabaseBusy while they wait for a file."""
        self.enter_blocked()
        while self._questions.question is not None:
            if self._asked_by is not None:
                self._cart.keep_missed(UnknownCode(named_code(self._asked_by)), rest_of="")
            self._questions.put_away()
        if self._context.blocked_by is not None:
            raise self._context.blocked_by

    def _close_listed(self, listed: Question | None) -> None:
        """Close the list or the menu that was open, once the row is painted."""
        if listed is not None and self._questions.question is None:
            self._context.announce(SalePart.QUESTION)

    def set_next_quantity(self, quantity: Quantity | None) -> None:
        """Set the next item's quantity, 1 for None. While scans wait for a file this is refused
        with a tone, because it is not meant for those scans."""
        if self._context.blocked_by is not None:
            self._context.tone("no")
            return
        self._cart.next_quantity = quantity
        self._context.announce(SalePart.NEXT)

    def type_next_quantity(self, quantity: Quantity) -> None:
        """Set the next item's quantity; ask first if it is unusual."""
        unusual = self._services.limits.of_quantity(quantity)
        if unusual is None:
            self.set_next_quantity(quantity)
            return
        asked = self._questions.answering or NextQuantity()
        self._questions.unfinished_input.save(
            asked, self._cart.ticket, {TEXT: typed_quantity_text(quantity)}
        )
        self._questions.unfinished_input.leave(subject_of(asked, self._cart.ticket))
        self._questions.ask_if_right(
            unusual, lambda: self.set_next_quantity(quantity), before=asked
        )

    def set_purpose(self, purpose: ScanPurpose) -> None:
        """Set what the next code is for; as `set_next_quantity` while scans wait for a file."""
        if self._context.blocked_by is not None:
            self._context.tone("no")
            return
        self._cart.purpose = purpose
        self._context.announce(SalePart.NEXT)

    def _enter(self, code: ReadCode, *, by_scanner: bool) -> bool:
        """Carry a code out; return False if it has to wait because another program has locked a
        database."""
        if self._cart.purpose is ScanPurpose.TAKE_OFF:
            return self._take_off(code, by_scanner=by_scanner)
        return self._carry_out(code, by_scanner=by_scanner)

    def _take_off(self, code: ReadCode, *, by_scanner: bool) -> bool:
        """Carry out a code that takes goods off; return False if it has to wait. Once the payment
        has begun, not everybody may do so. If somebody else has to approve it, the code is carried
        out after the approval; if a database is locked then, `act` queues the code."""
        after = None
        with contextlib.suppress(errors.PosError):  # carrying the code out reports the error
            after = self._left_by(code)
        if after is None:
            return self._carry_out(code, by_scanner=by_scanner)
        done: list[bool] = []
        is_later = False

        def act() -> None:
            done.append(self._carry_out(code, by_scanner=by_scanner))
            if is_later and not done[0]:
                self._keep_waiting(code)

        self._do_permitted(partial(self._cart.permit_less, after=after), act)
        is_later = True
        return all(done)

    def _left_by(self, code: ReadCode) -> Cart | None:
        """Return what a code would leave of the cart, or None unless it means one article. Raises
        NotFound where the cart holds less."""
        found = found_by(code, self._services.catalogue)
        if len(found) != 1:
            return None
        return taken_by(self._cart.ticket.cart, found[0], self._cart.next_quantity).cart

    def _carry_out(self, code: ReadCode, *, by_scanner: bool) -> bool:
        """Carry a code out; return False if another program holds a file."""
        services, self._context.blocked_by = self._services, None
        subject = self._cart.ticket.key, code.text
        try:
            done = scan(
                till=services.till,
                catalogue=services.catalogue,
                ticket=self._cart.ticket,
                code=code,
                times=self._cart.next_quantity,
                purpose=self._cart.purpose,
                limits=self._limits_now,
                allows=self._cart.may_become,
            )
        except errors.DatabaseBusy as error:
            self._context.blocked_by = error
            self._context.note_fault(error)
            return False
        except errors.PosError as error:
            self._context.refuse(error, adding=self._cart.purpose is ScanPurpose.ADD)
            self._context.follow_refusal(subject, error)
        else:
            self._context.follow_refusal(subject, None)
            is_sold = self._cart.purpose is ScanPurpose.ADD
            if isinstance(done, AskLeave):
                self._ask_leave(done, partial(self._enter_approved, code, by_scanner=by_scanner))
                if by_scanner and self._context.is_approving():
                    self._context.tone("attention")
            else:
                self._show_scanned(done, by_scanner=by_scanner)
            if is_sold and self._cart.ticket.missed and not isinstance(done, UnknownCode):
                self._cart.drop_missed(code)
            self._asked_by = code if is_sold and self._questions.is_asked else None
        if by_scanner:
            self.scanned_at = services.till.clock.ticks()
        return True

    def _enter_approved(self, code: ReadCode, *, by_scanner: bool) -> None:
        """Carry out a code that somebody allowed; if a database is locked now, it waits again."""
        if not self._carry_out(code, by_scanner=by_scanner):
            self.waiting = (code, *self.waiting)
            self._tell_waiting()

    def _ask_leave(self, asked: AskLeave, act: Callable[[], object]) -> None:
        """Enter an item once somebody allows the percentage that is off it, too."""
        self._do_permitted(partial(self._cart.permit_lower, asked.cart), act)

    def _do_permitted(
        self, permit: Callable[[Callable[[], None]], None], act: Callable[[], object]
    ) -> None:
        """Do an act with the next item once it is permitted. The quantity that was typed for the
        item is for no other one, also where nobody permits it."""
        times = self._cart.next_quantity

        def act_with_quantity() -> None:
            self._cart.next_quantity = times
            act()

        permit(act_with_quantity)
        if self._context.is_approving() and self._questions.answering is None:
            self._cart.forget_next_quantity()

    def _show_scanned(self, done: Scanned, *, by_scanner: bool) -> None:
        match done:
            case ItemAdded():
                self._cart.show_added(done)
            case AskQuantity() | AskPrice() | AskIfRight() | AskExpired() | ChooseArticle():
                self._ask_about(done)
                # what is asked as a doubt sounds its own tone
                if by_scanner and not isinstance(done, AskIfRight | AskExpired):
                    self._context.tone("attention")
            case PriceShown(article, price, total):
                self._end_purpose(notices.PriceNotice(article, price, total), "item")
            case TookOff(ticket, article, taken):
                self._cart.next_quantity = None
                self._end_purpose(None, "item")
                self._cart.show_voided(ticket, article, taken)
            case NotInCart(article, asked, there):
                self._cart.next_quantity = None
                self._end_purpose(notices.NoneInCart(article, asked, there), "no")
            case UnknownCode():
                if (
                    self._context.attempt(lambda: check_no_badge(self._services.people, done.code))
                    is not None
                ):
                    self._missed(done)
            case ReceiptScanned(receipt):
                self._context.notify(notices.ReceiptRead(receipt), "item")

    def _ask_about_day(self, pack: FoundArticle) -> None:
        """Ask whether a pack is sold after its last day, or refuse it where the shop does so. The
        answer adds it as any other: what else is odd about it is asked then."""
        if self._services.settings.till.expired_goods == "refuse":
            self._context.refuse(past_its_day(pack), adding=True)
            return
        assert pack.good_until is not None
        unusual = Unusual(UnusualKind.EXPIRED, pack.good_until, pack.article)
        self._questions.ask_if_right(unusual, lambda: self._use(replace(pack, good_until=None)))

    def _ask_about(
        self, done: AskQuantity | AskPrice | AskIfRight | AskExpired | ChooseArticle
    ) -> None:
        match done:
            case AskExpired(pack):
                self._ask_about_day(pack)
            case AskIfRight(article, _, unusual, Money() as total):
                self._questions.ask_if_right(unusual, lambda: self._add_for_total(article, total))
            case AskIfRight(article, quantity, unusual):
                self._questions.ask_if_right(
                    unusual, lambda: self.add(article, quantity=quantity, confirmed=True)
                )
            case AskQuantity(article):
                self._questions.ask(WeightQuestion(article))
            case AskPrice(article, quantity):
                self._questions.ask(PriceQuestion(article, quantity))
            case ChooseArticle(found):
                self._questions.ask(VariantQuestion(tuple(one.article for one in found), "", found))

    def _missed(self, code: UnknownCode, *, rest_of: str = "") -> None:
        self._cart.keep_missed(code, rest_of=rest_of)
        is_sound = code.why is None
        open_price = (
            self._context.attempt(self._services.catalogue.open_price_articles)
            if is_sound
            else None
        )
        may_create = is_sound and self._services.may(Act.CATALOGUE)
        self._context.notify(
            notices.NoSuchCode(code.code, code.why, may_create, open_price or ()), "no"
        )

    def follow_person(self) -> None:
        """Offer for an unknown code what the person who works here now may do."""
        if self._context.notice_list.offer_to_create(self._services.may(Act.CATALOGUE)):
            self._context.announce(SalePart.NOTICE)

    def _keep_waiting(self, code: ReadCode) -> None:
        self.waiting = (*self.waiting, code)
        self._context.tone("item")
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        """Show the waiting scans. A notice counts those that wait for a file; a question itself
        shows those that wait for its answer."""
        if self._context.blocked_by is not None:
            self._context.notify(notices.ScansWaiting(len(self.waiting)))
        elif self._context.notice_list.remove_scans_waiting():
            self._context.announce(SalePart.NOTICE)
        self._context.announce(SalePart.WAITING)

    @property
    def _may_enter_next(self) -> bool:
        is_asked = self._questions.question is not None or self._context.is_approving()
        return bool(self.waiting) and not is_asked

    def enter_waiting(self) -> None:
        """Enter the waiting scans in order, until one of them asks something or finds a file
        held. The lines for nothing of a receipt that is sold once more are asked about before."""
        if not self._questions.is_asked:
            self._asked_by = None
        if self._free_of != self._cart.ticket.key:
            self._free = ()
        while self._free and self._questions.question is None:
            article, quantity = self._free[0]
            self._free = self._free[1:]
            price = Money.ZERO if article.asks_price else None
            self.add(article, quantity=quantity, price=price)
        while self._may_enter_next:
            was_blocked = self._context.blocked_by is not None
            code, *rest = self.waiting
            self.waiting = tuple(rest)
            is_entered = guarded_answer(partial(self._enter, code, by_scanner=True))
            if is_entered is False:
                self.waiting = (code, *self.waiting)
                if not was_blocked:
                    self._tell_waiting()
                return
            self._tell_waiting()  # a bug is told; the scans behind it are entered all the same
            if self._may_enter_next:
                self._cart.forget_next_quantity()  # it was not typed for the scan behind
        if self.waiting and self._context.is_approving():
            self._context.announce(SalePart.WAITING)

    def sell_again(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None:
        """Put the lines of a receipt into the cart once more. Raises PosError, which the calling
        screen reports."""
        self._free = tuple(self._cart.sell_again(overview, as_advance=as_advance))
        self._free_of = self._cart.ticket.key
        self.enter_waiting()

    def _end_purpose(self, notice: notices.SaleNotice | None, tone: ToneName) -> None:
        """End a mode: the next code is sold again."""
        self._cart.purpose = ScanPurpose.ADD
        if notice is not None:
            self._context.notify(notice, tone)
        else:
            self._context.tone(tone)
        self._context.announce(SalePart.NEXT)

    # --- articles --------------------------------------------------------------------------------

    def tap(self, row: CatalogueRow) -> None:
        """Take an article that was tapped in the picker, or taken with Enter."""
        catalogue = self._services.catalogue
        if row.articles > 1:
            variants = self._context.attempt(lambda: catalogue.variants(row.product_id))
            if variants is not None:
                self._questions.ask(VariantQuestion(variants))
            return
        article = self._context.attempt(
            lambda: (
                (catalogue.article(row.article_id) if row.article_id else None) or _not_for_sale()
            )
        )
        if article is not None:
            self.choose(article)

    def choose(self, article: Article, unknown_code: str = "") -> None:
        """Do with an article what the next code is for: add it, show its price, or take one piece
        off. After the question which of several articles a code means, the code's own quantity or
        total counts."""
        asked = self._questions.answering
        coded = asked.found_articles if isinstance(asked, VariantQuestion) else ()
        found = next((one for one in coded if one.article == article), FoundArticle(article))
        # no quantity, day, price or serial number of its own
        says_no_more = found == FoundArticle(article) and not article.serial
        if says_no_more and self._cart.purpose is ScanPurpose.ADD:
            self.add(article, quantity=self._cart.next_quantity, unknown_code=unknown_code)
            return
        act, after = partial(self._use, found), None
        if self._cart.purpose is ScanPurpose.TAKE_OFF:
            with contextlib.suppress(errors.PosError):  # `use` reports the error
                after = taken_by(self._cart.ticket.cart, found, self._cart.next_quantity).cart
        if after is None:
            act()
        else:
            self._do_permitted(partial(self._cart.permit_less, after=after), act)

    def _use(self, found_article: FoundArticle) -> None:
        done = self._context.attempt(
            lambda: use(
                till=self._till,
                ticket=self._cart.ticket,
                found_article=found_article,
                times=self._cart.next_quantity,
                purpose=self._cart.purpose,
                limits=self._limits_now,
                allows=self._cart.may_become,
            ),
            adding=self._cart.purpose is ScanPurpose.ADD,
        )
        if isinstance(done, AskLeave):
            self._ask_leave(done, partial(self._use, found_article))
        elif done is not None:
            self._show_scanned(done, by_scanner=False)

    def add(
        self,
        article: Article,
        *,
        quantity: Quantity | None = None,
        price: Money | None = None,
        unknown_code: str = "",
        confirmed: bool = False,
    ) -> None:
        """Enter an article, or ask for whatever is missing.

        unknown_code: the code that it is sold for. confirmed: the cashier said that the numbers are
        right.
        """
        asked = self._questions.answering
        enter = partial(
            self.add,
            article,
            quantity=quantity,
            price=price,
            unknown_code=unknown_code,
            confirmed=True,
        )
        done = self._context.attempt(
            lambda: sell.add_item(
                till=self._till,
                ticket=self._cart.ticket,
                article=article,
                quantity=quantity,
                price=price,
                limits=None if confirmed else self._limits_now,
                allows=self._cart.may_become,
                unknown_code=unknown_code,
            ),
            adding=True,
        )
        match done:
            case ItemAdded():
                self._cart.show_added(done)
            case AskQuantity():
                self._questions.ask(WeightQuestion(article, unknown_code))
            case AskPrice():
                self._questions.ask(PriceQuestion(article, quantity, unknown_code))
            case AskIfRight(_, _, unusual):
                self._questions.ask_if_right(unusual, enter, before=asked)
            case AskLeave():
                self._ask_leave(done, enter)

    def _add_for_total(self, article: Article, total: Money) -> None:
        """Enter a pack for the total on its label, which the cashier confirmed."""
        done = self._context.attempt(
            lambda: sell.add_for_total(
                till=self._till,
                ticket=self._cart.ticket,
                article=article,
                total=total,
                allows=self._cart.may_become,
            ),
            adding=True,
        )
        if isinstance(done, ItemAdded):
            self._cart.show_added(done)
        elif isinstance(done, AskLeave):
            self._ask_leave(done, partial(self._add_for_total, article, total))

    def create_article(
        self, *, code: str, name: str, price: Money, label: TaxLabel, unit_id: str | None
    ) -> bool:
        """Add an article to the catalogue, with no more than a receipt needs, and to the cart.
        Return False if the catalogue could not take the article; the reason is shown."""
        services = self._services
        product_id = str(uuid4())
        edit = self._context.attempt(
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
        self._note_created(name)
        # The article exists now, so the form is forgotten even if the cart can't take it.
        self._questions.unfinished_input.forget(subject_of(NewArticle(code), self._cart.ticket))
        self._questions.answered(lambda: self._add_created(product_id))
        self._context.announce(SalePart.CATALOGUE)
        return True

    def _note_created(self, name: str) -> None:
        """Note who created an article. A failure does not matter: the edit keeps person and time,
        too."""
        try:
            self._services.note(NotedAct.CATALOGUE, name)
        except errors.MachineError as error:
            _log.error("that an article was created can't be kept: %s", error.what)

    def create_typed_article(
        self, *, code: str, name: str, price: Money, label: TaxLabel, unit_id: str | None
    ) -> None:
        """Call `create_article`, after a question about a price of nothing; with people, for who
        may change the catalogue."""

        def create() -> None:
            self.create_article(code=code, name=name, price=price, label=label, unit_id=unit_id)

        def create_if_permitted() -> None:
            if self._services.here.person is None:
                create()
            else:
                about = About(key="approve.act.article", of=name, what="article", amount=price)
                self._context.permit(Act.CATALOGUE, create, about=about)

        free = self._services.limits.of_price(price)
        if free is None:
            create_if_permitted()
        else:
            self._questions.answered(lambda: self._questions.if_right(free, create_if_permitted))

    @property
    def _limits_now(self) -> UsualLimits | None:
        """The limits above which the till asks whether a typed number is right; there are none once
        the cashier said that the next quantity is right."""
        following = self._cart.next_quantity
        if following is not None and self._services.limits.of_quantity(following) is not None:
            return None
        return self._services.limits

    def _add_created(self, product_id: str) -> None:
        variants = self._context.attempt(
            lambda: self._services.catalogue.variants(product_id) or _not_found()
        )
        if variants is not None:
            price = variants[0].price
            is_known = price is not None and self._services.limits.of_price(price) is not None
            self.add(variants[0], quantity=self._cart.next_quantity, confirmed=is_known)

    # --- answers ---------------------------------------------------------------------------------

    def answer_quantity(self, quantity: Quantity) -> None:
        """Take the quantity of the article asked about, of a line, or of the next item."""
        match self._questions.question:
            case WeightQuestion(article, code):
                self._questions.answered(
                    lambda: self.add(article, quantity=quantity, unknown_code=code)
                )
            case LineQuantity(line_id):
                self._questions.answered(lambda: self._quantity_if_right(line_id, quantity))
            case _:
                self._questions.answered(lambda: self.type_next_quantity(quantity))

    def answer_price(self, price: Money) -> None:
        """Take the price of one piece of the article asked about, or of a line."""
        match self._questions.question:
            case PriceQuestion(article, quantity, code):
                counted = quantity or (None if article.by_weight else Quantity.ONE)
                self._questions.answered(
                    lambda: self.add(article, quantity=counted, price=price, unknown_code=code)
                )
            case LinePrice(line_id):
                self._questions.answered(lambda: self._price_if_right(line_id, price))

    def answer_typed_quantity(self, text: str) -> errors.Invalid | None:
        """Take a typed quantity; return why the text is no quantity, or None."""
        return _taken(lambda: parse_quantity(text), self.answer_quantity)

    def answer_typed_price(self, text: str) -> errors.Invalid | None:
        """Take a typed price; return why the text is no price, or None."""
        return _taken(lambda: parse_amount(text), self.answer_price)

    def answer_typed_line_price(
        self, line_id: int, part: PricePart, text: str
    ) -> errors.Invalid | None:
        """Take a typed discount or price of a line; return why the line can't have it, or None."""

        def take(changed: CartLine) -> None:
            if part is PricePart.NEW_PRICE:
                self.answer_price(changed.price)
            else:
                discount = changed.discount
                self._questions.answered(lambda: self._cart.set_discount(line_id, discount))

        return _taken(lambda: line_at(self._cart.ticket.cart.line(line_id), part, text), take)

    def _quantity_if_right(self, line_id: int, quantity: Quantity) -> None:
        line = self._cart.active_line(line_id)
        changed = line and self._context.attempt(partial(line.of_quantity, quantity))
        if changed is not None:
            unusual = self._services.limits.of_line(quantity, changed.price, changed.article)
            self._questions.if_right(unusual, lambda: self._cart.set_quantity(line_id, quantity))

    def _price_if_right(self, line_id: int, price: Money) -> None:
        line = self._cart.active_line(line_id)
        if line is not None:
            limits, article = self._services.limits, line.article
            unusual = limits.of_price(price, article) or limits.of_line(
                line.quantity, price, article
            )
            self._questions.if_right(unusual, lambda: self._cart.set_price(line_id, price))


def _taken(read: Callable[[], T], take: Callable[[T], object]) -> errors.Invalid | None:
    """Take a typed value; return why it can't be read, or None."""
    try:
        value = read()
    except errors.Invalid as error:
        return error
    take(value)
    return None


def _not_found() -> NoReturn:
    raise errors.NotFound("article.new")


def _not_for_sale() -> NoReturn:
    raise errors.NotAllowed("not_for_sale")
