"""Prints A4 through CUPS, or on a printer that speaks IPP: sends the PDF, and follows its job.

The job is created empty and given its document in a second request. So no paper comes without a job
that can be asked about, even if an answer is lost. Source: RFC 8011, 4.2.4 and 4.3.1.
"""

from __future__ import annotations

import asyncio

from pos_app import log
from pos_app.adapters.printers import ipp
from pos_app.adapters.printers.ipp_exchange import IppAddress, IppAttributes, IppExchange
from pos_app.errors import NotDelivered, OutcomeUnknown, RemoteError
from pos_app.fiscalization import device_ports
from pos_app.lazy_dataclass import dataclass

_PDF = "application/pdf"
_NOT_FOUND = 0x0406
_FIRST_SERVER_FAULT = 0x0500
_STOPPED = 5
_CANCELED, _ABORTED, _COMPLETED = 7, 8, 9
_QUEUE_FACTS = (
    "printer-state",
    "printer-state-reasons",
    "printer-state-message",
    "printer-is-accepting-jobs",
    "document-format-supported",
)
_JOB_FACTS = ("job-state", "job-state-reasons", "job-printer-state-message", "time-at-processing")
_LONGEST_TITLE = 127
_ANY_FORMAT = "application/octet-stream"
_WITH_ERRORS = "job-completed-with-errors"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    """The state of a job. began: whether the queue ever started it."""

    state: int
    reasons: tuple[str, ...]
    words: str
    began: bool

    @property
    def has_ended(self) -> bool:
        return self.state >= _CANCELED


