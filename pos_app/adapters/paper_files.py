"""Writes the till's own papers as PDF files into one of the till's folders."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from pos_app.documents.blocks import Document
from pos_app.errors import DataFolderNotWritable


class PaperPdf:
    """The port PaperFiles. render: makes a PDF; it is called in a thread."""

    def __init__(self, folder: Path, *, render: Callable[[Document], bytes]) -> None:
        self._folder = folder
        self._render = render

    async def pdf_of(self, paper: Document, *, name: str) -> Path:
        return await asyncio.to_thread(self._store, paper, name)

    def _store(self, paper: Document, name: str) -> Path:
        content = self._render(paper)
        plain = re.sub(r"[^\w-]", "_", name)
        file = self._folder / f"{plain}.pdf"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.write_bytes(content)
        except OSError as error:
            raise DataFolderNotWritable("paper", path=str(self._folder), why=error) from error
        return file
