"""The words and buttons of what was not printed or sent, in its row at the left."""

from __future__ import annotations

from pos_app.cashier.attention.rows_view import RowButton
from pos_app.cashier.look.faces import Kind
from pos_app.cashier.look.tokens import Token
from pos_app.cashier.texts import Words
from pos_app.domain.states import JobMethod, JobState
from pos_app.selling.answers import DeliveryJob
from pos_app.selling.attention import What

AGAIN, SEEN, PDF = "again", "seen", "pdf"
"""The answers that a row takes itself."""


def job_title(what: What, job: DeliveryJob, words: Words) -> str:
    """Which receipt, by the last part of its number, and how its paper or mail stands."""
    if job.number is None:
        return words(f"att.row.{what}{_suffix(job)}")
    return words(f"att.row.{what}.of{_suffix(job)}", number=_short(job.number))


def short_title(what: What, job: DeliveryJob, words: Words) -> str:
    """The same where that is too long; "" where there is nothing shorter."""
    if job.number is None:
        return ""
    return words(f"att.row.{what}.short{_suffix(job)}", number=_short(job.number))


def job_icon(job: DeliveryJob) -> tuple[str, Token]:
    """By what it is; the colour by whether it has failed."""
    icon = "mail" if job.method is JobMethod.EMAIL else "printer-x"
    return icon, "danger" if job.state is JobState.FAILED else "warn"


def row_buttons(job: DeliveryJob, words: Words) -> tuple[RowButton, ...]:
    """Once more; and that it is there, where nobody knows, else the receipt as a file."""
    way = "mail" if job.method is JobMethod.EMAIL else "paper"
    again = RowButton(AGAIN, words(f"att.job.again.{way}"), "refresh-cw")
    if job.state is JobState.UNPROVEN:
        there = RowButton(SEEN, words(f"att.job.there.{way}"), "check", Kind.QUIET)
        return again, there
    if job.receipt_id is None:
        return (again,)
    return again, RowButton(PDF, words("att.job.as_pdf"), "file-text", Kind.QUIET)


def _suffix(job: DeliveryJob) -> str:
    return ".mail" if job.method is JobMethod.EMAIL else ""


def _short(number: str) -> str:
    """The last part of a fiscal number, as people call it."""
    return number.rsplit("-", 1)[-1]
