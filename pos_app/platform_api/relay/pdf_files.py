"""PDFs of relayed receipts, by the secret of their link."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import (
    delete,
    insert,
    select,
)

from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import PDF

PDF_MS = 10 * 60_000
"""How long a link to a PDF lives from each time it is given (platform-contract.md 2.10)."""


class PdfFiles:
    """They lie in the platform's database, so that each worker gives them out."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, files: Mapping[str, bytes], *, until_ms: int, now_ms: int) -> None:
        """By secret; those whose time is over are dropped."""
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
