"""Shows the last receipt, and what a person has to do about it, in a strip on top of the cart, and
large while the cart is empty."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.sale.cart_parts import LastReceiptStrip
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Icon, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.status import delivery_case_id, delivery_trouble_words
from pos_app.cashier.words.done_words import by_methods, without_cash
from pos_app.cashier.words.receipt_words import document_words, moved_total
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.attention.delivery_trouble import GOES_ON, PAPERS, undelivered
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, stage_of
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

_OF_STATE = {
    SaleState.REFUSED: ("refused", StateKind.FAILED),
    SaleState.DOUBT: ("doubt", StateKind.DECIDE),
}


@dataclass(frozen=True, slots=True)
class LastSaleProblem:
    """problem_name: the part of its texts' ids that names the problem, "refused", "unprinted" …
    row_id: the id of its row in Attention.

    job: the failed delivery, if that is the problem. is_act: the sale is an operation on a receipt.
    """

    problem_name: str
    kind: StateKind
    row_id: str
    job: DeliveryJob | None = None
    is_act: bool = False


def last_sale_problem(sale: Sale, services: TillServices) -> LastSaleProblem | None:
    """Return why the sale calls for a person, or None."""
    if sale.key in services.outbox.young_doubts or sale.is_half_done:
        return None
    if sale.state in _OF_STATE:
        what, kind = _OF_STATE[sale.state]
        return LastSaleProblem(what, kind, sale.key, is_act=sale.operation is not Operation.ISSUE)
    if sale.is_unreadable:
        return LastSaleProblem("unreadable", StateKind.DECIDE, sale.key)
    job = undelivered(sale, services.server.status)
    what = _not_come(job) if job is not None else ""
    return (
        LastSaleProblem(what, StateKind.DECIDE, delivery_case_id(job), job)
        if job and what
        else None
    )


def _not_come(job: DeliveryJob) -> str:
    """Return the problem of a failed delivery. A paper is always a problem, because the customer
    waits for it; a mail that is still tried is none ("")."""
    if job.method in PAPERS:
        return "perhaps_printed" if job.state is JobState.UNPROVEN else "unprinted"
    if job.state in GOES_ON:
        return ""
    return "perhaps_sent" if job.state is JobState.UNPROVEN else "unsent"


_S = SaleState

_KINDS = {
    _S.FROZEN: StateKind.WAIT,
    _S.SENDING: StateKind.WAIT,
    _S.DONE: StateKind.DONE,
    _S.REFUSED: StateKind.FAILED,
    _S.DOUBT: StateKind.DECIDE,
    _S.CANCELLING: StateKind.WAIT,
    _S.CANCELLED: StateKind.MARK,
}


_PAID_TEXT_IDS = {PaymentMethod.CASH: "last.cash", PaymentMethod.CARD: "last.card"}
"""These methods are named if one of them paid all."""


@dataclass(frozen=True, slots=True)
class LastFacts:
    number: str
    state: str
    total: str
    label: str
    amount: str
    kind: StateKind
    beside: str = ""
    """The change as the paper shows it, if it differs from the one that is handed over; in an
    exchange or a refund, what goes back by other methods than cash."""
    document: str = ""
    """The kind of document, if it is no sale."""

    @property
    def state_text(self) -> str:
        """The state, after the kind of document that is not a sale."""
        return f"{self.document} · {self.state}" if self.document else self.state


def last_facts(sale: Sale, texts: Texts, *, pair: FrozenPair | None = None) -> LastFacts:
    """Return number, state, and at the right the change, else the amount collected in cash or by
    card. A document that is no sale names its kind. Nothing is collected for a proforma or a copy,
    and the amount that a refund gives back has a minus. pair: the pair that the sale belongs to. A
    correction moves no money, which its figure says, and an exchange shows what both halves
    moved. Nothing is given for what was not issued; what is owed then Attention tells."""
    corrects, beside = pair is not None and not pair.is_exchange, ""
    no_number = texts("last.none_issued" if sale.state is SaleState.CANCELLED else "last.waiting")
    number = sale.receipt.fiscal_number if sale.receipt else no_number
    moves_nothing = sale.kind is DocumentKind.PROFORMA or sale.operation is Operation.COPY
    is_stopped = _is_stopped(sale, pair)
    is_offer = moves_nothing or corrects or sale.closes_elsewhere or is_stopped
    change = Money.ZERO if is_offer else sale.money_taken.change
    money = None if is_offer else sale.change_on_paper
    label, amount = ("last.total", moved_total(sale)) if is_offer else _collected(sale)
    if sale.operation is Operation.REFUND and not is_offer:
        label, amount = "last.total", moved_total(sale)
        if sale.kind.takes_money:
            label, amount, beside = _refunded(sale, texts)
    if pair is not None and corrects:
        label, amount = _corrected(pair)
    if pair is not None and pair.is_exchange:
        change, money = Money.ZERO, None
        label, amount, beside = _exchanged(pair, texts)
    if is_stopped and (sale.is_exchange or sale.operation is Operation.REFUND):
        label, amount, beside = "last.moved", Money.ZERO, ""
    document = texts("last.corrects") if corrects else document_words(sale, texts)
    state = _state_text_id(sale)
    is_act = corrects or sale.is_exchange or sale.operation is not Operation.ISSUE
    return LastFacts(
        number=number,
        state=texts("last.done_act" if is_act and state == "last.done" else state),
        total=amount_text(moved_total(sale)),
        label=texts("last.change" if change else label),
        amount=amount_text(change or amount),
        kind=_kind_of(sale),
        beside=texts("last.on_paper", change=money) if money else beside,
        document=texts("last.exchange") if sale.is_exchange else document,
    )


_STOPPED_PAIRS = frozenset(
    {PairStage.NOT_BEGUN, PairStage.IN_DOUBT, PairStage.HALF, PairStage.GIVEN_UP}
)


def _is_stopped(sale: Sale, pair: FrozenPair | None) -> bool:
    """Whether no hand gives or takes money for the sale: it is cancelled, or it was refused or got
    into doubt while somebody waited for it. The money of any other such sale was moved when it was
    confirmed."""
    if pair is not None:
        return stage_of(pair) in _STOPPED_PAIRS
    if sale.state in (SaleState.REFUSED, SaleState.DOUBT):
        return sale.is_kept_in_front
    return sale.state in (SaleState.CANCELLING, SaleState.CANCELLED)


def _corrected(pair: FrozenPair) -> tuple[str, Money]:
    """Return the text's id and the amount: no cash, where one might be handed over, else the
    receipt's total."""
    taken = (one.money_taken.on_receipt.cash for one in (pair.refund, pair.new))
    return ("last.moved", Money.ZERO) if any(taken) else ("last.total", pair.new.total)


