"""Exports of the list of receipts in a child process: the port `selling.receipts.export`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from pos_app import installed, wire
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.child_work import ChildWorks
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.selling.file_work import FileWork


def query_asked(asked: Mapping[str, object]) -> ReceiptQuery:
    """Return the child's query. Raises Invalid."""
    return wire.records.from_json(ReceiptQuery, asked["query"])


class ReceiptExportProcess:
    """Starts the exports. api: the server, which the child asks over its own connection. data: the
    till's data folder. command: starts the child."""

    def __init__(self, api: LocalApi, data: Path, *, command: Sequence[str] | None = None) -> None:
        self._api, self._data = api, data
        self._command = command or installed.command("pos_app.bootstrap.till.receipt_export")
        self._works = ChildWorks()

    def close(self) -> None:
        self._works.close()

    def export(self, query: ReceiptQuery, path: Path, *, by_lines: bool = False) -> FileWork:
        draft = path.with_name(f"{secrets.token_hex(8)}.part")
        asked = {
            "url": self._api.url,
            "environment": self._api.install.environment,
            "query": wire.records.to_json(ReceiptQuery, query),
            "file": str(path),
            "draft": str(draft),
            "by_lines": by_lines,
        }
        return self._works.begin((*self._command, str(self._data)), asked, draft=draft)
