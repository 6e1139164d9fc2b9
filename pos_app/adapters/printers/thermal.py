"""Renders signed receipts, and any other document, as bytes for a thermal printer."""

from __future__ import annotations

from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.escpos import JobOptions, print_job
from pos_app.adapters.printers.raster import ROLL_80, Roll, draw
from pos_app.documents.blocks import Document
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt


class ThermalReceipts:
    """Makes print jobs for one printer. Safe in threads."""

    def __init__(
        self,
        shop: ShopPaper,
        *,
        roll: Roll = ROLL_80,
        options: JobOptions | None = None,
        faces: Typefaces | None = None,
    ) -> None:
        """Set the renderer up. shop: the settings of the shop's paper. roll: the printer's."""
        self._shop = shop
        self._roll = roll
        self._options = options or JobOptions()
        self._faces = faces or Typefaces()

    def render(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        """Return the ESC/POS job of a receipt. Raises MachineError (kind: font)."""
        paper = layout(receipt=receipt, document=document, esir=esir, shop=self._shop)
        return self.render_document(paper)

    def render_document(self, document: Document) -> bytes:
        """Return the ESC/POS job of any document. Raises MachineError (kind: font)."""
        pictures = draw(document, roll=self._roll, faces=self._faces)
        return print_job(pictures, options=self._options)
