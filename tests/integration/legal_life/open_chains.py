"""The open advances of the server, held against the reading of every chain of the journal."""

from __future__ import annotations

import apsw

from pos_app.adapters.sqlite.journal.rows import LINKS, chain_of_rows
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances
from pos_app.fiscalization.open_advances import open_advance
from pos_app.local_api.journal_desk import JournalDesk
from pos_app.wire.port_calls import call_of
from pos_app.wire.strict_json import loads
from tests.integration.local_api.wronged import Wronged


def check_open_advances(shop: Wronged) -> int:
    """Compare the open advances with the journal; return their number."""
    answer = shop.ask("POST", "/till/receipts/advances", json={}, headers=shop.server.till)
    told = call_of(JournalDesk, "advances").result(loads(answer.content))
    assert told == OpenAdvances(open_in(shop.files[0]), is_whole=True)
    return len(told.advances)


def open_in(journal: apsw.Connection) -> tuple[OpenAdvance, ...]:
    """Read every chain and return those that are open advances, the last touched first."""
    found = list[OpenAdvance]()
    for row in journal.execute("SELECT DISTINCT coalesce(chain, id) FROM requests").fetchall():
        chain = str(row[0])
        told = open_advance(chain_of_rows(chain, journal.execute(LINKS, (chain, chain))))
        found += [] if told is None else [told]
    found.sort(key=lambda one: (one.touched, one.number), reverse=True)
    return tuple(found)
