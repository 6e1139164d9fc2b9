"""The words about what is no sale: the server, its alarms, whom it refused, what to complete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.cashier.attention.completing import completing_told
from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.restored import OF_A_COPY, copy_why, copy_words
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.say_job import job_words
from pos_app.cashier.status_words import server_why, storage_why
from pos_app.cashier.storage_faults import Trouble
from pos_app.cashier.texts import Told, Words
from pos_app.domain.money import Money
from pos_app.domain.numerals import amount_text
from pos_app.domain.states import AlarmKind, JobMethod
from pos_app.errors import RemoteError
from pos_app.selling.answers import Alarm, DeliveryJob, RefusedCaller
from pos_app.selling.attention import What
from pos_app.selling.link import ServerView

OF_NO_SALE = frozenset(
    {
        What.SERVER_FAILS,
        What.STORAGE_FAILS,
        What.CATALOGUE_FAILS,
        What.LATE_RECEIPT,
        What.FOREIGN_TRAFFIC,
        What.ANSWER_DIFFERS,
        What.REFUSED_CALLER,
        What.DELIVERY_FAILED,
        What.PERHAPS_DELIVERED,
        What.DELIVERY_WAITS,
        What.DELIVERY_REPEATED,
        What.DRAWER_SHUT,
        What.DRAWER_UNKNOWN,
        What.MORE_UNDELIVERED,
        What.MORE_TO_DECIDE,
        What.MORE_WAITING,
        *OF_A_COPY,
    }
)


def trouble_words(row: Row, words: Words, server: ServerView, *, now: datetime) -> Told:
    """The three parts of the notice of such a row."""
    if row.what in OF_A_COPY:
        return copy_words(row, words, now=now)
    if row.trouble is not None:
        return _storage_words(row.trouble, words)
    if row.alarm is not None:
        return _alarm_words(row.alarm, words, now=now)
    if row.job is not None:
        trouble = stood_in_the_way(row.job, words)
        return job_words(row.what, row.job, words, trouble=trouble)
    if row.drawer is not None:
        return _drawer_words(row.drawer, words)
    if row.left_off:
        return _more_words(row, words)
    if row.to_complete:
        return completing_told(row, words)
    return _caller_words(row.callers, words) if row.callers else _server_words(server, words)


def trouble_why(row: Row, words: Words, server: ServerView) -> str:
    """The same in a few words, for the row itself."""
    if row.what in OF_A_COPY:
        return copy_why(row, words)
    if row.trouble is not None:
        return storage_why(row.trouble, words)
    if row.alarm is not None:
        return _alarm_why(row.alarm, words)
    if row.job is not None and row.what is not What.DELIVERY_REPEATED:
        return stood_in_the_way(row.job, words)
    if row.drawer is not None or row.job is not None:
        return words(f"att.why.{row.what}")
    if row.left_off:
        return words(f"att.why.{row.what}")
    return _caller_why(row.callers, words) if row.callers else server_why(server, words)


def _storage_words(trouble: Trouble, words: Words) -> Told:
    """The fault's own words, and in place of its second part what can still be done here."""
    told = words.error(trouble.fault)
    safe = words(f"att.safe.storage.{trouble.where}")
    return Told(_sentence(told.happened), safe, _sentence(told.press))


def _server_words(view: ServerView, words: Words) -> Told:
    """The three parts of the notice: the fault's own, and that no sale is lost by it."""
    if view.fault is None:
        kind = _stranger(view, words)
        happened, press = f"att.stranger.{kind}", f"att.stranger.{kind}.do"
        return Told(words(happened), words("att.safe.server"), words(press))
    told = words.error(view.fault)
    safe = f"{words('att.safe.server')} {told.safe}".strip()
    return Told(_sentence(told.happened), safe, _sentence(told.press))


def _alarm_words(alarm: Alarm, words: Words, *, now: datetime) -> Told:
    """The three parts of the notice of an alarm."""
    if alarm.what is AlarmKind.LATE_RECEIPT:
        number, total = alarm.number or "", amount_text(alarm.total or Money.ZERO)
        signed = when(alarm.signed_at or alarm.at, words, now=now)
        happened = words("att.happened.late_receipt", number=number, total=total, when=signed)
        return Told(
            happened,
            words("att.safe.late_receipt"),
            words("att.press.late_receipt", number=number),
        )
    if alarm.what is AlarmKind.ECHO:
        what, number = ", ".join(alarm.differs), alarm.number or ""
        key, count = "att.happened.answer_differs", alarm.receipts
        return Told(
            words.count(key, count, what=what, number=number),
            words("att.safe.answer_differs"),
            words("att.press.answer_differs"),
        )
    happened = words.count(
        "att.happened.foreign_traffic",
        alarm.receipts,
        before=alarm.counter_before,
        now=alarm.counter_now,
    )
    return Told(happened, words("att.safe.foreign_traffic"), words("att.press.foreign_traffic"))


def _alarm_why(alarm: Alarm, words: Words) -> str:
    if alarm.what is AlarmKind.LATE_RECEIPT:
        return alarm.number or ""
    if alarm.what is AlarmKind.ECHO:
        return ", ".join(alarm.differs)
    return words("att.why.foreign_traffic", before=alarm.counter_before, now=alarm.counter_now)


def _drawer_words(why: RemoteError, words: Words) -> Told:
    """The three parts of the notice of a drawer that did not open: those of the sale's own."""
    key = f"drawer_of_sale.{why.code}"
    return Told(_sentence(words(key)), words(f"{key}.safe"), words(f"{key}.do"))


def _more_words(row: Row, words: Words) -> Told:
    """The three parts of the notice of those that were only counted."""
    happened = words.count(f"att.happened.{row.what}", row.left_off)
    safe = f"att.safe.{row.what}" if row.what is What.MORE_UNDELIVERED else "att.safe.waiting"
    return Told(happened, words(safe), words(f"att.press.{row.what}"))


def stood_in_the_way(job: DeliveryJob, words: Words) -> str:
    """A newer server's word for a trouble may be one that this till has none for."""
    key = f"att.trouble.{job.trouble}"
    own = f"{key}.{'mail' if job.method is JobMethod.EMAIL else 'paper'}"
    return words(own if words.has(own) else key if words.has(key) else "att.trouble.other")


def _caller_words(callers: Sequence[RefusedCaller], words: Words) -> Told:
    """The three parts of the notice about callers that were refused alike."""
    last = callers[0]
    kind = last.reason if words.has(f"att.caller.{last.reason}") else "other"
    happened = words(f"att.caller.{kind}", who=_who(last), message=last.message)
    times = words.count("att.caller.times", len(callers))
    press = f"att.caller.{kind}.do" if words.has(f"att.caller.{kind}.do") else "att.caller.do"
    return Told(f"{happened} {times}", words("att.caller.safe"), words(press, who=_who(last)))


def _caller_why(callers: Sequence[RefusedCaller], words: Words) -> str:
    return _who(callers[0]) or words("att.caller.nameless")


def _who(caller: RefusedCaller) -> str:
    return caller.host if caller.reason == "host" else caller.origin


def _stranger(view: ServerView, words: Words) -> str:
    code = view.reason.code if view.reason else ""
    return code if words.has(f"att.stranger.{code}") else "foreign"


def _sentence(text: str) -> str:
    """With its full stop, unless it ends in a path: that is to be typed as it stands."""
    ends = not text or text[-1] in ".!?…" or set(text.rsplit(maxsplit=1)[-1]) & set("/\\")
    return text if ends else f"{text}."
