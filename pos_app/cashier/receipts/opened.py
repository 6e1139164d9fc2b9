"""The receipt that is open: what it is, its chain, its paper, and what is done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.act_in_front import Stage
from pos_app.cashier.receipts.acts import ActColumn, MainAct
from pos_app.cashier.receipts.chain import ChainPath
from pos_app.cashier.receipts.foreign import ForeignPanel
from pos_app.cashier.receipts.model import Doing, ReceiptsModel
from pos_app.cashier.receipts.paper import Paper
from pos_app.cashier.receipts.words import kind_words, short, signed_amount
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import EmptyState, Ground, Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import clear_layout
from pos_app.documents.blocks import Document, QrCode
from pos_app.domain.instant import in_belgrade
from pos_app.domain.number_text import amount_text
from pos_app.domain.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.errors import NotFound, Refused
from pos_app.selling.server.ports import ShownReceipt

ACTS_TOUCHES = 4.65
"""The width of the column of keys, in touch sizes (mock-12: 206 of 46)."""


class ReceiptHead(QWidget):
    """Number, kind, time, cashier; the amount; and the chain with what is left at its end."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        metrics = theme.metrics
        self._number = ElidedLabel(theme, step=TypeStep.NAME, mono=True)
        self._facts = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._amount = AmountLabel(theme, step=TypeStep.AMOUNT)
        self._left_name = Label(theme, texts("receipts.left"), step=TypeStep.SMALL, colour="ink_2")
        self._left = AmountLabel(theme, step=TypeStep.STRONG)
        self.chain = ChainPath(theme, texts)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s2, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s2)
        upper, words = QHBoxLayout(), QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._number)
        words.addWidget(self._facts)
        upper.addLayout(words, 3)
        upper.addWidget(self._amount, 2)
        column.addLayout(upper)
        lower, left = QHBoxLayout(), QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self._left_name, 0, Qt.AlignmentFlag.AlignRight)
        left.addWidget(self._left)
        lower.addWidget(self.chain, 1)
        lower.addLayout(left)
        column.addLayout(lower)

    def show_receipt(self, overview: ReceiptOverview) -> None:
        texts = self._texts
        kind = ReceiptKind(overview.invoice_type, overview.transaction_type)
        local = in_belgrade(overview.time)
        time = f"{local.day}.{local.month}.{local.year}. {local:%H:%M}"
        facts = (kind_words(kind, texts), time, overview.cashier)
        self._number.setText(overview.number)
        self._facts.setText(" · ".join(one for one in facts if one))
        self._amount.setText(signed_amount(kind, overview.total))
        self.chain.show_chain(overview.chain, overview.receipt_id)
        left = sum((line.left_total.amount for line in overview.lines), start=0)
        is_sale = kind == (InvoiceType.NORMAL, TransactionType.SALE)
        is_partly = is_sale and left != overview.total.amount
        self._left_name.setVisible(is_partly)
        self._left.setVisible(is_partly)
        if is_partly:
            rest = [line.left_total for line in overview.lines]
            self._left.setText(amount_text(type(overview.total).total(rest)))


