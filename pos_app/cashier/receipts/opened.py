"""The open receipt: its facts, its chain, its paper, and its acts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app import errors
from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.acts.receipt_chain import ChainPath
from pos_app.cashier.receipts.acts import ActColumn, MainAct
from pos_app.cashier.receipts.foreign import ForeignPanel
from pos_app.cashier.receipts.model import (
    Doing,
    Message,
    ReceiptsMessage,
    ReceiptsModel,
    RefusedKey,
    SavedPdf,
)
from pos_app.cashier.receipts.paper import PaperView
from pos_app.cashier.receipts.words import own_kind_words, payment_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import EmptyState, Ground, Panel, clear_layout
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import (
    document_words,
    kind_words,
    short_number,
    signed_amount,
)
from pos_app.documents.blocks import Document, QrCode
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.receipts.own_sales import OwnSale
from pos_app.selling.sale.sale import Sale

_KINDS = {
    ReceiptsMessage.AGAIN_ASKED: NoticeKind.INFO,
    ReceiptsMessage.PDF_OPENED: NoticeKind.DONE,
    ReceiptsMessage.PDF_UNOPENED: NoticeKind.WARN,
    ReceiptsMessage.VERIFY_UNOPENED: NoticeKind.WARN,
}
"""The notice of each message."""


class OpenedReceiptHead(Panel):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        metrics = theme.metrics
        self.number = NumberLabel(theme, step=TypeStep.NAME)
        large = metrics.tight
        self._facts = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._amount = AmountLabel(theme, step=TypeStep.AMOUNT)
        self._amount.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._left_name = Label(theme, texts("receipts.left"), step=TypeStep.SMALL, colour="ink_2")
        self._remaining = AmountLabel(theme, step=TypeStep.STRONG)
        self.chain = ChainPath(theme, texts)
        column = QVBoxLayout(self)
        side = metrics.s2 if large else metrics.s4
        column.setContentsMargins(side, metrics.s2, side, metrics.s2)
        column.setSpacing(metrics.s2)
        upper, words = QHBoxLayout(), QVBoxLayout()
        words.setSpacing(0)
        for label in (self.number, self._facts):
            (column if large else words).addWidget(label)
        upper.addLayout(words, 1)
        upper.addWidget(self._amount)
        column.addLayout(upper)
        lower, left = QHBoxLayout(), QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self._left_name, 0, Qt.AlignmentFlag.AlignRight)
        left.addWidget(self._remaining)
        lower.addWidget(self.chain, 1)
        lower.addLayout(left)
        column.addLayout(lower)

    def show_receipt(self, overview: ReceiptOverview) -> None:
        texts = self._texts
        kind = ReceiptKind(overview.invoice_type, overview.transaction_type)
        local = in_belgrade(overview.time)
        time = f"{local.day}.{local.month}.{local.year}. {local:%H:%M}"
        facts = (kind_words(kind, texts), time, overview.cashier)
        self.number.setText(overview.number)
        self._facts.setText(" · ".join(one for one in facts if one))
        self._amount.setText(signed_amount(kind, overview.total))
        self.chain.show_chain(overview.chain, overview.receipt_id)
        left = Money.total(line.left_total for line in overview.lines)
        is_sale = kind == (InvoiceType.NORMAL, TransactionType.SALE)
        is_partly = is_sale and left != overview.total
        self._left_name.setVisible(is_partly)
        self._remaining.setVisible(is_partly)
        if is_partly:
            self._remaining.setText(amount_text(left))


class DoingPanel(Panel):
    """Shows what an act will do, instead of the paper. Signal: `address_typed(str)`."""

    address_typed = Signal(str)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        metrics = theme.metrics
        self._title = Label(theme, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._words = Label(theme, wrap=True, colour="ink_2")
        self.address = Field(
            theme,
            name=texts("receipts.send.address"),
            icon="mail",
            takes=InputKind.ADDRESS,
            placeholder=texts("receipts.send.address"),
        )
        bounded(theme, self.address)
        self.address.changed.connect(self._on_typed)
        self._url = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.code = PaperView(theme, fills=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        column.setSpacing(metrics.s3)
        for part in (self._title, self._words, self.address, self.code, self._url):
            column.addWidget(part)
        column.addStretch(1)

    def show_doing(self, model: ReceiptsModel, overview: ReceiptOverview, *, ways: str) -> None:
        texts, number, doing = self._texts, short_number(overview.number), model.doing
        assert doing is not None
        self._title.setText(texts(f"receipts.doing.{doing}", number=number))
        mail = model.mail_to_repeat
        address = mail.target if mail is not None else ""
        self._words.setText(texts(f"receipts.doing.{doing}.words", ways=ways, address=address))
        self.address.setVisible(doing in (Doing.SEND, Doing.SEND_AGAIN))
        if self.address.text() != model.address:
            self.address.set_text(model.address)
        url = overview.verification_url or ""
        self._url.setText(url.partition("?")[0])
        for part in (self.code, self._url):
            part.setVisible(doing is Doing.VERIFY)
        if doing is Doing.VERIFY:
            shown = Document(
                title=overview.number, moment=overview.time, language="sr", blocks=(QrCode(url),)
            )
            self.code.show_document(shown)

    def _on_typed(self, text: str) -> None:
        self.address.set_error("")
        self.address_typed.emit(text)


class OpenedReceipt(Ground):
    """The right side of the screen.

    Its `acts`, its `chain` and `doing` have signals of their own. Signals for a receipt that the
    journal does not have: `by_hand_pressed()`, the receipt is to be refunded by hand;
    `search_pressed()`, other tills are to be asked for it; `stop_pressed()`, the till shall not
    wait for them any longer. `again_pressed()`: one that could not be read is wanted again.
    """

    by_hand_pressed = Signal()
    search_pressed = Signal()
    stop_pressed = Signal()
    again_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, colour="bg")
        self._texts = texts
        self.head = OpenedReceiptHead(theme, texts)
        self.acts = ActColumn(theme, texts)
        self.paper = PaperView(theme)
        self.doing = DoingPanel(theme, texts)
        self._doing_area = Scrolled(theme, name=texts("receipts.acts"))
        self._doing_area.show_inside(self.doing)
        self._doing_area.hide()
        self._paper_area = Scrolled(theme, name=texts("receipts.paper"))
        self._paper_area.show_inside(self.paper)
        self._notice = QVBoxLayout()
        self._shown_message: DoneContent | tuple[NoticeKind, str] | None = None
        self._empty = QVBoxLayout()
        self._folds = False
        self._paper_side = QVBoxLayout()
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._whole = self._lay_out()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._whole, 1)
        column.addLayout(self._empty)

    def _lay_out(self) -> QWidget:
        metrics = self.theme.metrics
        made, head = QWidget(), QVBoxLayout()
        head.setContentsMargins(0, metrics.s3, metrics.s3, 0)
        head.addWidget(self.head)
        left, sides = self._paper_side, self._sides
        for part in (left, sides):
            part.setSpacing(0)
        left.addLayout(self._notice)
        left.addWidget(self._paper_area, 1)
        left.addWidget(self._doing_area, 1)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.addLayout(left, 1)
        sides.addWidget(self.acts)
        whole = QVBoxLayout(made)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addLayout(sides, 1)
        return made

    def show_model(self, model: ReceiptsModel, *, ways: str) -> None:
        """ways: the ways in which a copy would be handed over, in words."""
        shown = None if model.is_late else model.opened
        self._whole.setVisible(shown is not None)
        clear_layout(self._empty)
        edge = self.theme.metrics.s3 if shown is None else 0
        self._empty.setContentsMargins(0, edge, edge, edge)
        if shown is None:
            self._empty.addWidget(self._nothing(model), 1)
            return
        self.head.show_receipt(shown.overview)
        may_send = model.may_mail or model.mail_to_repeat is not None
        no_mail = "" if may_send else self._texts("receipts.no_mail")
        self.acts.show_receipt(
            shown.overview,
            self.main_act(model),
            no_mail=no_mail,
            is_exchange=model.is_exchange(shown.overview.receipt_id),
        )
        self._show_paper(model, shown, ways)
        self._tell(self._message(model, shown))

    def wanted_width(self) -> int:
        """The width in which paper and buttons stand side by side."""
        metrics = self.theme.metrics
        beside = self.acts.wanted_width() + metrics.s3
        return PaperView.least_width(self.theme) + beside

    def set_width(self, width: int) -> None:
        """Hide the paper where it does not fit beside the buttons: the buttons take all the room,
        and the effect of an act is shown above them."""
        self._folds = width < self.wanted_width()
        directions = QBoxLayout.Direction
        self._sides.setDirection(directions.TopToBottom if self._folds else directions.LeftToRight)
        self.acts.set_beside(not self._folds)
        self.acts.setMinimumWidth(0 if self._folds else self.acts.wanted_width())
        self.acts.setMaximumWidth(width if self._folds else self.acts.wanted_width())
        metrics = self.theme.metrics
        beside = 0 if self._folds else self.acts.wanted_width()
        room = width - beside - metrics.s3
        # The paper must not fill the area that scrolls: its height depends on its width, and the
        # area's bar, which takes some width, on that height.
        self.paper.setFixedWidth(max(room, PaperView.least_width(self.theme)))
        self.doing.setFixedWidth(room)
        self._fold(is_doing=not self._doing_area.isHidden())

    def main_act(self, model: ReceiptsModel) -> MainAct:
        texts, stage = self._texts, model.act.stage
        if stage is Stage.UNDER_WAY and model.copy_waits:
            return MainAct(texts("receipts.main.waits"), why_not=texts("receipts.copy.waits"))
        if stage is Stage.UNDER_WAY:
            words = texts("receipts.main.under_way")
            return MainAct(words, why_not=words)
        if model.doing is not None:
            order = texts("receipts.send.missing") if model.lacks_address else ""
            return MainAct(texts(f"receipts.doing.{model.doing}.key"), order=order)
        if model.paper_to_print is not None:
            return MainAct(texts("receipts.main.print"), "printer")
        why_not = texts("receipts.copy.doubt") if stage is Stage.DOUBT else ""
        if model.opened is not None and not why_not:
            why_not = self.acts.why_not(model.opened.overview, ReceiptAct.COPY)
        return MainAct(texts("receipts.main.copy"), "copy", why_not=why_not)

    # --- parts -----------------------------------------------------------------------------------

    def _fold(self, *, is_doing: bool) -> None:
        self._doing_area.setVisible(is_doing)
        self._paper_area.setVisible(not is_doing and not self._folds)
        self.acts.fold_buttons(is_doing and self._folds)
        self._space()

    def _show_paper(self, model: ReceiptsModel, shown_receipt: ShownReceipt, ways: str) -> None:
        is_doing = model.doing is not None
        self._fold(is_doing=is_doing)
        if is_doing:
            self.doing.show_doing(model, shown_receipt.overview, ways=ways)
        if self.paper.document != shown_receipt.paper:
            self.paper.show_document(shown_receipt.paper)
            self._paper_area.verticalScrollBar().setValue(0)

    def _message(
        self, model: ReceiptsModel, shown_receipt: ShownReceipt
    ) -> DoneContent | tuple[NoticeKind, str] | None:
        """The message above the paper: the receipt that was issued, or a notice."""
        texts, stage, sale = self._texts, model.act.stage, model.act.sale
        if model.message is not None:  # of what was done since the copy or the undoing
            return self._said(model.message)
        if stage is Stage.UNDER_WAY:
            return (NoticeKind.INFO, texts("receipts.copy.waits")) if model.copy_waits else None
        if stage is not None and sale is not None:
            what = "copy" if sale.operation is Operation.COPY else "undo"
            number = sale.receipt.fiscal_number if sale.receipt is not None else ""
            words = texts(f"receipts.{what}.{stage}", number=short_number(number))
            if stage is not Stage.DONE:
                return NoticeKind.WARN, words
            numbers = (texts("done.receipt", number=number),) if number else ()
            return DoneContent(words, numbers)
        if model.own_act is not None:
            return NoticeKind.WARN, _own_act_words(model, model.own_act, texts)
        if model.by_short_number:
            return NoticeKind.WARN, texts("receipts.by_short_number")
        has_paper = shown_receipt.paper is not None
        return None if has_paper else (NoticeKind.WARN, texts("receipts.no_paper"))

    def _said(self, message: Message) -> tuple[NoticeKind, str] | None:
        texts = self._texts
        match message:
            case RefusedKey(letter):
                why = self.acts.buttons[letter].accessibleDescription()
                return (NoticeKind.WARN, why) if why else None
            case ReceiptsMessage():
                return _KINDS[message], texts(f"receipts.said.{message}")
            case SavedPdf(file):
                return NoticeKind.DONE, texts("receipts.said.pdf_saved", file=file)
            case errors.PosError():
                return NoticeKind.WARN, texts.error(message).in_one_text
        return NoticeKind.WARN, message(texts)

    def _tell(self, message: DoneContent | tuple[NoticeKind, str] | None) -> None:
        if message == self._shown_message:
            return
        self._shown_message = message
        clear_layout(self._notice)
        if isinstance(message, DoneContent):
            self._notice.addWidget(DonePanel(self.theme, message))
        elif message is not None:
            kind, words = message
            self._notice.addWidget(NoticePanel(self.theme, kind, happened=words, safe="", press=""))
        self._space()

    def _space(self) -> None:
        """Keep what stands under the head off it, and the notice off what stands below it. A notice
        ends where the paper does. A panel ends above the edge of the screen, which the paper alone
        runs through; folded acts have room above them."""
        gap, has_notice = self.theme.metrics.s3, self._notice.count() > 0
        is_filled = not self._folds or not self._doing_area.isHidden()
        foot = 0 if self._folds or self._doing_area.isHidden() else gap
        self._paper_side.setContentsMargins(0, gap if has_notice or is_filled else 0, 0, foot)
        self._notice.setContentsMargins(0, 0, gap, gap if has_notice and is_filled else 0)

    def _nothing(self, model: ReceiptsModel) -> QWidget:
        """Say why no receipt is open: none was chosen, it is being read, or reading failed."""
        texts, fault = self._texts, model.receipt_fault
        if model.foreign is not None or model.unknown:
            panel = ForeignPanel(self.theme, texts, model)
            panel.refund_pressed.connect(self.by_hand_pressed)
            panel.search_pressed.connect(self.search_pressed)
            panel.stop_pressed.connect(self.stop_pressed)
            return panel
        if model.own_opened is not None:
            return self._own(model.own_opened)
        if fault is not None and not model.wanted:
            again, unknown = None, isinstance(fault, errors.NotFound | errors.NoSuchReceipt)
            if unknown and model.lists_nothing and model.filters.typed_text:
                return QWidget()  # the list says so of what was typed
            text_id = "receipts.unknown" if unknown else "receipts.unread"
            title, words = texts(text_id), texts(f"{text_id}.words")
            if isinstance(fault, errors.Refused) and not unknown:
                notice = texts.error(fault)
                title, words = notice.happened, f"{notice.safe} {notice.press}".strip()
            elif not unknown and model.unread:
                again = Button(self.theme, texts("step.again"), icon="refresh-cw")
                again.clicked.connect(self.again_pressed)
            return EmptyState(
                self.theme,
                title=title,
                words=words,
                icon="circle-alert",
                colour="warn",
                button=again,
            )
        if model.lists_nothing and not model.wanted:
            return QWidget()  # the list says so
        text_id = "receipts.reading" if model.wanted else "receipts.choose"
        return EmptyState(
            self.theme,
            title=texts(text_id),
            words=texts(f"{text_id}.words"),
            icon="receipt-text",
            colour="ink_3",
        )

    def _own(self, sale: OwnSale) -> QWidget:
        texts, local = self._texts, in_belgrade(sale.at)
        facts = (
            own_kind_words(sale, texts),
            f"{local.day}.{local.month}.{local.year}. {local:%H:%M}",
            payment_words(sale.payments, texts),
            sale.cashier,
        )
        title = f"{sale.number or texts(f'receipts.own.{sale.state}')} · {amount_text(sale.total)}"
        words = f"{' · '.join(facts)}. {texts('receipts.own_words')}"
        return EmptyState(self.theme, title=title, words=words, icon="receipt-text", colour="ink_3")


def _own_act_words(model: ReceiptsModel, sale: Sale, texts: Texts) -> str:
    """Say which act of this till on the receipt is under way."""
    what = document_words(sale, texts)
    if model.is_half_of_pair(sale):
        what = texts("last.exchange" if sale.is_exchange else "last.corrects")
    return texts("receipts.own_act", what=what, amount=sale.total)
