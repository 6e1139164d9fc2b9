"""PDFs on the store's paper: its settings from the catalogue, drawn by the renderer."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pos_app.adapters.sqlite.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue import catalogue_file
from pos_app.documents.shop_paper import ShopPaper
from pos_app.domain.esir_part import EsirPart
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.receipt import SignedReceipt

if TYPE_CHECKING:
    from pos_app.adapters.paper_font import Faces
    from pos_app.adapters.pdf import PdfReceipts


class StorePdf:
    """PDFs in the language of the store as it is set when they are asked for. Safe in threads.

    The renderer takes longer to load than all the rest of the server: it is loaded by `warm`, or
    by the first that needs it.
    """

    def __init__(self, data: Path, *, not_fiscal: bool) -> None:
        self._catalogue = CatalogueView(catalogue_file(data))
        self._not_fiscal = not_fiscal
        self._guard = Lock()
        self._faces: Faces | None = None

    def close(self) -> None:
        """Close the catalogue; nothing is drawn any more."""
        with self._guard:
            self._catalogue.close()

    def warm(self) -> None:
        """Load the renderer and its font. Raises MachineError when there is none."""
        self._renderer().warm()

    def check(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> None:
        """Raise MachineError when no font here can write the receipt."""
        self._renderer().check(receipt, document, esir)

    def render(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        """The PDF of a receipt. Raises MachineError."""
        return self._renderer().render(receipt, document, esir)

    def _renderer(self) -> PdfReceipts:
        from pos_app.adapters.paper_font import Faces
        from pos_app.adapters.pdf import PdfReceipts

        with self._guard:
            self._faces = self._faces or Faces()
            paper = self._catalogue.paper()
        shop = ShopPaper(
            not_fiscal=self._not_fiscal,
            language=paper.language,
            print_discounts=paper.print_discounts,
        )
        return PdfReceipts(shop, faces=self._faces)
