"""The process that writes the list of receipts into a sheet.

    python -m pos_app.bootstrap.till.receipt_export DATA        the request: JSON on stdin

The till starts it (`adapters.receipt_export`). It asks the server page by page and prints a line of
JSON for each page. The file gets its name only when it is complete. The categories of a sheet by
lines are those of the till's catalogue.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pos_app.adapters import chosen_file
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.catalogue_files.spreadsheets import write_csv, write_xlsx
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.json_lines import read_request, report_outcome, write_document
from pos_app.adapters.receipt_export import query_asked
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.domain.receipt.receipt_list import ListedReceipt, ReceiptQuery
from pos_app.errors import Invalid, RemoteError
from pos_app.selling.catalogue.catalogue import categories_in_turn
from pos_app.selling.cells import Cell, plain
from pos_app.selling.receipts.export import OF_LINES, OF_RECEIPTS, line_rows, receipt_row
from pos_app.selling.server.answers import ServerFacts

AT_ONCE = 50
"""The receipts of a page: they take some 30 ms of the server, which then has time for others."""

Sheet = tuple[Sequence[str], Callable[[ListedReceipt], Iterable[Sequence[Cell]]]]
"""The heads of a sheet, and a function that returns the rows of a receipt."""
SHEET_OF_RECEIPTS: Sheet = (OF_RECEIPTS, lambda receipt: [receipt_row(receipt)])


def main(arguments: list[str]) -> int:
    asked = read_request()
    install = open_install(Path(arguments[0]), environment=asked["environment"])
    with asyncio.Runner() as runner:
        api = LocalApi(asked["url"], install)
        try:
            return report_outcome(lambda: export(Asking(runner, api), asked, Path(arguments[0])))
        finally:
            runner.run(api.close())


@dataclass
class Asking:
    """Asks the server on a loop of its own. failed: the number of receipts without figures."""

    runner: asyncio.Runner
    api: LocalApi
    failed: int = 0

    def receipts(self, query: ReceiptQuery) -> Iterator[ListedReceipt]:
        """Iterate over the receipts of a query, the newest first. Raises Invalid, MachineError."""
        try:
            yield from self._pages(query)
        except RemoteError as error:
            raise Invalid("list_away.silent", why=error.what) from error

    def _pages(self, query: ReceiptQuery) -> Iterator[ListedReceipt]:
        reading, done, after = receipts_at(self.api), 0, None
        proven = self.runner.run(FiscalHttp(self.api).prove())
        if not isinstance(proven, ServerFacts):
            raise Invalid("list_away.none", why=proven.reason.text)
        turnover = self.runner.run(reading.turnover(query)).turnover
        whole = 0 if turnover is None else sum(turnover.documents.values())
        while True:
            page = self.runner.run(reading.page(query, after=after, most=AT_ONCE, figures=True))
            if page.state.trouble is not None:
                raise page.state.trouble
            if after is None and not page.state.is_whole:
                raise Invalid("list_not_whole")
            done += len(page.rows)
            write_document({"progress": [done, max(done, whole) if whole else 0]})
            self.failed += sum(row.figures is None for row in page.rows)
            yield from page.rows
            after = page.go_on
            if after is None:
                return


def export(asking: Asking, asked: dict[str, Any], data: Path) -> dict[str, Any]:
    path, draft = Path(asked["file"]), Path(asked["draft"])
    query, count = query_asked(asked), 0
    heads, rows_of = sheet_of_lines(data) if asked["by_lines"] else SHEET_OF_RECEIPTS

    def rows() -> Generator[Sequence[Cell], None, None]:
        nonlocal count
        yield heads
        for receipt in asking.receipts(query):
            for row in rows_of(receipt):
                count += 1
                yield row

    with chosen_file.whole(path, draft), closing(rows()) as written:
        if path.suffix.lower() == ".xlsx":
            write_xlsx(draft, written, title="Рачуни")
        else:
            write_csv(draft, (tuple(map(plain, row)) for row in written))
    return {"done": {"done": count, "failed": asking.failed}}


def sheet_of_lines(data: Path) -> Sheet:
    """Read the categories of all articles. Raises MachineError."""
    found = dict[str, str]()
    with SqliteCatalogue(catalogue_file(data)) as catalogue:
        for some in categories_in_turn(catalogue):
            found.update(some)
    return OF_LINES, partial(line_rows, categories=found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
