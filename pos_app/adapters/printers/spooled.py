"""Translates the reports of Windows' spooler, and follows a job to its end.

The spooler forgets a job when the port took all of it: a job that is gone was handed over, unless
it was last seen being deleted. The spooler does not know whether the printer printed it.
"""

from __future__ import annotations

import time
from contextlib import suppress

from pos_app.adapters.printers.winspool import (
    JobFlag,
    OpenQueue,
    QueueFlag,
    QueueState,
    SpooledJob,
    Winspool,
)
from pos_app.fiscalization.device_ports import (
    Delivered,
    DeviceTrouble,
    Failed,
    HandOver,
    HandoverProof,
    PrinterStatus,
    Unproven,
)

NO_SUCH_QUEUE = 1801

_QUEUE_TROUBLES = (
    (QueueFlag.PENDING_DELETION, DeviceTrouble.NO_QUEUE),
    (QueueFlag.PAUSED, DeviceTrouble.QUEUE_STOPPED),
    (QueueFlag.PAPER_OUT, DeviceTrouble.PAPER_OUT),
    (QueueFlag.DOOR_OPEN, DeviceTrouble.COVER_OPEN),
    (QueueFlag.OFFLINE | QueueFlag.NOT_AVAILABLE, DeviceTrouble.OFFLINE),
    (
        QueueFlag.ERROR | QueueFlag.PAPER_JAM | QueueFlag.USER_INTERVENTION,
        DeviceTrouble.PRINTER_ERROR,
    ),
)
_JOB_TROUBLES = (
    (JobFlag.PAPER_OUT, DeviceTrouble.PAPER_OUT),
    (JobFlag.OFFLINE, DeviceTrouble.OFFLINE),
    (JobFlag.PAUSED, DeviceTrouble.QUEUE_STOPPED),
    (JobFlag.ERROR | JobFlag.BLOCKED | JobFlag.USER_INTERVENTION, DeviceTrouble.PRINTER_ERROR),
)
_GOES = JobFlag.DELETING | JobFlag.DELETED
_WENT = JobFlag.PRINTED | JobFlag.COMPLETE


def status_of(state: QueueState) -> PrinterStatus:
    """Return a queue's flags as troubles; most drivers report few of them."""
    found = [trouble for flags, trouble in _QUEUE_TROUBLES if state.flags & flags]
    if state.is_offline:
        found.append(DeviceTrouble.OFFLINE)
    words = "The queue says that it can't print." if found else ""
    return PrinterStatus(tells=True, troubles=tuple(dict.fromkeys(found)), words=words)


def queue_status(spooler: Winspool, name: str) -> PrinterStatus:
    """Return a queue's present status; it blocks."""
    try:
        queue = spooler.open(name)
    except OSError as error:
        return _not_opened(error)
    try:
        return status_of(queue.state())
    except OSError as error:
        return _not_opened(error)
    finally:
        queue.close()


def refusal(status: PrinterStatus) -> Failed | None:
    """Return why a queue of this status gets nothing, or None when it may get a job."""
    if not status.troubles:
        return None
    trouble = status.troubles[0]
    return Failed(trouble, status.words, may_be_repeated=trouble is not DeviceTrouble.NO_QUEUE)


def _not_opened(error: OSError) -> PrinterStatus:
    trouble = DeviceTrouble.NO_QUEUE if error.errno == NO_SUCH_QUEUE else DeviceTrouble.AWAY
    words = f"The print queue can't be opened: {error.strerror} ({error.errno})."
    return PrinterStatus(tells=False, troubles=(trouble,), words=words)


def follow(queue: OpenQueue, job_id: int, *, seconds: float, look_seconds: float) -> HandOver:
    """Watch a job until it is gone; it blocks. A job that stays is deleted, so that it can't be
    printed later."""
    end = time.monotonic() + seconds
    last = JobFlag(0)
    while time.monotonic() < end:
        try:
            job = _found(queue.jobs(), job_id)
        except OSError as error:
            return Unproven(DeviceTrouble.CUT_OFF, f"The spooler does not tell: {error.strerror}.")
        if job is None or job.flags & _WENT:
            return _gone(last)
        last = job.flags
        time.sleep(look_seconds)
    with suppress(OSError):
        queue.delete(job_id)
    found = (trouble for flags, trouble in _JOB_TROUBLES if last & flags)
    return Unproven(next(found, DeviceTrouble.NOT_FINISHED), "The spooler did not finish in time.")


def _found(jobs: tuple[SpooledJob, ...], job_id: int) -> SpooledJob | None:
    return next((job for job in jobs if job.job_id == job_id), None)


def _gone(last: JobFlag) -> HandOver:
    if last & _GOES:
        return Unproven(DeviceTrouble.JOB_CANCELLED, "Somebody deleted the job.")
    return Delivered(HandoverProof.TAKEN)
