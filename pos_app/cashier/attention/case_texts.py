"""The facts of Attention in words: rows at the left, the case at the right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.attention import pair_texts
from pos_app.cashier.attention.incomplete_articles import completing_title
from pos_app.cashier.attention.job_texts import job_title
from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.refusal_details import RefusalDetails, refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.server_texts import OF_NO_SALE, trouble_why, trouble_words
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.server_status import ProcessorState, ReceiptInDoubt
from pos_app.domain.states import LookAnswer
from pos_app.errors import Invalid, PosError, Refused, RemoteError, Unreadable
from pos_app.selling.attention import DOUBTS, AttentionKind
from pos_app.selling.sale import INTERRUPTED, NOT_COMPARED, UNCONFIRMED, Sale
from pos_app.selling.sale_state import SaleState
from pos_app.selling.server_watch import ServerLink, ServerView

ICONS: Mapping[AttentionKind, tuple[str, Token]] = {
    AttentionKind.DECIDE: ("circle-question-mark", "warn"),
    AttentionKind.LOOKED_UP: ("circle-question-mark", "warn"),
    AttentionKind.FOREIGN_DOUBT: ("circle-question-mark", "warn"),
    AttentionKind.CORRECT_OR_DROP: ("circle-alert", "danger"),
    AttentionKind.HELP_PROCESSOR: ("key-round", "warn"),
    AttentionKind.FREE_DISK: ("circle-alert", "warn"),
    AttentionKind.REFUND: ("triangle-alert", "warn"),
    AttentionKind.UNREADABLE: ("triangle-alert", "warn"),
    AttentionKind.TAKE_BACK: ("undo-2", "warn"),
    AttentionKind.SERVER_FAILS: ("circle-alert", "danger"),
    AttentionKind.HALF_DONE: ("triangle-alert", "warn"),
    AttentionKind.STORAGE_FAILS: ("circle-alert", "danger"),
    AttentionKind.CATALOGUE_FAILS: ("circle-alert", "danger"),
    AttentionKind.LATE_RECEIPT: ("triangle-alert", "warn"),
    AttentionKind.FOREIGN_TRAFFIC: ("triangle-alert", "warn"),
    AttentionKind.ANSWER_DIFFERS: ("triangle-alert", "warn"),
    AttentionKind.RESTORED: ("database-backup", "danger"),
    AttentionKind.NEW_ELEMENT: ("credit-card", "warn"),
    AttentionKind.CARTS_SET_ASIDE: ("database-backup", "warn"),
    AttentionKind.DELIVERY_FAILED: ("circle-alert", "danger"),
    AttentionKind.PERHAPS_DELIVERED: ("triangle-alert", "warn"),
    AttentionKind.DRAWER_SHUT: ("triangle-alert", "warn"),
    AttentionKind.DRAWER_UNKNOWN: ("triangle-alert", "warn"),
    AttentionKind.MORE_TO_DECIDE: ("circle-question-mark", "warn"),
    AttentionKind.MORE_UNDELIVERED: ("info", "ink_2"),
    AttentionKind.REFUSED_CALLER: ("info", "ink_2"),
    AttentionKind.TO_COMPLETE: ("tag", "ink_2"),
    AttentionKind.SOLVED: ("circle-check", "ok"),
}
WAITING_ICON: tuple[str, Token] = ("clock", "info")
_NOTICES = {
    AttentionKind.SERVER_FAILS: NoticeKind.DANGER,
    AttentionKind.RESTORED: NoticeKind.DANGER,
    AttentionKind.STORAGE_FAILS: NoticeKind.DANGER,
    AttentionKind.CATALOGUE_FAILS: NoticeKind.DANGER,
    AttentionKind.CORRECT_OR_DROP: NoticeKind.DANGER,
    AttentionKind.DELIVERY_FAILED: NoticeKind.DANGER,
    AttentionKind.DELIVERY_WAITS: NoticeKind.INFO,
    AttentionKind.DELIVERY_REPEATED: NoticeKind.INFO,
    AttentionKind.SENT: NoticeKind.INFO,
    AttentionKind.WAITS_FOR_SERVER: NoticeKind.INFO,
    AttentionKind.WAITS_FOR_PROCESSOR: NoticeKind.INFO,
    AttentionKind.WAITS_BEHIND: NoticeKind.INFO,
    AttentionKind.CANCELLED_SOON: NoticeKind.INFO,
    AttentionKind.TO_COMPLETE: NoticeKind.INFO,
    AttentionKind.SOLVED: NoticeKind.INFO,
    AttentionKind.MORE_WAITING: NoticeKind.INFO,
    AttentionKind.MORE_UNDELIVERED: NoticeKind.INFO,
    AttentionKind.REFUSED_CALLER: NoticeKind.INFO,
}
_WRONG_PAPERS = {"other_receipt": "att.url.other", "known_receipt": "att.url.known"}
"""Words for what the server says of a processor's paper, by its kind."""
_LANE_BUSY = "40010001"
_CURABLE = {
    ProcessorState.PIN: "pin",
    ProcessorState.CARD: "card",
    ProcessorState.LIMIT: "limit",
    ProcessorState.NOT_CONFIGURED: "not_configured",
}
_CURES = {"1500": "pin", "2100": "pin", "1300": "card", "2110": "card", "2210": "limit"}


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What the words depend on beside the row. now: UTC."""

    server: ServerView
    now: datetime


def row_title(row: Row, texts: Texts) -> str:
    """The bold line of a row."""
    if row.what is AttentionKind.TO_COMPLETE:
        return completing_title(row, texts)
    if row.left_off:
        return texts.count(f"att.row.{row.what}", row.left_off)
    if row.what is AttentionKind.HALF_DONE or row.decision is not None:
        return pair_texts.pair_title(row, texts)
    if row.job is not None:
        return job_title(row.what, row.job, texts)
    if row.what is not AttentionKind.SOLVED:
        return texts(f"att.row.{row.what}")
    if row.sale is not None and row.sale.receipt is not None:
        return texts("att.row.solved.done", number=_short_number(row.sale))
    return texts("att.row.solved.cancelled")


def row_words(row: Row, texts: Texts, standing: CaseFacts) -> str:
    """The quiet line of a row: when, and why or how it was paid."""
    paired = row.what is AttentionKind.HALF_DONE
    why = pair_texts.pair_why(row, texts) if paired else _why(row, texts, standing)
    return f"{when(row.since, texts, now=standing.now)} · {why}".rstrip(" ·")


def _why(row: Row, texts: Texts, standing: CaseFacts) -> str:
    match row.what:
        case AttentionKind.DECIDE:
            return paid_by(row.sale, texts)
        case AttentionKind.FOREIGN_DOUBT:
            return (row.receipt_id or "")[:8]
        case AttentionKind.CORRECT_OR_DROP:
            return refusal_words(refusal_of(row.sale.reason if row.sale else None), texts)
        case AttentionKind.HELP_PROCESSOR:
            return texts(f"att.help.{help_wanted(row, standing.server)}")
        case AttentionKind.TO_COMPLETE:
            return texts("att.why.to_complete")
        case AttentionKind.SOLVED:
            return _why_solved(row, texts)
        case what if what in OF_NO_SALE:
            return trouble_why(row, texts, standing.server)
        case _:
            return texts(f"att.why.{_waiting_kind(row, standing.server)}")


def _why_solved(row: Row, texts: Texts) -> str:
    if row.decision is not None:
        return pair_texts.decided_why(row.decision, texts)
    return paid_by(row.sale, texts) if _is_done(row) else texts("att.why.cancelled")


def paid_by(sale: Sale | None, texts: Texts) -> str:
    """How it was paid: "готовина 1.000,00, картица 200,00"."""
    if sale is None:
        return ""
    parts = sale.taken.tendered.by_method
    if len(parts) == 1:
        return texts(f"pay.line.{parts[0][0]}").lower()
    named = ((texts(f"pay.line.{method}").lower(), amount) for method, amount in parts)
    return ", ".join(f"{name}{NO_BREAK_SPACE}{amount_text(amount)}" for name, amount in named)


def case_words(row: Row, texts: Texts, standing: CaseFacts, *, lines: int) -> str:
    """The line under the title of a case: when, how many items, how it was paid."""
    if row.what in OF_NO_SALE:
        return when(row.since, texts, now=standing.now)
    if row.what is AttentionKind.TO_COMPLETE:
        return texts("att.why.to_complete")
    key = "att.asked_at" if row.sale is None else "att.sale_at"
    parts = [texts(key, when=when(_asked(row), texts, now=standing.now))]
    if row.sale is not None:
        parts += [row.sale.cashier, texts.count("att.items", lines), _tendered(row.sale, texts)]
    elif row.receipt_id:
        parts.append(row.receipt_id)
    return " · ".join(part for part in parts if part)


def _tendered(sale: Sale, texts: Texts) -> str:
    parts = sale.taken.tendered.by_method
    named = ((texts(f"pay.line.{method}").lower(), amount) for method, amount in parts)
    return ", ".join(f"{name}{NO_BREAK_SPACE}{amount_text(amount)}" for name, amount in named)


def _asked(row: Row) -> datetime:
    return row.sale.frozen_at if row.sale else row.since


def notice_kind(row: Row) -> NoticeKind:
    """Amber asks for a decision, blue goes on by itself, red has failed."""
    return _NOTICES.get(row.what, NoticeKind.WARN)


def notice_words(row: Row, texts: Texts, standing: CaseFacts) -> NoticeText:
    """The three parts of the notice of a case."""
    if row.what is AttentionKind.HALF_DONE:
        return pair_texts.pair_words(row, texts)
    if row.what in OF_NO_SALE or row.to_complete:
        return trouble_words(row, texts, standing.server, now=standing.now)
    return _of_sale(row, texts, standing)


def _of_sale(row: Row, texts: Texts, standing: CaseFacts) -> NoticeText:
    match row.what:
        case AttentionKind.DECIDE | AttentionKind.LOOKED_UP | AttentionKind.FOREIGN_DOUBT:
            return _of_doubt(row, texts)
        case AttentionKind.CORRECT_OR_DROP:
            return _of_refused(row, texts)
        case AttentionKind.HELP_PROCESSOR:
            wanted = help_wanted(row, standing.server)
            press = texts(f"att.help_do.{wanted}", code=_told_by_processor(row))
            return NoticeText(texts(f"att.help.{wanted}"), texts("att.safe.waiting"), press)
        case AttentionKind.FREE_DISK:
            return _plain("free_disk", texts)
        case AttentionKind.REFUND | AttentionKind.UNREADABLE:
            return _of_issued(row, texts)
        case AttentionKind.TAKE_BACK:
            return _plain("take_back", texts)
        case AttentionKind.SOLVED:
            return _of_solved(row, texts, standing)
        case _:
            happened = texts(f"att.happened.{_waiting_kind(row, standing.server)}")
            return NoticeText(happened, texts("att.safe.waiting"), texts("att.press.waiting"))


def _of_issued(row: Row, texts: Texts) -> NoticeText:
    """What a person has to see of a sale that is done."""
    number = row.sale.receipt.fiscal_number if row.sale and row.sale.receipt else ""
    happened = texts(f"att.happened.{row.what}", number=number)
    lost = row.what is AttentionKind.REFUND and row.sale is not None and row.sale.is_unreadable
    press = "refund_unreadable" if lost else row.what
    return NoticeText(happened, texts(f"att.safe.{row.what}"), texts(f"att.press.{press}"))


def _of_refused(row: Row, texts: Texts) -> NoticeText:
    reason = row.sale.reason if row.sale else None
    if reason is not None and reason.code == UNCONFIRMED:
        return _plain("unconfirmed", texts)
    happened = f"{texts('att.refused.happened')} {refusal_words(refusal_of(reason), texts)}".strip()
    return NoticeText(happened, texts("att.safe.refused"), texts("att.press.refused"))


def _plain(kind: str, texts: Texts) -> NoticeText:
    return NoticeText(
        texts(f"att.happened.{kind}"), texts(f"att.safe.{kind}"), texts(f"att.press.{kind}")
    )


def _of_doubt(row: Row, texts: Texts) -> NoticeText:
    reason = row.sale.reason if row.sale else None
    kind = str(row.what)
    if reason is not None and reason.code == INTERRUPTED:
        kind = "interrupted"
    safe = "foreign" if row.what is AttentionKind.FOREIGN_DOUBT else "doubt"
    press = "looked_up" if row.what is AttentionKind.LOOKED_UP else "doubt"
    return NoticeText(
        texts(f"att.happened.{kind}"), texts(f"att.safe.{safe}"), texts(f"att.press.{press}")
    )


def _of_solved(row: Row, texts: Texts, standing: CaseFacts) -> NoticeText:
    told_when = when(row.since, texts, now=standing.now)
    if row.decision is not None:
        return pair_texts.decided_words(row.decision, texts, told_when=told_when)
    if row.sale is not None and row.sale.receipt is not None:
        number = row.sale.receipt.fiscal_number
        happened = texts("att.happened.solved.done", number=number, when=told_when)
    else:
        happened = texts("att.happened.solved.cancelled", when=told_when)
    return NoticeText(happened, texts("att.safe.solved"), texts("att.press.solved"))


def help_wanted(row: Row, server: ServerView) -> str:
    """What the processor needs: by its state, else by the code it refused with."""
    if server.status is not None and server.status.processor.state in _CURABLE:
        return _CURABLE[server.status.processor.state]
    reason = row.sale.reason if row.sale else None
    return _CURES.get(reason.pfr_code, "other") if reason else "other"


def _told_by_processor(row: Row) -> str:
    """Its code, else the server's sentence about it: one of the two is always there."""
    reason = row.sale.reason if row.sale else None
    return (reason.pfr_code or reason.text) if reason else ""


