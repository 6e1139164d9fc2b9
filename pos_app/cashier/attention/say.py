"""The facts of Attention in words: rows at the left, the case at the right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.attention import say_pair
from pos_app.cashier.attention.completing import completing_title
from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.refusal import Refusal, refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.say_job import job_title
from pos_app.cashier.attention.trouble import OF_NO_SALE, trouble_why, trouble_words
from pos_app.cashier.look.notice import NoticeKind
from pos_app.cashier.look.tokens import Token
from pos_app.cashier.texts import Told, Words
from pos_app.domain.numerals import NO_BREAK_SPACE, amount_text
from pos_app.domain.states import LookAnswer
from pos_app.errors import Invalid, PosError, Refused, RemoteError, Unreadable
from pos_app.selling.answers import Doubt, ProcessorState
from pos_app.selling.attention import DOUBTS, What
from pos_app.selling.life import SaleState
from pos_app.selling.link import Link, ServerView
from pos_app.selling.sale import INTERRUPTED, NOT_COMPARED, UNCONFIRMED, Sale

ICONS: Mapping[What, tuple[str, Token]] = {
    What.DECIDE: ("circle-question-mark", "warn"),
    What.LOOKED_UP: ("circle-question-mark", "warn"),
    What.FOREIGN_DOUBT: ("circle-question-mark", "warn"),
    What.CORRECT_OR_DROP: ("circle-alert", "danger"),
    What.HELP_PROCESSOR: ("key-round", "warn"),
    What.FREE_DISK: ("circle-alert", "warn"),
    What.REFUND: ("triangle-alert", "warn"),
    What.UNREADABLE: ("triangle-alert", "warn"),
    What.TAKE_BACK: ("undo-2", "warn"),
    What.SERVER_FAILS: ("circle-alert", "danger"),
    What.HALF_DONE: ("triangle-alert", "warn"),
    What.STORAGE_FAILS: ("circle-alert", "danger"),
    What.CATALOGUE_FAILS: ("circle-alert", "danger"),
    What.LATE_RECEIPT: ("triangle-alert", "warn"),
    What.FOREIGN_TRAFFIC: ("triangle-alert", "warn"),
    What.ANSWER_DIFFERS: ("triangle-alert", "warn"),
    What.RESTORED: ("database-backup", "danger"),
    What.NEW_ELEMENT: ("credit-card", "warn"),
    What.CARTS_SET_ASIDE: ("database-backup", "warn"),
    What.DELIVERY_FAILED: ("circle-alert", "danger"),
    What.PERHAPS_DELIVERED: ("triangle-alert", "warn"),
    What.DRAWER_SHUT: ("triangle-alert", "warn"),
    What.DRAWER_UNKNOWN: ("triangle-alert", "warn"),
    What.MORE_TO_DECIDE: ("circle-question-mark", "warn"),
    What.MORE_UNDELIVERED: ("info", "ink_2"),
    What.REFUSED_CALLER: ("info", "ink_2"),
    What.TO_COMPLETE: ("tag", "ink_2"),
    What.SOLVED: ("circle-check", "ok"),
}
WAITING_ICON: tuple[str, Token] = ("clock", "info")
_NOTICES = {
    What.SERVER_FAILS: NoticeKind.DANGER,
    What.RESTORED: NoticeKind.DANGER,
    What.STORAGE_FAILS: NoticeKind.DANGER,
    What.CATALOGUE_FAILS: NoticeKind.DANGER,
    What.CORRECT_OR_DROP: NoticeKind.DANGER,
    What.DELIVERY_FAILED: NoticeKind.DANGER,
    What.DELIVERY_WAITS: NoticeKind.INFO,
    What.DELIVERY_REPEATED: NoticeKind.INFO,
    What.SENT: NoticeKind.INFO,
    What.WAITS_FOR_SERVER: NoticeKind.INFO,
    What.WAITS_FOR_PROCESSOR: NoticeKind.INFO,
    What.WAITS_BEHIND: NoticeKind.INFO,
    What.CANCELLED_SOON: NoticeKind.INFO,
    What.TO_COMPLETE: NoticeKind.INFO,
    What.SOLVED: NoticeKind.INFO,
    What.MORE_WAITING: NoticeKind.INFO,
    What.MORE_UNDELIVERED: NoticeKind.INFO,
    What.REFUSED_CALLER: NoticeKind.INFO,
}
_LANE_BUSY = "40010001"
_CURABLE = {
    ProcessorState.PIN: "pin",
    ProcessorState.CARD: "card",
    ProcessorState.LIMIT: "limit",
    ProcessorState.NOT_CONFIGURED: "not_configured",
}
_CURES = {"1500": "pin", "2100": "pin", "1300": "card", "2110": "card", "2210": "limit"}


@dataclass(frozen=True, slots=True)
class Standing:
    """What the words depend on beside the row. now: UTC."""

    server: ServerView
    now: datetime


def row_title(row: Row, words: Words) -> str:
    """The bold line of a row."""
    if row.what is What.TO_COMPLETE:
        return completing_title(row, words)
    if row.left_off:
        return words.count(f"att.row.{row.what}", row.left_off)
    if row.what is What.HALF_DONE or row.decision is not None:
        return say_pair.pair_title(row, words)
    if row.job is not None:
        return job_title(row.what, row.job, words)
    if row.what is not What.SOLVED:
        return words(f"att.row.{row.what}")
    if row.sale is not None and row.sale.receipt is not None:
        return words("att.row.solved.done", number=_short_number(row.sale))
    return words("att.row.solved.cancelled")


def row_words(row: Row, words: Words, standing: Standing) -> str:
    """The quiet line of a row: when, and why or how it was paid."""
    paired = row.what is What.HALF_DONE
    why = say_pair.pair_why(row, words) if paired else _why(row, words, standing)
    return f"{when(row.since, words, now=standing.now)} · {why}".rstrip(" ·")


def _why(row: Row, words: Words, standing: Standing) -> str:
    match row.what:
        case What.DECIDE:
            return paid_by(row.sale, words)
        case What.FOREIGN_DOUBT:
            return (row.receipt_id or "")[:8]
        case What.CORRECT_OR_DROP:
            return refusal_words(refusal_of(row.sale.reason if row.sale else None), words)
        case What.HELP_PROCESSOR:
            return words(f"att.help.{help_wanted(row, standing.server)}")
        case What.TO_COMPLETE:
            return words("att.why.to_complete")
        case What.SOLVED:
            return _why_solved(row, words)
        case what if what in OF_NO_SALE:
            return trouble_why(row, words, standing.server)
        case _:
            return words(f"att.why.{_waiting_kind(row, standing.server)}")


def _why_solved(row: Row, words: Words) -> str:
    if row.decision is not None:
        return say_pair.decided_why(row.decision, words)
    return paid_by(row.sale, words) if _is_done(row) else words("att.why.cancelled")


def paid_by(sale: Sale | None, words: Words) -> str:
    """How it was paid: "готовина 1.000,00, картица 200,00"."""
    if sale is None:
        return ""
    parts = sale.taken.tendered.by_method
    if len(parts) == 1:
        return words(f"pay.line.{parts[0][0]}").lower()
    named = ((words(f"pay.line.{method}").lower(), amount) for method, amount in parts)
    return ", ".join(f"{name}{NO_BREAK_SPACE}{amount_text(amount)}" for name, amount in named)


def case_words(row: Row, words: Words, standing: Standing, *, lines: int) -> str:
    """The line under the title of a case: when, how many items, how it was paid."""
    if row.what in OF_NO_SALE:
        return when(row.since, words, now=standing.now)
    if row.what is What.TO_COMPLETE:
        return words("att.why.to_complete")
    key = "att.asked_at" if row.sale is None else "att.sale_at"
    parts = [words(key, when=when(_asked(row), words, now=standing.now))]
    if row.sale is not None:
        parts += [row.sale.cashier, words.count("att.items", lines), _tendered(row.sale, words)]
    elif row.receipt_id:
        parts.append(row.receipt_id)
    return " · ".join(part for part in parts if part)


def _tendered(sale: Sale, words: Words) -> str:
    parts = sale.taken.tendered.by_method
    named = ((words(f"pay.line.{method}").lower(), amount) for method, amount in parts)
    return ", ".join(f"{name}{NO_BREAK_SPACE}{amount_text(amount)}" for name, amount in named)


def _asked(row: Row) -> datetime:
    return row.sale.frozen_at if row.sale else row.since


def notice_kind(row: Row) -> NoticeKind:
    """Amber asks for a decision, blue goes on by itself, red has failed."""
    return _NOTICES.get(row.what, NoticeKind.WARN)


def notice_words(row: Row, words: Words, standing: Standing) -> Told:
    """The three parts of the notice of a case."""
    if row.what is What.HALF_DONE:
        return say_pair.pair_words(row, words)
    if row.what in OF_NO_SALE or row.to_complete:
        return trouble_words(row, words, standing.server, now=standing.now)
    return _of_sale(row, words, standing)


def _of_sale(row: Row, words: Words, standing: Standing) -> Told:
    match row.what:
        case What.DECIDE | What.LOOKED_UP | What.FOREIGN_DOUBT:
            return _of_doubt(row, words)
        case What.CORRECT_OR_DROP:
            return _of_refused(row, words)
        case What.HELP_PROCESSOR:
            wanted = help_wanted(row, standing.server)
            press = words(f"att.help_do.{wanted}", code=_told_by_processor(row))
            return Told(words(f"att.help.{wanted}"), words("att.safe.waiting"), press)
        case What.FREE_DISK:
            return _plain("free_disk", words)
        case What.REFUND | What.UNREADABLE:
            return _of_issued(row, words)
        case What.TAKE_BACK:
            return _plain("take_back", words)
        case What.SOLVED:
            return _of_solved(row, words, standing)
        case _:
            happened = words(f"att.happened.{_waiting_kind(row, standing.server)}")
            return Told(happened, words("att.safe.waiting"), words("att.press.waiting"))


def _of_issued(row: Row, words: Words) -> Told:
    """What a person has to see of a sale that is done."""
    number = row.sale.receipt.fiscal_number if row.sale and row.sale.receipt else ""
    happened = words(f"att.happened.{row.what}", number=number)
    lost = row.what is What.REFUND and row.sale is not None and row.sale.is_unreadable
    press = "refund_unreadable" if lost else row.what
    return Told(happened, words(f"att.safe.{row.what}"), words(f"att.press.{press}"))


def _of_refused(row: Row, words: Words) -> Told:
    reason = row.sale.reason if row.sale else None
    if reason is not None and reason.code == UNCONFIRMED:
        return _plain("unconfirmed", words)
    happened = f"{words('att.refused.happened')} {refusal_words(refusal_of(reason), words)}".strip()
    return Told(happened, words("att.safe.refused"), words("att.press.refused"))


def _plain(kind: str, words: Words) -> Told:
    return Told(
        words(f"att.happened.{kind}"), words(f"att.safe.{kind}"), words(f"att.press.{kind}")
    )


def _of_doubt(row: Row, words: Words) -> Told:
    reason = row.sale.reason if row.sale else None
    kind = str(row.what)
    if reason is not None and reason.code == INTERRUPTED:
        kind = "interrupted"
    safe = "foreign" if row.what is What.FOREIGN_DOUBT else "doubt"
    press = "looked_up" if row.what is What.LOOKED_UP else "doubt"
    return Told(
        words(f"att.happened.{kind}"), words(f"att.safe.{safe}"), words(f"att.press.{press}")
    )


def _of_solved(row: Row, words: Words, standing: Standing) -> Told:
    told_when = when(row.since, words, now=standing.now)
    if row.decision is not None:
        return say_pair.decided_words(row.decision, words, told_when=told_when)
    if row.sale is not None and row.sale.receipt is not None:
        number = row.sale.receipt.fiscal_number
        happened = words("att.happened.solved.done", number=number, when=told_when)
    else:
        happened = words("att.happened.solved.cancelled", when=told_when)
    return Told(happened, words("att.safe.solved"), words("att.press.solved"))


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
    if row.what is What.WAITS_FOR_SERVER and server.link is Link.STRANGER:
        return "stranger"
    reason = row.sale.reason if row.sale else None
    if row.what is What.CANCELLED_SOON and reason is not None and reason.code == NOT_COMPARED:
        return "drop_not_compared"
    in_doubt = server.status is not None and server.status.processor.state is ProcessorState.DOUBT
    busy = in_doubt or (reason is not None and reason.code == _LANE_BUSY and bool(_open(server)))
    if row.what is What.WAITS_FOR_PROCESSOR and busy:
        return "lane"
    return str(row.what)


def _open(server: ServerView) -> bool:
    return server.status is not None and bool(server.status.open)


def refusal_words(refusal: Refusal, words: Words) -> str:
    """Which field, and what is wrong with it; the server's own sentence is shown apart."""
    parts = []
    field = words(f"att.field.{refusal.field}") if refusal.field else ""
    if refusal.item is not None:
        key = "att.refused.item" if field else "att.refused.item_alone"
        parts.append(words(key, item=refusal.item, field=field))
    elif field:
        parts.append(words("att.refused.field", field=field))
    if refusal.code:
        parts.append(words(f"att.pfr.{refusal.code}"))
    return " ".join(parts)


