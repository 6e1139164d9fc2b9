"""Asks the server for receipts as PDF files, and keeps the files for the system's viewer."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

from pos_app import log
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.printing import papers_at
from pos_app.adapters.chosen_file import write_whole
from pos_app.documents.server_papers import PdfFile
from pos_app.errors import DataFolderNotWritable

_log = log.get(__name__)

KEPT = 20
"""The number of newest files that stay. Each may name a buyer, so they are no archive."""


class PdfHttp:
    """The port ReceiptFiles over HTTP. folder: one of the till's own."""

    def __init__(self, api: LocalApi, folder: Path) -> None:
        self._papers = papers_at(api)
        self._folder = folder

    async def pdf_of(self, receipt_id: str, *, by: str, instead: bool = False) -> Path:
        return self._store(await self._papers.pdf(receipt_id, by=by, instead=instead))

    async def save(self, receipt_id: str, to: Path, *, by: str) -> None:
        pdf_file = await self._papers.pdf(receipt_id, by=by)
        await asyncio.to_thread(write_whole, to, pdf_file.content)

    async def opened(self, receipt_id: str, *, by: str) -> None:
        await self._papers.opened(receipt_id, by=by)

    def _store(self, pdf_file: PdfFile) -> Path:
        content = pdf_file.content
        file = self._folder / _name(pdf_file.number, content)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _content_of(file) != content:
                file.write_bytes(content)
        except OSError as error:
            raise DataFolderNotWritable("pdf", path=str(self._folder), why=error) from error
        _remove_old(self._folder, but=file)
        return file


def _name(number: str, content: bytes) -> str:
    """Return a name from number and content, so that another PDF of the receipt never replaces the
    original. A viewer may hold that open, and Windows lets nobody replace an open file."""
    named = re.sub(r"[^0-9A-Za-z-]", "_", number)
    return f"{named}-{hashlib.sha256(content).hexdigest()[:8]}.pdf"


def _content_of(file: Path) -> bytes | None:
    """Return the content, or None without a file. A killed till may have written only a part."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _remove_old(folder: Path, *, but: Path) -> None:
    """Remove the oldest files. One that a viewer holds open is removed another time."""
    try:
        others = [one for one in folder.glob("*.pdf") if one != but]
        others.sort(key=lambda file: file.stat().st_mtime)
    except OSError as error:
        _log.info("old receipts not removed: %s", error)
        return
    for old in others[: 1 - KEPT]:
        try:
            old.unlink(missing_ok=True)
        except OSError as error:
            _log.info("an old receipt not removed: %s", error)
