"""Shows how the payment or the closing that was just confirmed has ended."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.act_in_front import Stage, is_undone
from pos_app.cashier.advances.payment import Elsewhere
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.done_words import by_methods, given_by_hand, goes_back_words
from pos_app.cashier.words.refused_words import refused_words
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.sale.sale import LEFT_IN_FRONT, Sale
from pos_app.selling.sale.state import SaleState


def act_name(sale: Sale, texts: Texts) -> str:
    return texts(f"att.op.{sale.operation}")


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

    def show_act(
        self,
        sale: Sale | None,
        stage: Stage | None,
        *,
        paid: Money | None,
        can_go_back: bool,
        goes_back: bool,
        counts_on: Payments,
        elsewhere: Elsewhere | None,
    ) -> None:
        """Without a sale, the act under way is another program's. paid: what was paid on the
        advance before the act, or None where no act is under way or was refused. can_go_back tells
        whether what was typed for the act is kept, goes_back whether what was received for it goes
        back to the customer. counts_on: what of it the next payment has. elsewhere: what another
        till did meanwhile, for which the act was refused."""
        shown = (stage, sale, paid, can_go_back, goes_back, counts_on, elsewhere)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        clear_layout(self._column)
        self.setVisible(sale is not None or paid is not None)
        if sale is not None and stage is Stage.DONE:
            self._column.addWidget(DonePanel(self._theme, done_content(sale, self._texts)))
        elif sale is not None and stage is Stage.REFUSED:
            button = self._button("adv.act.again", "undo-2", self.again) if can_go_back else None
            happened = self._texts("adv.act.refused", what=act_name(sale, self._texts))
            if elsewhere is not None:
                did, amount = elsewhere
                happened = self._texts(f"adv.act.elsewhere.{did}", amount=amount)
            safe = self._of_refused(sale, goes_back=goes_back, is_told=elsewhere is not None)
            given = sale.money_taken.tendered if goes_back else counts_on
            money = self._of_money(given, can_go_back=can_go_back, goes_back=goes_back)
            words = " ".join(filter(None, (*safe, money)))
            self._show_notice(NoticeKind.DANGER, happened, words, button)
        elif sale is not None and stage is not None:
            self._show_under_way(sale, stage, paid)
        elif paid is not None:
            so_far = self._texts("adv.act.so_far", paid=paid)
            words = f"{so_far} {self._texts('adv.act.other_words')}"
            happened = self._texts("adv.act.other")
            self._show_notice(NoticeKind.WARN, happened, words, self._to_attention)

    @property
    def _to_attention(self) -> Button:
        return self._button("step.attention", "bell", self.decide)

    def _show_under_way(self, sale: Sale, stage: Stage, paid: Money | None) -> None:
        texts, is_refund = self._texts, sale.operation is Operation.REFUND
        is_doubt, text = stage is Stage.DOUBT, "adv.act.under_way"
        if sale.is_half_done:
            text = "adv.act.half"
        elif sale.state is SaleState.DOUBT:
            text = "adv.act.doubt" if is_doubt else "adv.act.checked"
        safe = [] if paid is None else [texts("adv.act.so_far", paid=paid)]
        if sale.total:
            safe.append(texts(f"adv.act.moves.{sale.operation}", amount=sale.total))
        safe.append(texts("adv.act.not_again.refund" if is_refund else "adv.act.not_again"))
        safe.append(texts("adv.act.doubt_words" if is_doubt else "adv.act.under_way_words"))
        self._show_notice(
            NoticeKind.WARN if is_doubt else NoticeKind.INFO,
            texts(text, what=act_name(sale, texts)),
            " ".join(safe),
            self._to_attention if is_doubt else None,
        )

    def _show_notice(
        self, kind: NoticeKind, happened: str, safe: str, button: Button | None = None
    ) -> None:
        buttons = [] if button is None else [button]
        notice = NoticePanel(
            self._theme, kind, happened=happened, safe=safe, press="", buttons=buttons
        )
        self._column.addWidget(notice)

    def _of_refused(self, sale: Sale, *, goes_back: bool, is_told: bool) -> tuple[str, ...]:
        """is_told: why it was refused is told already, and not by the field that the server
        names."""
        texts, reason = self._texts, None if is_told else sale.reason
        if reason is not None and reason.code == LEFT_IN_FRONT:
            return (texts("adv.act.left"),)
        happened = "adv.act.undone" if goes_back and is_undone(sale) else "adv.act.refused_words"
        return refused_words(reason, texts), texts(happened)

    def _of_money(self, given: Payments, *, can_go_back: bool, goes_back: bool) -> str:
        """What becomes of what was received for the refused act; "" for nothing."""
        texts = self._texts
        if goes_back and given.total:
            return texts("adv.act.goes_back", by=by_methods(given, texts))
        if can_go_back:
            return texts("adv.act.kept")
        if given.total:
            return texts("adv.act.given", by=by_methods(given, texts))
        return ""

    def _button(self, words: str, icon: str, on_press: object) -> Button:
        cap = ENTER if words == "adv.act.again" else ""
        button = Button(self._theme, self._texts(words), icon=icon, key=cap, kind=ButtonKind.FILLED)
        button.clicked.connect(on_press)
        return button


def done_content(sale: Sale, texts: Texts) -> DoneContent:
    receipt, money = sale.receipt, sale.money_taken
    numbers = () if receipt is None else (texts("done.receipt", number=receipt.fiscal_number),)
    title = texts("adv.act.done", what=act_name(sale, texts))
    if sale.operation is Operation.REFUND:
        figure, amount = given_by_hand(money.tendered.cash - money.rounding, texts)
        return DoneContent(title, numbers, figure, amount, goes_back_words(money.tendered, texts))
    figure, amount = given_by_hand(money.change, texts, name="pay.change")
    taken = money.less(money.change).total
    return DoneContent(title, numbers, figure, amount, texts("adv.act.taken", amount=taken))
