"""Shows how the payment or the closing that was just confirmed has ended."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.labels import AmountLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.sale.sale import LEFT_IN_FRONT, Sale

_KINDS = {
    Stage.UNDER_WAY: (NoticeKind.INFO, "adv.act.under_way"),
    Stage.REFUSED: (NoticeKind.DANGER, "adv.act.refused"),
    Stage.DOUBT: (NoticeKind.WARN, "adv.act.doubt"),
}


def act_name(sale: Sale, texts: Texts) -> str:
    is_closing = sale.operation is Operation.CLOSE
    return texts("adv.act.closing") if is_closing else texts("adv.act.payment")


class ActView(QWidget):
    """Signals: `again()` leads back to the typed payment; `decide()` to the act's question."""

    again = Signal()
    decide = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._shown_state: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.again_button = self._button("adv.act.again", "undo-2", self.again)
        self.decide_button = self._button("adv.act.decide", "bell", self.decide)

    def show_act(self, sale: Sale | None, stage: Stage | None, *, can_go_back: bool) -> None:
        """can_go_back tells whether what was typed for the act is kept."""
        shown = (stage, sale)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        self.again_button = self._button("adv.act.again", "undo-2", self.again)
        self.decide_button = self._button("adv.act.decide", "bell", self.decide)
        clear_layout(self._column)
        self.setVisible(sale is not None)
        if sale is None or stage is None:
            return
        if stage is Stage.DONE:
            self._column.addWidget(DonePanel(self._theme, self._texts, sale))
            return
        kind, text = _KINDS[stage]
        buttons = {Stage.REFUSED: self.again_button, Stage.DOUBT: self.decide_button}
        button = buttons.get(stage)
        has_button = button is not None and (can_go_back or stage is Stage.DOUBT)
        notice = NoticePanel(
            self._theme,
            kind,
            happened=self._texts(text, what=act_name(sale, self._texts)),
            safe=self._safe(stage, sale),
            press="",
            buttons=[button] if button is not None and has_button else [],
        )
        self._column.addWidget(notice)

    def _safe(self, stage: Stage, sale: Sale) -> str:
        texts, reason = self._texts, sale.reason
        if stage is Stage.UNDER_WAY:
            return texts("adv.act.under_way_words")
        if stage is Stage.DOUBT:
            return texts("adv.act.doubt_words")
        if reason is not None and reason.code == LEFT_IN_FRONT:
            return texts("adv.act.left")
        text = f"{reason.text.removesuffix('.')}." if reason is not None and reason.text else ""
        return " ".join(filter(None, (text, texts("adv.act.refused_words"))))

    def _button(self, words: str, icon: str, on_press: object) -> Button:
        cap = ENTER if words == "adv.act.again" else ""
        button = Button(self._theme, self._texts(words), icon=icon, key=cap, kind=ButtonKind.FILLED)
        button.clicked.connect(on_press)
        return button


class DonePanel(Panel):
    def __init__(self, theme: Theme, texts: Texts, sale: Sale) -> None:
        super().__init__(theme)
        self.set_chosen(True)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, "circle-check", colour="ok", size=26))
        column = QVBoxLayout()
        column.setSpacing(0)
        number = "" if sale.receipt is None else short_number(sale.receipt.fiscal_number)
        text = texts("adv.act.done", what=act_name(sale, texts), number=number)
        column.addWidget(Label(theme, text, step=TypeStep.NAME, weight=Weight.SEMIBOLD, wrap=True))
        taken = texts("adv.act.taken", amount=sale.total)
        column.addWidget(Label(theme, taken, colour="ink_2", wrap=True))
        row.addLayout(column, 1)
        change = sale.money_taken.change
        if change > Money.ZERO:
            words = Label(theme, texts("pay.change"), colour="ink_2")
            row.addWidget(words)
            step = TypeStep.AMOUNT if theme.metrics.narrow else TypeStep.TOTAL
            amount = AmountLabel(theme, amount_text(change), name=texts("pay.change"), step=step)
            row.addWidget(amount)
        self.setAccessibleName(f"{text} {taken}")
