"""A delivery that failed or waits, in words, for the last sale and for Attention."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobMethod


def case_id(job: DeliveryJob) -> str:
    return f"job {job.id}"


def suffix(job: DeliveryJob) -> str:
    """Of the keys of texts that differ for a mail."""
    return ".mail" if job.method is JobMethod.EMAIL else ""


def paper_words(job: DeliveryJob, texts: Texts) -> str:
    """What it is: which receipt, or a sheet of the till."""
    if job.number is None:
        return texts("att.job.of_till")
    return texts("att.job.of_receipt", number=job.number)


def trouble_words(job: DeliveryJob, texts: Texts) -> str:
    """What stood in the way. A newer server's word for it may be one that this till lacks."""
    key = f"att.trouble.{job.trouble}"
    own = f"{key}.{'mail' if job.method is JobMethod.EMAIL else 'paper'}"
    return texts(own if texts.has(own) else key if texts.has(key) else "att.trouble.other")
