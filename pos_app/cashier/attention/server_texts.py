"""The words about what is no sale: the server, its alarms, whom it refused, what to complete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.cashier.attention.incomplete_articles import completing_told
from pos_app.cashier.attention.job_texts import job_words
from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.restored import OF_A_COPY, copy_why, copy_words
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.status import server_why, storage_why
from pos_app.cashier.storage_faults import StorageFault
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text
from pos_app.domain.server_status import Alarm, DeliveryJob, RefusedCaller
from pos_app.domain.states import AlarmKind, JobMethod
from pos_app.errors import RemoteError
from pos_app.selling.attention import AttentionKind
from pos_app.selling.server_watch import ServerView

OF_NO_SALE = frozenset(
    {
        AttentionKind.SERVER_FAILS,
        AttentionKind.STORAGE_FAILS,
        AttentionKind.CATALOGUE_FAILS,
        AttentionKind.LATE_RECEIPT,
        AttentionKind.FOREIGN_TRAFFIC,
        AttentionKind.ANSWER_DIFFERS,
        AttentionKind.REFUSED_CALLER,
        AttentionKind.DELIVERY_FAILED,
        AttentionKind.PERHAPS_DELIVERED,
        AttentionKind.DELIVERY_WAITS,
        AttentionKind.DELIVERY_REPEATED,
        AttentionKind.DRAWER_SHUT,
        AttentionKind.DRAWER_UNKNOWN,
        AttentionKind.MORE_UNDELIVERED,
        AttentionKind.MORE_TO_DECIDE,
        AttentionKind.MORE_WAITING,
        *OF_A_COPY,
    }
)


def trouble_words(row: Row, texts: Texts, server: ServerView, *, now: datetime) -> NoticeText:
    """The three parts of the notice of such a row."""
    if row.what in OF_A_COPY:
        return copy_words(row, texts, now=now)
    if row.trouble is not None:
        return _storage_words(row.trouble, texts)
    if row.alarm is not None:
        return _alarm_words(row.alarm, texts, now=now)
    if row.job is not None:
        trouble = stood_in_the_way(row.job, texts)
        return job_words(row.what, row.job, texts, trouble=trouble)
    if row.drawer is not None:
        return _drawer_words(row.drawer, texts)
    if row.left_off:
        return _more_words(row, texts)
    if row.to_complete:
        return completing_told(row, texts)
    return _caller_words(row.callers, texts) if row.callers else _server_words(server, texts)


def trouble_why(row: Row, texts: Texts, server: ServerView) -> str:
    """The same in a few words, for the row itself."""
    if row.what in OF_A_COPY:
        return copy_why(row, texts)
    if row.trouble is not None:
        return storage_why(row.trouble, texts)
    if row.alarm is not None:
        return _alarm_why(row.alarm, texts)
    if row.job is not None and row.what is not AttentionKind.DELIVERY_REPEATED:
        return stood_in_the_way(row.job, texts)
    if row.drawer is not None or row.job is not None:
        return texts(f"att.why.{row.what}")
    if row.left_off:
        return texts(f"att.why.{row.what}")
    return _caller_why(row.callers, texts) if row.callers else server_why(server, texts)


def _storage_words(trouble: StorageFault, texts: Texts) -> NoticeText:
    """The fault's own words, and in place of its second part what can still be done here."""
    told = texts.error(trouble.fault)
    safe = texts(f"att.safe.storage.{trouble.where}")
    return NoticeText(_sentence(told.happened), safe, _sentence(told.press))


def _server_words(view: ServerView, texts: Texts) -> NoticeText:
    """The three parts of the notice: the fault's own, and that no sale is lost by it."""
    if view.fault is None:
        kind = _stranger(view, texts)
        happened, press = f"att.stranger.{kind}", f"att.stranger.{kind}.do"
        return NoticeText(texts(happened), texts("att.safe.server"), texts(press))
    told = texts.error(view.fault)
    safe = f"{texts('att.safe.server')} {told.safe}".strip()
    return NoticeText(_sentence(told.happened), safe, _sentence(told.press))