class IppPages:
    """Implements PagePrinter. job_seconds: a job is followed for this time, then cancelled."""

    def __init__(
        self, address: IppAddress, *, job_seconds: float = 180.0, look_seconds: float = 0.5
    ) -> None:
        self._exchange = IppExchange(address)
        self._job_seconds = job_seconds
        self._look_seconds = look_seconds

    async def status(self) -> device_ports.PrinterStatus:
        try:
            return await self._queue_state()
        except RemoteError as error:
            return device_ports.PrinterStatus(
                tells=False, troubles=(device_ports.DeviceTrouble.AWAY,), words=error.what
            )

    async def print(self, pdf: bytes, *, title: str) -> device_ports.HandOver:
        """Print a PDF. A job that does not end in time is cancelled: nothing is printed later."""
        outcome = await self._print(pdf, title)
        _log.info("print service", extra={"fields": device_ports.outcome_fields(outcome)})
        return outcome

    # --- one job ------------------------------------------------------------------------------

    async def _print(self, pdf: bytes, title: str) -> device_ports.HandOver:
        queue = await self.status()
        if queue.troubles:
            lasting = {device_ports.DeviceTrouble.NO_QUEUE, device_ports.DeviceTrouble.DOCUMENT} & {
                *queue.troubles
            }
            return device_ports.Failed(queue.troubles[0], queue.words, may_be_repeated=not lasting)
        try:
            job_id = await self._create(title)
        except RemoteError as error:  # an empty job, if there is one, prints nothing
            return device_ports.Failed(device_ports.DeviceTrouble.AWAY, error.what)
        if job_id is None:
            return device_ports.Failed(
                device_ports.DeviceTrouble.QUEUE_REFUSES, "The print service takes no job."
            )
        try:
            sent = await self._send(job_id, pdf)
        except NotDelivered as error:
            return device_ports.Failed(device_ports.DeviceTrouble.AWAY, error.what)
        except OutcomeUnknown as error:
            _log.warning("a document's answer was lost", extra={"fields": {"reason": error.what}})
            return await self._follow(job_id)
        if sent.is_success:
            return await self._follow(job_id)
        words = f"The print service refused the document (IPP status 0x{sent.status:04x})."
        given_up = await self._give_up(job_id, device_ports.DeviceTrouble.DOCUMENT, words)
        if isinstance(given_up, device_ports.Failed) and sent.status < _FIRST_SERVER_FAULT:
            return device_ports.Failed(
                device_ports.DeviceTrouble.DOCUMENT, words, may_be_repeated=False
            )
        return given_up

    async def _create(self, title: str) -> int | None:
        name = title.encode()[:_LONGEST_TITLE].decode(errors="ignore")
        answer = await self._exchange.ask(
            ipp.IppOperation.CREATE_JOB, [(ipp.Tag.NAME, "job-name", name)]
        )
        job_id = _first(answer.only(ipp.Tag.JOB), "job-id")
        return job_id if answer.is_success and isinstance(job_id, int) else None

    async def _send(self, job_id: int, pdf: bytes) -> ipp.IppAnswer:
        given: IppAttributes = [
            (ipp.Tag.INTEGER, "job-id", job_id),
            (ipp.Tag.MIME, "document-format", _PDF),
            (ipp.Tag.BOOLEAN, "last-document", True),
        ]
        return await self._exchange.ask(ipp.IppOperation.SEND_DOCUMENT, given, pdf)

    # --- its end ------------------------------------------------------------------------------

    async def _follow(self, job_id: int) -> device_ports.HandOver:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._job_seconds
        words = ""
        while loop.time() < end:
            job = await self._job(job_id)
            if job is not None and job.has_ended:
                return _outcome(job)
            words = job.words if job is not None else words
            await asyncio.sleep(self._look_seconds)
        words = words or "The print service did not finish in time."
        return await self._give_up(job_id, device_ports.DeviceTrouble.NOT_FINISHED, words)

    async def _give_up(
        self, job_id: int, trouble: device_ports.DeviceTrouble, words: str
    ) -> device_ports.HandOver:
        """Cancel a job, which surely printed nothing if the queue never started it."""
        try:
            await self._exchange.ask(
                ipp.IppOperation.CANCEL_JOB, [(ipp.Tag.INTEGER, "job-id", job_id)]
            )
        except RemoteError as error:
            _log.warning("a job can't be cancelled", extra={"fields": {"reason": error.what}})
        job = await self._job(job_id)
        if job is not None and job.state == _COMPLETED:
            return _outcome(job)
        if job is not None and job.has_ended and not job.began:
            return device_ports.Failed(trouble, words)
        return device_ports.Unproven(trouble, words)

    # --- what the service tells -----------------------------------------------------------------

    async def _job(self, job_id: int) -> _Job | None:
        """Return the job's state, or None when the queue does not answer."""
        given: IppAttributes = [
            (ipp.Tag.INTEGER, "job-id", job_id),
            (ipp.Tag.KEYWORD, "requested-attributes", _JOB_FACTS),
        ]
        try:
            answer = await self._exchange.ask(ipp.IppOperation.GET_JOB_ATTRIBUTES, given)
        except RemoteError:
            return None
        facts = answer.only(ipp.Tag.JOB)
        state = _first(facts, "job-state")
        if not answer.is_success or not isinstance(state, int):
            return None
        return _Job(
            state=state,
            reasons=_texts(facts, "job-state-reasons"),
            words=" ".join(_texts(facts, "job-printer-state-message")),
            began=_first(facts, "time-at-processing") is not None,
        )

    async def _queue_state(self) -> device_ports.PrinterStatus:
        wanted = (ipp.Tag.KEYWORD, "requested-attributes", _QUEUE_FACTS)
        answer = await self._exchange.ask(ipp.IppOperation.GET_PRINTER_ATTRIBUTES, [wanted])
        if answer.status == _NOT_FOUND:
            return _in_trouble(device_ports.DeviceTrouble.NO_QUEUE, "There is no such queue.")
        facts = answer.only(ipp.Tag.PRINTER)
        words = " ".join(_texts(facts, "printer-state-message"))
        if not answer.is_success:
            return _in_trouble(
                device_ports.DeviceTrouble.QUEUE_REFUSES,
                words or "The queue does not tell its state.",
            )
        if _first(facts, "printer-state") == _STOPPED:
            return _in_trouble(
                device_ports.DeviceTrouble.QUEUE_STOPPED, words or "The queue is stopped."
            )
        if _first(facts, "printer-is-accepting-jobs") is False:
            return _in_trouble(
                device_ports.DeviceTrouble.QUEUE_REFUSES, words or "The queue accepts no jobs."
            )
        formats = _texts(facts, "document-format-supported")
        if formats and not {_PDF, _ANY_FORMAT} & {*formats}:
            return _in_trouble(device_ports.DeviceTrouble.DOCUMENT, "The printer takes no PDF.")
        return device_ports.PrinterStatus(tells=True, words=words)


def _outcome(job: _Job) -> device_ports.HandOver:
    if job.state == _COMPLETED and _WITH_ERRORS not in job.reasons:
        return device_ports.Delivered(device_ports.HandoverProof.CARRIED_OUT)
    trouble = (
        device_ports.DeviceTrouble.JOB_CANCELLED
        if job.state == _CANCELED
        else device_ports.DeviceTrouble.JOB_FAILED
    )
    words = job.words or "The print service ended the job: " + ", ".join(job.reasons)
    if job.began:
        return device_ports.Unproven(trouble, words)
    # A person cancelled it on purpose, so it is not retried.
    return device_ports.Failed(
        trouble, words, may_be_repeated=trouble is not device_ports.DeviceTrouble.JOB_CANCELLED
    )


def _in_trouble(trouble: device_ports.DeviceTrouble, words: str) -> device_ports.PrinterStatus:
    return device_ports.PrinterStatus(tells=True, troubles=(trouble,), words=words)


def _first(attributes: ipp.Attributes, name: str) -> object:
    return next(iter(attributes.get(name, ())), None)


def _texts(attributes: ipp.Attributes, name: str) -> tuple[str, ...]:
    return tuple(value for value in attributes.get(name, ()) if isinstance(value, str) and value)