def _given(amount: Money, sale: Sale) -> tuple[str, Money]:
    """Return the text's id and the amount of cash that goes back, which is given once the sale is
    issued."""
    return ("last.given_back", -amount) if sale.state is SaleState.DONE else ("figure.give", amount)


def _refunded(sale: Sale, texts: Texts) -> tuple[str, Money, str]:
    """Return the text's id and the amount of the cash, and what goes back beside it."""
    money = sale.money_taken
    beside = _beside(without_cash(money.tendered), texts)
    if not money.tendered.cash:
        return "last.moved", Money.ZERO, beside
    return *_given(money.tendered.cash - money.rounding, sale), beside


def _beside(back: Payments, texts: Texts) -> str:
    return texts("exch.back_by", methods=by_methods(back, texts)) if back.total else ""


def _exchanged(pair: FrozenPair, texts: Texts) -> tuple[str, Money, str]:
    """Return the text's id and the amount, and what goes back beside it: the change, else the net
    cash of both halves, else what is paid without cash."""
    money = ExchangeMoney.of(pair.refund, pair.new)
    if not money.taken and money.paid.total:
        return _paid_by(money.paid) or "last.total", money.paid.total, ""
    beside = _beside(money.back, texts)
    if money.change:
        return "last.change", money.change, beside
    if money.taken < Money.ZERO:
        return *_given(-money.taken, pair.new), beside
    return "last.moved", money.taken, beside


def _kind_of(sale: Sale) -> StateKind:
    if sale.is_half_done:
        return StateKind.WAIT
    return StateKind.DECIDE if sale.is_unreadable else _KINDS[sale.state]


def _state_text_id(sale: Sale) -> str:
    """Return the id of the state's text. A doubt is "checked" here, because a doubt that calls for
    a person has other words."""
    if sale.is_half_done:
        return "last.half_signed"
    if sale.is_unreadable:
        return "last.done_unreadable"
    return "last.checked" if sale.state is SaleState.DOUBT else f"last.{sale.state.value}"


def _collected(sale: Sale) -> tuple[str, Money]:
    """Return the text's id and the amount; in cash that is the money put into the drawer."""
    given = sale.money_taken.tendered
    text_id = _paid_by(given)
    return (text_id, given.total) if text_id else ("last.total", sale.total)


