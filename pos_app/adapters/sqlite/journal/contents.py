"""Checks whether the journal agrees with itself: most content is there twice, or follows from
other.

Packed content has a sum of its own; ids are derived from key and body; the history is a chain of
hashes, and a request equals its last row; a receipt equals its answer. The following content is
stored only once, and is not checked: the tries and outcomes of jobs, look-ups, alarms, notes, the
counter of a lane, restores, and the waiting time of a body without a key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal import rows
from pos_app.adapters.sqlite.journal.jobs import paper_of
from pos_app.adapters.sqlite.journal.packing import unpacked
from pos_app.adapters.sqlite.journal.restores import teach_chain
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.ports import Command, Request
from pos_app.fiscalization.service import body_hash
from pos_app.wire.request_content import content_of
from pos_app.wire.strict_json import canonical, loads

_COMMAND = "(SELECT row FROM commands WHERE id = requests.command_id)"
_OF = f"command = {_COMMAND} AND child = requests.child"
_LAST = f"(SELECT max(row) FROM attempts WHERE {_OF})"
_SENT = (
    f"FROM attempts WHERE {_OF} AND attempt = {{0}}.attempt AND state = 'sending'"
    " ORDER BY row DESC LIMIT 1"
)
_LANES = (
    "SELECT '' UNION SELECT name FROM lanes UNION SELECT value FROM meta WHERE name = 'element'"
)
_AGREEMENTS = {
    "a request is not as its history says": f"""
SELECT id FROM requests LEFT JOIN attempts AS last ON last.row = {_LAST}
WHERE (requests.state, requests.attempt, changed_at, requests.baseline, requests.sent_clock,
    requests.reason_code, requests.reason_words, requests.reason_pfr_code)
    IS NOT (last.state, last.attempt, last.at, last.baseline, last.sent_clock,
    last.reason_code, last.reason_words, last.reason_pfr_code)
    OR sent_at IS NOT (SELECT at {_SENT.format("requests")})
    OR (reason_class IS NULL) <> (requests.reason_code IS NULL)""",
    "an attempt taken as absent is not as the history says": f"""
SELECT request_id FROM absent AS gone LEFT JOIN requests ON requests.id = request_id
WHERE gone.baseline IS NOT (SELECT baseline {_SENT.format("gone")})
    OR gone.sent_clock IS NOT (SELECT sent_clock {_SENT.format("gone")})
    OR NOT EXISTS (SELECT 1 FROM attempts WHERE {_OF}
        AND attempt = gone.attempt AND at = gone.at)""",
    "a request is signed without its receipt, or has one unsigned": """
SELECT id FROM requests LEFT JOIN receipts ON request_id = id
WHERE (state = 'signed') <> (request_id IS NOT NULL)""",
    "a request joins a chain that is not there": """
SELECT id FROM requests WHERE chain NOT IN (SELECT id FROM requests AS others)""",
    "a request, or an attempt taken as absent, is in a lane that is not there": f"""
SELECT id FROM requests WHERE lane NOT IN ({_LANES})
UNION SELECT request_id FROM absent WHERE lane NOT IN ({_LANES})""",
    "a lane has neither the element of its name nor that of its receipts": """
SELECT name FROM lanes WHERE name <> '' AND uid <> name AND NOT EXISTS (
    SELECT 1 FROM requests JOIN receipts ON request_id = id
    WHERE lane = name AND upper(substr(number, 1, length(uid) + 1)) = upper(uid) || '-')""",
    "a receipt follows one that is not signed, or is not told to follow one that is": """
SELECT id FROM requests WHERE state <> 'cancelled' AND follows_signed <> EXISTS (
    SELECT 1 FROM requests AS before WHERE before.command_id = requests.command_id
        AND before.child = requests.child - 1 AND before.state = 'signed')""",
    "an answer is of no receipt": """
