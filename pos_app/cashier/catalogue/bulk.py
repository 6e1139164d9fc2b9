"""Acts on all ticked articles: the band with the acts' buttons, and the panel of one change, which
previews its effect on each article."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from pos_app.cashier.catalogue.editor import LabelButtons
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.price_form import PriceForm
from pos_app.cashier.catalogue.side_list import MOST_SHOWN, SideList
from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.slices import take_slice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button, SaveButton
from pos_app.cashier.ui.choices import CheckBox, DropDown, Option
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.flow import FlowLayout
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.article_texts import named_list
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_plan import row_of
from pos_app.selling.catalogue.product_draft import end_typed, moment_typed, parse_moment

NAMED = 3


class BulkKind(StrEnum):
    PRICE = "price"
    LABEL = "label"
    CATEGORY = "category"


class BulkPanel(SideList):
    """Signal: `wanted(list[PlannedRow])`, the manager confirmed what was shown."""

    wanted = Signal(object)

    def __init__(self, model: CatalogueModel, ui: UiContext, kind: BulkKind) -> None:
        super().__init__(model, ui, ui.texts(f"cat.bulk.{kind}"))
        texts = ui.texts
        self._kind = kind
        self.products = model.listed.ticked_in_order()
        self.price = PriceForm(model, ui)
        self._label = ""
        self.labels = LabelButtons(model, ui, self._choose_label)
        self.category = DropDown(
            ui.theme, name=texts("cat.column.category"), placeholder=texts("cat.bulk.choose")
        )
        self._offer_categories()
        self.take_out = CheckBox(ui.theme, texts("cat.bulk.take_out"))
        self.do = SaveButton(ui.theme, texts("cat.bulk.do"), key=ENTER)
        self._change: bulk_change.BulkChange | None = None
        """The change that is shown, None while it is incomplete."""
        self._reading: Iterator[bulk_change.BulkLine] = iter(())
        self._read: dict[str, tuple[str, bulk_change.Stays | None]] = {}
        """By product: its name, and why it stays, or None where something of it changes."""
        self._odd: list[str] = []
        """The names of articles whose new price is perhaps not meant."""
        self._rows: list[PlannedRow] = []
        """The plan of what is shown."""
        self._later = QTimer(self)
        self._later.timeout.connect(self._read_on)
        controls: dict[BulkKind, list[QWidget]] = {
            BulkKind.PRICE: [self.price],
            BulkKind.LABEL: [self.labels],
            BulkKind.CATEGORY: [self.category, self.take_out],
        }
        self.lay_out(controls[kind], [self.do])
        self._connect()
        self.show_preview()

    def renew(self) -> None:
        self._offer_categories()
        self.labels.set_current(self._label)
        self.show_preview()

    def _offer_categories(self) -> None:
        known = (one.category for one in self.model.listed.categories())
        self.category.set_options([Option(one.id, one.name) for one in known])

    def focus_first(self) -> None:
        first: dict[BulkKind, QWidget] = {
            BulkKind.PRICE: self.price.first,
            BulkKind.LABEL: self.labels.group.buttons()[0],
            BulkKind.CATEGORY: self.category,
        }
        first[self._kind].setFocus(Qt.FocusReason.OtherFocusReason)
        if self._kind is BulkKind.PRICE:
            self.price.first.point_out()

    def _connect(self) -> None:
        self.price.changed.connect(self.show_preview)
        self.category.chosen.connect(lambda _: self.show_preview())
        self.take_out.clicked.connect(self.show_preview)
        self.do.clicked.connect(self._do)

    def _choose_label(self, label: str) -> None:
        self._label = label
        self.labels.set_current(label)
        self.show_preview()

    def enter(self) -> None:
        if self.do.isEnabled():
            self._do()

    def _do(self) -> None:
        if self.do.is_missing:
            self.focus_first()
            return
        is_other = self.model.reload_if_outdated()  # the preview was another's: it is seen first
        if not is_other and self._is_late:
            self.show_preview()
            is_other = True
        if is_other:
            self.model.services.tones.play("no")
            return
        self.wanted.emit(self._rows)

    # --- what would come of it -------------------------------------------------------------------

    @property
    def _now(self) -> datetime:
        return self.model.services.till.clock.now()

    @property
    def _is_late(self) -> bool:
        """Whether the shown prices were to hold later, and would hold at once by now."""
        change = self._change
        if not isinstance(change, bulk_change.NewPrices) or change.period is None:
            return False
        return change.moment < change.period.begins_at <= self._now

    @property
    def is_for_later(self) -> bool:
        """Whether the shown prices are planned, and hold from a moment that is yet to come."""
        return self._period is not None and self._period.begins_at > self._now

    def _typed_change(self) -> bulk_change.BulkChange | None:
        """The typed change, or None while it is incomplete."""
        match self._kind:
            case BulkKind.PRICE:
                return self.price.change(self._now)
            case BulkKind.LABEL:
                return bulk_change.LabelForAll(TaxLabel(self._label)) if self._label else None
            case BulkKind.CATEGORY:
                chosen, is_added = self.category.current(), not self.take_out.isChecked()
                return bulk_change.CategoryForAll(chosen, is_added) if chosen else None

    def show_preview(self) -> None:
        """Begin to read what becomes of each article; until all are read, nothing can be done."""
        self.clear_lines()
        self._later.stop()
        self._change, texts = self._typed_change(), self.texts
        many = len(self.products)
        if self._change is None:
            self._show_order()
            self.summary.setText(texts.count("cat.chosen", many))
            return
        self.do.show_act(self._act_words())
        self.do.refuse(texts("cat.bulk.reading"))
        self.summary.setText(f"{texts.count('cat.bulk.about', many)} {texts('cat.bulk.reading')}")
        catalogue = self.model.services.catalogue
        self._reading = bulk_change.preview(catalogue, self.products, self._change)
        self._read, self._rows, self._odd = {}, [], []
        self._later.start()
        self._read_on()

    def _act_words(self) -> str:
        return self.texts("cat.bulk.plan") if self._period is not None else ""

    @property
    def _period(self) -> bulk_change.PricePeriod | None:
        change = self._change
        return change.period if isinstance(change, bulk_change.NewPrices) else None

    def _read_on(self) -> None:
        if take_slice(self._reading, self._read_line):
            self._later.stop()
            self._show_sums()

    def _read_line(self, line: bulk_change.BulkLine) -> None:
        if self.has_room:
            is_quiet = line.stays is not None
            self.add_line(line.name, self._becomes(line), self._note(line), is_quiet=is_quiet)
        name, why = self._read.get(line.product_id, (line.name, line.stays))
        self._read[line.product_id] = name, (why and line.stays)
        if line.is_odd:
            self._odd.append(line.name)
        self._rows.append(row_of(line))

    def _show_sums(self) -> None:
        """Say how many articles change, when, and how many stay as they are, which ones and why."""
        texts, stays = self.texts, [one for one in self._read.values() if one[1] is not None]
        changed = len(self._read) - len(stays)
        parts = [self._changes_words(changed)]
        for reason in bulk_change.Stays:
            names = [name for name, why in stays if why is reason]
            if names:
                why = texts(f"cat.bulk.stays.{reason}")
                parts.append(f"{texts.count('cat.bulk.stay', len(names))}: {why} ({_first(names)})")
        if self._odd:
            parts.append(f"{texts.count('cat.bulk.odd', len(self._odd))} ({_first(self._odd)})")
        if len(self._rows) > MOST_SHOWN:
            parts.append(texts("cat.bulk.first", n=MOST_SHOWN))
        period = self._holds(self._period) if self._period is not None else ""
        self.summary.setText("\n".join(filter(None, (period, ". ".join(parts)))))
        if changed:
            self.do.allow()
        else:
            self._show_order()

    def _changes_words(self, products: int) -> str:
        """How many products change, and how many prices are planned where some have variants:
        labels and backups count these."""
        texts, words = self.texts, self.texts.count("cat.bulk.changes", products)
        prices = sum(bool(row.after) for row in self._rows) if self._period is not None else 0
        return f"{words} ({texts.count('cat.bulk.prices', prices)})" if prices > products else words

    def _holds(self, period: bulk_change.PricePeriod) -> str:
        """From when and until when the shown prices hold."""
        texts, begins = self.texts, moment_typed(period.begins_at)
        is_begun = period.begins_at <= self._now
        words = texts("cat.bulk.holds.now" if is_begun else "cat.bulk.holds", begins=begins)
        if period.ends_at is None:
            return words
        return f"{words} {_sentence(self._end(period.ends_at))} {texts('cat.bulk.holds.then')}"

    def _end(self, ends_at: datetime) -> str:
        """An end in words; a day without an hour is the last one."""
        typed = end_typed(ends_at)
        if ends_at == parse_moment(typed):
            return self.texts("cat.bulk.last_moment", moment=typed)
        return self.texts("cat.bulk.last_day", day=typed)

    def _show_order(self) -> None:
        """Say what to choose, because nothing would change yet."""
        self.do.allow()
        is_price = self._kind is BulkKind.PRICE
        order = self.price.order() if is_price else self.texts(f"cat.bulk.order.{self._kind}")
        self.do.show_act(order=order)

    def _becomes(self, line: bulk_change.BulkLine) -> str:
        texts = self.texts
        if line.stays is not None:
            return texts("cat.bulk.stays")
        match self._kind:
            case BulkKind.PRICE:
                assert line.new_price is not None
                old = "–" if line.price is None else amount_text(line.price)
                return f"{old} → {amount_text(line.new_price)}"
            case BulkKind.LABEL:
                return f"{line.before.tax_label.value} → {line.changes['tax_label'].value}"
            case BulkKind.CATEGORY:
                return texts("cat.bulk.out" if self.take_out.isChecked() else "cat.bulk.in")

    def _note(self, line: bulk_change.BulkLine) -> str:
        """What becomes of a planned price that an article has already."""
        plan, texts, period = line.other_plan, self.texts, self._period
        if plan is None or line.stays is not None:
            return ""
        words = texts(
            "cat.bulk.plan_words",
            price=amount_text(plan.price),
            begins=moment_typed(plan.begins_at),
        )
        if plan.ends_at is not None:
            words = f"{words} {self._end(plan.ends_at)}"
        if period is None:
            return texts("cat.bulk.plan_stays", plan=words)
        note = texts("cat.bulk.plan_goes", plan=words)
        if plan.holds_at(self._now) and period.begins_at > self._now and line.price is not None:
            until_then = texts("cat.bulk.until_then", price=amount_text(line.price))
            return f"{_sentence(note)} {until_then}"
        return note


def _sentence(words: str) -> str:
    """Words that end with a full stop, as a date does already."""
    return f"{words.rstrip('.')}."


def _first(names: Sequence[str]) -> str:
    return named_list(names[:NAMED], len(names))


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