def _paid_by(given: Payments) -> str:
    """Return the id of the one method by which all was paid, "" for others or several."""
    paid = (one for by, one in _PAID_TEXT_IDS.items() if given.amount(by) == given.total)
    return next(paid, "") if given.total else ""


def care_words(care: LastSaleProblem, texts: Texts) -> tuple[str, str]:
    """Return the strip's words for a problem, in full and shorter; each begins with a capital."""
    long, short = f"last.care.{care.problem_name}", texts(f"last.care.{care.problem_name}.short")
    known = {"unreadable": "last.done_unreadable"}
    text = texts(
        long if texts.has(long) else known.get(care.problem_name, f"last.{care.problem_name}")
    )
    return text[:1].upper() + text[1:], short


def care_text(care: LastSaleProblem, texts: Texts) -> NoticeWords:
    """Return the words of the notice over an empty cart."""
    text_id = f"last.told.{care.problem_name}"
    if care.job is None:
        safe = (
            f"{text_id}.safe.act"
            if care.is_act and texts.has(f"{text_id}.safe.act")
            else f"{text_id}.safe"
        )
        return NoticeWords(texts(text_id), texts(safe))
    goes_on = care.problem_name != "unprinted" or care.job.state in GOES_ON
    trouble = delivery_trouble_words(care.job, texts)
    return NoticeWords(
        texts(text_id), texts(f"{text_id}.{'safe' if goes_on else 'failed'}", trouble=trouble)
    )


def solve_name(care: LastSaleProblem, texts: Texts) -> str:
    return texts("last.solve_name", what=texts(f"last.told.{care.problem_name}"))


class LastStrip(LastReceiptStrip):
    def __init__(self, theme: Theme, texts: Texts, parent: QWidget | None = None) -> None:
        super().__init__(theme, name=texts("last.name"), parent=parent)
        self._texts = texts

    def show_sale(
        self,
        sale: Sale | None,
        care: LastSaleProblem | None = None,
        *,
        pair: FrozenPair | None = None,
    ) -> None:
        """Show a sale, or hide the strip without one. care: the sale's problem, if any. pair: as in
        `last_facts`."""
        self.setVisible(sale is not None)
        if sale is None:
            return
        facts, texts = last_facts(sale, self._texts, pair=pair), self._texts
        if care is not None:
            self._show_care(sale, facts, care)
            return
        is_short = self.theme.metrics.narrow or facts.document
        text_id, state = (
            ("last.strip_short", facts.state_text) if is_short else ("last.strip", facts.state)
        )
        forms = (texts(text_id, state=state, total=facts.total), facts.state_text, facts.state)
        words, *short = (one[:1].upper() + one[1:] for one in forms)
        has_room = facts.beside and not self.theme.metrics.narrow
        label = f"{facts.label} ({facts.beside})" if has_room else facts.label
        self.set_receipt(
            facts.number, words, short=short, label=label, amount=facts.amount, kind=facts.kind
        )

    def _show_care(self, sale: Sale, facts: LastFacts, care: LastSaleProblem) -> None:
        texts = self._texts
        text, short = care_words(care, texts)
        self.solve.set_words(texts("last.solve"))
        self.solve.setAccessibleName(solve_name(care, texts))
        number = facts.number if sale.receipt else texts("last.amount_of", total=facts.total)
        self.set_call(
            number, text, short=short, label=facts.label, amount=facts.amount, kind=care.kind
        )