def look_words(doubt: Doubt | None, words: Words, *, now: datetime) -> str:
    """How often it was looked up, when last, what came of it, and whether the counter moved."""
    if doubt is None or not doubt.lookups:
        return words("att.look.none")
    last = doubt.lookups[-1]
    many = sum(run.times for run in doubt.lookups)
    times = words.count("att.look.times", many, when=when(last.at, words, now=now))
    if last.answer is not LookAnswer.MISSING:
        return words(f"att.look.{last.answer}", times=times)
    before, counter = doubt.counter_before, last.counter
    if before is None or counter is None:
        return words("att.look.plain", times=times)
    kind = "moved" if counter != before else "stands"
    return words(f"att.look.{kind}", times=times, before=before, now=counter)


def failure_words(error: PosError, words: Words) -> str:
    """Why an act did not succeed, for the place where it was tried."""
    if isinstance(error, Unreadable):
        return words("att.failed.unreadable", number=error.values.get("number", ""))
    if isinstance(error, Refused):
        for sign, key in (("is not of this sale", "other"), ("known already", "known")):
            if sign in error.what:
                return words(f"att.url.{key}")
        return words("att.failed.refused", what=error.what)
    if isinstance(error, RemoteError):
        return words(f"att.failed.{error.code}")
    return words.error(error).happened


def url_words(error: Invalid, words: Words) -> str:
    """Why a text is no receipt's address."""
    kind = error.values.get("kind")
    return words("att.url.address" if kind == "address" else "att.url.read")


def is_doubt(row: Row) -> bool:
    """Whether the case is the question whether a receipt exists."""
    return row.what in DOUBTS


def _is_done(row: Row) -> bool:
    return row.sale is not None and row.sale.state is SaleState.DONE


def _short_number(sale: Sale) -> str:
    """The last part of a fiscal number, as people call it."""
    return sale.receipt.fiscal_number.rpartition("-")[2] if sale.receipt else ""
