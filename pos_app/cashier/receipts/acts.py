"""The acts on the open receipt: a column of buttons, its deliveries, and the large button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, method_cap
from pos_app.cashier.receipts.model import AGAIN
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import buttons
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind, ButtonSpec, button_width
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.window.status import delivery_trouble_words
from pos_app.cashier.words.moments import clock_text
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.lazy_dataclass import dataclass

WIDE_TOUCHES = 4.65
"""The width in touch sizes where there is room (mock-12: 206 of 46)."""
REFUND, ON_PROFORMA = "R", "P"
LETTERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "I": ("correct", "pencil"),
        "E": ("send", "mail"),
        "D": ("pdf", "file-text"),
        "V": ("verify", "external-link"),
        "A": ("sell_again", "history"),
        REFUND: ("refund", "undo-2"),
        ON_PROFORMA: ("open_advance", "hand-coins"),
    }
)
"""The acts by the letters of their keys, with their icons, from top to bottom."""
_JOB_ICON = 18
_JOBS: Mapping[JobState, tuple[str, Token]] = MappingProxyType(
    {
        JobState.WAITING: ("clock", "info"),
        JobState.RUNNING: ("clock", "info"),
        JobState.DONE: ("circle-check", "ok"),
        JobState.FAILED: ("circle-alert", "danger"),
        JobState.UNPROVEN: ("circle-question-mark", "warn"),
        JobState.DROPPED: ("x", "ink_3"),
    }
)


@dataclass(frozen=True, slots=True)
class MainAct:
    """The act of the one filled button. why_not: why the act is impossible now, or "". order: what
    to do before the button can act, or ""."""

    words: str
    icon: str = ""
    why_not: str = ""
    order: str = ""


class ActColumn(QWidget):
    """Signals: `pressed(str)`, the letter of an act; `main_pressed()`; `again_pressed(object)`, a
    delivery job."""

    pressed = Signal(str)
    main_pressed = Signal()
    again_pressed = Signal(object)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._jobs: Sequence[DeliveryJob] = ()
        metrics = theme.metrics
        self.buttons: dict[str, buttons.Button] = {}
        upper = QWidget()
        self._upper = QVBoxLayout(upper)
        self._upper.setContentsMargins(0, 0, 0, 0)
        self._upper.setSpacing(metrics.s2)
        for letter, (name, icon) in LETTERS.items():
            danger = ButtonKind.DANGER if letter == REFUND else ButtonKind.PLAIN
            button = buttons.Button(
                theme,
                texts(f"receipts.act.{name}"),
                icon=icon,
                key=letter,
                kind=danger,
                spread=True,
                height="button" if letter == REFUND and not metrics.tight else "touch",
            )
            button.clicked.connect(lambda _=False, act_letter=letter: self.pressed.emit(act_letter))
            self.buttons[letter] = button
            if letter != REFUND:
                self._upper.addWidget(button)
        self._deliveries = QVBoxLayout()
        self._deliveries.setSpacing(metrics.s1)
        self._upper.addLayout(self._deliveries)
        self._upper.addStretch(1)
        self._area = Scrolled(theme, name=texts("receipts.acts"))
        self._area.show_inside(upper)
        self._area.setMinimumHeight(1)  # it gives its room to the keys below, which can't scroll
        self._why = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.main = BigButton(theme, "", key=ENTER)
        self.main.clicked.connect(self.main_pressed)
        column = QVBoxLayout(self)
        gap = metrics.s2 if metrics.tight else metrics.s3
        column.setContentsMargins(metrics.s3, gap, metrics.s3, metrics.s3)
        self._column = column
        column.setSpacing(gap)
        column.addWidget(self._area, 1)
        column.addWidget(self.buttons[REFUND])
        column.addWidget(self._why)
        column.addWidget(self.main)

    def show_receipt(
        self, overview: ReceiptOverview, main: MainAct, *, no_mail: str, is_exchange: bool
    ) -> None:
        """Enable what is lawful now, and say why the rest is not. no_mail: why no mail can be sent,
        or "". is_exchange: it belongs to an exchange of this till, whose refund paid new goods."""
        texts = self._texts
        is_refund = overview.transaction_type is TransactionType.REFUND
        self.buttons[REFUND].set_words(texts(f"receipts.act.{'undo' if is_refund else 'refund'}"))
        refund = self.why_not(overview, ReceiptAct.UNDO if is_refund else ReceiptAct.REFUND)
        if is_refund and is_exchange:
            refund = texts("receipts.why_not.paid_new_goods")
        _allow(self.buttons[REFUND], refund)
        self._why.setText(refund)
        self._why.setVisible(bool(refund))
        is_sale = overview.invoice_type is InvoiceType.NORMAL and not is_refund
        _allow(self.buttons["I"], refund if is_sale else texts("receipts.no_correction"))
        is_proforma = overview.invoice_type is InvoiceType.PROFORMA
        again = "open_proforma" if is_proforma else "sell_again"
        self.buttons["A"].set_words(texts(f"receipts.act.{again}"))
        self.buttons[ON_PROFORMA].setVisible(is_proforma)
        _allow(self.buttons[ON_PROFORMA], "" if is_proforma else texts("receipts.no_proforma"))
        is_practice = overview.invoice_type is InvoiceType.TRAINING
        _allow(self.buttons["A"], texts("receipts.practice") if is_practice else "")
        _allow(self.buttons["V"], "" if overview.verification_url else texts("receipts.no_address"))
        jobs = overview.deliveries
        is_to_repeat = any(one.method is JobMethod.EMAIL and one.state in AGAIN for one in jobs)
        no_copy = "" if is_to_repeat else self.why_not(overview, ReceiptAct.COPY)
        _allow(self.buttons["E"], no_mail or no_copy)
        self.show_main(main)
        self._show_jobs(overview.deliveries)

    def show_main(self, main: MainAct, *, rests: bool = True) -> None:
        """rests: False if the act changed because somebody typed."""
        self.main.show_act(main.words, order=main.order, key=ENTER, icon=main.icon, rests=rests)
        _allow(self.main, main.why_not)

    def fold_buttons(self, folds: bool) -> None:
        """Show only the large button, where its next act needs the room of the others."""
        self._area.setVisible(not folds)
        self.buttons[REFUND].setVisible(not folds)
        self._why.setVisible(not folds and bool(self._why.text()))

    def set_beside(self, beside: bool) -> None:
        """Keep a gap at the left where something stands there."""
        margins = self._column.contentsMargins()
        margins.setLeft(self._theme.metrics.s3 if beside else 0)
        self._column.setContentsMargins(margins)

    def wanted_width(self) -> int:
        """The width in which all buttons have words and key, and in a wide window icons too."""
        theme, metrics, texts = self._theme, self._theme.metrics, self._texts
        usual = [name for letter, (name, _) in LETTERS.items() if letter != ON_PROFORMA]
        words = [texts(f"receipts.act.{name}") for name in usual]
        specs = [ButtonSpec(one, key=method_cap(1), spread=True) for one in words]
        of_proforma = (("open_proforma", "A"), ("open_advance", ON_PROFORMA))
        specs += [
            ButtonSpec(texts(f"receipts.act.{name}"), key=key, spread=True)
            for name, key in of_proforma
        ]
        if not metrics.narrow:
            specs += [ButtonSpec(one, "pencil", "A", spread=True) for one in words]
        least = 0 if metrics.narrow else round(WIDE_TOUCHES * metrics.touch)
        wide = max(button_width(theme, self.font(), one) for one in specs)
        return max(wide + 2 * metrics.s3 + metrics.s2, least)

    def show_caps(self, *, while_typing: bool) -> None:
        """Show Alt and a digit as the keys while letters are typed into a field."""
        for number, (letter, button) in enumerate(self.buttons.items(), start=1):
            button.set_key(method_cap(number) if while_typing else letter)

    def why_not(self, overview: ReceiptOverview, act: ReceiptAct) -> str:
        why = overview.why_not(act)
        return self._texts(f"receipts.why_not.{why}") if why is not None else ""

    def _show_jobs(self, jobs: Sequence[DeliveryJob]) -> None:
        if jobs == self._jobs:
            return
        self._jobs = jobs
        clear_layout(self._deliveries)
        for job in jobs:
            if job.method is not JobMethod.DRAWER:
                self._deliveries.addWidget(self._row(job))

    def _row(self, job: DeliveryJob) -> QWidget:
        theme, texts, metrics = self._theme, self._texts, self._theme.metrics
        icon, ink = _JOBS[job.state]
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        row.addWidget(Icon(theme, icon, colour=ink, size=_JOB_ICON))
        words = texts(f"receipts.job.{job.method}.{job.state}")
        row.addWidget(Label(theme, words, weight=Weight.SEMIBOLD, wrap=True), 1)
        clock = clock_text(job.changed_at)
        row.addWidget(Label(theme, clock, step=TypeStep.SMALL, colour="ink_2"))
        column.addLayout(row)
        if job.state in AGAIN:
            if job.trouble is not None:
                why = delivery_trouble_words(job, texts)
                label = Label(theme, why, step=TypeStep.SMALL, colour="ink_2", wrap=True)
                label.setContentsMargins(_JOB_ICON + metrics.s2, 0, 0, 0)  # below the words
                column.addWidget(label)
            again = buttons.Button(
                theme,
                texts("receipts.again"),
                icon="refresh-cw",
                name=f"{texts('receipts.again')}: {words}",
            )
            again.clicked.connect(
                lambda _=False, failed_job=job: self.again_pressed.emit(failed_job)
            )
            column.addWidget(again)
        return holder


def _allow(button: ThemedButton, why_not: str) -> None:
    button.refuse(why_not) if why_not else button.allow()
