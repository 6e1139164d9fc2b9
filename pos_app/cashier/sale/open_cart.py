"""The open cart: its lines, the suspended carts, and the quantity and purpose of its next item.

Each act is one call of `selling`, in one short transaction. Source: till.md ("Cart").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import add
from typing import NoReturn

from pos_app import errors
from pos_app.cashier.gate.about import NOTHING_ELSE, About, about_change
from pos_app.cashier.sale import notices
from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.sale.context import SaleContext, SalePart
from pos_app.cashier.sale.questions import CartName, LineQuantity, SuspendedCarts, VoidQuestion
from pos_app.cashier.services.storage_faults import ACTS, Where
from pos_app.domain.article.article import Article
from pos_app.domain.money.discount import LineDiscount, Percent
from pos_app.domain.money.money import Money, Quantity, whole_dinars
from pos_app.domain.money.payment import Payments, cash_owed
from pos_app.domain.receipt.cart import Cart, CartLine, TakenOff
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType
from pos_app.selling.catalogue.codes import ReadCode, named_code
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.receipts.again import open_proforma, sell_again
from pos_app.selling.receipts.credit import is_credit_owed, open_credit, signed_refund
from pos_app.selling.receipts.refund_by_hand import open_goods
from pos_app.selling.sale import sell
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.missed_codes import Missed, UnknownCode, with_code, without_known
from pos_app.selling.sale.receipt_drafts import BuyerDraft, Drafts, due_of
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.ticket import DocumentKind, Referent, Ticket, TypedDetails


class OpenCart:
    def __init__(self, context: SaleContext, questions: Questions) -> None:
        self._context = context
        self._questions = questions
        self._services = context.services
        self._till = context.services.till
        self.ticket: Ticket = sell.start(till=self._till, cashier=self._services.cashier)
        context.cart_key = lambda: self.ticket.key
        context.follow_file = self._follow_file
        self.stored = self.ticket
        self.current_line_id: int | None = last_line_id(self.ticket)
        self.shown_removed: frozenset[int] = frozenset()
        """Ids of removed lines that are still shown, until the next item."""
        self.new_prices: dict[str, Money | None] = {}
        """Articles in the cart whose price has changed since, with the present price."""
        self.suspended_count = len(self.suspended())
        self.next_quantity: Quantity | None = None
        self.purpose = ScanPurpose.ADD
        self.shown_missed: frozenset[tuple[int, UnknownCode]] = frozenset()
        """Unknown codes that were reported before paying, with their cart's id."""
        self.left_for_training = ""
        """The key of the cart that came back when training ended, or "". The first try to confirm
        that cart says so to the cashier, who then confirms once more."""

    def announce(self, *sale_parts: SalePart) -> None:
        if self.ticket is not self.stored:
            self.stored = self.ticket
            self._services.faults.clear(Where.TILL, by=ACTS)
        self._context.announce(*sale_parts)
        self._questions.follow()

    # --- lines -----------------------------------------------------------------------------------

    @property
    def active_lines(self) -> tuple[CartLine, ...]:
        return self.ticket.cart.active

    @property
    def removed_lines(self) -> tuple[CartLine, ...]:
        """The lines that can be put back, also those of a cart that ended because its last line was
        removed."""
        return tuple(line for line in self.ticket.shown_cart.lines if line.removed)

    @property
    def current_line(self) -> CartLine | None:
        return None if self.current_line_id is None else self.active_line(self.current_line_id)

    def active_line(self, line_id: int) -> CartLine | None:
        return next((line for line in self.active_lines if line.id == line_id), None)

    def select_line(self, line_id: int) -> None:
        if self.current_line_id != line_id:
            self.show(self.ticket, current=line_id)

    def select_next_line(self, step: int) -> None:
        """Move the current line down by `step` lines, at most to the first or last line."""
        ids = [line.id for line in self.active_lines]
        if ids:
            position = (
                ids.index(self.current_line_id) if self.current_line_id in ids else len(ids) - 1
            )
            self.select_line(ids[min(max(position + step, 0), len(ids) - 1)])

    def increase(self, line_id: int) -> None:
        """Add one piece; for a line that is weighed or priced by a label, ask for its quantity."""
        line = self.active_line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self._questions.ask(LineQuantity(line_id))
        else:
            self.set_quantity(line_id, line.quantity + Quantity.ONE)

    def decrease(self, line_id: int) -> None:
        """Take one piece off; taking the last one removes the line."""
        line = self.active_line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self._questions.ask(LineQuantity(line_id))
        elif line.quantity <= Quantity.ONE:
            self.remove_line(line_id)
        else:
            self.set_quantity(line_id, line.quantity - Quantity.ONE)

    def set_quantity(self, line_id: int, quantity: Quantity) -> None:
        line = self.active_line(line_id)
        act = partial(sell.change_quantity, quantity=quantity)
        change = partial(self._change_line, act, line_id)
        if line is None or quantity == line.quantity:
            change()
            return
        after = self._context.attempt(lambda: self.ticket.cart.change(line.of_quantity(quantity)))
        if after is not None and quantity < line.quantity:
            self.permit_less(change, after=after)
        elif after is not None:
            self.permit_lower(after, change)

    def set_price(self, line_id: int, price: Money) -> None:
        line = self.active_line(line_id)
        act = partial(sell.change_price, price=price)
        about = NOTHING_ELSE
        if line is not None:
            cart, now = self.ticket.cart, line.at_price(price)
            change = self._context.attempt(lambda: self._about(cart.change(now)))
            if change is None:
                return  # the line would come to too much
            prices = {"before": line.price, "price": price}
            about = replace(change, key="approve.act.price", values=prices)
        self._context.permit(Act.PRICE, partial(self._change_line, act, line_id), about=about)

    def set_discount(self, line_id: int, discount: LineDiscount) -> None:
        """Lower a line by a percentage or an amount; a discount of None ends it."""
        line = self.active_line(line_id)
        if line is not None:
            act = partial(sell.discount_line, discount=discount)
            change = partial(self._change_line, act, line_id)
            self.permit_lower(self.ticket.cart.change(replace(line, discount=discount)), change)

    def permit_less(self, act: Callable[[], None], *, after: Cart) -> None:
        """Do an act that takes something off the cart; once its payment was begun, fewer people may
        do so. after: the cart that is left; in it a discount by an amount is a higher percentage,
        and may need approval."""
        lower = partial(self.permit_lower, after, act)
        is_line_left = len(after.active) == len(self.ticket.cart.active)
        key = "approve.act.less" if is_line_left else ""
        self._permit_if_begun(lower, replace(self._about(after), key=key))

    def _permit_if_begun(self, act: Callable[[], None], about: About) -> None:
        """Do an act that leaves less to pay; fewer people may do so once the payment was begun."""
        if self._context.is_payment_begun():
            self._context.permit(Act.REMOVE_WHILE_PAYING, act, about=about)
        else:
            act()

    def may_become(self, after: Cart) -> bool:
        """Tell whether items may be added to the cart without asking anybody: more of what has a
        percentage of the whole receipt off is allowed to who may give that percentage."""
        if not isinstance(after.discount, Percent):
            return True
        percent, services = after.lowered_from(self.ticket.cart), self._services
        is_lifted = not percent or services.here.lifts(Act.DISCOUNT)
        return is_lifted or services.leave(Act.DISCOUNT, percent) is Leave.MAY

    def permit_lower(self, after: Cart, act: Callable[[], None]) -> None:
        """Do an act that may raise a discount, if the person may give that percentage; the
        discounts of line and receipt count together."""
        if percent := after.lowered_from(self.ticket.cart):
            about = self._about(after)
            self._context.permit(Act.DISCOUNT, act, percent=percent, about=about)
        else:
            act()

    def _about(self, after: Cart) -> About:
        return about_change(self.ticket.cart, after)

    def _tell_give_back(self, before: Ticket) -> None:
        """Say that what was received for a cart goes back to the customer."""
        if before.goes_back.total:
            self._context.notify(_give_back(before), "attention")

    def tell_replaced(self, before: Payments, now: Payments) -> None:
        """Say what goes back to the customer because a corporate card pays, in place of what was
        told of it before."""
        if before.total:
            self._context.withdraw(notices.GiveBack(before))
        if now.total:
            self._context.notify(notices.GiveBack(now))

    def put_back_line(self, line_id: int) -> None:
        cart = self.ticket.shown_cart
        line = next((one for one in cart.lines if one.id == line_id), None)
        put_back = partial(self._put_back_line, line_id)
        if line is None or cart is not self.ticket.cart:
            put_back()  # it is gone, or all that the cart had comes back
        else:
            self.permit_lower(cart.change(replace(line, removed=False)), put_back)

    def _put_back_line(self, line_id: int) -> None:
        self._change_line(sell.put_back, line_id)
        if self.ticket.goes_back.total:
            self._context.withdraw(_give_back(self.ticket))
        self.check_articles()

    def remove_line(self, line_id: int) -> None:
        """Remove a line; it stays shown until the next item."""
        line = self.active_line(line_id)
        if line is not None:
            left = self.ticket.cart.change(replace(line, removed=True))
            self.permit_less(partial(self._remove_line, line_id), after=left)

    def _remove_line(self, line_id: int) -> None:
        before = [line.id for line in self.active_lines]
        ticket = self._context.attempt(
            lambda: sell.remove_line(till=self._till, ticket=self.ticket, line_id=line_id)
        )
        if ticket is not None:
            emptied = self.ticket
            self.shown_removed |= {line_id}
            self.show_less(ticket, current=_neighbour(before, line_id))
            if ticket.emptied is not None:
                self._tell_give_back(emptied)

    def _change_line(self, act: Callable[..., Ticket], line_id: int) -> None:
        """Do an act of `selling.sale.sell` on one line."""
        ticket = self._context.attempt(
            lambda: act(till=self._till, ticket=self.ticket, line_id=line_id)
        )
        if ticket is not None:
            self.shown_removed -= {line_id}
            self.show(ticket, current=line_id)

    def check_articles(self) -> errors.PosError | None:
        """Compare the cart's articles with the catalogue. The entered price stays, and a new price
        is shown; name and tax label are taken over. Returns the error if they could not be
        stored."""
        articles: dict[str, Article] = {}
        new_prices: dict[str, Money | None] = {}
        for line in self.active_lines:
            try:
                article = self._services.catalogue.article(line.article.article_id)
            except errors.MachineError:
                # the status line reports it; the cart stays as it was entered
                return None
            if article is None:
                continue
            articles[article.id] = article
            if article.asks_price or article.price in (None, line.article.price):
                continue
            new_prices[article.id] = article.price
        if new_prices != self.new_prices:
            self.new_prices = new_prices
            self.announce(SalePart.CART)
        return self._follow_catalogue(articles)

    def _follow_catalogue(self, articles: Mapping[str, Article]) -> errors.PosError | None:
        before = self.active_lines
        try:
            ticket = sell.follow_catalogue(till=self._till, ticket=self.ticket, articles=articles)
        except errors.PosError as error:
            self._context.note_fault(error)
            return error
        if ticket is not self.ticket:
            self.show(ticket, current=self.current_line_id)
            pairs = zip(before, self.active_lines, strict=True)
            relabelled = [
                (now.article.frozen.name, was.article.frozen.label, now.article.frozen.label)
                for was, now in pairs
                if was.article.frozen.label is not now.article.frozen.label
            ]
            if changed := tuple(dict.fromkeys(relabelled)):
                self._context.notify(notices.Relabelled(changed))
        return None

    def refuses_labels(self) -> bool:
        """Say that a line has a label of VAT while the shop is not in that system; such a line can
        come from a cart that was set aside before. Nothing is paid then."""

        def check() -> bool:
            for line in self.active_lines:
                sell.check_label(line.article.frozen, in_vat=self._services.in_vat)
            return True

        return self._context.attempt(check) is None

    def keep_missed(self, code: UnknownCode, *, rest_of: str) -> None:
        """Store a missed code with the cart; if that fails, the cart's next change stores it.
        rest_of: the part of the same scan that was reported before."""
        self.shown_missed -= {(self.ticket.id, code)}
        self._store_missed(with_code(self.ticket.missed, code, rest_of=rest_of))

    def drop_missed(self, known: ReadCode) -> None:
        """Forget what a code settles that an article has by now, and what was told of it."""
        missed = without_known(self.ticket.missed, known.text)
        self._store_missed(without_known(missed, named_code(known)))

    def _store_missed(self, missed: Missed) -> None:
        if missed == self.ticket.missed:
            return
        before = self.ticket.missed
        try:
            self.ticket = sell.keep_missed(till=self._till, ticket=self.ticket, missed=missed)
        except errors.PosError as error:
            self._context.note_fault(error)
            self.ticket = self.stored = replace(self.ticket, missed=missed)
        self.announce(SalePart.MISSED, *self._unsay(before))

    def _unsay(self, before: Missed) -> set[SalePart]:
        """Remove the notices of codes that are missed no more."""
        codes = {one.code for one in before if one not in self.ticket.missed}
        gone = [self._context.notice_list.remove_notice_of_code(code) for code in codes]
        return {SalePart.NOTICE} if any(gone) else set()

    def show_voided(self, ticket: Ticket, article: Article, taken: TakenOff) -> None:
        """Show the cart with less in it, and a notice, because the change of a row is easily
        missed."""
        lines, before = ticket.shown_cart.lines, self.ticket
        gone = {line.id for line in lines if line.removed}
        article_lines = [line for line in lines if line.article.article_id == article.id]
        self.shown_removed |= gone - {line.id for line in self.removed_lines}
        amounts = [line.quantity for line in article_lines if not line.removed]
        left = reduce(add, amounts) if amounts else None
        done = notices.Voided(article, taken.quantity, taken.full, left)
        self.show_less(ticket, current=article_lines[-1].id if article_lines else None, done=done)
        if ticket.emptied is not None:
            self._tell_give_back(before)

    def forget_next_quantity(self) -> None:
        """Make the next quantity one again, because its item is left out."""
        if self.next_quantity is not None:
            self.next_quantity = None
            self.announce(SalePart.NEXT)

    def show_added(self, done: ItemAdded) -> None:
        """Make the new item's row the current one; the next quantity is one again."""
        parts = {SalePart.CART}
        if self.next_quantity is not None:
            self.next_quantity = None
            parts.add(SalePart.NEXT)
        if self._context.notice_list.unread and self._context.notice_list.remove_act_notice():
            parts.add(SalePart.NOTICE)
        missed = self.ticket.missed
        self.ticket, self.current_line_id = done.ticket, done.line.id
        if missed:
            parts |= self._unsay(missed)
        self.shown_removed = frozenset()
        self.announce(*parts)  # the row is painted first
        self._context.tone("item")

    # --- the price -------------------------------------------------------------------------------

    @property
    def total(self) -> Money:
        return self.ticket.cart.total

    @property
    def due(self) -> Money:
        return due_of(self.ticket)

    @property
    def cash_due(self) -> Money:
        whole = self._services.in_whole_dinars
        if self.ticket.exchanged is not None:
            return whole_dinars(self.due) if whole else self.due
        if self.ticket.kind.is_offer:
            return self.due
        return cash_owed(self.due, in_whole_dinars=whole)

    @property
    def to_give(self) -> Money:
        """The cash that the customer gets back, because the returned goods are dearer than the new
        ones."""
        netting, whole = self.ticket.netting, self._services.in_whole_dinars
        return Money.ZERO if netting is None else netting.cash_back(in_whole_dinars=whole)

    @property
    def to_give_beside(self) -> Payments:
        """What the customer gets back by other methods."""
        netting = self.ticket.netting
        return Payments() if netting is None else netting.back_beside

    @property
    def to_pay(self) -> Money:
        """What is left to pay, as the pay key and the largest figure have it: the total, less what
        pays for a part of it already."""
        if self.ticket.exchanged is not None:
            return self.cash_due
        return self.due if self.ticket.paid_before else self.total

    @property
    def drafts(self) -> Drafts:
        """The cart's additions, over the store's usual ones."""
        return self.usual.with_added(self.ticket.typed_details)

    @property
    def usual(self) -> Drafts:
        """The content of a receipt to which the cashier adds nothing."""
        return Drafts.usual(self._context.store, built=self._services.ways_here)

    # --- carts -----------------------------------------------------------------------------------

    def suspended(self) -> Sequence[Ticket]:
        """Return the suspended carts, or those of training, the longest suspended first."""
        return self._suspended_like(self.ticket)

    def suspend_or_recall(self) -> None:
        """F6: suspend the cart, or show the suspended carts if it is empty."""
        if self.ticket.is_idle:
            self._questions.ask(SuspendedCarts())
        else:
            self.suspend()

    def suspend(self) -> None:
        """Suspend the cart. An exchange needs new goods first: alone, its return would be a held
        cart with nothing to sell."""
        if not self.tells_nothing_new():
            self._switch_cart(lambda: sell.suspend(till=self._till, ticket=self.ticket))

    def ask_name(self) -> None:
        """Ask what the cart is called that is to be suspended; without a cart show the suspended
        ones."""
        if not self.tells_nothing_new():
            self._questions.ask(SuspendedCarts() if self.ticket.is_idle else CartName())

    def suspend_named(self, name: str) -> None:
        """Suspend the cart under that name, "" for none."""

        def suspend() -> None:
            self._switch_cart(lambda: sell.suspend(till=self._till, ticket=self.ticket, name=name))

        self._questions.answered(suspend)

    def hand_over(self, *, holds: bool) -> Callable[[], None]:
        """Give the cart to the present cashier, or hold it and give the next one. Return what shows
        that, to be called once it is committed. Raises PosError."""
        ticket, cashier = self.ticket, self._services.cashier
        if holds and ticket.may_be_held:
            ticket = sell.suspend(till=self._till, ticket=ticket)
        if ticket.cashier != cashier:
            ticket = sell.give_to_cashier(till=self._till, ticket=ticket, cashier=cashier)
        return partial(self._show_handed_over, ticket)

    def _show_handed_over(self, ticket: Ticket) -> None:
        if ticket.key != self.ticket.key:
            self._show_other(ticket)
        elif ticket is not self.ticket:
            self.ticket = ticket
            self.announce(SalePart.CART)

    def follow_name(self) -> None:
        """Take over the name of the cart's cashier, which may have changed."""
        try:
            stored = self._till.carts.open_cart(training=self.ticket.kind.is_training)
        except errors.MachineError:
            return  # the next change of the cart reports it
        if stored is not None and stored.id == self.ticket.id:
            self.ticket = replace(self.ticket, cashier=stored.cashier)

    def recall(self, cart_id: int) -> None:
        """Take a suspended cart back; the present one is suspended if it is not empty."""

        def recall() -> None:
            before = self.ticket
            act = partial(sell.recall, till=self._till, ticket=before, cart_id=cart_id)
            if self._switch_cart(act):
                self._tell_put_aside(before)

        self._questions.answered(recall)

    @property
    def can_be_dropped(self) -> bool:
        return bool(self.ticket.cart.lines or self.ticket.paid_before) or self._has_credit

    def ask_void(self) -> None:
        """Ask why the sale is dropped; an empty sale is refused."""
        if self.can_be_dropped:
            self._questions.ask(VoidQuestion())
        else:
            self._context.attempt(_nothing_to_drop)

    def void(self, reason: str) -> None:
        total = self.total

        def void() -> None:
            act = partial(sell.void, till=self._till, ticket=self.ticket, reason=reason)
            self._switch_cart(act, is_dropped=True)

        about = About(key="right.drop_cart", of=reason, what="reason", amount=total)
        answer = partial(self._questions.answered, void)
        drop = partial(self._context.permit, Act.DROP_CART, answer, about=about)
        self._permit_if_begun(drop, about)

    def set_kind(self, kind: DocumentKind, then: Callable[[], None] = lambda: None) -> None:
        """Make the cart another kind of document. Training has a cart of its own, and not everybody
        may begin training, nor make a proforma of a cart whose payment was begun. then: called
        afterwards."""
        services, before = self._services, self.ticket

        def begin() -> Ticket:
            """Set the kind, and log it if somebody lifted training."""
            with services.acts.together():
                if kind.is_training and services.here.lifted_by:
                    services.note(NotedAct.TRAINING)
                return sell.set_kind(
                    till=services.till, ticket=self.ticket, kind=kind, cashier=services.cashier
                )

        def change() -> None:
            is_done = self._switch_cart(begin)
            then()
            if is_done and kind.is_offer:
                self._tell_give_back(before)

        if self._questions.is_asked or not (kind.is_training or kind.is_offer):
            change()
            return
        # the tapped segment shows the present kind while somebody is asked
        self.announce(SalePart.KIND)
        if kind.is_training:
            self._context.permit(Act.TRAINING, change)
        else:
            self._permit_if_begun(change, About(key="approve.act.offer", amount=self.total))

    def take_back(self, sale: Sale) -> None:
        """Put the lines of a cancelled sale into a new cart, to be corrected. For the refund of an
        exchange, credit the refunded money to a new cart. Raises PosError, which the calling screen
        reports; nothing was changed then."""
        if self._questions.is_asked:
            _answer_first()
        if self._context.blocked_by is not None:
            raise self._context.blocked_by
        if sale.is_exchange and sale.operation is Operation.REFUND:
            self._take_credit(sale)
            return
        sales = self._services.sales
        refund = signed_refund(self._till, sales, sale)
        is_owed = refund is not None and is_credit_owed(sales, refund)
        self._show_in_place(
            sell.take_back(
                till=self._till, ticket=self.ticket, sale=sale, refund=refund, is_owed=is_owed
            )
        )
        if refund is not None and is_owed:
            self._context.notify(notices.GoodsCredited(ExchangeMoney.of(refund, sale)), "attention")
        elif change := self.ticket.typed_details.change_told:
            received = self.ticket.typed_details.paid_in_all
            self._context.notify(notices.ChangeTold(change, received), "attention")

    def open_goods(self, refund: Sale) -> None:
        """Open the sale of the goods of another system's advance, which this refund closes.

        Raises PosError, which the calling screen reports; nothing was changed then.
        """
        if self._questions.is_asked:
            _answer_first()
        if self._context.blocked_by is not None:
            raise self._context.blocked_by
        sales = self._services.sales
        self._show_in_place(
            open_goods(till=self._till, sales=sales, ticket=self.ticket, refund=refund)
        )

    def _take_credit(self, refund: Sale) -> None:
        """Take the money of an exchange's refund as paid, and the lines of the exchange's sale if
        they were not taken back yet."""
        sales = self._services.sales
        new = sales.follower(refund.key)
        if new is not None and not new.was_shown:
            self.take_back(new)
            return
        self._show_in_place(
            open_credit(till=self._till, sales=sales, ticket=self.ticket, refund=refund)
        )

    @property
    def _has_credit(self) -> bool:
        return self.ticket.exchanged is not None and not self.ticket.sends_refund

    def sell_again(
        self, overview: ReceiptOverview, *, as_advance: bool = False
    ) -> Sequence[tuple[Article, Quantity]]:
        """Put the lines of a receipt into the cart; a proforma as the sale that it offers, or as an
        advance on it. Return the lines for nothing that have to be asked about.

        Raises PosError, which the calling screen reports; nothing was changed then.
        """
        if self._questions.is_asked:
            _answer_first()
        if self._context.blocked_by is not None:
            raise self._context.blocked_by
        till, catalogue = self._till, self._services.catalogue
        if overview.invoice_type is InvoiceType.PROFORMA:
            self._show_in_place(
                open_proforma(
                    till=till,
                    catalogue=catalogue,
                    ticket=self.ticket,
                    overview=overview,
                    as_advance=as_advance,
                )
            )
            return ()
        done = sell_again(till=till, catalogue=catalogue, ticket=self.ticket, overview=overview)
        self._show_other(done.ticket)
        if done.missing:
            self._context.notify(notices.NotSoldAgain(done.missing), "no")
        return done.free

    def begin_exchange(self, goods: GoodsBack, card_of: TypedDetails) -> None:
        """Open a cart for what a customer takes for returned goods. Raises PosError, which the
        calling screen reports; nothing was changed then."""
        if self._questions.is_asked:
            _answer_first()
        if self._context.blocked_by is not None:
            raise self._context.blocked_by
        till, ticket = self._till, self.ticket
        self._show_in_place(
            sell.begin_exchange(till=till, ticket=ticket, goods=goods, card_of=card_of)
        )

    def end_exchange(self) -> None:
        if self._switch_cart(lambda: sell.end_exchange(till=self._till, ticket=self.ticket)):
            self._context.notify(notices.ExchangeLeft())

    def tells_nothing_new(self) -> bool:
        """Return True, and tell the cashier what to do, if goods come back, or came back, and none
        are taken for them."""
        if self._questions.is_asked or self.ticket.exchanged is None or self.active_lines:
            return False
        self._context.attempt(_nothing_for_credit if self._has_credit else _nothing_new)
        return True

    @property
    def goes_on(self) -> bool:
        """Whether this cart is the one open in the till's file."""
        training = self.ticket.kind.is_training
        try:
            opened = self._till.carts.open_cart(training=training)
        except errors.PosError:
            return False
        return opened is not None and opened.id == self.ticket.id

    def _follow_file(self) -> None:
        """Show the cart that is open in the till's file, because the shown one is another one, or
        was changed there."""
        services, training = self._services, self.ticket.kind.is_training
        try:
            opened = sell.start(till=self._till, cashier=services.cashier, training=training)
        except errors.PosError as error:
            self._context.note_fault(error)
            return
        if (opened.id, opened.revision) != (self.ticket.id, self.ticket.revision):
            self._show_other(opened)

    def begin_anew(self) -> None:
        """Follow the till's file after a copy was put back. The copy's carts were suspended, so
        show the cart that is open now, and tell the cashier. A cart begun after the copy
        was put back stays open."""
        services, training = self._services, self.ticket.kind.is_training
        try:
            opened = sell.start(till=services.till, cashier=services.cashier, training=training)
            aside = len(services.till.carts.suspended_by_restore())
        except errors.PosError as error:
            self._context.refuse(error)
            return
        if opened.id != self.ticket.id:
            self._show_other(opened)
        if aside:
            self._context.notify(notices.CartsSuspended(aside), "attention")

    def take_buyer(self, buyer: BuyerDraft) -> None:
        """Put a buyer on the receipt; the cart column shows it."""
        added = replace(self.drafts, buyer=buyer).typed_details(self.usual)
        typed = replace(added, paid=self.ticket.typed_details.paid)
        ticket = self._context.attempt(
            lambda: sell.add_to_receipt(till=self._till, ticket=self.ticket, typed_details=typed)
        )
        if ticket is not None:
            self.show(ticket, current=self.current_line_id)

    def ticket_saved(self, ticket: Ticket) -> None:
        """Show the cart with the additions that the payment stored."""
        self.show(ticket, current=self.current_line_id)

    def _switch_cart(self, act: Callable[[], Ticket], *, is_dropped: bool = False) -> bool:
        """Do an act that brings another cart, and show that cart; return whether the act was
        done. is_dropped: the act drops the cart."""
        # An open question is about this cart, and scans wait for its answer, so that they never get
        # into another cart.
        ticket = self._context.attempt(_answer_first if self._questions.is_asked else act)
        if ticket is None:
            self.announce(SalePart.KIND)
            return False
        self._show_other(ticket, is_dropped=is_dropped)
        return True

    def _suspended_like(self, ticket: Ticket) -> Sequence[Ticket]:
        """Return the suspended carts that can replace this one."""
        carts = sell.suspended(till=self._till)
        return [cart for cart in carts if cart.kind.is_training is ticket.kind.is_training]

    def show(
        self, ticket: Ticket, *, current: int | None, done: notices.SaleNotice | None = None
    ) -> None:
        """Show the cart as an act left it, and what went with that. done: what the act did."""
        before, parts = self.ticket, {SalePart.CART}
        self.ticket, self.current_line_id = ticket, current
        if ticket.kind is not before.kind:
            parts |= {SalePart.KIND, SalePart.LAST}  # training has a last sale of its own
        unread = self._context.notice_list
        is_ended = ticket.key != before.key
        is_other = bool(unread.unread) and (is_ended or _amounts(ticket) != _amounts(before))
        if is_other and unread.remove_of_cart(is_ended=is_ended, missed=ticket.missed):
            parts.add(SalePart.NOTICE)
        if _discounts(ticket) - _discounts(before) and unread.remove_discounts_lost():
            parts.add(SalePart.NOTICE)
        self.announce(*parts)
        if done is not None:
            self._context.notify(done)
        lost = () if is_ended else ticket.shown_cart.lost_since(before.shown_cart)
        if lost:
            self._context.notify(notices.DiscountsLost(lost), "attention")

    def show_less(
        self, ticket: Ticket, *, current: int | None, done: notices.SaleNotice | None = None
    ) -> None:
        """Show the cart with less in it. If removing the last line ended it, show the new empty
        cart, with the removed line above it to put back."""
        if ticket.emptied is None:
            self.show(ticket, current=current, done=done)
            return
        typed = self.typed_before(ticket)
        self.purpose, self.new_prices = ScanPurpose.ADD, {}
        self.show(ticket, current=None, done=done)
        self.announce(SalePart.NEXT)
        self.tell_not_taken(typed)

    def _show_other(self, ticket: Ticket, *, is_dropped: bool = False) -> None:
        """Show another cart, with nothing left over from the one before. is_dropped: that one was
        dropped, which is told; so is what was owed with a cart that has ended."""
        typed, before = self.typed_before(ticket), self.ticket
        self.left_for_training = ""
        self.clear_for(ticket)
        parts = {SalePart.OTHER_CART, SalePart.NEXT}
        if self._context.notice_list.remove_act_notice():
            parts.add(SalePart.NOTICE)
        self.show(ticket, current=last_line_id(ticket))
        self.announce(*parts)
        self.check_articles()  # the cart may have been suspended for hours
        notice = self._dropped(before)
        if is_dropped:
            change = before.typed_details.change_told
            notice = replace(notice, received=before.goes_back, change_told=change)
        if is_dropped or notice.is_in_attention:
            is_owed = notice.is_in_attention or bool(notice.received.total)
            self._context.notify(notice, "attention" if is_owed else None)
        self.tell_not_taken(typed)

    def _show_in_place(self, ticket: Ticket) -> None:
        """Show a cart that takes the place of the present one, which nobody asked to hold."""
        before = self.ticket
        self._show_other(ticket)
        self._tell_put_aside(before)

    def _tell_put_aside(self, before: Ticket) -> None:
        if before.key != self.ticket.key and before.may_be_held:
            notice = notices.CartPutAside(before.cart.total, before.received)
            self._context.notify(notice, "attention" if before.received.total else None)

    def _dropped(self, before: Ticket) -> notices.SaleDropped:
        """The notice that a cart was dropped, with what Attention has of it since then. A cart that
        is open or held has that itself."""
        sales, goods = self._services.sales, before.exchanged
        referent = before.typed_details.referent
        owed, closed = list[Sale](), list[Sale]()
        try:
            if goods is not None and goods.is_refunded:
                owed = [one for one in sales.credits_owed() if one.key == goods.refund]
            if referent is not None and before.paid_before:
                closed = [one for one in sales.closed_without_goods() if _is_of(one, referent)]
        except errors.MachineError as error:
            self._context.note_fault(error)
        return notices.SaleDropped(
            before.cart.total,
            owed=Money.total(one.total for one in owed),
            paid_before=Money.total(one.total for one in closed),
        )

    def typed_before(self, ticket: Ticket) -> str:
        """Return the typed digits that are lost when this cart replaces the present one."""
        return self._context.screen.typed_digits if ticket.key != self.ticket.key else ""

    def tell_not_taken(self, typed_text: str) -> None:
        if typed_text:
            self._context.notify(notices.TypedNotTaken(typed_text), "no")

    def clear_for(self, ticket: Ticket) -> None:
        self.shown_removed = frozenset()
        self.next_quantity = None
        self.purpose = ScanPurpose.ADD
        self.new_prices = {}
        try:
            self.suspended_count = len(self._suspended_like(ticket))
        except errors.MachineError as error:  # the act is stored: its cart is shown all the same
            self._context.note_fault(error)


