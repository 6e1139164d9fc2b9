"""The left side: the filters, the turnover of the found receipts, and the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import EXPORT, TillCommand, cap_of
from pos_app.cashier.receipts import rows
from pos_app.cashier.receipts.filters import Filters, KindChoice, PeriodChoice
from pos_app.cashier.receipts.model import MOST_ROWS, ReceiptsModel, Row, reference_of
from pos_app.cashier.receipts.words import ReceiptRowWords, widest_time
from pos_app.cashier.services.exporting import Exporting, ExportLine
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown, Option
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.list_rows import ListRows
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.painting import MINUS, amount_ink, width_of
from pos_app.cashier.ui.panel import EmptyState, FilledPanel, ListSide, Panel, clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import LinesView
from pos_app.cashier.words.day_fields import DayFields
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.number_text import sum_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.text.instant import day_of

SHOWN_WHOLE = (
    receipt_list.HandOver.NOT_PRINTED,
    receipt_list.HandOver.MAIL_WAITS,
    receipt_list.HandOver.DONE,
)
"""States whose words are shown whole or not at all."""
LISTS_EMS = 18
"""The width of the lists of kinds and payments, in sizes of their type."""
LEAST_EMS = 29
"""The least width of the list, in sizes of its type."""
AHEAD_ROWS = 20
"""The number of rows before the end at which the next page is asked for."""


class ReceiptFilters(QWidget):
    """Signal: `changed(object)`, a dict of members of `Filters` as a person chose them. narrowed:
    the words for a report's line, with a button that asks for all again."""

    changed = Signal(object)  # Qt would turn the choices in a dict into plain texts

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        metrics = theme.metrics
        self._em = metrics.type_px(TypeStep.BASE)
        self.search = _search_field(theme, texts)
        self.search.changed.connect(lambda text: self.changed.emit({"typed_text": text}))
        self.top = QHBoxLayout()
        self.top.setSpacing(metrics.s2)
        self.top.addWidget(self.search, 1)
        step, weight = TypeStep.SMALL, Weight.SEMIBOLD
        by_scan = texts("receipts.by_scan")
        self._by_scan = Label(theme, by_scan, step=step, colour="ok", weight=weight)
        self.top.addWidget(self._by_scan)
        self.export_button = self._export_button(theme)
        self.top.addWidget(self.export_button)
        self.periods: Mapping[PeriodChoice, Button] = {
            period: self._period_button(theme, period) for period in PeriodChoice
        }
        self.kind, self.payment = self._kind_list(theme), self._payment_list(theme)
        self.waiting = Button(theme, texts("receipts.waiting"), icon="bell", narrow=metrics.narrow)
        self.waiting.setCheckable(True)
        self.waiting.clicked.connect(lambda on: self.changed.emit({"waiting": on}))
        self._row, self._second = QHBoxLayout(), QHBoxLayout()
        for button in self.periods.values():
            self._row.addWidget(button)
        self._row.addWidget(self.waiting, 1)
        self._is_folded = True
        self._second.addWidget(self.kind, 1)
        self._second.addWidget(self.payment, 1)
        self.days = DayFields(theme, texts)
        self.days.days_chosen.connect(
            lambda first, last: self.changed.emit({"first": first, "last": last})
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for layout in (column, self._row, self._second):
            layout.setSpacing(metrics.s2)
        for layout in (self.top, self._row, self._second):
            column.addLayout(layout)
        column.addWidget(self.days)
        self.narrowed = self._narrowed_line(theme)
        column.addWidget(self.narrowed)

    def _narrowed_line(self, theme: Theme) -> NarrowedLine:
        made = NarrowedLine(theme, self._texts)
        made.widen.clicked.connect(
            lambda _=False: self.changed.emit(
                {"narrowed": receipt_list.EVERYTHING, "narrowed_to": None}
            )
        )
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put kind and payment into a row of their own where one row is too narrow. The export
        button gives up its words before the search field's hint is cut."""
        self._fit_export(event.size().width())
        buttons = (*self.periods.values(), self.waiting)
        gaps = (len(buttons) + 1) * self._row.spacing()
        lists = round(LISTS_EMS * self._em)
        folds = (
            sum(button.sizeHint().width() for button in buttons) + gaps + lists
            > event.size().width()
        )
        if folds == self._is_folded:
            return
        self._is_folded = folds
        into, first = (self._second, 0) if folds else (self._row, len(self.periods))
        for index, (part, share) in enumerate(((self.kind, 4), (self.payment, 5)), start=first):
            self._second.removeWidget(part)
            self._row.removeWidget(part)
            into.insertWidget(index, part, share)
        self._row.setStretchFactor(self.waiting, 1 if folds else 0)

    def _fit_export(self, width: int) -> None:
        theme, button = self.search.theme, self.export_button
        words_width = width_of(theme.font(TypeStep.BASE), self._texts("receipts.search_words"))
        button.set_compact(False)
        room = width - words_width - 4 * theme.metrics.touch
        button.set_compact(button.sizeHint().width() > room)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_opened(self, model: ReceiptsModel) -> None:
        self._by_scan.setVisible(model.opened_by_scan and model.can_act and not self._is_folded)

    def show_filters(self, model: ReceiptsModel) -> None:
        filters = model.filters
        self.show_opened(model)
        for period, button in self.periods.items():
            button.setChecked(
                period is filters.period and model.own is None and not filters.waiting
            )
        self.kind.set_current(filters.kind.value)
        self.payment.set_current(filters.payment.value if filters.payment else "")
        self.days.setVisible(filters.period is PeriodChoice.DAYS)
        self.waiting.setChecked(filters.waiting)
        narrowed_to = filters.narrowed_to
        self.narrowed.show_words("" if narrowed_to is None else narrowed_to(self._texts))
        many = model.waiting_many
        lead = (
            f"{receipt_list.MOST_COUNTED - 1}+"
            if many >= receipt_list.MOST_COUNTED
            else str(many or "")
        )
        self.waiting.set_words(self._texts("receipts.waiting"), lead=lead)
        if self.search.text() != filters.typed_text:
            self.search.set_text(filters.typed_text)
        self.days.show_days(model.days_typed, holds=model.holds_days, today=lambda: model.today)

    # --- parts -----------------------------------------------------------------------------------

    def _export_button(self, theme: Theme) -> Button:
        name = self._texts("receipts.export")
        return Button(theme, name, icon="download", key=EXPORT, name=name)

    def _period_button(self, theme: Theme, period: PeriodChoice) -> Button:
        icon = "calendar" if period is PeriodChoice.DAYS else ""
        words = self._texts(f"receipts.period.{period}")
        button = Button(theme, words, icon=icon, narrow=theme.metrics.narrow)
        button.setCheckable(True)
        button.clicked.connect(lambda _=False: self._choose_period(period))
        return button

    def _kind_list(self, theme: Theme) -> DropDown:
        kind = DropDown(theme, name=self._texts("receipts.kind"))
        kind.set_options(
            [Option(one.value, self._texts(f"receipts.kinds.{one}")) for one in KindChoice]
        )
        kind.chosen.connect(lambda key: self.changed.emit({"kind": KindChoice(key)}))
        return kind

    def _payment_list(self, theme: Theme) -> DropDown:
        payment = DropDown(theme, name=self._texts("receipts.payment"))
        payment.set_options(
            [
                Option("", self._texts("receipts.payment.all")),
                *(Option(one.value, self._texts(f"pay.method.{one}")) for one in PaymentMethod),
            ]
        )
        payment.chosen.connect(self._choose_payment)
        return payment

    def _choose_period(self, period: PeriodChoice) -> None:
        self.periods[period].setChecked(True)
        self.changed.emit({"period": period})
        if period is PeriodChoice.DAYS:
            self.days.first.setFocus()

    def _choose_payment(self, option_id: str) -> None:
        self.changed.emit({"payment": PaymentMethod(option_id) if option_id else None})


class NarrowedLine(Panel):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, colour="tint")
        metrics = theme.metrics
        self._words = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self.widen = Button(
            theme, texts("receipts.widen"), icon="x", kind=ButtonKind.QUIET, narrow=True
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3, 0, 0, 0)
        row.setSpacing(metrics.s2)
        row.addWidget(self._words, 1)
        row.addWidget(self.widen)
        self.hide()

    def show_words(self, words: str) -> None:
        self._words.setText(words)
        self.setVisible(bool(words))


