"""Writes and reads sheets of buyers in a child process: the port `selling.buyers.buyer_sheet`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from pos_app import errors, installed, wire
from pos_app.adapters.child_work import ChildWorks, error_of
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.buyers.buyer_sheet import RefusedRow, SheetOfBuyers
from pos_app.selling.file_work import FileWork


class BuyerSheetProcess:
    """Starts the child. command: starts it; what it does is appended."""

    def __init__(self, *, command: Sequence[str] | None = None) -> None:
        self._command = tuple(command or installed.command("pos_app.bootstrap.till.buyer_sheets"))
        self._works = ChildWorks({"buyers": _buyers})

    def close(self) -> None:
        self._works.close()

    def write(self, buyers: Sequence[KnownBuyer], path: Path) -> FileWork:
        draft = path.with_name(f"{secrets.token_hex(8)}.part")
        asked = partial(_asked, tuple(buyers), path, draft)
        return self._works.begin((*self._command, "write"), asked, draft=draft)

    def read(self, path: Path) -> FileWork:
        return self._works.begin((*self._command, "read"), {"file": str(path)})


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


def _buyers(members: dict[str, Any]) -> SheetOfBuyers:
    return SheetOfBuyers(
        tuple(wire.records.from_json(KnownBuyer, one) for one in members["buyers"]),
        tuple(
            RefusedRow(row, column, cast("errors.Invalid", error_of(why)))
            for row, column, why in members["refused"]
        ),
        members["refused_many"],
    )


def _asked(buyers: Sequence[KnownBuyer], path: Path, draft: Path) -> dict[str, Any]:
    rows = [wire.records.to_json(KnownBuyer, one) for one in buyers]
    return {"file": str(path), "draft": str(draft), "buyers": rows}
