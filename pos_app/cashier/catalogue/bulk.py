"""Acts on all ticked articles: the band with the acts' buttons, and the panel of one change, which
previews its effect on each article."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.editor import LabelButtons
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.commands import ENTER, ESCAPE
from pos_app.cashier.services.slices import take_slice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ActButton, Button, ButtonKind
from pos_app.cashier.ui.choices import CheckBox, DropDown, Option
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.flow import FlowLayout
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground, Panel, clear_layout
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_plan import row_of

SHOWN = 50
NAMED = 3


class BulkKind(StrEnum):
    PRICE = "price"
    LABEL = "label"
    CATEGORY = "category"


class BulkPanel(Panel):
    """Signals: `closed()`; `wanted(list[PlannedRow])`, the manager confirmed what was shown."""

    closed = Signal()
    wanted = Signal(object)

    def __init__(self, model: CatalogueModel, ui: UiContext, kind: BulkKind) -> None:
        super().__init__(ui.theme)
        self._model = model
        self._texts = texts = ui.texts
        self._kind = kind
        self.products = model.listed.ticked_in_order()
        self.percent = Field(
            ui.theme,
            name=texts("cat.bulk.percent"),
            right=True,
            signed=True,
            takes=InputKind.NUMBER,
            placeholder=texts("cat.bulk.percent_hint"),
            step=TypeStep.TITLE,
        )
        self.rounding = DropDown(ui.theme, name=texts("cat.bulk.rounding"))
        self.rounding.set_options(
            [Option(one.value, texts(f"cat.rounding.{one.value}")) for one in bulk_change.Rounding]
        )
        self.rounding.set_current(bulk_change.Rounding.PARA.value)
        self._label = ""
        self.labels = LabelButtons(model, ui, self._choose_label)
        self.category = DropDown(
            ui.theme, name=texts("cat.column.category"), placeholder=texts("cat.bulk.choose")
        )
        self._offer_categories()
        self.take_out = CheckBox(ui.theme, texts("cat.bulk.take_out"))
        self.do = ActButton(ui.theme, texts("cat.bulk.do"), key=ENTER)
        self.stop = Button(ui.theme, texts("cat.bulk.stop"), key=ESCAPE)
        self._lines = QVBoxLayout()
        self._reading: Iterator[bulk_change.BulkLine] = iter(())
        self._read: dict[str, tuple[str, bulk_change.Stays | None]] = {}
        """By product: its name, and why it stays, or None where something of it changes."""
        self._rows: list[PlannedRow] = []
        """The plan of what is shown."""
        self._later = QTimer(self)
        self._later.timeout.connect(self._read_on)
        self._summary = Label(ui.theme, weight=Weight.SEMIBOLD, wrap=True)
        self._area = Scrolled(ui.theme, name=texts("cat.bulk.preview"))
        self.setAccessibleName(self._title())
        self._build()
        self._connect()
        self.show_preview()

    def renew(self) -> None:
        """Show what would come of it now, because the catalogue was read anew."""
        self._offer_categories()
        self.labels.set_current(self._label)
        self.show_preview()

    def _offer_categories(self) -> None:
        known = (one.category for one in self._model.listed.categories())
        self.category.set_options([Option(one.id, one.name) for one in known])

    def focus_first(self) -> None:
        first: dict[BulkKind, QWidget] = {
            BulkKind.PRICE: self.percent,
            BulkKind.LABEL: self.labels.group.buttons()[0],
            BulkKind.CATEGORY: self.category,
        }
        first[self._kind].setFocus(Qt.FocusReason.OtherFocusReason)

    # --- parts -----------------------------------------------------------------------------------

    def _title(self) -> str:
        return self._texts(f"cat.bulk.{self._kind}")

    def _build(self) -> None:
        metrics = self.theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        column.addWidget(
            Label(self.theme, self._title(), step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        )
        for part in self._controls():
            column.addWidget(part)
        column.addWidget(self._summary)
        inside = QWidget()
        self._lines = QVBoxLayout(inside)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(metrics.s1)
        self._area.show_inside(inside)
        column.addWidget(self._area, 1)
        acts = QHBoxLayout()
        acts.setSpacing(metrics.s2)
        acts.addWidget(self.stop)
        acts.addStretch(1)
        acts.addWidget(self.do)
        column.addLayout(acts)

    def _controls(self) -> list[QWidget]:
        texts, theme = self._texts, self.theme

        def word(text_id: str) -> Label:
            return Label(theme, texts(text_id), step=TypeStep.SMALL, colour="ink_2")

        match self._kind:
            case BulkKind.PRICE:
                return [
                    word("cat.bulk.percent"),
                    self.percent,
                    word("cat.bulk.rounding"),
                    self.rounding,
                ]
            case BulkKind.LABEL:
                return [self.labels]
            case BulkKind.CATEGORY:
                return [self.category, self.take_out]

    def _connect(self) -> None:
        self.percent.changed.connect(lambda _: self.show_preview())
        self.percent.refused.connect(lambda: self.percent.set_error(self._texts("number.only")))
        self.percent.refused.connect(lambda: self._model.services.tones.play("no"))
        self.rounding.chosen.connect(lambda _: self.show_preview())
        self.category.chosen.connect(lambda _: self.show_preview())
        self.take_out.clicked.connect(self.show_preview)
        self.stop.clicked.connect(self.closed)
        self.do.clicked.connect(self._do)

    def _choose_label(self, label: str) -> None:
        self._label = label
        self.labels.set_current(label)
        self.show_preview()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat() and self.do.isEnabled():
                self._do()
            return
        super().keyPressEvent(event)

    def _do(self) -> None:
        if self.do.is_missing:
            self.focus_first()
            return
        if self._model.reload_if_outdated():  # the preview was another's: it is seen first
            self._model.services.tones.play("no")
            return
        self.wanted.emit(self._rows)

    # --- what would come of it -------------------------------------------------------------------

    def _change(self) -> bulk_change.BulkChange | None:
        """The typed change, or None while it is incomplete."""
        make: dict[BulkKind, Callable[[], bulk_change.BulkChange | None]] = {
            BulkKind.PRICE: self._price_change,
            BulkKind.LABEL: lambda: (
                bulk_change.LabelForAll(TaxLabel(self._label)) if self._label else None
            ),
            BulkKind.CATEGORY: self._category_change,
        }
        return make[self._kind]()

    def _price_change(self) -> bulk_change.BulkChange | None:
        try:
            change = bulk_change.price_change(
                self.percent.text(), bulk_change.Rounding(self.rounding.current())
            )
        except Invalid as error:
            self.percent.set_error(self._texts.error(error).happened)
            return None
        self.percent.set_error("")
        return change

    def _category_change(self) -> bulk_change.BulkChange | None:
        chosen = self.category.current()
        return bulk_change.CategoryForAll(chosen, not self.take_out.isChecked()) if chosen else None

    def show_preview(self) -> None:
        """Begin to read what becomes of each article; until all are read, nothing can be done."""
        clear_layout(self._lines)
        self._lines.addStretch(1)
        self._later.stop()
        change, texts = self._change(), self._texts
        many = len(self.products)
        if change is None:
            self._show_order()
            self._summary.setText(texts.count("cat.chosen", many))
            return
        self.do.show_act()
        self.do.refuse(texts("cat.bulk.reading"))
        self._summary.setText(f"{texts.count('cat.bulk.about', many)} {texts('cat.bulk.reading')}")
        self._reading, self._read = (
            bulk_change.preview(self._model.services.catalogue, self.products, change),
            {},
        )
        self._rows = []
        self._later.start()
        self._read_on()

    def _read_on(self) -> None:
        change = self._change()
        assert change is not None
        if take_slice(self._reading, partial(self._read_line, change)):
            self._later.stop()
            self._show_sums()

    def _read_line(self, change: bulk_change.BulkChange, line: bulk_change.BulkLine) -> None:
        if self._lines.count() <= SHOWN:
            self._lines.insertWidget(self._lines.count() - 1, self._line(line))
        name, why = self._read.get(line.product_id, (line.name, line.stays(change)))
        self._read[line.product_id] = name, (why and line.stays(change))
        self._rows.append(row_of(line))

    def _show_sums(self) -> None:
        """Say how many articles change, and how many stay as they are, which ones and why."""
        texts, stays = self._texts, [one for one in self._read.values() if one[1] is not None]
        changed = len(self._read) - len(stays)
        parts = [texts.count("cat.bulk.changes", changed)]
        for reason in bulk_change.Stays:
            names = [name for name, why in stays if why is reason]
            if names:
                shown = ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
                why = texts(f"cat.bulk.stays.{reason}")
                parts.append(f"{texts.count('cat.bulk.stay', len(names))}: {why} ({shown})")
        if len(self._read) > SHOWN:
            parts.append(texts("cat.bulk.first", n=SHOWN))
        self._summary.setText(". ".join(parts))
        if changed:
            self.do.allow()
        else:
            self._show_order()

    def _show_order(self) -> None:
        """Say what to choose, because nothing would change yet."""
        self.do.allow()
        self.do.show_act(order=self._texts(f"cat.bulk.order.{self._kind}"))

    def _line(self, line: bulk_change.BulkLine) -> QWidget:
        block = QWidget()
        row = QHBoxLayout(block)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self.theme.metrics.s2)
        name = ElidedLabel(self.theme, line.name)
        row.addWidget(name, 1)
        words = self._becomes(line)
        label = Label(
            self.theme, words, weight=Weight.SEMIBOLD, colour="ink" if line.changes else "ink_3"
        )
        row.addWidget(label)
        block.setAccessibleName(f"{line.name}: {words}")
        return block

    def _becomes(self, line: bulk_change.BulkLine) -> str:
        texts: Texts = self._texts
        if not line.changes:
            return texts("cat.bulk.stays")
        if self._kind is BulkKind.PRICE:
            new = line.changes["price"]
            assert isinstance(new, Money)
            assert line.before.price is not None
            return f"{amount_text(line.before.price)} → {amount_text(new)}"
        if self._kind is BulkKind.LABEL:
            return f"{line.before.tax_label.value} → {line.changes['tax_label'].value}"
        return texts("cat.bulk.out" if self.take_out.isChecked() else "cat.bulk.in")


class ActBand(Ground):
    """Buttons for all ticked rows; the band appears below the table while rows are ticked."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, colour="band")
        metrics = theme.metrics
        self._words = ElidedLabel(
            theme, step=TypeStep.BASE, weight=Weight.SEMIBOLD, colour="on_band"
        )
        kind = ButtonKind.BAND
        icons = {BulkKind.PRICE: "percent", BulkKind.LABEL: "tag", BulkKind.CATEGORY: "folder"}
        self.changes = {
            one: Button(theme, texts(f"cat.band.{one}"), icon=icon, kind=kind)
            for one, icon in icons.items()
        }
        self.labels = Button(theme, texts("cat.band.labels"), icon="barcode", kind=kind)
        self.delete = Button(theme, texts("cat.delete"), icon="trash-2", kind=kind)
        self.untick = Button(theme, texts("cat.untick"), icon="x", kind=kind)
        self.acts = (*self.changes.values(), self.labels, self.delete)
        self._buttons = FlowLayout(metrics.s2)
        for button in (*self.acts, self.untick):
            self._buttons.addWidget(button)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(metrics.s4, metrics.s2, metrics.s2, metrics.s2)
        self._whole.setSpacing(metrics.s2)
        self._whole.addWidget(self._words, 1)
        self._whole.addLayout(self._buttons)

    def show_count(self, words: str) -> None:
        self._words.setText(words)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        """Put the number of chosen rows above the buttons where both have no room side by side."""
        edges = self._whole.contentsMargins()
        needed = self._words.sizeHint().width() + self._buttons.sizeHint().width()
        room = self.width() - edges.left() - edges.right() - self._whole.spacing()
        ways = QBoxLayout.Direction
        self._whole.setDirection(ways.LeftToRight if needed <= room else ways.TopToBottom)
