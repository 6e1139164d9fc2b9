"""Delivery jobs in journal.db: implements fiscalization.jobs.DeliveryJobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.journal.packing import packed, unpacked
from pos_app.adapters.sqlite.journal.rows import (
    kept_row,
    moment_of,
    ms,
    read,
    translated_row_errors,
)
from pos_app.adapters.sqlite.readable_rows import ReadableRows
from pos_app.characters import one_line
from pos_app.documents.blocks import Document, document_of, plain
from pos_app.domain.receipt.receipt_list import MOST_COUNTED
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import DeviceLine, InTrouble, QueuedJob, WaitingJobs
from pos_app.wire.strict_json import dumps, loads

_COLUMNS = (
    "SELECT id, method, state, made_at, asked_at, jobs.changed_at, next_at, jobs.request_id,"
    " number, target, attempts, sending, trouble, words"
)
_RECEIPTS = " LEFT JOIN receipts ON receipts.request_id = jobs.request_id "
_JOB = f"{_COLUMNS} FROM jobs{_RECEIPTS}"
_LINE = "jobs INDEXED BY jobs_in_line", "WHERE method = ? AND state = 'waiting' AND aside = 0"
_ASIDE = "jobs INDEXED BY jobs_aside", "WHERE method = ? AND state = 'waiting' AND aside = 1"
_NEW = "WHERE method = ? AND state = 'waiting' AND aside = 0 AND trouble IS NULL"
_WAITS = (
    f"SELECT EXISTS (SELECT 1 FROM {' '.join(_LINE)}), EXISTS (SELECT 1 FROM {' '.join(_ASIDE)}),"
    f" EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_new {_NEW}),"
    " (SELECT until FROM holds WHERE method = ?)"
)
"""This is asked for each device after each receipt, and mostly nothing waits."""
_OF_A_PERSON = (
    "jobs INDEXED BY jobs_of_a_person",
    "WHERE method = ? AND state IN ('failed', 'unproven') AND trouble IS NOT NULL",
)
_IN_TROUBLE = (
    "jobs INDEXED BY jobs_in_trouble",
    "WHERE method = ? AND state IN ('waiting', 'running') AND trouble IS NOT NULL",
)
_NOTE = "INSERT INTO notes (at, what, request_id, words) VALUES (?, ?, ?, ?)"
_IS_OPEN = "state IN ('waiting', 'running', 'failed', 'unproven')"
_NOT_DONE = "jobs INDEXED BY jobs_not_done", f"WHERE {_IS_OPEN}"
_WAITING_RECEIPTS = (
    f"SELECT request_id, id FROM jobs INDEXED BY jobs_not_done WHERE {_IS_OPEN}"
    " AND request_id IS NOT NULL AND id < ? AND NOT EXISTS (SELECT 1 FROM jobs AS newer"
    f"  WHERE newer.request_id = jobs.request_id AND newer.id > jobs.id AND newer.{_IS_OPEN})"
    " ORDER BY id DESC LIMIT ?"
)
"""Each receipt is listed by its newest job, so that it is on one page."""
_OF_REQUESTS = (
    f"{_COLUMNS} FROM (SELECT value FROM json_each(?)) AS asked"
    " CROSS JOIN jobs ON jobs.request_id = asked.value"
    f"{_RECEIPTS}WHERE {_IS_OPEN} ORDER BY jobs.id DESC"
)
_COUNT_WAITING = (
    "SELECT count(*) FROM (SELECT DISTINCT request_id FROM jobs INDEXED BY jobs_not_done"
    f" WHERE {_IS_OPEN} AND request_id IS NOT NULL LIMIT ?)"
)
_OPEN_PAPERS = (
    "jobs INDEXED BY jobs_not_done",
    f"WHERE {_IS_OPEN} AND jobs.request_id IS NOT NULL AND method IN ('thermal', 'a4')",
)
_NOT_PRINTED = "(state = 'failed' OR state IN ('waiting', 'running') AND trouble IS NOT NULL)"
_IS_ASIDE = "state = 'waiting' AND aside = 1"
_UNPROVEN = "state = 'unproven'"
_IN_TURN = "state IN ('waiting', 'running') AND trouble IS NULL"
_COUNT_PAPERS = (
    "SELECT count(DISTINCT iif(state = 'failed', request_id, NULL)),"
    f" count(DISTINCT iif({_IN_TURN}, request_id, NULL)) FROM {' '.join(_OPEN_PAPERS)}"
)
_ASKED_ANEW = (
    "UPDATE jobs SET state = 'waiting', sending = sending + 1, attempts = 0, aside = 0,"
    " trouble = NULL, words = '', asked_at = ?, changed_at = ?, next_at = ? WHERE "
)
_ENDED_AT = (
    "request_id = ? AND method = 'email' AND target = ?"
    " AND state IN ('failed', 'unproven', 'dropped')"
)
_NOT_OUT = frozenset({JobState.WAITING, JobState.FAILED})
"""The states of a paper that surely did not come out."""
_LAST_ID = 2**63 - 1
_MOST_LISTED = 200
_LONGEST_WORDS = 500
_MOST_KEPT = 5
"""Waiting jobs that are listed beside those that need a person: the newest is the last sale's."""


