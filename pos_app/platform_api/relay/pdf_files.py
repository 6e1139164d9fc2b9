"""PDFs of relayed receipts, by the secret of their link."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, insert, select

from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import PDF

PDF_MS = 10 * 60_000
"""The lifetime of a link to a PDF from each time it is given (platform-contract.md 2.10)."""


class PdfFiles:
    """The PDFs in the platform's database, from which each worker serves them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, files: Mapping[str, bytes], *, until_ms: int, now_ms: int) -> None:
        """Store PDFs by secret, and drop expired ones."""
        rows = [
            {"secret": secret, "content": content, "until_ms": until_ms}
            for secret, content in files.items()
        ]
        async with self._database.writing() as connection:
            await connection.execute(delete(PDF).where(PDF.c.until_ms < now_ms))
            await connection.execute(insert(PDF), rows)

    async def content(self, secret: str, *, now_ms: int) -> bytes | None:
        query = select(PDF.c.content).where(PDF.c.secret == secret, PDF.c.until_ms > now_ms)
        async with self._database.reading() as connection:
            content: bytes | None = (await connection.execute(query)).scalar()
        return content