class DoingPanel(Panel):
    """What an act will do, in place of the paper. Signal: `entered()`, Enter in its field."""

    entered = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        metrics = theme.metrics
        self._title = Label(theme, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._words = Label(theme, wrap=True, colour="ink_2")
        self.address = Field(
            theme, name=texts("receipts.send.address"), icon="mail", takes=InputKind.ADDRESS
        )
        self.address.entered.connect(self.entered)
        self.code = Paper(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        column.setSpacing(metrics.s3)
        for part in (self._title, self._words, self.address, self.code):
            column.addWidget(part)
        column.addStretch(1)

    def show_doing(self, doing: Doing, overview: ReceiptOverview, *, ways: str) -> None:
        texts, number = self._texts, short(overview.number)
        self._title.setText(texts(f"receipts.doing.{doing}", number=number))
        self._words.setText(texts(f"receipts.doing.{doing}.words", ways=ways))
        self.address.setVisible(doing is Doing.SEND)
        url = overview.verification_url
        self.code.setVisible(doing is Doing.VERIFY and url is not None)
        if doing is Doing.VERIFY and url is not None:
            shown = Document(
                title=overview.number, moment=overview.time, language="sr", blocks=(QrCode(url),)
            )
            self.code.show_document(shown)


class OpenedReceipt(Ground):
    """The right side of the screen.

    Signals: those of its `acts`, of its `chain`, `address_entered()`, and `by_hand_pressed()`: a
    receipt that the journal does not have is to be refunded.
    """

    address_entered = Signal()
    by_hand_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, colour="bg", side=Qt.Edge.LeftEdge)
        self._texts = texts
        metrics = theme.metrics
        self.head = ReceiptHead(theme, texts)
        self.acts = ActColumn(theme, texts)
        self.acts.setFixedWidth(round(ACTS_TOUCHES * metrics.touch))
        self.paper = Paper(theme)
        self.doing = DoingPanel(theme, texts)
        self.doing.entered.connect(self.address_entered)
        self._paper_area = Scrolled(theme, name=texts("receipts.paper"))
        self._paper_area.show_inside(self.paper)
        self._notice = QVBoxLayout()
        self._told: tuple[str, bool] = ("", False)
        self._empty = QVBoxLayout()
        head = Ground(theme)
        under = QVBoxLayout(head)
        under.setContentsMargins(0, 0, 0, 0)
        under.addWidget(self.head)
        self._whole = QWidget()
        whole = QVBoxLayout(self._whole)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(head)
        notice = QWidget()
        notice.setLayout(self._notice)
        self._notice.setContentsMargins(metrics.s3, 0, metrics.s3, 0)
        whole.addWidget(notice)
        sides = QHBoxLayout()
        sides.setContentsMargins(metrics.s3, 0, 0, 0)
        sides.setSpacing(0)
        sides.addWidget(self._paper_area, 1)
        sides.addWidget(self.doing, 1)
        sides.addWidget(self.acts)
        whole.addLayout(sides, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.hair, 0, 0, 0)
        column.addWidget(self._whole, 1)
        column.addLayout(self._empty)

    def show_model(self, model: ReceiptsModel, *, ways: str) -> None:
        """ways: how a copy would be handed over, in words."""
        shown = model.opened
        self._whole.setVisible(shown is not None)
        clear_layout(self._empty)
        if shown is None:
            self._empty.addWidget(self._nothing(model))
            self._empty.addStretch(1)
            return
        self.head.show_receipt(shown.overview)
        self.acts.show_receipt(shown.overview, self.main_act(model))
        self._show_paper(model, shown, ways)
        self._show_act(model)

    def main_act(self, model: ReceiptsModel) -> MainAct:
        """The one lawful thing that the large key does now."""
        texts = self._texts
        if model.act.stage is Stage.UNDER_WAY:
            return MainAct(texts("receipts.main.under_way"), "loader-circle", is_enabled=False)
        if model.doing is not None:
            return MainAct(texts(f"receipts.doing.{model.doing}.key"), "")
        if model.paper_to_print is not None:
            return MainAct(texts("receipts.main.print"), "printer")
        return MainAct(
            texts("receipts.main.copy"), "copy", is_enabled=model.allows(ReceiptAct.COPY)
        )

    def tell(self, words: str, *, is_trouble: bool = False) -> None:
        """One line over the paper; "" takes it away."""
        if (words, is_trouble) == self._told:
            return
        self._told = words, is_trouble
        clear_layout(self._notice)
        if words:
            kind = NoticeKind.WARN if is_trouble else NoticeKind.INFO
            notice = NoticePanel(self.theme, kind, happened=words, safe="", press="")
            self._notice.addWidget(notice)
        edge = self.theme.metrics.s3 if words else 0
        self._notice.setContentsMargins(self.theme.metrics.s3, edge, self.theme.metrics.s3, 0)

    # --- parts -----------------------------------------------------------------------------------

    def _show_paper(self, model: ReceiptsModel, shown: ShownReceipt, ways: str) -> None:
        doing = model.doing
        self.doing.setVisible(doing is not None)
        self._paper_area.setVisible(doing is None)
        if doing is not None:
            self.doing.show_doing(doing, shown.overview, ways=ways)
            return
        if shown.paper is not None:
            self.paper.show_document(shown.paper)
        else:
            self.paper.show_document(None)
            self.tell(self._texts("receipts.no_paper"), is_trouble=True)

    def _show_act(self, model: ReceiptsModel) -> None:
        """How the copy stands that somebody waits for."""
        stage, sale = model.act.stage, model.act.sale
        if stage is None or sale is None or stage is Stage.UNDER_WAY:
            return
        number = short(sale.receipt.fiscal_number) if sale.receipt is not None else ""
        said = self._texts(f"receipts.copy.{stage}", number=number)
        self.tell(said, is_trouble=stage is not Stage.DONE)

    def _nothing(self, model: ReceiptsModel) -> QWidget:
        """No receipt is open: none was chosen, it is being read, or it could not be."""
        texts, fault = self._texts, model.receipt_fault
        if model.foreign is not None:
            panel = ForeignPanel(self.theme, texts, model.foreign)
            panel.refund_pressed.connect(self.by_hand_pressed)
            return panel
        if fault is not None:
            unknown = isinstance(fault, NotFound | Refused)
            key = "receipts.unknown" if unknown else "receipts.unread"
            title, words = texts(key), texts(f"{key}.words")
            return EmptyState(
                self.theme, title=title, words=words, icon="circle-alert", colour="warn"
            )
        key = "receipts.reading" if model.wanted else "receipts.choose"
        return EmptyState(
            self.theme, title=texts(key), words=texts(f"{key}.words"), icon="receipt-text",
            colour="ink_3",
        )  # fmt: skip