def _waiting_kind(row: Row, server: ServerView) -> str:
    if row.what is AttentionKind.WAITS_FOR_SERVER and server.link is ServerLink.STRANGER:
        return "stranger"
    reason = row.sale.reason if row.sale else None
    if (
        row.what is AttentionKind.CANCELLED_SOON
        and reason is not None
        and reason.code == NOT_COMPARED
    ):
        return "drop_not_compared"
    in_doubt = server.status is not None and server.status.processor.state is ProcessorState.DOUBT
    busy = in_doubt or (reason is not None and reason.code == _LANE_BUSY and bool(_open(server)))
    if row.what is AttentionKind.WAITS_FOR_PROCESSOR and busy:
        return "lane"
    return str(row.what)


def _open(server: ServerView) -> bool:
    return server.status is not None and bool(server.status.open)


def refusal_words(refusal: RefusalDetails, texts: Texts) -> str:
    """Which field, and what is wrong with it; the server's own sentence is shown apart."""
    parts = []
    field = texts(f"att.field.{refusal.field}") if refusal.field else ""
    if refusal.item is not None:
        key = "att.refused.item" if field else "att.refused.item_alone"
        parts.append(texts(key, item=refusal.item, field=field))
    elif field:
        parts.append(texts("att.refused.field", field=field))
    if refusal.code:
        parts.append(texts(f"att.pfr.{refusal.code}"))
    return " ".join(parts)


