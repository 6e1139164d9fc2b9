"""Draws receipts on the store's paper, in the form that settings and catalogue give."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from string import printable
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from pos_app import log
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView, PaperSettings
from pos_app.documents.blocks import Document
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.text.transliteration import SERBIAN
from pos_app.errors import Invalid, MachineError
from pos_app.settings import Settings, refused

if TYPE_CHECKING:
    from pos_app.adapters.pdf.receipts import PdfReceipts
    from pos_app.adapters.pdf.typeface import Typefaces
    from pos_app.adapters.printers.thermal import ThermalReceipts
    from pos_app.documents.letter import ReceiptLetter


_log = log.get(__name__)

_USUAL = SERBIAN | frozenset(printable)
"""Signs that every font used for paper has."""


class StorePaper(Protocol):
    """Reads the store's settings for paper."""

    def paper(self) -> PaperSettings: ...

    def close(self) -> None: ...


class StorePdf:
    """Papers in the store's language at the time of the request. Safe in threads. The renderers
    take longer to load than all the rest of the server. `warm` and `warm_pdf` load them, or else
    the first paper does. has_drawn: whether a PDF was drawn, so that its renderer is loaded."""

    def __init__(
        self, settings: Settings, *, not_fiscal: bool, store: StorePaper | None = None
    ) -> None:
        """Raises SettingsBroken for an impossible account or payee, and for words of the shop's
        that no font can write. store: the store's settings for paper; None for those in the
        catalogue of the data folder."""
        _check_signs(settings)
        self._catalogue = store or CatalogueView(catalogue_file(settings.data), logs=False)
        self._not_fiscal = not_fiscal
        self._receipt = settings.receipt
        self._accounts = _accounts(settings)
        self._payee = _payee(settings, self._accounts)
        self._printer = settings.printer
        self._name = settings.mail.sender_name or settings.mail.sender
        self._lock = Lock()
        self._faces: Typefaces | None = None
        self.has_drawn = False

    def close(self) -> None:
        """Close the catalogue; no paper may be drawn afterwards."""
        with self._lock:
            self._catalogue.close()

    def warm(self) -> None:
        """Load the font, and the renderer for a receipt printer. Raises MachineError without a
        font."""
        if self._printer.kind != "none":
            self._thermal()
        _, faces = self._settled()
        faces.writing(SERBIAN)

    def warm_pdf(self) -> None:
        """Load the renderer of PDFs, 20 MiB."""
        self._renderer()

    def check(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> frozenset[str]:
        """Return the receipt's signs that no font here can write: boxes replace them in the linked
        PDF. Raises MachineError."""
        shop, faces = self._settled()
        paper = layout(receipt=receipt, document=document, esir=esir, shop=shop)
        return faces.writing(paper.letters).missing(paper.letters)

    def render(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> bytes:
        self.has_drawn = True
        return self._renderer().render(receipt, document, esir, as_view=as_view)

    def layout(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> Document:
        """Lay the buyer's paper out for a screen."""
        with self._lock:
            shop = self._shop(self._catalogue.paper())
        return layout(receipt=receipt, document=document, esir=esir, shop=shop)

    def pages(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        from pos_app.adapters.pdf.receipts import A4, PdfReceipts

        shop, faces = self._settled()
        return PdfReceipts(shop, sheet=A4, faces=faces).render(receipt, document, esir)

    def document_pages(self, document: Document) -> bytes:
        from pos_app.adapters.pdf.receipts import A4, render_document

        _, faces = self._settled()
        return render_document(document, faces=faces, sheet=A4)

    def trial_page(self, *, at: datetime, facts: Sequence[tuple[str, str]]) -> Document:
        """Make a page that shows whether a printer prints; facts: words and values on it."""
        from pos_app.documents.trial_page import trial_page

        with self._lock:
            shop = self._shop(self._catalogue.paper())
        return trial_page(shop, at=at, facts=facts)

    def thermal(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        return self._thermal().render(receipt, document, esir)

    def thermal_document(self, document: Document) -> bytes:
        return self._thermal().render_document(document)

    def letter(self, receipt: SignedReceipt) -> ReceiptLetter:
        from pos_app.documents.letter import receipt_letter

        with self._lock:
            language = self._catalogue.paper().language
        return receipt_letter(
            receipt, shop=self._name, language=language, not_fiscal=self._not_fiscal
        )

    def trial_letter(self, *, at: datetime) -> ReceiptLetter:
        from pos_app.documents.letter import trial_letter

        with self._lock:
            language = self._catalogue.paper().language
        return trial_letter(shop=self._name, language=language, at=at)

    def _renderer(self) -> PdfReceipts:
        from pos_app.adapters.pdf.receipts import PdfReceipts

        shop, faces = self._settled()
        return PdfReceipts(shop, faces=faces)

    def _thermal(self) -> ThermalReceipts:
        from pos_app.adapters.printers.escpos import Cut, JobOptions
        from pos_app.adapters.printers.raster import ROLL_58, ROLL_80
        from pos_app.adapters.printers.thermal import ThermalReceipts

        shop, faces = self._settled()
        roll = ROLL_58 if self._printer.width_mm == 58 else ROLL_80
        options = JobOptions(cut=Cut[self._printer.cut.upper()])
        return ThermalReceipts(shop, roll=roll, options=options, faces=faces)

    def _settled(self) -> tuple[ShopPaper, Typefaces]:
        from pos_app.adapters.pdf.typeface import Typefaces

        with self._lock:
            self._faces = self._faces or Typefaces()
            paper = self._catalogue.paper()
        return self._shop(paper), self._faces

    def _shop(self, paper: PaperSettings) -> ShopPaper:
        return ShopPaper(
            not_fiscal=self._not_fiscal,
            language=paper.language,
            print_discounts=paper.print_discounts,
            print_bank_accounts=paper.print_bank_accounts,
            short_code=self._receipt.short_code,
            header=self._receipt.header,
            footer=self._receipt.footer,
            accounts=self._accounts,
            payee=self._payee,
        )


def check_receipt(settings: Settings) -> None:
    """Raise SettingsBroken where the shop's own words or accounts can't be on a receipt."""
    _check_signs(settings)
    _payee(settings, _accounts(settings))


def _check_signs(settings: Settings) -> None:
    """Refuse a header or footer that no font can write, because each receipt would show boxes. The
    fonts are asked only where a sign is unusual, because reading one delays the start."""
    receipt = settings.receipt
    signs = frozenset("".join("".join((*receipt.header, *receipt.footer)).split())) - _USUAL
    if not signs:
        return
    from pos_app.adapters.pdf.typeface import Typefaces, named

    try:
        missing = Typefaces().writing(signs).missing(signs)  # one face prints the whole paper
    except MachineError as error:
        _log.warning("the shop's words can't be held against a font: %s", error.what)
        return
    if missing:
        name = "header" if missing & set("".join(receipt.header)) else "footer"
        raise refused(settings, f"receipt.{name}", f"no font here can write {named(missing)}")


def _accounts(settings: Settings) -> tuple[BankAccount, ...]:
    try:
        return tuple(map(BankAccount.parse, settings.receipt.bank_accounts))
    except Invalid as error:
        raise refused(settings, "receipt.bank_accounts", error.what) from error


def _payee(settings: Settings, accounts: tuple[BankAccount, ...]) -> IpsPayee | None:
    if not settings.receipt.payee:
        return None
    if not accounts:
        why = 'the account that is paid stands first in "receipt.bank_accounts"'
        raise refused(settings, "receipt.payee", why)
    try:
        return IpsPayee(accounts[0], settings.receipt.payee)
    except Invalid as error:
        raise refused(settings, "receipt.payee", error.what) from error
