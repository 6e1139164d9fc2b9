"""The notices above the picker. A notice pushes the picker down, and leaves when it was read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE, TillCommand
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import (
    CartsSuspended,
    DocumentName,
    FileKept,
    LastNotice,
    NoSuchCode,
    PriceNotice,
    ReceiptRead,
    SaleNotice,
    document_of,
    more_words,
)
from pos_app.cashier.sale.questions import NewArticle, SuspendedCarts, VariantQuestion
from pos_app.cashier.sale.receipt_buttons import ReceiptButtons
from pos_app.cashier.services.file_viewer import CopyPath
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import ATTENTION, CasePlace
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.sale.state import SaleState


class PriceCard(Panel):
    """The price of an article; for a weighed pack the large figure is the pack's total. price: of
    one piece or unit."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        notice: PriceNotice,
        price: Money,
        *,
        buttons: Sequence[QAbstractButton],
        parent: QWidget,
    ) -> None:
        super().__init__(theme, colour="info_ground", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        unit = notice.article.unit or texts("unit.piece")
        shown = amount_text(price if notice.total is None else notice.total)
        beside = texts("price.per", unit=unit) if notice.total is None else texts("price.pack")
        rest = [texts("price.not_added")]
        if notice.total is not None:
            rest.insert(0, texts("price.pack_per", price=price, unit=unit) + ".")
        self.setAccessibleName(f"{notice.article.name}: {shown} {beside}. {' '.join(rest)}")
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s4)
        left = QVBoxLayout()
        left.setSpacing(0)
        name = Label(theme, notice.article.name, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        left.addWidget(name)
        left.addWidget(Label(theme, " ".join(rest), colour="ink_2", wrap=True))
        button_row = QHBoxLayout()
        button_row.setSpacing(metrics.s2)
        for button in buttons:
            button_row.addWidget(button)
        button_row.addStretch(1)
        left.addSpacing(metrics.s2)
        left.addStretch(1)
        left.addLayout(button_row)
        row.addLayout(left, 1)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addStretch(1)
        amount = AmountLabel(theme, shown, name=notice.article.name)
        amount.setMinimumWidth(amount.sizeHint().width())
        right.addWidget(amount)
        per = Label(theme, beside, step=TypeStep.STRONG, weight=Weight.SEMIBOLD)
        right.addWidget(per, 0, Qt.AlignmentFlag.AlignRight)
        right.addStretch(1)
        row.addLayout(right)


class NoticeArea(QWidget):
    """Shows the newest notice. Its buttons come after `follows` in the order of the focus."""

    def __init__(
        self,
        model: SaleModel,
        frame: Frame,
        texts: Texts,
        theme: Theme,
        *,
        follows: QWidget,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._frame = frame
        self.follows = follows
        self._model = model
        self._texts = texts
        self._theme = theme
        self.panel: Panel | None = None
        self._folded = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        half = theme.metrics.s2 // 2
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(half, theme.metrics.s2 + 2 - half, half, 0)
        model.context.listen(lambda _: self._show(), SalePart.NOTICE)
        self._show()

    def fold(self, folded: bool) -> None:
        """Set whether only the notice's first part is shown, because there is no room for more."""
        if folded != self._folded:
            self._folded = folded
            self._show()

    def _show(self) -> None:
        if self.panel is not None:
            self.panel.hide()
            self._column.removeWidget(self.panel)
            self.panel.deleteLater()
            self.panel = None
        notices = self._model.context.notices
        self.setVisible(bool(notices))
        if not notices:
            return
        words = notices[-1].words(self._texts)
        happened = words.happened
        if more := more_words(notices, self._model.cart.ticket.missed, self._texts):
            happened += f" · {more}"
        folded = self._folded
        buttons = [] if folded else self._buttons(notices[-1])
        details: Details | None = None
        if words.technical and not folded:
            details = Details(self._theme, self._texts("details"), words.technical)
        match notices[-1]:
            case PriceNotice(_, Money() as price) as price_notice if not folded:
                self.panel = PriceCard(
                    self._theme, self._texts, price_notice, price, buttons=buttons, parent=self
                )
            case _:
                self.panel = NoticePanel(
                    self._theme,
                    notices[-1].level,
                    happened=happened,
                    safe="" if folded else words.safe,
                    press="" if folded else words.press,
                    buttons=buttons,
                    details=details,
                    parent=self,
                )
        self._column.addWidget(self.panel)
        self.panel.show()
        for before, after in pairwise((self.follows, *buttons)):
            QWidget.setTabOrder(before, after)

    def _buttons(self, notice: SaleNotice) -> list[QAbstractButton]:
        made: list[QAbstractButton] = []
        if isinstance(notice, NoSuchCode):
            if notice.may_create:
                made.append(self._create(notice.code))
            if notice.open_price:
                made.append(self._sell(notice))
        if isinstance(notice, CartsSuspended):
            made.append(self._show_carts())
        if isinstance(notice, LastNotice) and notice.sale.state is not SaleState.DONE:
            wanted = Button(self._theme, self._texts("step.attention"))
            place = CasePlace(notice.sale.key)
            wanted.clicked.connect(lambda: self._frame.open(ATTENTION, place))
            made.append(wanted)
        if isinstance(notice, LastNotice) and notice.sale.receipt is not None:
            made.append(self._show_receipt(document_of(notice.sale)))
        if isinstance(notice, ReceiptRead):
            acts = ReceiptButtons(notice, self._model, self._frame, self)
            made += acts.made(self._frame.ui, tight=self._is_tight)
        if isinstance(notice, FileKept):
            made.append(
                CopyPath(self._theme, self._texts, notice.file, with_icon=not self._is_tight)
            )
        asks_copy = isinstance(notice, ReceiptRead) and notice.copying
        away = self._texts("notice.receipt_no_copy" if asks_copy else "ok")
        read = Button(self._theme, away, key="" if self._is_tight else ESCAPE)
        read.clicked.connect(self._model.context.dismiss)
        return [read, *made]

    @property
    def _is_tight(self) -> bool:
        """Whether large type leaves no room for icons."""
        metrics = self._theme.metrics
        return metrics.tight

    def _icon(self, name: str) -> str:
        return "" if self._is_tight else name

    def _show_receipt(self, document: DocumentName) -> Button:
        icon = self._icon("file-text" if document == "proforma" else "receipt-text")
        button = Button(self._theme, self._texts(f"notice.show_{document}"), icon=icon)

        def show() -> None:
            self._model.context.dismiss()
            self._frame.run(TillCommand.RECEIPT)

        button.clicked.connect(show)
        return button

    def _show_carts(self) -> Button:
        button = Button(self._theme, self._texts("notice.show_carts"))

        def show() -> None:
            self._model.context.dismiss()
            self._model.questions.ask(SuspendedCarts())

        button.clicked.connect(show)
        return button

    def _create(self, code: str) -> Button:
        button = Button(self._theme, self._texts("notice.create"), icon=self._icon("plus"))

        def create() -> None:
            self._model.context.dismiss()
            self._model.questions.ask(NewArticle(code))

        button.clicked.connect(create)
        return button

    def _sell(self, notice: NoSuchCode) -> Button:
        articles, code = notice.open_price, notice.code
        button = Button(self._theme, self._texts("notice.sell"), icon=self._icon("tag"))

        def sell() -> None:
            self._model.context.dismiss()
            if len(articles) == 1:
                quantity = self._model.cart.next_quantity
                self._model.entry.add(articles[0], quantity=quantity, unknown_code=code)
            else:
                self._model.questions.ask(VariantQuestion(articles, code))

        button.clicked.connect(sell)
        return button