def look_words(doubt: ReceiptInDoubt | None, texts: Texts, *, now: datetime) -> str:
    """How often it was looked up, when last, what came of it, and whether the counter moved."""
    if doubt is None or not doubt.lookups:
        return texts("att.look.none")
    last = doubt.lookups[-1]
    many = sum(run.times for run in doubt.lookups)
    times = texts.count("att.look.times", many, when=when(last.at, texts, now=now))
    if last.answer is not LookAnswer.MISSING:
        return texts(f"att.look.{last.answer}", times=times)
    before, counter = doubt.counter_before, last.counter
    if before is None or counter is None:
        return texts("att.look.plain", times=times)
    kind = "moved" if counter != before else "stands"
    return texts(f"att.look.{kind}", times=times, before=before, now=counter)


def failure_words(error: PosError, texts: Texts) -> str:
    """Why an act did not succeed, for the place where it was tried."""
    if isinstance(error, Unreadable):
        return texts("att.failed.unreadable", number=error.values.get("number", ""))
    if isinstance(error, Refused):
        if key := _WRONG_PAPERS.get(str(error.values.get("kind", ""))):
            return texts(key)
        return texts("att.failed.refused", what=error.what)
    if isinstance(error, RemoteError):
        return texts(f"att.failed.{error.code}")
    return texts.error(error).happened


def url_words(error: Invalid, texts: Texts) -> str:
    """Why a text is no receipt's address."""
    kind = error.values.get("kind")
    return texts("att.url.address" if kind == "address" else "att.url.read")


def is_doubt(row: Row) -> bool:
    """Whether the case is the question whether a receipt exists."""
    return row.what in DOUBTS


def _is_done(row: Row) -> bool:
    return row.sale is not None and row.sale.state is SaleState.DONE


def _short_number(sale: Sale) -> str:
    """The last part of a fiscal number, as people call it."""
    return sale.receipt.fiscal_number.rpartition("-")[2] if sale.receipt else ""