SELECT row FROM answers WHERE row NOT IN (SELECT answer FROM receipts)""",
    "a correction is of an attempt that is not there": f"""
SELECT request_id FROM corrections AS made LEFT JOIN requests ON requests.id = request_id
WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE {_OF} AND attempt = made.attempt)""",
    "a command has not the receipts, or the time, that it tells": """
SELECT id FROM commands WHERE receipts < 1 OR receipts > (
        SELECT count(*) FROM requests WHERE command_id = commands.id)
    OR EXISTS (SELECT 1 FROM requests
        WHERE command_id = commands.id AND child >= receipts AND state = 'signed')
    OR accepted_at IS NOT (SELECT at FROM attempts WHERE row = (
        SELECT min(row) FROM attempts WHERE command = commands.row AND child = 0))""",
    "a command guards what it does not, or not what it does": """
SELECT id FROM commands WHERE guards IS NOT CASE WHEN keyless = 1 AND delivered_at IS NULL THEN (
    SELECT CASE
        WHEN count(*) = sum(state = 'signed') THEN 'undelivered'
        WHEN sum(state IN ('queued', 'sending', 'unknown', 'needs_human', 'signed')) THEN 'open'
        END
    FROM requests WHERE command_id = commands.id AND child < receipts) END""",
}
"""Contradictions that must not exist, each with the statement that finds the ids of its rows."""

_HASHED = "requests.id, {0}attempt, at, {0}state, {1}, {0}baseline, {0}sent_clock, {0}reason_code,"
_HASHED += " {0}reason_words, {0}reason_pfr_code, keyless, cashier"
_CHAIN = f"""
SELECT attempts.row, requests.id, lag(attempts.row, 1, 0) OVER (ORDER BY attempts.row),
    lag(hash) OVER (ORDER BY attempts.row), hash, {_HASHED.format("attempts.", "pfr_request_id")},
    attempts.row = (SELECT max(row) FROM attempts AS its
        WHERE its.command = attempts.command AND its.child = attempts.child)
FROM attempts LEFT JOIN commands ON commands.row = command
LEFT JOIN requests ON command_id = commands.id AND requests.child = attempts.child
ORDER BY attempts.row"""
"""Each row as it is hashed, the previous one's hash, the RequestId, and whether it is the last."""

_COMMANDS = f"SELECT {rows.COMMAND_COLUMNS} FROM commands ORDER BY row"
_REQUESTS = (
    f"SELECT {rows.REQUEST_COLUMNS}, number, sdc_time, content FROM requests"
    " JOIN commands ON commands.id = command_id LEFT JOIN receipts ON request_id = requests.id"
    " LEFT JOIN answers ON answers.row = answer WHERE command_id = ? ORDER BY child"
)
_HASHES = (
    "SELECT body_hash FROM commands WHERE id = ?1"
    " UNION SELECT body_hash FROM superseded WHERE command_id = ?1"
    " UNION SELECT body_hash FROM corrections WHERE command_id = ?1"
)


def journal_contents(connection: apsw.Connection) -> Iterator[str]:
    """Iterate over the contradictions of a journal's rows, in words. All rows are read, which takes
    some 0.3 ms a receipt. Raises apsw.Error, UnicodeDecodeError."""
    teach_chain(connection)
    for words, sql in _AGREEMENTS.items():
        for (name,) in connection.execute(sql):
            yield f"{words} ({name})"
    yield from _of_history(connection)
    yield from _of_absent(connection)
    yield from _of_contents(connection)
    for row in connection.execute(_COMMANDS):
        try:
            yield from _of_command(connection, rows.command_of_row(row))
        except DatabaseDamaged as error:
            yield f"{error.what} ({row[0]})"


