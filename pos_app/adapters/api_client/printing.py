"""The till's own papers, its cash drawer and delivery jobs, at the server's printers."""

from __future__ import annotations

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.port_client import port_client
from pos_app.documents.blocks import Document
from pos_app.documents.server_papers import ServerPapers
from pos_app.domain.receipt.server_jobs import ServerJobs
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.errors import NotDelivered, OutcomeUnknown, Refused

_ASK_SECONDS = 5.0
_DRAWER_SECONDS = 10.0
"""The server gives the printer eight seconds."""
_PDF_SECONDS = 18.0
"""The server needs at most 15 s for a PDF."""
_SURELY_SHUT = frozenset({JobState.FAILED, JobState.DROPPED})


def papers_at(api: LocalApi) -> ServerPapers:
    seconds_of = {"open_drawer": _DRAWER_SECONDS, "pdf": _PDF_SECONDS}
    return port_client(ServerPapers, api, "papers", seconds=_ASK_SECONDS, seconds_of=seconds_of)


def jobs_at(api: LocalApi) -> ServerJobs:
    return port_client(ServerJobs, api, "jobs", seconds=_ASK_SECONDS)


class PaperHttp:
    """The port ServerReceiptPrinter over HTTP."""

    def __init__(self, api: LocalApi) -> None:
        self._papers = papers_at(api)

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        await self._papers.print(paper, key=key, on_a4=on_a4)

    async def open_drawer(self, *, key: str, by: str) -> None:
        """Open the drawer now. Raises Refused, NotDelivered, OutcomeUnknown. After a lost answer it
        asks once more; the same key never gives a second pulse.
        """
        try:
            job = await self._papers.open_drawer(key=key, by=by)
        except OutcomeUnknown:
            job = await self._asked_again(key=key, by=by)
        if job.state in _SURELY_SHUT:
            raise Refused("drawer_shut", reply_code=job.trouble or "")
        if job.state is not JobState.DONE or job.trouble is not None:
            raise OutcomeUnknown("drawer")

    async def _asked_again(self, *, key: str, by: str) -> DeliveryJob:
        """Ask about a pulse whose answer was lost. Raises OutcomeUnknown when nobody answers."""
        try:
            return await self._papers.open_drawer(key=key, by=by)
        except NotDelivered as error:
            raise OutcomeUnknown(what=error.what) from error
