"""What a cashier does with the lines of the cart: more, fewer, price, discount, remove."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.questions import (
    LinePrice,
    LineQuantity,
    NextQuantity,
    PriceQuestion,
    WeightQuestion,
)
from pos_app.cashier.sale.unfinished_input import TEXT
from pos_app.domain.cart import CartLine
from pos_app.domain.discount import LineDiscount
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import typed_quantity_text
from pos_app.errors import MachineError, NotFound
from pos_app.selling import sell
from pos_app.selling.ticket import Ticket
from pos_app.selling.unusual_amounts import Unusual


class LineActs:
    """Acts on lines; the touched one where no line is named."""

    def __init__(self, model: SaleModel) -> None:
        self._model = model

    @property
    def touched(self) -> CartLine | None:
        """The touched line, if it is still sold."""
        return next((one for one in self.active if one.id == self._model.touched), None)

    @property
    def active(self) -> tuple[CartLine, ...]:
        """Lines that will be sold."""
        return self._model.ticket.cart.active

    @property
    def removed(self) -> tuple[CartLine, ...]:
        """Lines that can be put back."""
        return tuple(line for line in self._model.ticket.cart.lines if line.removed)

    def touch(self, line_id: int) -> None:
        """Make a line the touched one."""
        if self._model.touched != line_id:
            self._model.show(self._model.ticket, touched=line_id)

    def touch_by(self, step: int) -> None:
        """Make the line `step` further down the touched one; stays at the ends."""
        ids = [line.id for line in self.active]
        if not ids:
            return
        here = ids.index(self._model.touched) if self._model.touched in ids else len(ids) - 1
        self.touch(ids[min(max(here + step, 0), len(ids) - 1)])

    def more(self, line_id: int) -> None:
        """One piece more; what is weighed or priced by a label asks for its quantity."""
        line = self._line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self._model.ask(LineQuantity(line_id))
        else:
            self.set_quantity(line_id, line.quantity + Quantity.ONE)

    def fewer(self, line_id: int) -> None:
        """One piece less; the last one takes the line out."""
        line = self._line(line_id)
        if line is None:
            return
        if _is_weighed(line):
            self._model.ask(LineQuantity(line_id))
        elif line.quantity <= Quantity.ONE:
            self.remove(line_id)
        else:
            self.set_quantity(line_id, line.quantity - Quantity.ONE)

    def set_quantity(self, line_id: int, quantity: Quantity) -> None:
        """Set the quantity of a line."""
        till = self._model.services.till
        self._change(line_id, lambda ticket: sell.change_quantity(
            till=till, ticket=ticket, line_id=line_id, quantity=quantity))  # fmt: skip

    def set_price(self, line_id: int, price: Money) -> None:
        """Set what one costs on this line."""
        till = self._model.services.till
        self._change(line_id, lambda ticket: sell.change_price(
            till=till, ticket=ticket, line_id=line_id, price=price))  # fmt: skip

    def set_discount(self, line_id: int, discount: LineDiscount) -> None:
        """Lower a line by a percentage or an amount; None takes it back."""
        till = self._model.services.till
        self._change(line_id, lambda ticket: sell.discount_line(
            till=till, ticket=ticket, line_id=line_id, discount=discount))  # fmt: skip

    def remove(self, line_id: int) -> None:
        """Take a line out; it stays shown, struck, until the next item."""
        model = self._model
        before = [line.id for line in self.active]
        till = model.services.till
        ticket = model.attempt(
            lambda: sell.remove_line(till=till, ticket=model.ticket, line_id=line_id)
        )
        if ticket is not None:
            model.struck |= {line_id}
            model.show(ticket, touched=_neighbour(before, line_id))

    def put_back(self, line_id: int) -> None:
        """Put a removed line back in its place."""
        till = self._model.services.till
        self._change(
            line_id,
            lambda ticket: sell.put_back(till=till, ticket=ticket, line_id=line_id),
        )

    # --- answers ---------------------------------------------------------------------------------

    def answer_quantity(self, quantity: Quantity) -> None:
        """How much: of the article asked about, of a line, or of the next item."""
        model = self._model
        match model.question:
            case WeightQuestion(article, code):
                model.answered(lambda: model.add(article, quantity=quantity, unknown_code=code))
            case LineQuantity(line_id):
                model.answered(lambda: self._quantity_if_right(line_id, quantity))
            case _:
                model.answered(lambda: self.set_next_if_right(quantity))

    def answer_price(self, price: Money) -> None:
        """What one costs: of the article asked about, or of a line."""
        model = self._model
        match model.question:
            case PriceQuestion(article, quantity, code):
                counted = quantity or (None if article.by_weight else Quantity.ONE)
                model.answered(
                    lambda: model.add(article, quantity=counted, price=price, unknown_code=code)
                )
            case LinePrice(line_id):
                model.answered(lambda: self._price_if_right(line_id, price))

    def set_next_if_right(self, quantity: Quantity) -> None:
        """The quantity of the next item, unless it has to be asked about first."""
        model = self._model
        unusual = model.services.limits.of_quantity(quantity)
        if unusual is None:
            model.set_next(quantity)
            return
        asked = model.answering or NextQuantity()
        model.typed_before.keep(asked, model.ticket, {TEXT: typed_quantity_text(quantity)})
        model.ask_if_right(unusual, lambda: model.set_next(quantity), before=asked)

    def check_prices(self) -> None:
        """See which articles in the cart cost something else by now: the entered price stays."""
        model = self._model
        found: dict[str, Money | None] = {}
        for line in self.active:
            try:
                article = model.services.catalogue.article(line.article.article_id)
            except MachineError:
                return  # the bottom line says so; prices stay as entered in any case
            if article is None or article.asks_price or article.price is None:
                continue
            if article.price != line.article.price:
                found[article.id] = article.price
        if found != model.new_prices:
            model.new_prices = found
            model.tell(Part.CART)

    # --- parts -----------------------------------------------------------------------------------

    def _quantity_if_right(self, line_id: int, quantity: Quantity) -> None:
        line = self._line(line_id)
        if line is None:
            return
        unusual = self._model.services.limits.of_line(quantity, line.price, line.article)
        self._if_right(unusual, lambda: self.set_quantity(line_id, quantity))

    def _price_if_right(self, line_id: int, price: Money) -> None:
        line = self._line(line_id)
        if line is None:
            return
        unusual = self._model.services.limits.of_line(line.quantity, price, line.article)
        self._if_right(unusual, lambda: self.set_price(line_id, price))

    def _if_right(self, unusual: Unusual | None, act: Callable[[], None]) -> None:
        if unusual is None:
            act()
        else:
            self._model.ask_if_right(unusual, act, before=self._model.answering)

    def _line(self, line_id: int) -> CartLine | None:
        return next((line for line in self.active if line.id == line_id), None)

    def _change(self, line_id: int, act: Callable[[Ticket], Ticket]) -> None:
        model = self._model
        ticket = model.attempt(lambda: act(model.ticket))
        if ticket is not None:
            model.struck -= {line_id}
            model.show(ticket, touched=line_id)


def _is_weighed(line: CartLine) -> bool:
    return line.article.by_weight or line.stated_total is not None


def _neighbour(ids: list[int], gone: int) -> int | None:
    """The line that is touched once one has gone: the one before it, else the next."""
    if gone not in ids:
        raise NotFound(
            "This item is no longer in the cart.", safe="The cart is unchanged.", kind="line"
        )
    place = ids.index(gone)
    left = ids[:place] + ids[place + 1 :]
    return left[max(place - 1, 0)] if left else None