class SqliteJobs:
    """Uses the journal's own connection; each method is one durable transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._readable = ReadableRows()

    # --- within a transaction of the journal ----------------------------------------------------

    def insert_for(self, request_id: str, delivery: ReceiptDelivery, *, now: datetime) -> None:
        """Insert the jobs of a receipt, in the caller's transaction, which signs it."""
        wanted = {
            JobMethod.THERMAL: "" if delivery.thermal else None,
            JobMethod.A4: "" if delivery.a4 else None,
            JobMethod.EMAIL: delivery.email,
        }
        for method, target in wanted.items():
            if target is not None:
                self._insert(method, target, now, request_id=request_id)

    def recover(self, *, now: datetime) -> None:
        """Mark the jobs that were running when the server stopped as unproven, at the start: they
        may have been printed or sent."""
        self._connection.execute(
            "UPDATE jobs INDEXED BY jobs_running SET state = 'unproven', changed_at = ?,"
            " trouble = ?, words = ? WHERE state = 'running'",
            (ms(now), DeviceTrouble.INTERRUPTED.value, "The server stopped meanwhile."),
        )

    # --- the port -------------------------------------------------------------------------------

    def add(
        self, paper: Document, *, key: str, now: datetime, method: JobMethod = JobMethod.THERMAL
    ) -> QueuedJob:
        body = dumps(plain(paper))
        with self._transaction() as connection:
            job_id = self._known(key, paper=body)
            if job_id is None:
                self._insert(method, "", now, key=key, paper=packed(body))
                job_id = connection.last_insert_rowid()
        return self._there(job_id)

    def job(self, job_id: int) -> QueuedJob | None:
        known = job_id <= _LAST_ID  # SQLite has no number beyond it
        rows = self._rows(_JOB + "WHERE id = ?", job_id) if known else []
        return _job_of_row(rows[0]) if rows else None

    def of_receipt(self, request_id: str) -> tuple[QueuedJob, ...]:
        return self._jobs("WHERE jobs.request_id = ? ORDER BY id", request_id)

    def paper(self, job_id: int) -> Document | None:
        rows = self._rows("SELECT paper FROM jobs WHERE id = ?", job_id)
        return paper_of(rows[0][0]) if rows and rows[0][0] is not None else None

    def add_drawer(self, *, key: str, by: str, now: datetime) -> QueuedJob:
        with self._transaction() as connection:
            if (known := self._known(key, asked_by=by)) is not None:
                return self._there(known)
            connection.execute(
                "UPDATE jobs INDEXED BY jobs_of_a_person"
                " SET state = iif(state = 'failed', 'dropped', 'done'), changed_at = ?"
                " WHERE method = 'drawer' AND state IN ('failed', 'unproven')"
                " AND trouble IS NOT NULL",
                (ms(now),),
            )
            self._insert(JobMethod.DRAWER, "", now, key=key, asked_by=by)
            job_id = connection.last_insert_rowid()
            connection.execute(_NOTE, (ms(now), "drawer", None, by))
        return self._there(job_id)

    def line(self, method: JobMethod) -> DeviceLine:
        ((has_line, has_aside, has_new, held),) = self._rows(_WAITS, *(method.value,) * 4)
        ends = ("next_at", "next_at DESC") if has_aside else ()
        aside = [self._first(_ASIDE, method, by) for by in ends]
        return DeviceLine(
            first=self._first(_LINE, method, "id") if has_line else None,
            has_new=bool(has_new),
            held_until=None if held is None else moment_of(held),
            aside=tuple(job for job in aside if job is not None),
        )

    def not_done(self, *, before: int | None = None) -> tuple[QueuedJob, ...]:
        newest = f"{_COLUMNS} FROM {_NOT_DONE[0]}{_RECEIPTS}{_NOT_DONE[1]}"
        rows = self._rows(
            f"{newest} AND id < ? ORDER BY id DESC LIMIT ?", before or _LAST_ID, _MOST_LISTED
        )
        return self._readable.of(_job_of_row, rows)

    def of_waiting_receipts(self, *, before: int | None = None, most: int) -> WaitingJobs:
        found = self._rows(_WAITING_RECEIPTS, before or _LAST_ID, most + 1)
        asked = dict(found[:most])
        rows = self._rows(_OF_REQUESTS, dumps(list(asked)).decode())
        jobs = dict[str, list[QueuedJob]]((one, []) for one in asked)
        for job in self._readable.of(_job_of_row, rows):
            jobs[job.receipt_id or ""].append(job)
        ((many,),) = self._rows(_COUNT_WAITING, MOST_COUNTED)
        return WaitingJobs(
            {one: tuple(of_it) for one, of_it in jobs.items()},
            go_on=min(asked.values()) if len(found) > most else None,
            many=many,
        )

    def in_trouble(self, *methods: JobMethod, most: int) -> InTrouble:
        groups: list[list[QueuedJob]] = []
        count = 0
        for among, where in (_OF_A_PERSON, _IN_TROUBLE):
            found = list[QueuedJob]()
            for method in methods:
                newest = f"{_COLUMNS} FROM {among}{_RECEIPTS}{where} ORDER BY id DESC LIMIT ?"
                found += self._readable.of(_job_of_row, self._rows(newest, method.value, most))
                some = f"SELECT 1 FROM {among} {where} LIMIT {MOST_COUNTED}"
                ((of_it,),) = self._rows(f"SELECT count(*) FROM ({some})", method.value)
                count += of_it
            groups.append(sorted(found, key=lambda job: -job.id))
        of_a_person, waiting = groups
        kept = min(len(waiting), most // 2, _MOST_KEPT)
        jobs = (*of_a_person[: most - kept], *waiting)
        return InTrouble(jobs[:most], max(0, count - most))

    def start(self, job_id: int, *, now: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'running', attempts = attempts + 1, changed_at = ?"
                " WHERE id = ?",
                (ms(now), job_id),
            )

    def end(
        self,
        job_id: int,
        state: JobState,
        *,
        now: datetime,
        trouble: DeviceTrouble | None = None,
        words: str = "",
    ) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, changed_at = ?, trouble = ?, words = ? WHERE id = ?",
                (state.value, ms(now), trouble and trouble.value, _short(words), job_id),
            )

    def put_back(
        self,
        job_id: int,
        *,
        now: datetime,
        next_at: datetime,
        trouble: DeviceTrouble,
        words: str,
        holding: JobMethod | None = None,
    ) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'waiting', changed_at = ?, next_at = ?, trouble = ?,"
                " words = ?, aside = ? WHERE id = ?",
                (ms(now), ms(next_at), trouble.value, _short(words), int(holding is None), job_id),
            )
            if holding is not None:
                connection.execute(
                    "INSERT INTO holds VALUES (?, ?)"
                    " ON CONFLICT (method) DO UPDATE SET until = excluded.until",
                    (holding.value, ms(next_at)),
                )
                connection.execute(
                    f"UPDATE jobs INDEXED BY jobs_new SET trouble = ? {_NEW}",
                    (trouble.value, holding.value),
                )

    def hold_back(self, job_id: int, *, until: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET aside = 1, next_at = ? WHERE id = ? AND state = 'waiting'",
                (ms(until), job_id),
            )

    def again(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        job = self.job(job_id)
        if job is None:
            return None
        if job.state is JobState.RUNNING:
            raise NotAllowed("job_runs")
        if job.state is JobState.DROPPED:
            raise NotAllowed("job_dropped")
        with self._transaction():
            self._ask_anew(job, by, now)
        return self.job(job_id)

    def _ask_anew(self, job: QueuedJob, by: str, now: datetime) -> None:
        """Let a job be tried now, in the caller's transaction. It is as fresh as a new one: the
        person who wants it is there."""
        if job.state is JobState.WAITING:
            self._connection.execute(
                "UPDATE jobs SET asked_at = ?, changed_at = ?, next_at = ?, aside = 0,"
                " trouble = NULL, words = '' WHERE id = ?",
                (*(ms(now),) * 3, job.id),
            )
        else:
            self._connection.execute(f"{_ASKED_ANEW} id = ?", (*(ms(now),) * 3, job.id))
        self._note("job_again", job, by, now)

    def open_papers(self) -> OpenPapers:
        ((given_up, in_turn),) = self._rows(_COUNT_PAPERS)
        not_printed, unproven = map(self._papers, (_NOT_PRINTED, _UNPROVEN))
        return OpenPapers(_count_of(not_printed), given_up, _count_of(unproven), in_turn)

    def print_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str, now: datetime
    ) -> PaperCount:
        aside = {job.id for job in self._papers(_IS_ASIDE)}
        counted = self._counted(papers, unproven=unproven)
        jobs = [job for job in counted if job.id not in aside]
        with self._transaction():
            for job in jobs:
                if job.state is not JobState.RUNNING:
                    self._ask_anew(job, by, now)
        return _count_of(jobs)

    def end_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str, now: datetime
    ) -> PaperCount:
        jobs = self._counted(papers, unproven=unproven)
        ended = [job for job in jobs if job.state is not JobState.RUNNING]
        with self._transaction():
            for job in ended:
                self._see(job, by, now)
        return _count_of(ended)

    def _counted(self, papers: Sequence[CountedPaper], *, unproven: bool) -> Sequence[QueuedJob]:
        """Return the jobs that still are as they were counted."""
        counted = {(paper.id, paper.sending) for paper in papers}
        jobs = self._papers(_UNPROVEN if unproven else _NOT_PRINTED)
        return [job for job in jobs if (job.id, job.sending) in counted]

    def _papers(self, which: str) -> tuple[QueuedJob, ...]:
        among, where = _OPEN_PAPERS
        sql = f"{_COLUMNS} FROM {among}{_RECEIPTS}{where} AND {which} ORDER BY id"
        return self._readable.of(_job_of_row, self._rows(sql))

    def again_to(self, job_id: int, target: str, *, by: str, now: datetime) -> QueuedJob | None:
        job = self.job(job_id)
        if job is None:
            return None
        is_mail = job.method is JobMethod.EMAIL
        if job.receipt_id is None or not (is_mail or job.state in _NOT_OUT):
            raise NotAllowed("job_no_mail")
        if is_mail and job.target == target:
            return self.again(job_id, by=by, now=now)
        if job.state is JobState.RUNNING:
            raise NotAllowed("job_runs")
        with self._transaction() as connection:
            if job.state not in (JobState.DONE, JobState.DROPPED):
                self._end(job, JobState.DROPPED, now)
            known = (job.receipt_id, target)
            connection.execute(_ASKED_ANEW + _ENDED_AT, (*(ms(now),) * 3, *known))
            connection.execute(
                "INSERT INTO jobs (request_id, method, target, state, made_at, asked_at,"
                " changed_at, next_at) VALUES (?, 'email', ?, 'waiting', ?, ?, ?, ?)"
                " ON CONFLICT (request_id, method, target) DO NOTHING",
                (*known, *(ms(now),) * 4),
            )
            self._note("job_readdressed", job, by, now)
        (other,) = self._jobs(
            "WHERE jobs.request_id = ? AND method = 'email' AND target = ?", *known
        )
        return other

    def seen(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        job = self.job(job_id)
        if job is None:
            return None
        with self._transaction():
            self._see(job, by, now)
        return self.job(job_id)

    def _see(self, job: QueuedJob, by: str, now: datetime) -> None:
        """Take a person's word about a job, in the caller's transaction."""
        found = job.state is JobState.UNPROVEN
        self._end(job, JobState.DONE if found else JobState.DROPPED, now)
        self._note("job_seen", job, by, now)

    def _end(self, job: QueuedJob, end: JobState, now: datetime) -> None:
        """End a job by a person's word, in the caller's transaction."""
        self._connection.execute(
            "UPDATE jobs SET state = ?, changed_at = ? WHERE id = ?", (end.value, ms(now), job.id)
        )

    # --- rows -----------------------------------------------------------------------------------

    def _insert(
        self,
        method: JobMethod,
        target: str,
        now: datetime,
        *,
        request_id: str | None = None,
        key: str | None = None,
        paper: bytes | None = None,
        asked_by: str | None = None,
    ) -> None:
        self._connection.execute(
            "INSERT INTO jobs (request_id, till_key, paper, asked_by, method, target, state,"
            " made_at, asked_at, changed_at, next_at)"
            " VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?)",
            (request_id, key, paper, asked_by, method.value, target, *(ms(now),) * 4),
        )

    def _known(
        self, key: str, *, paper: bytes | None = None, asked_by: str | None = None
    ) -> int | None:
        """Return the job of that key. Raises NotAllowed where it was made with another content."""
        row = self._connection.execute(
            "SELECT id, paper, asked_by FROM jobs WHERE till_key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        with kept_row("a paper of the till"):
            kept = None if row[1] is None else unpacked(row[1])
        if (kept, row[2]) != (paper, asked_by):
            raise NotAllowed("key_of_job")
        return int(row[0])

    def _there(self, job_id: int) -> QueuedJob:
        job = self.job(job_id)
        assert job is not None
        return job

    def _note(self, what: str, job: QueuedJob, by: str, now: datetime) -> None:
        words = f"{by}: {job.method} {job.number or job.id} was {job.state}"
        self._connection.execute(_NOTE, (ms(now), what, job.receipt_id, words))

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with translated_row_errors(), transaction(self._connection) as connection:
            yield connection

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        return read(self._connection, lambda cursor: cursor.fetchall(), sql, *values)

    def _jobs(self, where: str, *values: Any) -> tuple[QueuedJob, ...]:
        return self._readable.of(_job_of_row, self._rows(_JOB + where, *values))

    def _first(self, of: tuple[str, str], method: JobMethod, order: str) -> QueuedJob | None:
        """Return the first readable job; an index has the order, so no other job is read."""
        sql = f"{_COLUMNS} FROM {of[0]}{_RECEIPTS}{of[1]} ORDER BY {order}"
        with (
            translated_row_errors(),
            closing(self._connection.execute(sql, (method.value,))) as rows,
        ):
            for row in rows:
                for job in self._readable.of(_job_of_row, [row]):
                    return job
        return None


def _count_of(jobs: Sequence[QueuedJob]) -> PaperCount:
    papers = tuple(CountedPaper(job.id, job.sending) for job in jobs)
    return PaperCount(len({job.receipt_id for job in jobs}), papers)


def _short(words: str) -> str:
    """Shorten a device's or server's own words, which may contain anything."""
    return one_line(words, longest=_LONGEST_WORDS)


@kept_row("a delivery job")
def _job_of_row(row: Any) -> QueuedJob:
    return QueuedJob(
        id=row[0],
        method=JobMethod(row[1]),
        state=JobState(row[2]),
        since=moment_of(row[3]),
        asked_at=moment_of(row[4]),
        changed_at=moment_of(row[5]),
        next_at=moment_of(row[6]),
        receipt_id=row[7],
        number=row[8],
        target=row[9],
        attempts=row[10],
        sending=row[11],
        trouble=None if row[12] is None else DeviceTrouble(row[12]),
        words=row[13],
    )


@kept_row("a paper of the till")
def paper_of(body: bytes) -> Document:
    members: Any = loads(unpacked(body))
    return document_of(members)
