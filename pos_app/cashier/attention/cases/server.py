"""Cases of the server: why it does not start, the alarms for a manager, the callers it refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from pos_app.cashier.attention.cases import case
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.window.status import server_why, stranger_words
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.server_status import Alarm, RefusedCaller
from pos_app.domain.receipt.states import AlarmKind
from pos_app.domain.setup.certificate import WARN_BEFORE, ends_soon
from pos_app.domain.text.instant import day_of
from pos_app.selling.server.monitor import ServerLink

# --- the server itself ---------------------------------------------------------------------------


class ServerFails(case.Case):
    """The server can't be started, or another program answers on its address."""

    kind = "server_fails"
    icon = ("circle-alert", "danger")
    level = NoticeKind.DANGER

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return server_why(facts.server, texts)

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        """The notice has the fault's own words and says that no sale is lost."""
        server, safe = facts.server, texts("att.safe.server")
        if server.fault is None or server.link is ServerLink.STRANGER:
            happened, press = stranger_words(server, texts)
            return NoticeWords(happened, safe, press)
        notice = texts.error(server.fault, has_details=True)
        return case.words_of(notice, safe=f"{safe} {notice.safe}".strip())

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return case.one_action(
            texts,
            "att.step.server",
            "att.start_server",
            "refresh-cw",
            self._start,
            words=texts("att.step.server_words"),
        )

    def _start(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Start the server at once; the keeper would try again only after a while."""
        context.services.keeper.try_again()
        return "att.starting"


class ServerTrouble(case.Source):
    """Finds out whether a person has to mend the server."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        server = self.services.server
        if server.is_troubled and server.troubled_since is not None:
            yield ServerFails(id="server", since=server.troubled_since)


# --- the certificate -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class CertificateEnds(case.Case):
    """The certificate of a V-PFR ends soon, and a new one takes some days. No sale waits before the
    certificate has ended. ends: UTC."""

    kind = "certificate_ends"
    group = case.CaseGroup.FOR_KNOWING
    ends: datetime

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts(f"att.why.{self.kind}", day=self._day())

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts(f"att.happened.{self.kind}", day=self._day())

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        left = max((day_of(self.ends) - day_of(facts.now)).days, 0)
        return texts.count("att.about.certificate_ends", left)

    def _day(self) -> str:
        return day_of(self.ends).strftime("%d.%m.%Y.")


@dataclass(frozen=True, kw_only=True)
class CertificateEnded(CertificateEnds):
    """Nothing is signed until there is a new certificate."""

    kind = "certificate_ended"
    group = case.CaseGroup.NEEDS_YOU
    press = "certificate_ends"

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return case.when(self.ends, texts, now=facts.now)


class CertificateEnd(case.Source):
    """Finds out whether a person has to get a new certificate."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        status = self.services.server.status
        ends = status.processor.certificate_ends if status is not None else None
        if ends is not None and ends_soon(ends, reading.now):
            has_ended = reading.now >= ends
            made = CertificateEnded if has_ended else CertificateEnds
            since = ends if has_ended else ends - WARN_BEFORE
            yield made(id="certificate_ends", since=since, ends=ends)


# --- the processor's status ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class StatusUnread(case.ForKnowing):
    """The processor's status has members in an unknown form. Receipts are signed all the same.
    members: their names as the processor spells them."""

    kind = "status_unread"
    members: tuple[str, ...]

    def technical(self, texts: Texts) -> str:
        return ", ".join(self.members)


class StatusOfProcessor(case.Source):
    """Finds the members of the processor's status that could not be read."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._seen: datetime | None = None

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        status = self.services.server.status
        unread = status.processor.unread if status is not None else ()
        self._seen = (self._seen or reading.now) if unread else None
        if self._seen is not None:
            yield StatusUnread(id="status_unread", since=self._seen, members=unread)


# --- alarms --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AlarmCase(case.Case):
    """An alarm that a manager has to see; like alarms are one case, but each late receipt has its
    own. seen: the ids of the alarms seen here."""

    alarm: Alarm
    seen: set[int]

    @classmethod
    def of(cls, alarm: Alarm, seen: set[int]) -> Self:
        alone = (str(alarm.id),) if alarm.what is AlarmKind.LATE_RECEIPT else None
        case_id = " ".join(("alarm", *(alone or (alarm.what, *alarm.differs))))
        return cls(id=case_id, since=alarm.at, total=alarm.total, alarm=alarm, seen=seen)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        text_ids = "att.step.seen", "att.seen_note", "att.seen"
        return case.manager_step(texts, facts, text_ids, self._seen)

    async def _seen(self, context: case.ActionContext, manager: str) -> str:
        await context.services.server_decisions.see_alarm(self.alarm.id, by=manager)
        self.seen.add(self.alarm.id)
        return "att.seen_kept"


class LateReceipt(AlarmCase):
    """The receipt was signed although it had been proven absent, and its sale can't take it."""

    kind = "late_receipt"

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        number = self.alarm.number
        return texts("refund.of_receipt", number=short_number(number)) if number else ""

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        number, total = self.alarm.number or "", amount_text(self.alarm.total or Money.ZERO)
        signed = case.when(self.alarm.signed_at or self.alarm.at, texts, now=facts.now)
        return NoticeWords(
            texts("att.happened.late_receipt", number=number, total=total, when=signed),
            texts("att.safe.late_receipt"),
            texts("att.press.late_receipt", number=number),
        )


class ForeignTraffic(AlarmCase):
    """Another program signs with this shop's secure element."""

    kind = "foreign_traffic"

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        before, now = self.alarm.counter_before, self.alarm.counter_now
        return texts("att.why.foreign_traffic", before=before, now=now)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        text_id, before, now = (
            "att.happened.foreign_traffic",
            self.alarm.counter_before,
            self.alarm.counter_now,
        )
        return texts.count(text_id, self.alarm.receipts, before=before, now=now)


class AnswerDiffers(AlarmCase):
    """The receipt is signed, but the processor's answer is not equal to the request."""

    kind = "answer_differs"

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return ", ".join(self.alarm.differs)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        text_id, what = "att.happened.answer_differs", ", ".join(self.alarm.differs)
        number = self.alarm.number or ""
        return texts.count(text_id, self.alarm.receipts, what=what, number=number)


class CatalogueDamaged(AlarmCase):
    """The server can't read the catalogue's file; the case stays until the file is mended."""

    kind = "catalogue_damaged"

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return ()


_OF_ALARM: Mapping[AlarmKind, type[AlarmCase]] = {
    AlarmKind.LATE_RECEIPT: LateReceipt,
    AlarmKind.FOREIGN_TRAFFIC: ForeignTraffic,
    AlarmKind.ECHO: AnswerDiffers,
    AlarmKind.CATALOGUE_DAMAGED: CatalogueDamaged,
}


class Alarms(case.Source):
    """The alarms in the server's last status that nobody has seen yet."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._seen: set[int] = set()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        status = self.services.server.status
        for alarm in status.alarms if status else ():
            if alarm.id not in self._seen:
                yield _OF_ALARM[alarm.what].of(alarm, self._seen)


# --- refused callers -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RefusedCallers(case.ForKnowing):
    """Requests of another program or a web page that were refused alike, the newest first."""

    callers: Sequence[RefusedCaller]
    kind = "refused_caller"

    @property
    def last(self) -> RefusedCaller:
        return self.callers[0]

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return self._who or texts("att.caller.nameless")

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        reason = self.last.reason
        text_id = f"att.caller.{reason if texts.has(f'att.caller.{reason}') else 'other'}"
        happened = texts(text_id, who=self._who, message=self.last.message)
        times = texts.count("att.caller.times", len(self.callers))
        press = f"{text_id}.do" if texts.has(f"{text_id}.do") else "att.caller.do"
        safe = texts("att.caller.safe")
        return NoticeWords(f"{happened} {times}", safe, texts(press, who=self._who))

    @property
    def _who(self) -> str:
        return self.last.host if self.last.reason == "host" else self.last.origin


class Callers(case.Source):
    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._callers: Sequence[RefusedCaller] = ()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        today = day_of(reading.now)
        alike: dict[tuple[str, str], list[RefusedCaller]] = {}
        for one in self._callers:
            if day_of(one.at) == today:
                alike.setdefault((one.reason, one.origin or one.host), []).append(one)
        for (reason, who), same in alike.items():
            case_id = f"caller {reason} {who}"
            yield RefusedCallers(id=case_id, since=same[0].at, callers=tuple(same))

    async def ask(self, tell: case.Tell) -> None:
        self._callers = await self.services.local_api.refused_callers()