class LastLarge(Ground):
    """The last sale in place of an empty cart, with its change 18 mm high, until the first item of
    the next sale. Signals: `clicked()` for a press on the last sale, as on the strip;
    `solve_pressed()`."""

    clicked = Signal()
    solve_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._texts = texts
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._icon = Icon(theme, "circle-check", colour="ok", size=22)
        self._state = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self._number = NumberLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._label = Label(theme, step=TypeStep.TITLE, weight=Weight.SEMIBOLD, colour="ink_2")
        self._amount = AmountLabel(theme, step=TypeStep.CHANGE)
        self._total = ElidedLabel(theme, colour="ink_2")
        self._hint = Label(theme, colour="ink_3")
        self._care: LastSaleProblem | None = None
        self._notice: NoticePanel | None = None
        self._is_pressable = False
        self._is_pressed = False
        self._build()

    def show_sale(
        self,
        sale: Sale | None,
        care: LastSaleProblem | None = None,
        *,
        is_past: bool = False,
        pair: FrozenPair | None = None,
    ) -> None:
        """Show the facts of a sale and its problem, or only a hint if there is no sale, or it is
        past. pair: as in `last_facts`."""
        texts = self._texts
        is_shown = sale is not None and not is_past
        self._take_presses(is_shown)
        self._show_care(care if is_shown else None)
        self._hint.setText(texts("cart.empty"))
        self._icon.setVisible(is_shown and care is None)
        self._state.setVisible(care is None or not is_shown)
        for part in (self._number, self._label, self._amount, self._total):
            part.setVisible(is_shown)
        if sale is None or is_past:
            self._state.setText("" if is_past else texts("last.none"))
            self.setAccessibleName(texts("cart.empty"))
            self._fit()
            return
        facts = last_facts(sale, texts, pair=pair)
        self._number.setVisible(care is None or sale.receipt is not None)
        icon, colour = STATES[facts.kind].icon, STATES[facts.kind].icon_ink
        self._icon.set_icon(icon, colour)
        self._state.setText(facts.state_text[:1].upper() + facts.state_text[1:])
        self._number.setText(facts.number)
        self._label.setText(facts.label)
        self._amount.setText(facts.amount)
        total = f"{texts('last.total')} {facts.total}"
        self._total.setText(f"{total} · {facts.beside}" if facts.beside else total)
        self._total.setVisible(facts.amount != facts.total)
        what = care_words(care, texts)[0] if care else facts.state_text
        values = (f"{facts.label} {facts.amount}", facts.beside, what, facts.number)
        self.setAccessibleName(". ".join(one for one in values if one))
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Ask for no height, because `_fit` fits the content."""
        return QSize(super().minimumSizeHint().width(), 0)

    def _fit(self) -> None:
        """Make room for a problem: first the hint is hidden, then the amount becomes smaller."""
        column, amount, hint = self._column, self._amount, self._hint
        needed = column.heightForWidth(self.width())
        if not hint.isHidden():
            needed -= hint.sizeHint().height() + column.spacing()
        if not amount.isHidden():
            needed += self.theme.metrics.line(TypeStep.CHANGE) - amount.sizeHint().height()
        room = self.height() - needed if self._care is not None else math.inf
        hint.setVisible(room >= hint.sizeHint().height() + column.spacing())
        amount.set_step(TypeStep.CHANGE if room >= 0 else TypeStep.TOTAL)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_pressed = self._is_pressable and event.button() is Qt.MouseButton.LeftButton
        event.setAccepted(self._is_pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_pressed, self._is_pressed = self._is_pressed, False
        if was_pressed and self._is_pressable and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if not pressed or not self._is_pressable:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.clicked.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            bar = QRect(0, 0, self.theme.metrics.s1, self.height())
            QPainter(self).fillRect(bar, self.theme.colour("focus"))

    def _take_presses(self, taken: bool) -> None:
        """Set whether the panel can be pressed and gets the focus."""
        self._is_pressable = taken
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if taken else Qt.FocusPolicy.NoFocus)
        if taken:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def _show_care(self, care: LastSaleProblem | None) -> None:
        """Show the problem's notice on top."""
        if care == self._care and (care is None) == (self._notice is None):
            return
        self._care = care
        if self._notice is not None:
            self._column.removeWidget(self._notice)
            self._notice.hide()
            self._notice.deleteLater()
            self._notice = None
        if care is None:
            return
        notice, texts = care_text(care, self._texts), self._texts
        solve = Button(self.theme, texts("last.solve"), name=solve_name(care, texts))
        solve.clicked.connect(self.solve_pressed)
        kind = NoticeKind.DANGER if care.kind is StateKind.FAILED else NoticeKind.WARN
        self._notice = NoticePanel(
            self.theme,
            kind,
            happened=notice.happened,
            safe=notice.safe,
            press=notice.press,
            buttons=[solve],
            parent=self,
        )
        self._column.insertWidget(0, self._notice)
        self._notice.show()

    def _build(self) -> None:
        metrics = self.theme.metrics
        column = self._column = QVBoxLayout(self)
        side = metrics.s3 if metrics.narrow else metrics.s4
        column.setContentsMargins(side, metrics.s6, side, metrics.s4)
        column.setSpacing(metrics.s1)
        first = QHBoxLayout()
        first.setSpacing(metrics.s2)
        first.addWidget(self._icon)
        first.addWidget(self._state, 1)
        column.addLayout(first)
        column.addWidget(self._number)
        column.addStretch(1)
        column.addWidget(self._label, 0, Qt.AlignmentFlag.AlignRight)
        column.addWidget(self._amount)
        column.addWidget(self._total, 0, Qt.AlignmentFlag.AlignRight)
        column.addStretch(2)
        column.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignHCenter)
