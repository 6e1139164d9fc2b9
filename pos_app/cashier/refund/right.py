"""The right side: the figure, then ways and document or the state, and the big button."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.commands import ENTER, TillCommand, cap_of
from pos_app.cashier.refund.model import RefundModel, RefundStep
from pos_app.cashier.refund.reason import ReasonPart
from pos_app.cashier.refund.side import DocumentPart, OtherActs, WaysPanel
from pos_app.cashier.refund.words import done_content, enter_face, figure_content, order_words
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.figure import FigurePanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.outbox.outbox import IN_FRONT_FOR

WIDEST_ON_BUTTON = 115
"""The largest type in percent at which word and amount stand side by side on the button."""


class RightSide(QWidget):
    """Reaches to the edge of the screen, in which the scroll bar of its area stands."""

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__()
        self._theme, self._texts, self._model = theme, texts, model
        metrics = theme.metrics
        self.figure = FigurePanel(theme)
        self.ways = WaysPanel(theme, texts, model)
        self.document = DocumentPart(theme, texts, model)
        self.reason = ReasonPart(theme, texts, model)
        self.main = BigButton(theme, "", key=ENTER)
        self.main.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret in its field
        self.others = OtherActs(theme, texts, model)
        self._bar = Bar(theme)
        self._sheet: NoticePanel | None = None
        self._shown_sheet: tuple[NoticeKind, NoticeWords] | None = None
        self._done: DonePanel | None = None
        self._shown_done: DoneContent | None = None
        self._ways_head = Label(
            theme, texts("refund.ways"), step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2"
        )
        self._asked = QWidget()
        asked = QVBoxLayout(self._asked)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.setSpacing(metrics.s2)
        for part in (self._ways_head, self.ways, self.document, self.reason):
            asked.addWidget(part)
        if metrics.tight:  # so that more than one way is seen
            asked.addWidget(self.others)
        asked.addStretch(1)
        self._area = ScrolledColumn(theme, name=texts("refund.title"))
        self._area.show_inside(self._asked)
        self._sheets = QVBoxLayout()
        self._sheets.setSpacing(metrics.s3)
        self._sheets.addWidget(self._bar)
        self._bar.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, metrics.s3, 0)
        column.setSpacing(metrics.s2)
        column.addWidget(self.figure)
        column.addLayout(self._sheets)
        column.addWidget(self._area, 1)
        column.addStretch(0)
        if not metrics.tight:
            column.addWidget(self.others)
        column.addWidget(self.main)

    def minimumSizeHint(self) -> QSize:
        return QSize(6 * self._theme.metrics.touch, 0)

    def show_model(self, *, at_document: bool) -> None:
        model, texts = self._model, self._texts
        is_there = model.draft is not None or model.hand_draft is not None
        can_ask = is_there and model.why_not is None
        is_asked = can_ask and not model.is_over
        self.figure.setVisible(is_asked)
        if is_asked:
            figure = figure_content(model, texts)
            self.figure.show_figure(
                figure.title, figure.amount, figure.words, beside=figure.beside, chosen=figure.given
            )
            self.ways.show_model()
            asks_reason = model.asks_reason
            if asks_reason:
                self.ways.hide()
            self._ways_head.setText(texts("refund.closes.ways" if model.closes else "refund.ways"))
            self._ways_head.setVisible(bool(model.ways) and not asks_reason)
            self.document.show_model()
            self.document.setVisible(not asks_reason)
            self.reason.show_model()
        self._show_sheet(self._sheet_words())
        self._show_done(done_content(model, texts) if model.is_over else None)
        self._area.setVisible(can_ask and model.act.sale is None)
        self.others.show_model()
        self._give_room()
        self._show_main(model.next_enter(at_document=at_document))

    def show_progress(self, milliseconds: int) -> None:
        self._bar.show_part(min(milliseconds, IN_FRONT_FOR), IN_FRONT_FOR)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._give_room()
        super().resizeEvent(event)

    def _give_room(self) -> None:
        """Make the figure smaller where what is asked below it would scroll."""
        for part in (self.ways, self.document, self.reason):
            part.updateGeometry()  # else the height of all of it is that of before
        gap, beside = self._theme.metrics.s2, self._area.width()
        needed = self.figure.large_height() + gap + self._asked.heightForWidth(beside)
        parts = (self.others, self.main)  # where type is large the first one scrolls with the rest
        needed += sum(
            gap + one.sizeHint().height()
            for one in parts
            if one.parentWidget() is self and not one.isHidden()
        )
        self.figure.set_low(needed > self.height())
        if (layout := self.layout()) is not None:
            layout.activate()  # before the area reckons whether it scrolls

    def _show_main(self, meant: RefundStep) -> None:
        is_issue = meant in (RefundStep.ISSUE, RefundStep.DOCUMENT)
        waits = meant in (RefundStep.WAIT, RefundStep.ASKING)
        is_doubted = self._model.doubt is not None
        key = "" if waits else cap_of(TillCommand.PAY) if is_doubted else ENTER
        face = enter_face(meant, self._model)
        words = self._texts(face.word) if face.word else ""
        self.main.setVisible(bool(words))
        order = order_words(meant, self._model, self._texts)
        metrics = self._theme.metrics
        is_tight = metrics.narrow or metrics.text_percent > WIDEST_ON_BUTTON
        has_amount = meant is RefundStep.ISSUE or (is_issue and is_tight)
        has_amount = has_amount and not self._model.asks_exchange  # it gives no money back
        has_amount = has_amount and self._model.is_sum_known and not order
        self.main.show_act(
            words,
            order=order,
            amount=amount_text(self._model.total) if has_amount else "",
            key=key,
            icon=face.icon,
            kind=face.kind,
            rests=not (order or self.main.is_missing),
        )
        self.main.set_stacked(is_tight and has_amount)
        if waits:
            if self.main.hasFocus():  # a second Enter presses nothing else
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.main.refuse(words)
        else:
            self.main.allow()

    def _sheet_words(self) -> tuple[NoticeKind, NoticeWords] | None:
        model, texts = self._model, self._texts
        match model.act.stage:
            case Stage.UNDER_WAY:
                press = texts("refund.scan.under_way") if model.scanned_meanwhile else ""
                notice = NoticeWords(
                    texts("refund.under_way"), texts("refund.under_way.safe"), press
                )
                return NoticeKind.INFO, notice
            case Stage.DOUBT:
                safe, press = texts("refund.doubt.safe"), texts("refund.doubt.do")
                return NoticeKind.WARN, NoticeWords(texts("refund.doubt"), safe, press)
        return None

    def _show_sheet(self, notice: tuple[NoticeKind, NoticeWords] | None) -> None:
        self._bar.setVisible(notice is not None and notice[0] is NoticeKind.INFO)
        if notice == self._shown_sheet:
            return
        self._shown_sheet = notice
        sheet = None
        if notice is not None:
            kind, words = notice
            sheet = NoticePanel(
                self._theme, kind, happened=words.happened, safe=words.safe, press=words.press
            )
        self._put_on_top(self._sheet, sheet)
        self._sheet = sheet

    def _show_done(self, content: DoneContent | None) -> None:
        if content == self._shown_done:
            return
        self._shown_done = content
        done = None if content is None else DonePanel(self._theme, content)
        self._put_on_top(self._done, done)
        self._done = done

    def _put_on_top(self, old: QWidget | None, new: QWidget | None) -> None:
        """Put a panel in the place of the one that was shown before it; either may be None."""
        if old is not None:
            self._sheets.removeWidget(old)
            old.hide()
            old.deleteLater()
        if new is not None:
            self._sheets.insertWidget(0, new)
