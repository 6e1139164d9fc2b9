"""Writes and reads sheets of buyers in a child process: the port `selling.sale.buyer_sheet`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pos_app import errors, installed, wire
from pos_app.adapters.catalogue_files.catalogue_process import ChildWork
from pos_app.selling.file_work import FileWork
from pos_app.selling.sale.buyer_book import KnownBuyer
from pos_app.selling.sale.buyer_sheet import SheetOfBuyers


class BuyerSheetProcess:
    """Starts the child. command: starts it; what it does is appended."""

    def __init__(self, *, command: Sequence[str] | None = None) -> None:
        self._command = tuple(command or installed.command("pos_app.bootstrap.till.buyer_sheets"))
        self._works: list[ChildWork] = []

    def close(self) -> None:
        for work in self._works:
            work.close()

    def write(self, buyers: Sequence[KnownBuyer], path: Path) -> FileWork:
        draft = path.with_name(f"{secrets.token_hex(8)}.part")
        asked = partial(_asked, tuple(buyers), path, draft)
        return self._begun(ChildWork((*self._command, "write"), asked, draft=draft))

    def read(self, path: Path) -> FileWork:
        return self._begun(ChildWork((*self._command, "read"), {"file": str(path)}))

    def _begun(self, work: ChildWork) -> FileWork:
        self._works = [one for one in self._works if one.result() is None]
        self._works.append(work)
        return work


def buyers_asked(asked: Mapping[str, Any]) -> Sequence[KnownBuyer]:
    """Return the firms that the child is to write."""
    return [wire.records.from_json(KnownBuyer, one) for one in asked["buyers"]]


def sheet_told(sheet: SheetOfBuyers) -> dict[str, Any]:
    """Return what the child tells of a sheet, as its parent reads it."""
    return {
        "buyers": [wire.records.to_json(KnownBuyer, one) for one in sheet.buyers],
        "refused": [[one.row, one.column, errors.as_members(one.why)] for one in sheet.refused],
        "refused_many": sheet.refused_many,
    }


def _asked(buyers: Sequence[KnownBuyer], path: Path, draft: Path) -> dict[str, Any]:
    rows = [wire.records.to_json(KnownBuyer, one) for one in buyers]
    return {"file": str(path), "draft": str(draft), "buyers": rows}
