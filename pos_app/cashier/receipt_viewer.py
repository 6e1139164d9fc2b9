"""The last receipt as its customer sees it: asked of the server, opened in the system's viewer."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QObject, Qt, Signal

from pos_app.cashier.file_viewer import Viewer
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import FileKept
from pos_app.cashier.server_act import ServerAct
from pos_app.cashier.tasks import Tasks
from pos_app.errors import NotAllowed


class ReceiptViewer(QObject):
    """Shows the receipt of the sale that was confirmed last, whatever kind of document it is."""

    _came = Signal(object)

    def __init__(self, model: SaleModel, tasks: Tasks, viewer: Viewer, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._viewer = viewer
        self._asking = ServerAct("receipt", model, tasks, self)
        self._came.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def show(self) -> None:
        """Ask for it and open it; say so where there is none yet."""
        model = self._model
        receipt = model.last.receipt if model.last is not None else None
        if receipt is None:
            model.attempt(_none_yet if model.last is None else _not_issued_yet)
            return
        self._asking.start(lambda: self._fetch(receipt.receipt_id))

    async def _fetch(self, receipt_id: str) -> None:
        services = self._model.services
        self._came.emit(await services.receipt_files.pdf_of(receipt_id, by=services.cashier))

    def _show(self, file: Path) -> None:
        self._viewer.show(file, on_failed=lambda: self._model.notify(FileKept(file), "attention"))


def _none_yet() -> NoReturn:
    raise NotAllowed(
        "This till has no receipt yet.",
        safe="The cart is unchanged.",
        kind="no_receipt_yet",
    )


def _not_issued_yet() -> NoReturn:
    raise NotAllowed(
        "The last receipt is not issued yet.",
        safe="The sale is kept.",
        do="Look at “Waiting”: tap the bottom line.",
        kind="not_issued_yet",
    )
