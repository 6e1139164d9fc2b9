"""What coroutines tell the window, as queued signals: a view is never entered from a coroutine."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from pos_app.cashier.services import TillServices
from pos_app.errors import MachineError
from pos_app.selling.sale import Sale
from pos_app.selling.server_monitor import ServerView


class CoreEvents(QObject):
    """Signals: `sale_moved(Sale)`, `server_changed()`, `storage_failed(MachineError | None)`,
    `storage_changed()`: other files than before can't be read or written; `carts_set_aside()`: the
    till was found to be a copy that was put back, so another cart is open now.
    """

    sale_moved = Signal(object)
    server_changed = Signal()
    storage_failed = Signal(object)
    storage_changed = Signal()
    carts_set_aside = Signal()

    _sale = Signal(object)
    _server = Signal()
    _fault = Signal(object)
    _storage = Signal()
    _restored = Signal()

    def __init__(self, services: TillServices, parent: QObject) -> None:
        super().__init__(parent)
        queued = Qt.ConnectionType.QueuedConnection
        self._sale.connect(self.sale_moved, queued)
        self._server.connect(self.server_changed, queued)
        self._fault.connect(self.storage_failed, queued)
        self._storage.connect(self.storage_changed, queued)
        self._restored.connect(self.carts_set_aside, queued)
        services.faults.listen(self._hear_storage)
        services.outbox.listen(
            on_sale=self._hear_sale,
            on_server=self._hear_server,
            on_fault=self._hear_fault,
            on_restored=self._restored.emit,
        )

    def _hear_sale(self, sale: Sale) -> None:
        self._sale.emit(sale)

    def _hear_server(self, _: ServerView) -> None:
        self._server.emit()

    def _hear_storage(self) -> None:
        self._storage.emit()

    def _hear_fault(self, fault: MachineError | None) -> None:
        self._fault.emit(fault)