class TurnoverLine(QWidget):
    """The sold and the returned sums and their difference; documents are counted beside them."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._is_tight = theme.metrics.tight
        self._title = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._words = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_3")
        self._sales = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self._refunds = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self._net = AmountLabel(theme, step=TypeStep.AMOUNT, name=texts("receipts.turnover"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        left, middle = QVBoxLayout(), QVBoxLayout()
        for column, parts in (
            (left, (self._title, self._words)),
            (middle, (self._sales, self._refunds)),
        ):
            column.setSpacing(0)
            for part in parts:
                side = Qt.AlignmentFlag(0) if column is left else Qt.AlignmentFlag.AlignRight
                column.addWidget(part, 0, side)
        row.addLayout(left, 3)
        row.addLayout(middle)
        row.addWidget(self._net, 2)

    def show_turnover(self, turnover: receipt_list.Turnover | None, filters: Filters) -> None:
        """turnover is None where nobody has counted it."""
        texts = self._texts
        documents = sum(turnover.documents.values()) if turnover is not None else 0
        period = texts(f"receipts.turnover.{filters.period}")
        title = texts.count("receipts.documents", documents)
        is_counted = turnover is not None and (bool(turnover.documents) or not turnover.net)
        if not is_counted:
            self._title.setText(period)
        elif filters.typed_text.strip():
            self._title.setText(title)
        else:
            self._title.setText(f"{period}, {title}")
        is_part = turnover is not None and turnover.is_part
        self._words.setText(texts("receipts.part" if is_part else "receipts.no_turnover"))
        self._words.setVisible(is_part or not self._is_tight)
        for part in (self._sales, self._refunds):
            part.setVisible(turnover is not None)
        self._net.setText("")
        if turnover is not None:
            sales, refunds = (sum_text(one) for one in (turnover.sales, turnover.refunds))
            self._sales.setText(texts("receipts.sales", amount=sales))
            back = f"{MINUS}{refunds}" if turnover.refunds else refunds
            self._refunds.setText(texts("receipts.refunds", amount=back))
            self._refunds.set_colour(amount_ink(back, "ink_2"))
            self._net.setText(sum_text(turnover.net))


class Nothing(NamedTuple):
    """Why the list is empty. words: the id of a line below, or "". is_failure: it could not be
    read. is_search: what was typed is not there. key: the id of the words of what leads on, or "";
    it changes these members of `Filters`."""

    title: str
    words: str = ""
    is_failure: bool = False
    key: str = ""
    changed: tuple[tuple[str, object], ...] = ()
    is_search: bool = False

    @property
    def icon(self) -> str:
        if self.is_failure:
            return "circle-alert"
        return "search" if self.is_search else "receipt-text"


_IN_ALL_DAYS = "receipts.in_all_days"
_ALL = (
    ("typed_text", ""),
    ("kind", KindChoice.ALL),
    ("payment", None),
    ("narrowed", receipt_list.EVERYTHING),
    ("narrowed_to", None),
)


def nothing_of(model: ReceiptsModel) -> Nothing:
    filters = model.filters
    if model.own is not None:
        return Nothing("receipts.away_none", "receipts.away_none.words", is_failure=True)
    if model.list_fault is not None:
        return Nothing("receipts.unlisted", is_failure=True)
    if filters.waiting:
        return Nothing("receipts.none_waiting", key="empty.show_all")
    is_search = bool(filters.typed_text.strip())
    if is_search and filters.period is PeriodChoice.DAYS:
        days = (("period", PeriodChoice.TODAY),)
        return Nothing("receipts.none", key=_IN_ALL_DAYS, changed=days, is_search=True)
    if any(getattr(filters, name) != value for name, value in _ALL):
        key = "empty.show_all"
        return Nothing("receipts.none", key=key, changed=_ALL, is_search=is_search)
    if filters.period is PeriodChoice.DAYS and not all(map(model.is_day, model.days_typed)):
        return Nothing("receipts.mend_day")
    return Nothing("receipts.none_of_days")


def _is_bare(model: ReceiptsModel) -> bool:
    """Whether no row is listed, because there is none or because none could be read."""
    is_failure = model.own is not None or model.list_fault is not None
    return model.lists_nothing or (is_failure and not model.listed_rows)


def widest_texts(texts: Texts) -> rows.Widest:
    states = tuple(texts(f"receipts.state.{one}") for one in SHOWN_WHOLE)
    methods = (texts("pay.method.cash"), texts("pay.method.card"), texts("receipts.several"))
    every = tuple(texts(f"pay.method.{one}") for one in PaymentMethod)
    return rows.Widest(states, methods, every, number_head=texts("receipts.head.number"))


class ReceiptListSide(ListSide):
    """Signals: `chosen(str)`, the id of the receipt in a row; `more_wanted()`, the end of the
    loaded rows comes into sight."""

    chosen = Signal(str)
    more_wanted = Signal()

    def __init__(self, theme: Theme, texts: Texts, exporting: Exporting) -> None:
        super().__init__(texts("receipts.title"))
        self._theme, self._texts = theme, texts
        metrics = theme.metrics
        self.filters = ReceiptFilters(theme, texts)
        self.turnover = TurnoverLine(theme, texts)
        self.rows = ListRows[Row](lambda row: row.accessible_text)
        self._widest = widest_texts(texts)
        self._delegate = rows.ReceiptDelegate(theme, self._widest)
        self.view = LinesView(theme, self._delegate, name=texts("receipts.list"))
        self.view.setModel(self.rows)
        self.view.moved.connect(self._on_moved)
        self.view.clicked.connect(lambda _: self._on_moved())
        self.view.verticalScrollBar().valueChanged.connect(lambda _: self._look_ahead())
        self._state = QVBoxLayout()
        self._export_line = ExportLine(exporting, theme, texts, words_of="receipts")
        self._shown_state = ""
        table = FilledPanel(theme)
        inside = table.edge_column()
        self._head = rows.ReceiptListHead(theme, texts, self._widest)
        inside.addWidget(self._head)
        inside.addWidget(self.view, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s2)
        column.addWidget(self.filters)
        column.addWidget(self.turnover)
        column.addLayout(self._state)
        column.addWidget(self._export_line)
        column.addWidget(table, 1)
        self.hold_list(self.view, table)
        self._nothing = QVBoxLayout()
        self._shown_nothing: Nothing | None = None
        column.addLayout(self._nothing, 1)

    def show_model(self, model: ReceiptsModel, *, now: datetime) -> None:
        self.filters.show_filters(model)
        is_summed = model.sees_turnover and model.own is None
        is_counted = not model.filters.waiting and not model.lists_nothing
        self.turnover.setVisible(is_summed and is_counted)
        self.turnover.show_turnover(model.turnover, model.filters)
        one_day = model.filters.is_one_day(model.today) and not model.filters.waiting
        words = ReceiptRowWords(self._texts, now, one_day, model.is_exchange)
        numbers = (short_number(row.number or "") for row in model.listed_rows)
        longest = max(numbers, key=len, default="")
        time = widest_time((row.at for row in model.listed_rows), now=now, one_day=one_day)
        widest = replace(self._widest, number=longest, time=time)
        self._delegate.widest = self._head.widest = widest
        self._head.update()
        self.rows.show_rows(model.listed_rows, words.row, depends_on=(one_day, day_of(now)))
        self._show_state(model)
        self._show_nothing(model)

    def mark(self, model: ReceiptsModel) -> None:
        """Mark the open receipt's row, and scroll there; a hidden row comes to the middle."""
        number = model.index_of(model.current) if model.current else None
        index = self.rows.index(number) if number is not None else QModelIndex()
        hint, seen = QAbstractItemView.ScrollHint, self.view.viewport().rect()
        is_far = index.isValid() and not seen.intersects(self.view.visualRect(index))
        if index != self.view.currentIndex():
            self.view.setCurrentIndex(index)
        if index.isValid():
            self.view.scrollTo(index, hint.PositionAtCenter if is_far else hint.EnsureVisible)
        self.view.viewport().update()

    def least_width(self) -> int:
        return LEAST_EMS * self._theme.metrics.type_px(TypeStep.BASE)

    def step(self, by: int) -> None:
        last, now = self.rows.rowCount() - 1, self.view.currentIndex().row()
        if last >= 0:
            self.view.setCurrentIndex(self.rows.index(min(max(now + by, 0), last)))
            self._on_moved()

    @property
    def page(self) -> int:
        return max(1, self.view.viewport().height() // self._theme.metrics.touch - 1)

    # --- parts -----------------------------------------------------------------------------------

    def _on_moved(self) -> None:
        row = self.rows.row_at(self.view.currentIndex().row())
        if row is not None:
            self.chosen.emit(reference_of(row))

    def _look_ahead(self) -> None:
        bar = self.view.verticalScrollBar()
        if bar.maximum() - bar.value() < AHEAD_ROWS * self._theme.metrics.touch:
            self.more_wanted.emit()

    def _show_state(self, model: ReceiptsModel) -> None:
        words = self._state_words(model)
        if words == self._shown_state:
            return
        self._shown_state = words
        clear_layout(self._state)
        if words:
            calls = model.list_fault is not None
            kind = NoticeKind.WARN if calls else NoticeKind.INFO
            self._state.addWidget(NoticePanel(self._theme, kind, happened=words, safe="", press=""))

    def _show_nothing(self, model: ReceiptsModel) -> None:
        """Show in the table's place that there is no such receipt, and what leads on."""
        shown = nothing_of(model) if _is_bare(model) else None
        self.show_list(has_rows=shown is None)
        if shown == self._shown_nothing:
            return
        self._shown_nothing = shown
        clear_layout(self._nothing)
        if shown is None:
            return
        key = None
        if shown.key:
            icon = "search" if shown.key == _IN_ALL_DAYS else "list"
            key = Button(self._theme, self._texts(shown.key), icon=icon)
            changed = dict(shown.changed)
            key.clicked.connect(lambda _=False: self.filters.changed.emit(changed))
        title = self._texts(shown.title)
        words = self._texts(shown.words) if shown.words else ""
        empty = EmptyState(
            self._theme,
            title=title,
            words=words,
            icon=shown.icon,
            colour="warn" if shown.is_failure else "ink_2",
            button=key,
        )
        self._nothing.addWidget(empty)

    def _state_words(self, model: ReceiptsModel) -> str:
        texts = self._texts
        if _is_bare(model):
            return ""
        if model.own is not None:
            return texts("receipts.away")
        if model.list_fault is not None:
            return texts("receipts.unlisted")
        if model.state is not None and not model.state.is_whole:
            return texts(
                "receipts.not_whole",
                done=texts.number(model.state.done),
                of=texts.number(model.state.of),
            )
        if model.is_full and not model.filters.waiting:
            return texts("receipts.full", many=texts.number(MOST_ROWS))
        return ""


def _search_field(theme: Theme, texts: Texts) -> SearchField:
    return SearchField(
        theme,
        name=texts("receipts.search"),
        placeholder=texts("receipts.search_words"),
        clear_name=texts("search.clear"),
        key=cap_of(TillCommand.SEARCH),
    )
