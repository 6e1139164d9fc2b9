"""Shows how the payment or the closing that was just confirmed has ended."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.done_words import given_by_hand
from pos_app.cashier.words.refused_words import refused_words
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
        self.decide_button = self._button("step.attention", "bell", self.decide)

    def show_act(self, sale: Sale | None, stage: Stage | None, *, can_go_back: bool) -> None:
        """can_go_back tells whether what was typed for the act is kept."""
        shown = (stage, sale)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        self.again_button = self._button("adv.act.again", "undo-2", self.again)
        self.decide_button = self._button("step.attention", "bell", self.decide)
        clear_layout(self._column)
        self.setVisible(sale is not None)
        if sale is None or stage is None:
            return
        if stage is Stage.DONE:
            content = done_content(sale, self._texts)
            self._column.addWidget(DonePanel(self._theme, content))
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
        return f"{refused_words(reason, texts)} {texts('adv.act.refused_words')}".strip()

    def _button(self, words: str, icon: str, on_press: object) -> Button:
        cap = ENTER if words == "adv.act.again" else ""
        button = Button(self._theme, self._texts(words), icon=icon, key=cap, kind=ButtonKind.FILLED)
        button.clicked.connect(on_press)
        return button


def done_content(sale: Sale, texts: Texts) -> DoneContent:
    receipt = sale.receipt
    numbers = () if receipt is None else (texts("done.receipt", number=receipt.fiscal_number),)
    figure, amount = given_by_hand(sale.money_taken.change, texts, name="pay.change")
    title = texts("adv.act.done", what=act_name(sale, texts))
    return DoneContent(title, numbers, figure, amount, texts("adv.act.taken", amount=sale.total))
