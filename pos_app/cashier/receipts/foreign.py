"""A receipt that the journal does not have: the content of its code, or the shop's till that has
it, and its refund by hand.

Source: fiscal.md 6.6; till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.receipts.acts import REFUND
from pos_app.cashier.receipts.model import ReceiptsModel
from pos_app.cashier.receipts.paper import PaperView
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import EmptyState, Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import kind_words, signed_amount
from pos_app.documents.blocks import Document
from pos_app.documents.shown_receipt import ShownElsewhere
from pos_app.domain.money import number_text
from pos_app.domain.receipt import receipt_elsewhere, request
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.text import instant
from pos_app.errors import PosError

LOOK_MS = 100
"""Milliseconds between two updates of the progress."""
SEARCH_MS = 9_000
"""The milliseconds of the whole progress bar: for the platform's list of tills, then three seconds
a till."""


def fact_rows(receipt: ForeignReceipt, texts: Texts) -> Iterator[tuple[str, str]]:
    """The known facts, row by row; never the buyer, who may be a person."""
    yield texts("receipts.foreign.number"), receipt.number
    yield texts("receipts.foreign.counter"), receipt.counter
    yield texts("receipts.foreign.kind"), kind_words(receipt.kind, texts)
    yield texts("receipts.foreign.time"), f"{instant.in_belgrade(receipt.time):%d.%m.%Y. %H:%M:%S}"
    if receipt.payments:
        paid = [
            f"{texts(f'pay.method.{one.method}')} {number_text.amount_text(one.amount)}"
            for one in receipt.payments
        ]
        yield texts("receipts.foreign.paid"), ", ".join(paid)


def _act_text_id(receipt: ForeignReceipt) -> str:
    is_advance = receipt.kind.invoice_type is request.InvoiceType.ADVANCE
    return "receipts.foreign.advance" if is_advance else "receipts.foreign.refund"


def search_words(result: ShownElsewhere | PosError, texts: Texts) -> str:
    if isinstance(result, PosError):
        return texts("receipts.elsewhere.away")
    search = result.search
    if search.end is receipt_elsewhere.SearchEnd.FOUND:
        return texts("receipts.elsewhere.only_there", till=search.till)
    words = [texts(f"receipts.elsewhere.{search.end}")]
    if search.not_connected:
        tills = ", ".join(search.not_connected)
        words.append(texts("receipts.elsewhere.not_connected", tills=tills))
    if search.silent:
        words.append(texts("receipts.elsewhere.silent", tills=", ".join(search.silent)))
    return " ".join(words)


class SearchLine(QWidget):
    again = Signal()
    stopped = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: ReceiptsModel) -> None:
        super().__init__()
        self._model = model
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        self._bar = Bar(theme)
        self.button = Button(theme)
        result = model.elsewhere
        is_found = isinstance(result, ShownElsewhere) and result.receipt is not None
        if model.search_began is not None:
            words = texts("receipts.elsewhere.asking")
            self.button.set_words(texts("receipts.elsewhere.stop"))
            self.button.set_key(ESCAPE)
            self.button.clicked.connect(self.stopped)
            looking = QTimer(self, interval=LOOK_MS)
            looking.timeout.connect(self._show)
            looking.start()
            self._show()
        else:
            left = texts("receipts.elsewhere.left")
            words = left if result is None else search_words(result, texts)
            self.button.set_words(texts("receipts.elsewhere.again"))
            self.button.clicked.connect(self.again)
            self.button.setVisible(not is_found)
            self._bar.hide()
        kind = NoticeKind.INFO if is_found or result is None else NoticeKind.WARN
        self.notice = NoticePanel(theme, kind, happened=words, safe="", press="")
        for part in (self.notice, self._bar):
            column.addWidget(part)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def _show(self) -> None:
        self._bar.show_part(min(self._model.searched_ms, SEARCH_MS), SEARCH_MS)


class ForeignPanel(QWidget):
    """What is known of the receipt. Of one that no till has shown, that fills the place as what is
    empty does, with its act below at the right. One that a till has shown has a head and a paper,
    as any other receipt, and its acts beside the paper; where they have no room they stand below
    it, and the head scrolls with it, below the notice. Signals: `refund_pressed()`;
    `search_pressed()` and `stop_pressed()` begin and end the search at other tills."""

    refund_pressed = Signal()
    search_pressed = Signal()
    stop_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: ReceiptsModel) -> None:
        super().__init__()
        self.setAccessibleName(texts("receipts.foreign.title"))
        self._look, self._texts = theme, texts
        metrics, receipt = theme.metrics, model.foreign
        self._has_till = receipt is not None and bool(receipt.till)
        known = QWidget()
        self._column = column = QVBoxLayout(known)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        self._head, self._is_beside = Panel(theme), False
        self.search: SearchLine | None = None
        if model.missing:
            self.search = SearchLine(theme, texts, model)
            self.search.again.connect(self.search_pressed)
            self.search.stopped.connect(self.stop_pressed)
            column.addWidget(self.search)
        if receipt is not None:
            self._add_receipt(receipt)
        else:
            self._add_acts(texts("receipts.foreign.refund"))
        result = model.elsewhere
        paper = result.paper if isinstance(result, ShownElsewhere) else None
        if paper is not None:
            self._add_paper(paper)
        if self._has_till:
            column.addStretch(1)
        self._area = area = ScrolledColumn(theme, name=texts("receipts.foreign.title"))
        area.show_inside(known if self._has_till else self._nowhere(receipt, known))
        self._whole = whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(metrics.s3)
        self._sides = sides = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        sides.setSpacing(metrics.s3)
        sides.addWidget(area, 1)
        sides.addWidget(self._acts)
        whole.addLayout(sides, 1)

    def _nowhere(self, receipt: ForeignReceipt | None, known: QWidget) -> EmptyState:
        """Say that this journal does not have the receipt."""
        text_id = "receipts.unknown" if receipt is None else "receipts.foreign"
        title = text_id if receipt is None else f"{text_id}.title"
        return EmptyState(
            self._look,
            title=self._texts(title),
            words=self._texts(f"{text_id}.words"),
            icon="circle-alert",
            colour="warn",
            more=known if self._column.count() else None,
        )

    def minimumSizeHint(self) -> QSize:
        """The width with the acts below."""
        wide = max(one.minimumSizeHint().width() for one in (self._area, self._acts))
        return QSize(wide, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = self._acts.sizeHint().width() + self._sides.spacing()
        fits = PaperView.least_width(self._look) + beside <= event.size().width()
        way, is_beside = QBoxLayout.Direction, fits and self._has_till
        self._sides.setDirection(way.LeftToRight if is_beside else way.TopToBottom)
        corner = Qt.AlignmentFlag.AlignRight if fits and not is_beside else Qt.AlignmentFlag(0)
        self._sides.setAlignment(self._acts, corner)
        if is_beside != self._is_beside:
            self._is_beside = is_beside
            self._place_head()

    def _place_head(self) -> None:
        """Put the head over paper and acts, or, where these are below each other, below what can't
        be checked here, with the amount below its title."""
        way = QBoxLayout.Direction
        self._upper.setDirection(way.LeftToRight if self._is_beside else way.TopToBottom)
        if self._is_beside:
            self._whole.insertWidget(0, self._head)
        else:
            self._column.insertWidget(0 if self.search is None else 1, self._head)

    def _add_receipt(self, receipt: ForeignReceipt) -> None:
        theme, texts = self._look, self._texts
        amount = AmountLabel(
            theme,
            signed_amount(receipt.kind, receipt.total),
            name=texts("receipts.foreign.total"),
            step=TypeStep.AMOUNT if receipt.till else TypeStep.TOTAL,
        )
        if receipt.till:
            self._fill_head(receipt, amount)
        else:
            self._column.addWidget(amount, 0, Qt.AlignmentFlag.AlignRight)
            self._column.addLayout(self._facts(receipt))
        reason = "" if receipt.may_be_refunded else texts("receipts.foreign.never")
        if reason:
            label = Label(theme, reason, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            self._column.addWidget(label)
        acts: list[Button] = []
        if receipt.till:
            why_not = texts("receipts.elsewhere.only_there", till=receipt.till)
            for name, icon in (("receipts.act.correct", "pencil"), ("receipts.main.copy", "copy")):
                button = Button(theme, texts(name), icon=icon, spread=True)
                button.refuse(why_not)
                acts.append(button)
        self._add_acts(texts(_act_text_id(receipt)), acts)
        if reason:
            self.refund.refuse(reason)

    def _fill_head(self, receipt: ForeignReceipt, amount: AmountLabel) -> None:
        theme, metrics = self._look, self._look.metrics
        title = self._texts("receipts.elsewhere.title", till=receipt.till)
        amount.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        name = Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._upper = upper = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        upper.setSpacing(metrics.s2)
        upper.addWidget(name, 1)
        upper.addWidget(amount, 0, Qt.AlignmentFlag.AlignRight)
        side = metrics.s2 if metrics.tight else metrics.s4
        column = QVBoxLayout(self._head)
        column.setContentsMargins(side, metrics.s2, side, metrics.s2)
        column.setSpacing(metrics.s2)
        column.addLayout(upper)
        column.addLayout(self._facts(receipt))
        self._place_head()

    def _facts(self, receipt: ForeignReceipt) -> QGridLayout:
        theme, texts, metrics = self._look, self._texts, self._look.metrics
        grid = QGridLayout()
        grid.setHorizontalSpacing(metrics.s4)
        grid.setVerticalSpacing(metrics.s1 if receipt.till else metrics.s2)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(fact_rows(receipt, texts)):
            grid.addWidget(Label(theme, name, colour="ink_2"), row, 0)
            fact = (
                NumberLabel(theme, value, weight=Weight.SEMIBOLD)
                if value == receipt.number
                else Label(theme, value, weight=Weight.SEMIBOLD, wrap=True)
            )
            grid.addWidget(fact, row, 1)
        return grid

    def _add_acts(self, words: str, others: Sequence[Button] = ()) -> None:
        """Make the column of acts: the refund by hand at its lower end, the others above."""
        theme, metrics = self._look, self._look.metrics
        self._acts = QWidget()
        column = QVBoxLayout(self._acts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        self.refund = Button(
            theme,
            words,
            icon="" if metrics.narrow else "undo-2",
            key=REFUND,
            kind=ButtonKind.DANGER,
            spread=True,
            height="touch" if metrics.narrow else "button",
        )
        self.refund.clicked.connect(self.refund_pressed)
        for button in others:
            column.addWidget(button)
        column.addStretch(1)
        column.addWidget(self.refund)

    def _add_paper(self, document: Document) -> None:
        """Add the receipt as its customer sees it, without its till's words below the end line."""
        self.paper = PaperView(self._look)
        self.paper.show_document(document)
        self._column.addWidget(self.paper)
