"""Look-ups and alarms in journal.db: implements fiscalization.ports.Findings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pos_app.adapters.sqlite.journal.rows import JournalFile, moment_of, ms
from pos_app.adapters.sqlite.stored_values import money, para
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.server_status import Alarm, LookUpTried
from pos_app.domain.receipt.states import AlarmKind, LookAnswer
from pos_app.fiscalization.ports import LaneState

_UNSEEN = (
    "SELECT * FROM alarms INDEXED BY alarms_unseen"
    " WHERE what = 'foreign_traffic' AND seen_at IS NULL"
)
"""Foreign traffic is one alarm until it was seen, described by its first and its last row."""
_LOOKED_BACK = 1000
"""Rows of history, which are some hundred receipts. Older rows are not needed, and with them the
search for a lane without receipts would read the whole table."""


_SIGNED = (
    "SELECT requests.id, pfr_request_id FROM attempts"
    " JOIN commands ON commands.row = attempts.command JOIN requests"
    " ON requests.command_id = commands.id AND requests.child = attempts.child"
    " WHERE attempts.state = 'signed' AND requests.lane = coalesce(?, requests.lane)"
    " AND attempts.row BETWEEN ? AND ? ORDER BY attempts.row DESC LIMIT 1"
)


class SqliteFindings(JournalFile):
    """Uses the journal's own connection; each method is one durable transaction."""

    # --- look-ups -------------------------------------------------------------------------------

    def looked(self, request_id: str, run: LookUpTried) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO looks VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
                " SET ended = excluded.ended, times = excluded.times",
                (request_id, ms(run.since), ms(run.at), run.answer.value, run.counter, run.times),
            )

    def look_ups(self, request_id: str) -> tuple[LookUpTried, ...]:
        rows = self._rows(
            "SELECT began, ended, times, answer, counter FROM looks"
            " WHERE request_id = ? ORDER BY began",
            request_id,
        )
        return tuple(
            LookUpTried(
                since=moment_of(began),
                at=moment_of(ended),
                times=times,
                answer=LookAnswer(answer),
                counter=counter,
            )
            for began, ended, times, answer, counter in rows
        )

    # --- alarms ---------------------------------------------------------------------------------

    def late_receipt(
        self,
        request_id: str,
        receipt: SignedReceipt,
        *,
        pfr_request_id: str,
        total: Money,
        lane: LaneState,
        now: datetime,
    ) -> None:
        number = receipt.invoice_number
        with self._transaction() as connection:
            connection.execute(
                "UPDATE absent SET alarmed_number = ? WHERE pfr_request_id = ?",
                (number, pfr_request_id),
            )
            words = f"{number} was signed late; a refund is due."
            self._note("alarm_late_receipt", request_id, now, words)
            connection.execute(
                "INSERT INTO alarms (at, what, request_id, number, total, signed_at)"
                " VALUES (?, 'late_receipt', ?, ?, ?, ?)",
                (ms(now), request_id, number, para(total), ms(receipt.sdc_time)),
            )
            self._keep_lane(lane)

    def foreign_traffic(self, *, before: int, counter: int, lane: LaneState, now: datetime) -> None:
        with self._transaction() as connection:
            words = f"The counter moved from {before} to {counter}."
            self._note("foreign_traffic", None, now, words)
            connection.execute(
                "INSERT INTO alarms (at, what, counter_before, counter_now, moved, rows)"
                " VALUES (?, 'foreign_traffic', ?, ?, ? + coalesce((SELECT moved FROM alarms"
                "  INDEXED BY alarms_moved WHERE what = 'foreign_traffic'"
                "  ORDER BY id DESC LIMIT 1), 0), (SELECT max(row) FROM attempts))",
                (ms(now), before, counter, counter - before),
            )
            self._keep_lane(lane)

    def explain_traffic(
        self, request_id: str, receipt: SignedReceipt, *, element: str, now: datetime
    ) -> None:
        """Withdraw foreign traffic that the receipt of a doubt and others of this journal wholly
        explain, in the transaction that signs the doubt.

        element: the secure element in use; alarms concern no other.
        """
        prefix, _, counter = receipt.invoice_number.rpartition("-")
        if not counter.isdecimal() or not prefix.upper().startswith(element.upper()):
            return
        rows = self._rows(
            f"SELECT id, counter_before, counter_now, at FROM ({_UNSEEN})"
            " WHERE counter_before < ? AND counter_now >= ?",
            int(counter),
            int(counter),
        )
        for alarm_id, before, after, at in rows:
            numbers = (f"{prefix}-{one}" for one in range(before + 1, after + 1))
            if all(map(self._is_here, numbers)) and not self._was_changed_since(at):
                self._withdraw(alarm_id, after - before)
                words = f"{receipt.invoice_number} is of this shop."
                self._note("foreign_traffic_explained", request_id, now, words)

    def _is_here(self, number: str) -> bool:
        return self._row("SELECT 1 FROM receipts WHERE number = ?", number) is not None

    def _was_changed_since(self, at: int) -> bool:
        """Tell whether another element is in use than when an alarm was raised."""
        accepted = "SELECT 1 FROM notes WHERE what = 'element_accepted' AND at >= ?"
        return self._row(accepted, at) is not None

    def _withdraw(self, alarm_id: int, receipts: int) -> None:
        self._connection.execute("DELETE FROM alarms WHERE id = ?", (alarm_id,))
        self._connection.execute(
            "UPDATE alarms SET moved = moved - ? WHERE what = 'foreign_traffic' AND id > ?",
            (receipts, alarm_id),
        )

    def was_late(self, number: str) -> bool:
        query = "SELECT 1 FROM alarms WHERE what = 'late_receipt' AND number = ?"
        return self._row(query, number) is not None

    def unexplained(self) -> bool:
        return bool(self._row(f"SELECT EXISTS ({_UNSEEN})")[0])

    def was_left_before_unexplained(self, request_id: str) -> bool:
        row = self._row(
            f"SELECT 1 FROM ({_UNSEEN} ORDER BY id DESC LIMIT 1) AS last"
            " WHERE last.at >= (SELECT changed_at FROM requests WHERE id = ?)",
            request_id,
        )
        return row is not None

    def signed_before_unexplained(self, lane: str | None = None) -> str | None:
        found = self._row(f"SELECT rows FROM ({_UNSEEN} ORDER BY id LIMIT 1)")
        rows = 0 if found is None or found[0] is None else int(found[0])
        row = self._row(_SIGNED, lane, rows - _LOOKED_BACK, rows)
        return None if row is None else str(row[1])

    def last_signed(self, lane: str) -> str | None:
        rows = int(self._row("SELECT coalesce(max(row), 0) FROM attempts")[0])
        row = self._row(_SIGNED, lane, rows - _LOOKED_BACK, rows)
        return None if row is None else str(row[0])

    def others_signed_since(self, moment: datetime) -> bool:
        row = self._row(
            "SELECT at FROM alarms WHERE id = (SELECT max(id) FROM alarms INDEXED BY alarms_moved"
            " WHERE what = 'foreign_traffic')"
        )
        return row is not None and int(row[0]) >= ms(moment)

    def insert_echo(
        self, request_id: str, receipt: SignedReceipt, differs: Sequence[str], *, now: datetime
    ) -> None:
        """Note an answer that differs in these members, in the transaction that signs it. Answers
        with the same differences are one row until it was seen, because some processors always
        differ."""
        number, members = receipt.invoice_number, " ".join(differs)
        words = f"{number} is signed, and differs in {members}."
        self._note("alarm_echo", request_id, now, words)
        self._connection.execute(
            "UPDATE alarms SET at = ?, request_id = ?, number = ?, receipts = receipts + 1"
            " WHERE what = 'echo' AND seen_at IS NULL AND differs = ?",
            (ms(now), request_id, number, members),
        )
        if not self._connection.changes():
            self._connection.execute(
                "INSERT INTO alarms (at, since, what, request_id, number, differs, receipts)"
                " VALUES (?, ?, 'echo', ?, ?, ?, 1)",
                (ms(now), ms(now), request_id, number, members),
            )

    def alarms(self) -> tuple[Alarm, ...]:
        late = self._rows(
            "SELECT id, what, at, at, 1, request_id, number, total, signed_at, NULL, NULL, NULL"
            " FROM alarms INDEXED BY alarms_unseen "
            " WHERE what = 'late_receipt' AND seen_at IS NULL ORDER BY id"
        )
        foreign = self._rows(
            "SELECT last.id, last.what, last.at, first.at,"
            " max(1, last.moved - first.moved + first.counter_now - first.counter_before),"
            " NULL, NULL, NULL, NULL, first.counter_before, last.counter_now, NULL"
            f" FROM ({_UNSEEN} ORDER BY id LIMIT 1) AS first,"
            f" ({_UNSEEN} ORDER BY id DESC LIMIT 1) AS last"
        )
        echoes = self._rows(
            "SELECT id, what, at, since, receipts, request_id, number, NULL, NULL, NULL, NULL,"
            " differs FROM alarms WHERE what = 'echo' AND seen_at IS NULL ORDER BY id"
        )
        return tuple(_alarm_of_row(row) for row in (*late, *foreign, *echoes))

    def see(self, alarm_id: int, *, by: str, now: datetime) -> bool:
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT what, number FROM alarms WHERE id = ?", (alarm_id,)
            ).fetchone()
            if row is None:
                return False
            connection.execute(
                "UPDATE alarms INDEXED BY alarms_unseen SET seen_at = ?, seen_by = ?"
                " WHERE seen_at IS NULL AND what = ? AND id <= ?"
                " AND (id = ? OR what = 'foreign_traffic')",
                (ms(now), by, row[0], alarm_id, alarm_id),
            )
            words = f"{by}: {row[0]} {row[1] or ''}".rstrip()
            self._note("alarm_seen", None, now, words)
        return True


def _alarm_of_row(row: Any) -> Alarm:
    return Alarm(
        id=row[0],
        what=AlarmKind(row[1]),
        at=moment_of(row[2]),
        since=moment_of(row[3]),
        receipts=row[4],
        receipt_id=row[5],
        number=row[6],
        total=None if row[7] is None else money(row[7]),
        signed_at=None if row[8] is None else moment_of(row[8]),
        counter_before=row[9],
        counter_now=row[10],
        differs=tuple((row[11] or "").split()),
    )