def _of_history(connection: apsw.Connection) -> Iterator[str]:
    """Check the history. An earlier attempt may have had another body, and so another RequestId."""
    chained = "SELECT chained(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    for row, request_id, row_before, before, value, *hashed, is_last in connection.execute(_CHAIN):
        if row == row_before + 1 and connection.execute(chained, (before, *hashed)).get == value:
            continue
        others = () if is_last else _names(connection, request_id)
        made = (
            connection.execute(chained, (before, *hashed[:4], name, *hashed[5:])).get
            for name in others
        )
        if row != row_before + 1 or value not in made:
            yield f"row {row} of the history does not follow the one before it ({request_id})"


def _names(connection: apsw.Connection, request_id: str) -> Iterator[str]:
    """Iterate over the RequestIds that a request may have had."""
    found = connection.execute(
        "SELECT origin, key, child, commands.id, body_hash FROM requests"
        " JOIN commands ON commands.id = command_id WHERE requests.id = ?",
        (request_id,),
    ).fetchone()
    if found is None:
        return
    origin, key, child, command_id, asked = found
    reversal = hashlib.sha256(b"reversal\0" + asked).digest()
    hashes = [row[0] for row in connection.execute(_HASHES, (command_id,))]
    for one in (*hashes, reversal):
        yield pfr_request_id(origin=origin, key=key, child=child, body_hash=one)


def _of_absent(connection: apsw.Connection) -> Iterator[str]:
    for request_id, name in connection.execute("SELECT request_id, pfr_request_id FROM absent"):
        if name not in _names(connection, request_id):
            yield f"an attempt taken as absent has another RequestId than its body ({request_id})"


def _of_contents(connection: apsw.Connection) -> Iterator[str]:
    """Check the packed contents beside commands, requests and receipts."""
    packed = (
        ("SELECT command_id, body FROM superseded", unpacked),
        ("SELECT request_id, planned FROM absent", rows.planned_of),
        ("SELECT id, paper FROM jobs WHERE paper IS NOT NULL", paper_of),
    )
    for sql, read in packed:
        for name, content in connection.execute(sql):
            try:
                with rows.kept_row("a content"):
                    read(content)
            except DatabaseDamaged as error:
                yield f"{error.what} ({name})"


def _of_command(connection: apsw.Connection, command: Command) -> Iterator[str]:
    name, origin, key = command.id, command.origin, command.key
    if name != receipt_id(origin=origin, key=key):
        yield f"a command has another id than that of its key ({name})"
    bodies = [(command.body, command.body_hash)]
    sql = "SELECT body, body_hash FROM corrections WHERE command_id = ?"
    with rows.kept_row("a correction"):
        bodies += [(unpacked(body), asked) for body, asked in connection.execute(sql, (name,))]
        for body, asked in bodies:
            if asked != _hash_of(body, command):
                yield f"a body has another hash than is told of it ({name})"
    for row in connection.execute(_REQUESTS, (name,)):
        request = rows.request_of_row(row)
        yield from _of_request(connection, command, request)
        if row[18] is not None:
            yield from _of_receipt(request, row[18:])


def _hash_of(body: bytes, command: Command) -> bytes:
    """Return the hash that is told of a body. A key that was abandoned before it was sent has no
    body."""
    if not body:
        return b""
    content = canonical(content_of(loads(body)))
    return body_hash(content, operation=command.operation, target=command.target)


def _of_request(connection: apsw.Connection, command: Command, request: Request) -> Iterator[str]:
    expected = receipt_id(origin=command.origin, key=command.key, child=request.child)
    if request.id != expected:
        yield f"a request has another id than that of its key ({request.id})"
    given_up = request.state is RequestState.CANCELLED and not command.body_hash
    if not given_up and request.pfr_request_id not in _names(connection, request.id):
        yield f"a request has another RequestId than that of its body ({request.id})"


def _of_receipt(request: Request, row: Any) -> Iterator[str]:
    number, sdc_time, answer = row
    receipt = rows.receipt_of(answer)
    if (receipt.invoice_number, rows.ms(receipt.sdc_time)) != (number, sdc_time):
        yield f"a receipt is not as its answer says ({request.id})"
