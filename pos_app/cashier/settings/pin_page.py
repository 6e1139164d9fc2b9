"""A person who knows the manager's PIN changes or removes it on this page. No model keeps what is
typed here; it is forgotten when the page is left. Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from pos_app.cashier.gate.pin_panel import PinPanel, order_of_new
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.parts import SettingsPage, Start
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.errors import Invalid, PosError
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.manager_pin import check_pin, new_pin
from pos_app.selling.people.people import MOST_DIGITS

_OLD, _PIN, _AGAIN = "old", "pin", "again"


class PinPage(SettingsPage):
    _ended = Signal(str, object)

    def __init__(
        self, services: TillServices, ui: UiContext, start: Start, lifted_by: Callable[[], str]
    ) -> None:
        """lifted_by: returns who let the present cashier into the settings."""
        super().__init__()
        self._services, self._texts, self._lifted_by = services, ui.texts, lifted_by
        self._start, self._is_running = start, False
        # The queued signal lets the coroutine end first: a coroutine never enters a view.
        self._ended.connect(self._show_ended, Qt.ConnectionType.QueuedConnection)
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
            back=texts("typing.back"),
            longest=MOST_DIGITS,
            order=self._order,
        )
        self.remove = Button(
            ui.theme, texts("set.manager.remove"), icon="trash-2", kind=ButtonKind.DANGER
        )
        self.panel.column.addSpacing(metrics.s6 - metrics.s2)
        self.panel.column.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignRight)
        self.panel.entered.connect(self._change)
        self.remove.clicked.connect(self._remove)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        # with an alignment the height would not follow the width, and an error would be cut off
        row = QHBoxLayout()
        self.panel.setMaximumWidth(16 * metrics.touch)
        row.addWidget(self.panel, 1)
        row.addStretch(0)
        column.addLayout(row)
        column.addStretch(1)
        area = Scrolled(ui.theme, name=texts("set.page.pin"))
        area.show_inside(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.addWidget(area)

    def show_model(self) -> None:
        """Do nothing: the page has only typed text."""

    def focus_first(self) -> None:
        self.panel.focus_first()

    def hideEvent(self, event: QHideEvent) -> None:
        self.panel.clear()
        self.panel.result_label.hide()
        super().hideEvent(event)

    def _order(self, panel: PinPanel) -> str:
        """Return what to do before the PIN can be changed; "" for nothing."""
        if not panel.text(_OLD):
            return self._texts("sign.type_pin")
        return order_of_new(panel.text(_PIN), panel.text(_AGAIN), self._texts)

    def _change(self) -> None:
        self._begin(self._save(new=(self.panel.text(_PIN), self.panel.text(_AGAIN))))

    def _remove(self) -> None:
        self._begin(self._save(new=None))

    def _begin(self, work: Coroutine[object, object, None]) -> None:
        if self._is_running:
            work.close()
            return
        self._is_running = True
        self._start(work, "keep the PIN")

    async def _save(self, *, new: tuple[str, str] | None) -> None:
        """Change the PIN if the old one is right. new: the new PIN as typed twice, or None to
        remove the PIN."""
        services, error = self._services, None
        manager, lifted_by = services.manager, self._lifted_by()
        try:
            await check_pin(manager, pin=self.panel.text(_OLD), clock=services.till.clock)
            hidden = await new_pin(manager, pin=new[0], again=new[1]) if new else None
            with services.acts.together():
                if hidden is None:
                    manager.forget()
                else:
                    manager.save_pin(hidden)
                    services.name_who_is_alone()
                services.note(NotedAct.SETTINGS, "pin", lifted_by=lifted_by)
        except PosError as why:
            error = why
        if isValid(self):
            self._ended.emit("set.manager.changed" if new else "set.manager.removed", error)

    def _show_ended(self, done: str, error: PosError | None) -> None:
        """Say what was done, or show at the field why it was not done."""
        panel, texts = self.panel, self._texts
        self._is_running = False
        if error is not None:
            panel.result_label.hide()
            field = error.field if isinstance(error, Invalid) else _OLD
            panel.refuse(field, texts.error(error).happened)
            self._services.tones.play("no")
            return
        panel.clear()
        panel.result_label.setText(texts(done))
        panel.result_label.show()
        panel.focus_first()
