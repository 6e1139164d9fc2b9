"""Names the items that are sold when an advance of unknown final amount is closed.

Quantity and price of each ordered line are confirmed or corrected; a scan adds what was not
ordered. Source: fiscal.md 6.2; till.md ("Advances").
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.acts.confirm_amount import ConfirmAmount
from pos_app.cashier.advances.advance_view import sum_row
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.field import Field, IconButton
from pos_app.cashier.ui.labels import NO_AMOUNT, AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money import number_text
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.receipt.pricing import priced_goods
from pos_app.domain.receipt.request import RequestedItem, name_and_unit
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.receipts.advance_draft import ClosingDraft, Piece
from pos_app.selling.sale.sell import quantity_for
from pos_app.selling.sale.unusual_amounts import Unusual, UnusualKind

_QUANTITY, _PRICE = "quantity", "price"


class ItemsView(QWidget):
    """Signals: `changed(ClosingDraft)`; `done()` when Enter is pressed and all is right;
    `refused()` when it is not; `asks(bool)` when a question covers the items, and when it ends."""

    asks = Signal(bool)
    changed = Signal(object)
    done = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, texts: Texts, draft: ClosingDraft) -> None:
        super().__init__()
        self.theme = theme
        self._texts = texts
        self.draft = draft
        self._wrong: dict[tuple[int, str], str] = {}
        """What was typed and can't be read, by the item's place and the field."""
        self._unweighed: set[int] = set()
        """The places of the added goods whose weight nobody has typed yet."""
        metrics = theme.metrics
        self.issue = BigButton(theme, texts("adv.items.on"), key=ENTER, icon="banknote")
        self.issue.clicked.connect(self.press)
        title = Label(theme, texts("adv.items"), step=TypeStep.TITLE, weight=Weight.BOLD)
        self._area = ScrolledColumn(theme, name=texts("adv.items"))
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(metrics.s2)
        self._grid.setVerticalSpacing(metrics.s2)
        self._area.show_inside(inside)
        self._sums = QVBoxLayout()
        self._error = Label(theme, colour="danger", wrap=True)
        panel = Panel(theme)
        column = QVBoxLayout(panel)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        column.addWidget(title)
        column.addWidget(Label(theme, texts("adv.items.words"), colour="ink_2", wrap=True))
        column.addWidget(self._area, 1)
        column.addWidget(self._error)
        column.addLayout(self._sums)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.setSpacing(metrics.s3)
        whole.addWidget(panel, 1)
        whole.addWidget(self.issue)
        self._panel, self._whole = panel, whole
        self.question: ConfirmAmount | None = None
        self.quantities: list[Field] = []
        self._totals: list[AmountLabel] = []
        self._make_rows()

    def focus_first(self) -> None:
        if self.question is not None:
            self.question.yes.setFocus()
        else:
            self._focus(self.quantities[0] if self.quantities else None)

    def _focus(self, field: Field | None) -> None:
        if field is not None:
            field.edit.setFocus()
            field.edit.selectAll()
        else:
            self.issue.setFocus()

    def add(self, found_article: FoundArticle) -> bool:
        """Add what a scanned code stands for, and focus the quantity of its line. The weight of
        goods that are weighed is asked for, unless the code states it, as at the sale. A piece with
        a serial number counts once, and may be an ordered one. Returns False for a new line without
        a price."""
        items, article, total = list(self.draft.items), found_article.article, found_article.total
        asks = article.by_weight and found_article.is_plain
        pieces = self.draft.pieces
        if article.sku is not None and article.serial:
            skus = [item.sku for item in items]
            if (article.sku, article.serial) in pieces and article.sku in skus:
                self._focus(self.quantities[skus.index(article.sku)])
                return True
            pieces |= {(article.sku, article.serial)}
        for at, item in enumerate(items):
            if total is None and article.sku is not None and item.sku == article.sku:
                if not asks:
                    quantity = self._more(at, found_article, pieces)
                    items[at] = replace(item, quantity=quantity, total=None)
                    self._wrong.pop((at, _QUANTITY), None)
                    self._unweighed.discard(at)
                break
        else:
            if article.price is None:
                return False
            at = len(items)
            quantity = (
                found_article.quantity if total is None else quantity_for(total, article.price)
            )
            price = UnitPrice(article.price.amount)
            items.append(RequestedItem(quantity, price, article.sku, article.frozen, total=total))
            if asks:
                self._unweighed.add(at)
        if asks:
            self._wrong[at, _QUANTITY] = ""
        self._take(replace(self.draft, items=tuple(items), pieces=pieces))
        self._make_rows()
        self._focus(self.quantities[at])
        return True

    def _more(self, at: int, pack: FoundArticle, pieces: frozenset[Piece]) -> Quantity:
        """The quantity of a line once this pack is added. pieces: all that were scanned."""
        article, before = pack.article, self.draft.items[at].quantity
        if article.serial and not pack.is_pack:
            scanned = sum(sku == article.sku for sku, _ in pieces)
            return max(before, Quantity(scanned))
        return pack.quantity if at in self._unweighed else before + pack.quantity

    def ask_about_day(self, pack: FoundArticle) -> None:
        """Ask whether a pack is sold after its last day; the answer adds it."""
        assert pack.good_until is not None
        unusual = Unusual(UnusualKind.EXPIRED, pack.good_until, pack.article)
        self.question = ConfirmAmount(self.theme, self._texts, unusual)
        self.question.agreed.connect(lambda: self._agree(pack))
        self._whole.addWidget(self.question, 1)
        self._cover(is_asking=True)

    def _agree(self, pack: FoundArticle) -> None:
        if self.question is not None:
            self.drop_question()
            self.add(replace(pack, good_until=None))

    def drop_question(self) -> None:
        if self.question is not None:
            self._whole.removeWidget(self.question)
            self.question.hide()
            self.question.deleteLater()
            self.question = None
            self._cover(is_asking=False)

    def _cover(self, *, is_asking: bool) -> None:
        self._panel.setVisible(not is_asking)
        self.issue.setVisible(not is_asking)
        self.focus_first()
        self.asks.emit(is_asking)

    def press(self) -> None:
        """Go on to the payment, or focus the first field if something is wrong. Enter, with which
        a scanner ends a code, answers no question."""
        if self.question is not None:
            return
        if self._fault():
            self.refused.emit()
            self.focus_first()
        else:
            self.done.emit()

    # --- parts -----------------------------------------------------------------------------------

    def _make_rows(self) -> None:
        clear_layout(self._grid)
        self._totals, self.quantities = [], []
        self._grid.setColumnStretch(0, 1)
        for at, item in enumerate(self.draft.items):
            self._add_row(at, item)
        self._grid.setRowStretch(len(self.draft.items), 1)
        self._show_sums()

    def _add_row(self, at: int, item: RequestedItem) -> None:
        texts, theme = self._texts, self.theme
        assert item.article is not None
        name, _ = name_and_unit(item.article.printed_name)
        quantity = Field(theme, name=texts("adv.items.quantity", name=name), right=True)
        shown = number_text.typed_quantity_text(item.quantity)
        quantity.set_text(self._wrong.get((at, _QUANTITY), shown))
        quantity.changed.connect(partial(self._type, at, _QUANTITY))
        price = AmountField(theme, name=texts("adv.items.price", name=name))
        shown = number_text.amount_text(item.unit_price.printed)
        price.set_text(self._wrong.get((at, _PRICE), shown))
        price.changed.connect(partial(self._type, at, _PRICE))
        total = AmountLabel(theme, name=name, step=TypeStep.STRONG, weight=Weight.SEMIBOLD)
        total.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        total.setFixedWidth(round(2.4 * theme.metrics.touch))
        for field in (quantity, price):
            share = 2 if theme.metrics.tight and field is quantity else 2.4
            field.setFixedWidth(round(share * theme.metrics.touch))
            field.entered.connect(self.press)
        cross = IconButton(theme, "x", texts("adv.items.remove", name=name))
        cross.clicked.connect(lambda: self._remove(at))
        self._grid.addWidget(ElidedLabel(theme, name, weight=Weight.SEMIBOLD), at, 0)
        for index, part in enumerate((quantity, price, total, cross), start=1):
            self._grid.addWidget(part, at, index)
        self._totals.append(total)
        self.quantities.append(quantity)

    def _type(self, at: int, member: str, typed_text: str) -> None:
        item = self.draft.items[at]
        self._wrong.pop((at, member), None)
        try:
            if member == _QUANTITY:
                item = replace(item, quantity=number_text.parse_quantity(typed_text), total=None)
            else:
                item = replace(
                    item,
                    unit_price=UnitPrice(number_text.parse_amount(typed_text).amount),
                    total=None,
                )
            priced_goods([item])
        except Invalid:
            self._wrong[at, member] = typed_text
        else:
            if member == _QUANTITY:
                self._unweighed.discard(at)
            items = list(self.draft.items)
            items[at] = item
            self._take(replace(self.draft, items=tuple(items)))
        self._show_sums()

    def _remove(self, at: int) -> None:
        items = tuple(item for index, item in enumerate(self.draft.items) if index != at)
        skus = {item.sku for item in items}
        pieces = frozenset(piece for piece in self.draft.pieces if piece[0] in skus)
        self._wrong = {
            (index - (index > at), member): typed
            for (index, member), typed in self._wrong.items()
            if index != at
        }
        self._unweighed = {index - (index > at) for index in self._unweighed if index != at}
        self._take(replace(self.draft, items=items, pieces=pieces))
        self._make_rows()
        self.focus_first()

    def _take(self, draft: ClosingDraft) -> None:
        self.draft = draft
        kept = (item for at, item in enumerate(draft.items) if at not in self._unweighed)
        self.changed.emit(replace(draft, items=tuple(kept)))

    def _show_sums(self) -> None:
        texts, draft = self._texts, self.draft
        lines = priced_goods(draft.items)
        wrong = {at for at, _ in self._wrong}
        for at, (label, line) in enumerate(zip(self._totals, lines, strict=True)):
            label.setText(NO_AMOUNT if at in wrong else number_text.amount_text(line.total))
        clear_layout(self._sums)
        for words, amount in (
            ("adv.items.total", Money.total(line.total for line in lines)),
            ("adv.items.paid", -draft.advance.paid),
        ):
            holder = QWidget()
            row = sum_row(self.theme, texts(words), amount)
            row.setContentsMargins(0, 0, 0, 0)
            holder.setLayout(row)
            self._sums.addWidget(holder)
        fault = self._fault()
        self.issue.show_act(
            texts("adv.items.on"),
            order=texts("adv.items.mend") if fault else "",
            amount="" if fault else number_text.amount_text(draft.due),
            rests=False,
        )
        self._error.setText(fault)
        self._error.setVisible(bool(fault))

    def _fault(self) -> str:
        if self._wrong:
            return self._texts("adv.items.wrong")
        if not self.draft.items:
            return self._texts("adv.items.none")
        if excess := self.draft.too_much_paid:
            return self._texts("adv.items.below_paid", excess=excess)
        return ""
