"""The words and buttons of what was not printed or sent, in its row at the left."""

from __future__ import annotations

from pos_app.cashier.attention.rows_view import RowButton
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobMethod, JobState
from pos_app.selling.attention import AttentionKind

AGAIN, SEEN, PDF = "again", "seen", "pdf"
"""The answers that a row takes itself."""


def job_title(what: AttentionKind, job: DeliveryJob, texts: Texts) -> str:
    """Which receipt, by the last part of its number, and how its paper or mail stands."""
    if job.number is None:
        return texts(f"att.row.{what}{_suffix(job)}")
    return texts(f"att.row.{what}.of{_suffix(job)}", number=_short(job.number))


def short_title(what: AttentionKind, job: DeliveryJob, texts: Texts) -> str:
    """The same where that is too long; "" where there is nothing shorter."""
    if job.number is None:
        return ""
    return texts(f"att.row.{what}.short{_suffix(job)}", number=_short(job.number))


def job_icon(what: AttentionKind, job: DeliveryJob) -> tuple[str, Token]:
    """By what it is; the colour by whether it has failed."""
    is_mail, is_repeated = job.method is JobMethod.EMAIL, what is AttentionKind.DELIVERY_REPEATED
    icon = "mail" if is_mail else "printer" if is_repeated else "printer-x"
    if is_repeated:
        return icon, "info"
    return icon, "danger" if job.state is JobState.FAILED else "warn"


def came_out_words(job: DeliveryJob, texts: Texts) -> str:
    """That what a person wanted once more is there."""
    return texts(f"att.job.came_out{_suffix(job)}", what=paper_words(job, texts))


def asked_again_key(job: DeliveryJob | None) -> str:
    """Key of the words that it is under way once more."""
    return f"att.job.asked_again{_suffix(job) if job is not None else ''}"


def paper_words(job: DeliveryJob, texts: Texts) -> str:
    """What it is: which receipt, or a sheet of the till."""
    if job.number is None:
        return texts("att.job.of_till")
    return texts("att.job.of_receipt", number=job.number)


def ask_key(what: AttentionKind, job: DeliveryJob | None) -> str:
    """Key of the title of a case."""
    return f"att.ask.{what}{_suffix(job) if job is not None else ''}"


def job_words(what: AttentionKind, job: DeliveryJob, texts: Texts, *, trouble: str) -> NoticeText:
    """The three parts of the notice of what was not printed or sent."""
    key = f"att.happened.{what}{_suffix(job)}"
    return NoticeText(
        texts(key, what=paper_words(job, texts), trouble=trouble),
        texts(f"att.safe.job{_suffix(job)}"),
        texts(f"att.press.{what}"),
    )


def row_buttons(what: AttentionKind, job: DeliveryJob, texts: Texts) -> tuple[RowButton, ...]:
    """Once more; and that it is there, where nobody knows, else the receipt as a file."""
    way = "mail" if job.method is JobMethod.EMAIL else "paper"
    again = RowButton(AGAIN, texts(f"att.job.again.{way}"), "refresh-cw")
    if what is AttentionKind.DELIVERY_REPEATED:
        return ()
    if job.state is JobState.UNPROVEN:
        there = RowButton(SEEN, texts(f"att.job.there.{way}"), "check", ButtonKind.QUIET)
        return again, there
    if job.receipt_id is None:
        return (again,)
    return again, RowButton(PDF, texts("att.job.as_pdf"), "file-text", ButtonKind.QUIET)


def _suffix(job: DeliveryJob) -> str:
    return ".mail" if job.method is JobMethod.EMAIL else ""


def _short(number: str) -> str:
    """The last part of a fiscal number, as people call it."""
    return number.rsplit("-", 1)[-1]