def _alarm_words(alarm: Alarm, texts: Texts, *, now: datetime) -> NoticeText:
    """The three parts of the notice of an alarm."""
    if alarm.what is AlarmKind.LATE_RECEIPT:
        number, total = alarm.number or "", amount_text(alarm.total or Money.ZERO)
        signed = when(alarm.signed_at or alarm.at, texts, now=now)
        happened = texts("att.happened.late_receipt", number=number, total=total, when=signed)
        return NoticeText(
            happened,
            texts("att.safe.late_receipt"),
            texts("att.press.late_receipt", number=number),
        )
    if alarm.what is AlarmKind.ECHO:
        what, number = ", ".join(alarm.differs), alarm.number or ""
        key, count = "att.happened.answer_differs", alarm.receipts
        return NoticeText(
            texts.count(key, count, what=what, number=number),
            texts("att.safe.answer_differs"),
            texts("att.press.answer_differs"),
        )
    happened = texts.count(
        "att.happened.foreign_traffic",
        alarm.receipts,
        before=alarm.counter_before,
        now=alarm.counter_now,
    )
    return NoticeText(
        happened, texts("att.safe.foreign_traffic"), texts("att.press.foreign_traffic")
    )


def _alarm_why(alarm: Alarm, texts: Texts) -> str:
    if alarm.what is AlarmKind.LATE_RECEIPT:
        return alarm.number or ""
    if alarm.what is AlarmKind.ECHO:
        return ", ".join(alarm.differs)
    return texts("att.why.foreign_traffic", before=alarm.counter_before, now=alarm.counter_now)


def _drawer_words(why: RemoteError, texts: Texts) -> NoticeText:
    """The three parts of the notice of a drawer that did not open: those of the sale's own."""
    key = f"drawer_of_sale.{why.code}"
    return NoticeText(_sentence(texts(key)), texts(f"{key}.safe"), texts(f"{key}.do"))


def _more_words(row: Row, texts: Texts) -> NoticeText:
    """The three parts of the notice of those that were only counted."""
    happened = texts.count(f"att.happened.{row.what}", row.left_off)
    safe = (
        f"att.safe.{row.what}" if row.what is AttentionKind.MORE_UNDELIVERED else "att.safe.waiting"
    )
    return NoticeText(happened, texts(safe), texts(f"att.press.{row.what}"))


def stood_in_the_way(job: DeliveryJob, texts: Texts) -> str:
    """A newer server's word for a trouble may be one that this till has none for."""
    key = f"att.trouble.{job.trouble}"
    own = f"{key}.{'mail' if job.method is JobMethod.EMAIL else 'paper'}"
    return texts(own if texts.has(own) else key if texts.has(key) else "att.trouble.other")


def _caller_words(callers: Sequence[RefusedCaller], texts: Texts) -> NoticeText:
    """The three parts of the notice about callers that were refused alike."""
    last = callers[0]
    kind = last.reason if texts.has(f"att.caller.{last.reason}") else "other"
    happened = texts(f"att.caller.{kind}", who=_who(last), message=last.message)
    times = texts.count("att.caller.times", len(callers))
    press = f"att.caller.{kind}.do" if texts.has(f"att.caller.{kind}.do") else "att.caller.do"
    return NoticeText(f"{happened} {times}", texts("att.caller.safe"), texts(press, who=_who(last)))


def _caller_why(callers: Sequence[RefusedCaller], texts: Texts) -> str:
    return _who(callers[0]) or texts("att.caller.nameless")


def _who(caller: RefusedCaller) -> str:
    return caller.host if caller.reason == "host" else caller.origin


def _stranger(view: ServerView, texts: Texts) -> str:
    code = view.reason.code if view.reason else ""
    return code if texts.has(f"att.stranger.{code}") else "foreign"


def _sentence(text: str) -> str:
    """With its full stop, unless it ends in a path: that is to be typed as it stands."""
    ends = not text or text[-1] in ".!?…" or set(text.rsplit(maxsplit=1)[-1]) & set("/\\")
    return text if ends else f"{text}."