def last_line_id(ticket: Ticket) -> int | None:
    active = ticket.cart.active
    return active[-1].id if active else None


def _amounts(ticket: Ticket) -> list[tuple[int, Quantity, bool]]:
    """What is in a cart, and whether it costs something, whatever its articles are called, taxed
    and priced by now."""
    active = ticket.cart.active
    return [(line.id, line.quantity, line.total > Money.ZERO) for line in active]


def _discounts(ticket: Ticket) -> set[tuple[int | None, LineDiscount]]:
    """The discounts that are given, each with its line; that of the whole cart with None."""
    given = {(line.id, line.discount) for line in ticket.cart.active if line.discount}
    return given | ({(None, ticket.cart.discount)} if ticket.cart.discount else set())


def _give_back(of: Ticket) -> notices.GiveBack:
    return notices.GiveBack(of.goes_back, of.typed_details.change_told)


def _is_of(refund: Sale, referent: Referent) -> bool:
    return refund.receipt is not None and refund.receipt.fiscal_number == referent.number


def _is_weighed(line: CartLine) -> bool:
    return line.article.by_weight or line.stated_total is not None


def _neighbour(ids: list[int], gone: int) -> int | None:
    """Return the line that is current once a line has gone: the line before it, else the next."""
    if gone not in ids:
        raise errors.NotFound("line")
    index = ids.index(gone)
    left = ids[:index] + ids[index + 1 :]
    return left[max(index - 1, 0)] if left else None


def _answer_first() -> NoReturn:
    raise errors.NotAllowed("question")


def _nothing_to_drop() -> NoReturn:
    raise errors.NotAllowed("nothing_to_drop")


def _nothing_new() -> NoReturn:
    raise errors.NotAllowed("nothing_new")


def _nothing_for_credit() -> NoReturn:
    raise errors.NotAllowed("nothing_new_owed")
