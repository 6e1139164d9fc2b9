"""Makes the demo sale and its receipt on a machine without a display, with the real window drawn
offscreen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pos_app.adapters.api_client.receipts import FiscalHttp, WireCodec
from pos_app.adapters.pdf.receipts import PdfReceipts
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.start.scripted_sale import ScriptedSale
from pos_app.cashier.window.till_window import TillWindow
from pos_app.documents.receipt import ShopPaper
from pos_app.errors import PosError
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.issue import priced, receipt_of
from pos_app.fiscalization.plans.shop_choices import USUAL
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.answers import Issued
from pos_app.settings import Settings

_ARTICLES = 3
_SIZE = (1366, 768)
_GIVE_UP_SECONDS = 60.0


class NoReceipt(PosError):
    """The demo sale did not end in a signed receipt."""


def ring_up_offscreen(settings: Settings, *, tell: Callable[[str], None]) -> int:
    """Sell three articles for cash through the real window, and report the outcome. It prints the
    journal and the verification address, and writes receipt.pdf and till.png into the folder
    `offscreen` of the shop. Raises NoReceipt unless the processor's ledger holds the receipt."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    tell("There is no display: a sale is rung up offscreen, through the same window.")
    program = TillProgram(settings)
    run = _Run(program, settings.data / "offscreen")
    program.run(on_ready=run.begin, size=_SIZE)
    issued = run.issued
    if issued is None:
        raise NoReceipt(
            "unanswered",
            why=run.trouble or "nobody answered in time",
            data=settings.data,
            log=settings.data / "logs" / "server.log",
        )
    receipt = issued.receipt
    signed = {entry.number for entry in read_entries(settings.data / "processor")}
    if receipt.invoice_number not in signed:
        raise NoReceipt("ledger", number=receipt.invoice_number)
    for text_line in (receipt.journal or "", receipt.verification_url or "", *map(str, run.files)):
        tell(text_line)
    tell(f"Receipt {receipt.invoice_number} is signed and in the processor's ledger.")
    return 0


@dataclass
class _Run:
    program: TillProgram
    folder: Path
    issued: Issued | None = None
    trouble: str = ""
    files: list[Path] = field(default_factory=list)

    def begin(self, window: TillWindow) -> None:
        script = ScriptedSale(window, _codes(window))
        script.ended.connect(
            lambda sale: window.tasks.start(self._finish(window, sale), name="show the receipt")
        )
        window.tasks.start(self._give_up(window), name="time limit")
        script.begin()

    async def _finish(self, window: TillWindow, sale: Sale) -> None:
        core = self.program.core
        assert core is not None
        try:
            found = await FiscalHttp(core.apis[0]).look_up(sale.key)
            if isinstance(found, Issued):
                self.issued = found
                self._write(window, sale, found)
            else:
                self.trouble = str(sale.reason or found)
        finally:
            window.close()

    def _write(self, window: TillWindow, sale: Sale, issued: Issued) -> None:
        core = self.program.core
        assert core is not None
        request = WireCodec().decode(core.database.sales.body(sale.key))
        basis = Basis(now=sale.frozen_at, cashier=sale.cashier, rules=USUAL)
        planned = receipt_of(request, priced(request), basis)
        renderer = PdfReceipts(ShopPaper(not_fiscal=True))
        pdf = renderer.render(issued.receipt, planned.document, planned.esir)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.files = [self.folder / "receipt.pdf", self.folder / "till.png"]
        self.files[0].write_bytes(pdf)
        window.grab().save(str(self.files[1]))

    async def _give_up(self, window: TillWindow) -> None:
        clock = window.services.till.clock
        await clock.pause(int(_GIVE_UP_SECONDS * 1000), until=asyncio.Event())
        window.close()


def _codes(window: TillWindow) -> list[str]:
    rows = window.services.catalogue.page(limit=200)
    return [row.ean for row in rows if row.ean and row.article_id and not row.by_weight][:_ARTICLES]
