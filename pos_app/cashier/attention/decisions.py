"""What a person does about a row of Attention: at this till, or through its server. No widget.

Sources: till.md ("Attention", Promise 3), exactly-once.md (steps 10 and 12).
"""

from __future__ import annotations

from pathlib import Path

from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.rows import CORRECTION, Row
from pos_app.cashier.services import TillServices
from pos_app.domain.server_status import DeliveryJob
from pos_app.errors import NotAllowed
from pos_app.selling.server_answers import Issued


class Decisions:
    """Acts of the outbox and the desk, for rows of the model. An act changes no row by itself:
    the model is read anew after it."""

    def __init__(self, services: TillServices, model: AttentionModel) -> None:
        self._services = services
        self._model = model

    # --- at this till ----------------------------------------------------------------------------

    def correct(self, row: Row) -> None:
        """Have a refused sale cancelled, so that its lines can be sold again. Raises NotAllowed."""
        self._services.outbox.drop(row.id, reason=CORRECTION)

    def drop(self, row: Row, reason: str) -> None:
        """Have a sale cancelled for good. Raises NotAllowed while it may be signed."""
        self._services.outbox.drop(row.id, reason=reason.strip())

    def try_again(self, row: Row) -> None:
        """Send a refused sale as it is: its cause was mended elsewhere. Raises NotAllowed."""
        self._services.outbox.try_again(row.id)

    def seen(self, row: Row) -> None:
        """The cashier knows of it."""
        if row.carts:
            self._services.till.carts.mark_set_aside_seen()
            return
        self._services.sales.mark_shown(row.id)

    def start_server(self) -> None:
        """What kept the server from starting was mended: start it now."""
        self._services.keeper.try_again()

    # --- at the server ---------------------------------------------------------------------------

    async def answer(self, row: Row, manager: str) -> None:
        """A manager has seen an alarm, closes the mark of a restore, or accepts an element; the
        server keeps who. Raises RemoteError, NotAllowed.
        """
        self._check_manager()
        if row.restored is not None:
            await self._services.doubt_desk.close_restored(by=manager)
            self._model.was_ended(row)
        if row.offered is not None:
            await self._services.doubt_desk.accept_element(row.offered.uid, by=manager)
            self._model.was_ended(row)
        if row.alarm is not None:
            await self._services.doubt_desk.see_alarm(row.alarm.id, by=manager)
            self._model.was_seen(row.alarm.id)

    async def job_again(self, row: Row) -> None:
        """Have it printed or sent once more. Raises RemoteError."""
        if row.job is not None:
            await self._services.doubt_desk.job_again(row.job.id, by=self._services.cashier)
            self._model.was_repeated(row.job)

    async def job_seen(self, row: Row) -> None:
        """It came out after all, or is not wanted any more. Raises RemoteError."""
        if row.job is not None:
            await self._services.doubt_desk.job_seen(row.job.id, by=self._services.cashier)
            self._model.was_answered(row.job)

    async def receipt_pdf(self, receipt_id: str, *, instead: bool) -> Path:
        """The receipt as a file. instead: of its papers that still wait for a printer.

        Raises RemoteError, MachineError.
        """
        services = self._services
        return await services.receipt_files.pdf_of(receipt_id, by=services.cashier, instead=instead)

    async def pdf_opened(self, job: DeliveryJob) -> None:
        """Its file was opened instead of its paper. Raises RemoteError."""
        if job.receipt_id is not None:
            services = self._services
            await services.receipt_files.opened(job.receipt_id, by=services.cashier)
            self._model.was_answered(job)

    async def look_again(self, row: Row) -> bool:
        """Have the receipt looked up once more; whether it was found. Raises RemoteError."""
        found: Issued | str = ""
        if row.receipt_id is not None:
            found = await self._services.doubt_desk.look_again(row.receipt_id)
        self._services.outbox.wake()
        return isinstance(found, Issued)

    async def declare_found(self, row: Row, url: str) -> None:
        """The receipt by the address on the processor's paper. Raises RemoteError, NotAllowed."""
        await self._services.doubt_desk.declare_found(
            _known(row), verification_url=url.strip(), by=self._services.cashier
        )
        self._services.outbox.wake()

    async def declare_absent(self, row: Row, manager: str) -> None:
        """A manager's word that there is no such receipt. Raises RemoteError, NotAllowed."""
        self._check_manager()
        await self._services.doubt_desk.declare_absent(_known(row), by=manager)
        self._services.outbox.wake()

    async def pair_again(self, row: Row, manager: str) -> Issued | str:
        """A manager has the refused receipt of a pair sent once more; it, or the state it is in.

        Raises RemoteError, NotAllowed.
        """
        self._check_manager()
        ended = await self._services.doubt_desk.pair_again(_known(row), by=manager)
        return self._model.decided.note(row, ended, manager)

    async def reverse_pair(self, row: Row, manager: str) -> Issued | str:
        """A manager has what is signed of a pair undone. Raises RemoteError, NotAllowed."""
        self._check_manager()
        ended = await self._services.doubt_desk.reverse_pair(_known(row), by=manager)
        return self._model.decided.note(row, ended, manager)

    # --- parts -----------------------------------------------------------------------------------

    def _check_manager(self) -> None:
        if not self._services.is_manager:
            raise NotAllowed(
                "Only a manager decides this.",
                safe="The sale is kept.",
                do="Call the manager.",
                kind="manager_decides",
            )


def _known(row: Row) -> str:
    if row.receipt_id is None:
        raise NotAllowed(
            "The server has not yet told the number of this receipt.",
            safe="The sale is kept.",
            do="Wait a moment and try again.",
            kind="not_yet_known",
        )
    return row.receipt_id
