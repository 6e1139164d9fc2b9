"""The labels of a day on which planned prices begin or end: listed with the new prices, and printed
in one go, so that they hang when the prices begin to hold."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt, Signal

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.side_list import MOST_SHOWN, SideList
from pos_app.cashier.commands import ENTER
from pos_app.cashier.ui.buttons import ActButton, Button
from pos_app.cashier.ui.choices import DropDown, Option
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import bounded
from pos_app.cashier.words.moments import date_text
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.selling.catalogue.planned_prices import ComingPrice
from pos_app.selling.catalogue.price_labels import changes_for, labels_due


def coming_days(model: CatalogueModel) -> list[date]:
    """The days, from today on, on which planned prices begin or end; today also where labels of
    earlier ones are missing."""
    services, now = model.services, model.services.till.clock.now()
    moments = services.catalogue.coming_price_moments(since=beginning_of(day_of(now)))
    due = [day for day, many in (labels_due(services.catalogue, now),) if many]
    return sorted({*due, *map(day_of, moments)})


def next_day(model: CatalogueModel) -> date | None:
    """The next day on which prices are yet to change, else today where they have changed."""
    now = model.services.till.clock.now()
    moments = model.services.catalogue.coming_price_moments(since=now)
    return day_of(moments[0]) if moments else next(iter(coming_days(model)), None)


class ComingLabelsPanel(SideList):
    """Signal: `wanted(date, bool)`, the labels of that day shall be printed, all of them or only
    those that are not printed yet."""

    wanted = Signal(object, bool)

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        texts = ui.texts
        super().__init__(model, ui, texts("cat.coming.title"))
        self.day = DropDown(ui.theme, name=texts("cat.coming.day"))
        self.every = ActButton(ui.theme, texts("cat.coming.all"), key=ENTER, icon="barcode")
        self.new = Button(ui.theme, texts("cat.coming.new"), icon="barcode")
        bounded(ui.theme, self.day)
        self._offer_days()
        self.lay_out([self.day], [self.new, self.every])
        self.day.chosen.connect(lambda _: self._show_prices())
        self.every.clicked.connect(self.enter)
        self.new.clicked.connect(lambda: self._print(only_new=True))
        self._show_prices()

    def _offer_days(self) -> None:
        days, chosen, default = coming_days(self.model), self.day.current(), next_day(self.model)
        self.day.set_options([Option(one.isoformat(), date_text(one)) for one in days])
        ids = [one.isoformat() for one in days]
        if chosen in ids:
            self.day.set_current(chosen)
        elif default is not None:
            self.day.set_current(default.isoformat())

    def show_day(self, day: date) -> None:
        """Show the prices of that day, if it is one of those that are offered."""
        if day in coming_days(self.model):
            self.day.set_current(day.isoformat())
            self._show_prices()

    def renew(self) -> None:
        self._offer_days()
        self._show_prices()

    def focus_first(self) -> None:
        self.every.setFocus(Qt.FocusReason.OtherFocusReason)

    def enter(self) -> None:
        if self.every.isEnabled():
            self._print(only_new=False)

    def _print(self, *, only_new: bool) -> None:
        if self.model.reload_if_outdated():  # what is printed is seen first
            self.model.services.tones.play("no")
            return
        self.wanted.emit(date.fromisoformat(self.day.current()), only_new)

    def _show_prices(self) -> None:
        self.clear_lines()
        texts, chosen, services = self.texts, self.day.current(), self.model.services
        now = services.till.clock.now()
        prices: tuple[ComingPrice, ...] = ()
        if chosen:
            day = date.fromisoformat(chosen)
            prices = changes_for(services.catalogue, day, now=now)
        for one in prices[:MOST_SHOWN]:
            words = [("–" if price is None else amount_text(price)) for price in (one.old, one.new)]
            self.add_line(one.name, " → ".join(words))
        waiting = sum(one.is_missing for one in prices)
        parts = [texts.count("cat.coming.prices", len(prices))]
        if prices:
            parts.append(texts.count("cat.coming.unprinted", waiting))
        if len(prices) > MOST_SHOWN:
            parts.append(texts("cat.bulk.first", n=MOST_SHOWN))
        self.summary.setText(". ".join(parts))
        self.new.setVisible(0 < waiting < len(prices))
        if prices:
            self.every.allow()
        else:
            self.every.refuse(texts.count("cat.coming.prices", 0))
