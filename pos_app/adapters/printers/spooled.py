"""Translates the reports of Windows' spooler, and follows a job to its end.

The spooler forgets a job when the port took all of it: a job that is gone was handed over, unless
it was last seen being deleted. The spooler does not know whether the printer printed it.
"""

from __future__ import annotations

import time
from contextlib import suppress

from pos_app.adapters.printers import winspool
from pos_app.fiscalization import device_ports

NO_SUCH_QUEUE = 1801

_QUEUE_TROUBLES = (
    (winspool.QueueFlag.PENDING_DELETION, device_ports.DeviceTrouble.NO_QUEUE),
    (winspool.QueueFlag.PAUSED, device_ports.DeviceTrouble.QUEUE_STOPPED),
    (winspool.QueueFlag.PAPER_OUT, device_ports.DeviceTrouble.PAPER_OUT),
    (winspool.QueueFlag.DOOR_OPEN, device_ports.DeviceTrouble.COVER_OPEN),
    (
        winspool.QueueFlag.OFFLINE | winspool.QueueFlag.NOT_AVAILABLE,
        device_ports.DeviceTrouble.OFFLINE,
    ),
    (
        winspool.QueueFlag.ERROR
        | winspool.QueueFlag.PAPER_JAM
        | winspool.QueueFlag.USER_INTERVENTION,
        device_ports.DeviceTrouble.PRINTER_ERROR,
    ),
)
_JOB_TROUBLES = (
    (winspool.JobFlag.PAPER_OUT, device_ports.DeviceTrouble.PAPER_OUT),
    (winspool.JobFlag.OFFLINE, device_ports.DeviceTrouble.OFFLINE),
    (winspool.JobFlag.PAUSED, device_ports.DeviceTrouble.QUEUE_STOPPED),
    (
        winspool.JobFlag.ERROR | winspool.JobFlag.BLOCKED | winspool.JobFlag.USER_INTERVENTION,
        device_ports.DeviceTrouble.PRINTER_ERROR,
    ),
)
_GOES = winspool.JobFlag.DELETING | winspool.JobFlag.DELETED
_WENT = winspool.JobFlag.PRINTED | winspool.JobFlag.COMPLETE


def status_of(state: winspool.QueueState) -> device_ports.PrinterStatus:
    """Return a queue's flags as troubles; most drivers report few of them."""
    found = [trouble for flags, trouble in _QUEUE_TROUBLES if state.flags & flags]
    if state.is_offline:
        found.append(device_ports.DeviceTrouble.OFFLINE)
    words = "The queue says that it can't print." if found else ""
    return device_ports.PrinterStatus(tells=True, troubles=tuple(dict.fromkeys(found)), words=words)


def queue_status(spooler: winspool.Winspool, name: str) -> device_ports.PrinterStatus:
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


def refusal(status: device_ports.PrinterStatus) -> device_ports.Failed | None:
    """Return why a queue of this status gets nothing, or None when it may get a job."""
    if not status.troubles:
        return None
    trouble = status.troubles[0]
    return device_ports.Failed(
        trouble, status.words, may_be_repeated=trouble is not device_ports.DeviceTrouble.NO_QUEUE
    )


def _not_opened(error: OSError) -> device_ports.PrinterStatus:
    trouble = (
        device_ports.DeviceTrouble.NO_QUEUE
        if error.errno == NO_SUCH_QUEUE
        else device_ports.DeviceTrouble.AWAY
    )
    words = f"The print queue can't be opened: {error.strerror} ({error.errno})."
    return device_ports.PrinterStatus(tells=False, troubles=(trouble,), words=words)


def follow(
    queue: winspool.OpenQueue, job_id: int, *, seconds: float, look_seconds: float
) -> device_ports.HandOver:
    """Watch a job until it is gone; it blocks. A job that stays is deleted, not printed later."""
    end = time.monotonic() + seconds
    last = winspool.JobFlag(0)
    while time.monotonic() < end:
        try:
            job = _spooled_job(queue.jobs(), job_id)
        except OSError as error:
            return device_ports.Unproven(
                device_ports.DeviceTrouble.CUT_OFF, f"The spooler does not tell: {error.strerror}."
            )
        if job is None or job.flags & _WENT:
            return _gone(last)
        last = job.flags
        time.sleep(look_seconds)
    with suppress(OSError):
        queue.delete(job_id)
    found = (trouble for flags, trouble in _JOB_TROUBLES if last & flags)
    return device_ports.Unproven(
        next(found, device_ports.DeviceTrouble.NOT_FINISHED), "The spooler did not finish in time."
    )


def _spooled_job(jobs: tuple[winspool.SpooledJob, ...], job_id: int) -> winspool.SpooledJob | None:
    return next((job for job in jobs if job.job_id == job_id), None)


def _gone(last: winspool.JobFlag) -> device_ports.HandOver:
    if last & _GOES:
        return device_ports.Unproven(
            device_ports.DeviceTrouble.JOB_CANCELLED, "Somebody deleted the job."
        )
    return device_ports.Delivered(device_ports.HandoverProof.TAKEN)
