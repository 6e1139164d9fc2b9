"""The page of the manager's PIN: changed or taken away by who has it. Source: till.md (Settings).

Nothing typed here is kept by a model: it is forgotten when the page is left.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.pin_panel import PinPanel
from pos_app.cashier.services import TillServices
from pos_app.cashier.settings.parts import SettingsPage
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.errors import Invalid, PosError
from pos_app.selling.people.acts import Done
from pos_app.selling.people.manager_pin import check_pin, keep_new_pin
from pos_app.selling.people.people import MOST_DIGITS_BEFORE

_OLD, _PIN, _AGAIN = "old", "pin", "again"


class PinPage(SettingsPage):
    def __init__(self, services: TillServices, ui: UiContext, lifted_by: Callable[[], str]) -> None:
        """lifted_by: who let whoever works here into the settings."""
        super().__init__()
        self._services, self._texts, self._lifted_by = services, ui.texts, lifted_by
        texts, metrics = ui.texts, ui.theme.metrics
        self.panel = PinPanel(
            ui.theme,
            title=texts("set.manager.title"),
            words=texts("set.manager.words"),
            fields={
                _OLD: texts("set.manager.old"),
                _PIN: texts("cat.pin.new"),
                _AGAIN: texts("cat.pin.again"),
            },
            enter=texts("set.manager.change"),
            back=texts("pad.back"),
            longest=MOST_DIGITS_BEFORE,
        )
        self.remove = Button(ui.theme, texts("set.manager.remove"), icon="trash-2")
        self.panel.column.addWidget(self.remove)
        self.panel.entered.connect(self._change)
        self.remove.clicked.connect(self._remove)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(metrics.s1, metrics.s1, metrics.s1, metrics.s1)
        row = QHBoxLayout()  # an alignment would cut an error off: no height goes by width then
        self.panel.setMaximumWidth(16 * metrics.touch)
        row.addWidget(self.panel, 1)
        row.addStretch(0)
        column.addLayout(row)
        column.addStretch(1)
        area = Scrolled(ui.theme, name=texts("set.page.pin"))
        area.show_inside(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s3)
        whole.addWidget(area)

    def show_model(self) -> None:
        """There is nothing to show but what was typed."""

    def focus_first(self) -> None:
        self.panel.focus_first()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed is not kept while nobody looks."""
        self.panel.clear()
        self.panel.told.hide()
        super().hideEvent(event)

    def _change(self) -> None:
        panel = self.panel
        self._act(
            lambda: keep_new_pin(
                self._services.manager, pin=panel.text(_PIN), again=panel.text(_AGAIN)
            ),
            "set.manager.changed",
        )

    def _remove(self) -> None:
        self._act(self._services.manager.forget, "set.manager.removed")

    def _act(self, act: Callable[[], None], done: str) -> None:
        """Do it and say so, or say at the field why not."""
        panel, texts, services = self.panel, self._texts, self._services
        try:
            check_pin(services.manager, pin=panel.text(_OLD), at=services.till.clock.now())
            with services.acts.together():
                act()
                services.note(Done.SETTINGS, "pin", lifted_by=self._lifted_by())
        except PosError as error:
            panel.told.hide()
            field = error.field if isinstance(error, Invalid) else _OLD
            panel.refuse(field, texts.error(error).happened)
            services.tones.play("no")
            return
        panel.clear()
        panel.told.setText(texts(done))
        panel.told.show()
        panel.focus_first()
