"""Prints and mails that failed, may have failed, or are tried again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import ClassVar, Self

from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.sale_cases import SolvedCase
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.window.status import delivery_case_id, delivery_trouble_words
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.domain.text.email_address import checked_address
from pos_app.domain.text.instant import day_of
from pos_app.selling.attention.delivery_trouble import is_paper_to_come, is_receipt_paper
from pos_app.selling.people.rights import Act

FEW = 3
"""Up to so many papers are decided one by one."""
_ADDRESS = "email"
_RECIPIENT = "recipient"
"""The trouble of a mail whose address the mail server refused."""


@dataclass(frozen=True, kw_only=True)
class DeliveryCase(case.Case):
    """One print or mail. perhaps: whether the paper or mail may have come out."""

    perhaps: ClassVar[bool] = False
    job: DeliveryJob
    jobs: AnsweredJobs
    mails: bool = False
    """Whether the shop sends mail."""

    @classmethod
    def of(cls, job: DeliveryJob, jobs: AnsweredJobs, *, mails: bool = False) -> Self:
        case_id = delivery_case_id(job)
        return cls(id=case_id, since=job.since, total=job.total, job=job, jobs=jobs, mails=mails)

    @property
    def picture(self) -> tuple[str, Token]:
        colour: Token = "danger" if self.job.state is JobState.FAILED else "warn"
        return "mail" if self._is_mail else "printer-x", colour

    @property
    def number(self) -> str:
        return self.job.number or ""

    def title(self, texts: Texts) -> str:
        """The title names the receipt by the last part of its number, and the state of its paper or
        mail."""
        if self.job.number is None:
            return texts(f"att.row.{self.kind}{self._suffix}")
        number = short_number(self.job.number)
        return texts(f"att.row.{self.kind}.of{self._suffix}", number=number)

    def short_title(self, texts: Texts) -> str:
        if self.job.number is None:
            return ""
        number = short_number(self.job.number)
        return texts(f"att.row.{self.kind}.short{self._suffix}", number=number)

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return delivery_trouble_words(self.job, texts)

    def heading(self, texts: Texts) -> str:
        return texts(f"att.ask.{self.kind}{self._suffix}")

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        text_id, what = f"att.happened.{self.kind}{self._suffix}", _paper_words(self.job, texts)
        return NoticeWords(
            texts(text_id, what=what, trouble=delivery_trouble_words(self.job, texts)),
            texts(f"att.safe.job{self._suffix}"),
            texts(f"att.press.{self.kind}"),
        )

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        again, end = f"att.job.now.{self._way}", "att.job.not_needed"
        if self.perhaps:
            again, end = f"att.job.again.{self._way}", f"att.job.there.{self._way}"
        is_wrong = self._has_address and self.job.trouble == _RECIPIENT
        kind = ButtonKind.PLAIN if is_wrong or self._may_be_second else ButtonKind.FILLED
        acts: tuple[case.StepPart, ...] = (
            self._print_again(texts, texts(again), kind),
            case.Action("seen", texts(end), self._end_case, "check"),
        )
        if self.job.receipt_id is not None:
            pdf = "att.job.pdf_instead" if is_paper_to_come(self.job) else "att.job.pdf"
            acts += (case.Action("pdf", texts(pdf), self._open_pdf, "file-text"),)
        rows: tuple[tuple[case.StepPart, ...], ...] = (acts,)
        if self._has_address or self._may_be_mailed:
            address = case.EntryField(
                _ADDRESS,
                texts("receipts.send.address"),
                text=self.job.target,
                missing=texts("receipts.send.missing"),
            )
            to_it = self._send_to(texts, ButtonKind.FILLED if is_wrong else ButtonKind.PLAIN)
            rows = ((address, to_it), acts) if is_wrong else (acts, (address, to_it))
        words = texts("att.job.look" if self.perhaps else "att.job.mend")
        return (case.Step(texts("att.step.job"), words, case.StepState.CURRENT, rows=rows),)

    # --- actions ---

    def _print_again(self, texts: Texts, words: str, kind: ButtonKind) -> case.Action:
        sure = None
        if self._may_be_second:
            sure = case.Confirm(texts.count("att.papers.sure.again", 1), words, texts("att.no"))
        return case.Action(
            "again",
            words,
            self._again,
            "refresh-cw",
            kind,
            confirm=sure,
            right=Act.REPRINT,
            about=self.job.number or self.job.method.value,
        )

    def _send_to(self, texts: Texts, kind: ButtonKind) -> case.Action:
        return case.Action(
            "send_to",
            texts("att.job.send_to" if self._is_mail else "att.job.mail_instead"),
            self._to_address,
            "mail",
            kind,
            takes=_ADDRESS,
            error_at=_ADDRESS,
            right=Act.REPRINT,
            about=self.job.number or self.job.method.value,
            is_private=True,
        )

    async def _again(self, context: case.ActionContext, _word: str) -> str:
        return await self._try(context, email="")

    async def _to_address(self, context: case.ActionContext, word: str) -> str:
        """Send the mail to the typed address instead."""
        return await self._try(context, email=checked_address(word.strip()))

    async def _try(self, context: case.ActionContext, *, email: str) -> str:
        services = context.services
        tried = await services.server_jobs.again(self.job.id, by=services.cashier, email=email)
        self.jobs.end(self.job)
        method = JobMethod.EMAIL if email else self.job.method
        again = replace(self.job, id=tried.id, target=tried.target, method=method)
        self.jobs.repeat(again)
        return f"att.job.asked_again{_suffix(again)}"

    async def _end_case(self, context: case.ActionContext, _word: str) -> str:
        """End the case: the paper or mail came out after all, or nobody wants it any more."""
        await context.services.server_jobs.seen(self.job.id, by=context.services.cashier)
        self.jobs.end(self.job)
        return "att.seen_kept"

    async def _open_pdf(self, context: case.ActionContext, _word: str) -> str:
        """Open the receipt as a file, to be shown, printed elsewhere or sent. A paper that waits
        for a printer is dropped once a program has taken the file; every other job stays as it
        is."""
        receipt_id, services = self.job.receipt_id, context.services
        if receipt_id is None:
            return ""
        is_instead = is_paper_to_come(self.job)
        file = await services.receipt_files.pdf_of(
            receipt_id, by=services.cashier, instead=is_instead
        )

        async def give_up_paper() -> str:
            await services.receipt_files.opened(receipt_id, by=services.cashier)
            self.jobs.end(self.job)
            return "att.job.pdf_instead_opened"

        no_program = "att.job.pdf_no_program.paper" if is_instead else ""
        context.open_file(case.FileToOpen(file, give_up_paper if is_instead else None, no_program))
        return ""

    # --- parts ---

    @property
    def _may_be_second(self) -> bool:
        """Whether printing once more may make a second original of a receipt."""
        return self.perhaps and is_receipt_paper(self.job)

    @property
    def _is_mail(self) -> bool:
        return self.job.method is JobMethod.EMAIL

    @property
    def _has_address(self) -> bool:
        """Whether the address can be corrected: the server has the mail of a receipt."""
        return self._is_mail and self.job.receipt_id is not None

    @property
    def _may_be_mailed(self) -> bool:
        """Whether a mail can take the place of a paper that surely did not come out."""
        return self.mails and is_receipt_paper(self.job) and not self.perhaps

    @property
    def _way(self) -> str:
        return "mail" if self._is_mail else "paper"

    @property
    def _suffix(self) -> str:
        return _suffix(self.job)


class DeliveryFailed(DeliveryCase):
    """A print or mail that surely did not come out, and that the server does not try again."""

    kind = "delivery_failed"
    level = NoticeKind.DANGER


class PerhapsDelivered(DeliveryCase):
    """A print or mail that may have come out: a person has to look."""

    kind = "perhaps_delivered"
    perhaps = True


class DeliveryWaits(DeliveryCase):
    """A print or mail that has not come out yet; the server tries again by itself."""

    kind = "delivery_waits"
    group = case.CaseGroup.GOES_ON
    level = NoticeKind.INFO


class DeliveryRepeated(DeliveryCase):
    """A print or mail that a person asked for again, and that is under way."""

    kind = "delivery_repeated"
    group = case.CaseGroup.GOES_ON
    level = NoticeKind.INFO
    rings = False
    is_under_way = True

    @property
    def picture(self) -> tuple[str, Token]:
        return "mail" if self._is_mail else "printer", "info"

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.why.delivery_repeated")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return ()


@dataclass(frozen=True, kw_only=True)
class SolvedDelivery(SolvedCase):
    """A print or mail that a person asked for again, and that came out. since: when the till
    learned of that."""

    job: DeliveryJob

    def title(self, texts: Texts) -> str:
        return _came_out_words(self.job, texts)

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.why.delivery_solved")

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return case.when(self.since, texts, now=facts.now)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return _came_out_words(self.job, texts)


@dataclass(frozen=True, kw_only=True)
class ManyPapers(case.Case):
    """Several receipts whose papers are decided together. receipts: their number. papers: their
    jobs as they were counted, about which alone a press is."""

    icon: ClassVar[tuple[str, Token]] = ("printer-x", "warn")
    sums_up = True
    safe = "papers"
    unproven: ClassVar[bool] = False
    receipts: int
    papers: Sequence[CountedPaper] = ()
    jobs: AnsweredJobs

    def title(self, texts: Texts) -> str:
        return texts.count(f"att.row.{self.kind}", self.receipts)

    def heading(self, texts: Texts) -> str:
        return texts(f"att.ask.{self.kind}")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts.count(f"att.happened.{self.kind}", self.receipts)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        many = self.receipts
        print_all = texts.count("att.papers.print_all", many)
        sure = texts.count("att.papers.sure.again", many)
        again = case.Action(
            "print_all",
            print_all,
            self._print_all,
            "printer",
            ButtonKind.PLAIN if self.unproven else ButtonKind.FILLED,
            confirm=self._confirm(sure, print_all, texts) if self.unproven else None,
            right=Act.REPRINT,
        )
        which = "there" if self.unproven else "none"
        end = case.Action(
            "end_all",
            texts(f"att.papers.{which}"),
            self._end_all,
            "check" if self.unproven else "x",
            confirm=self._confirm(
                texts.count(f"att.papers.sure.{which}", many),
                texts(f"att.papers.yes.{which}"),
                texts,
            ),
        )
        words = texts("att.job.look" if self.unproven else "att.papers.words")
        title = texts("att.step.papers")
        return (case.Step(title, words, case.StepState.CURRENT, rows=((again, end),)),)

    def _confirm(self, words: str, yes: str, texts: Texts) -> case.Confirm:
        return case.Confirm(words, yes, texts("att.no"), about=tuple(self.papers))

    async def _print_all(self, context: case.ActionContext, _word: str) -> str:
        decided = await self._decide(context.services, prints=True)
        self.jobs.printing, self.jobs.in_vain = decided, None
        return self._told(decided, "")

    async def _end_all(self, context: case.ActionContext, _word: str) -> str:
        decided = await self._decide(context.services, prints=False)
        return self._told(decided, "att.seen_kept" if self.unproven else "att.papers.ended")

    async def _decide(self, services: TillServices, *, prints: bool) -> PaperCount:
        """Have the papers decided as they were counted, and take away the rows of those that are.
        The jobs are those that the status lists before the server is asked, because nobody has
        answered what it tells after that."""
        status, jobs = services.server.status, services.server_jobs
        listed = status.jobs if status else ()
        decide = jobs.print_all if prints else jobs.end_all
        decided = await decide(self.papers, unproven=self.unproven, by=services.cashier)
        self.jobs.end_together(listed, decided)
        return decided

    def _told(self, decided: PaperCount, all_done: str) -> str:
        """Return the text for the papers about which the server took the decision."""
        if len(decided.papers) == len(self.papers):
            return all_done
        return "att.papers.rest" if decided.papers else "att.papers.over"


class PapersOpen(ManyPapers):
    """Papers that surely did not come out. continues: they were printed together in vain."""

    continues = frozenset({"papers_printing", "papers_wait", "papers_failed"})

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        if self.jobs.in_vain is None:
            return super().why(texts, facts)
        return texts("att.why.papers_in_vain")


class PapersWait(PapersOpen):
    """Papers that the server prints by itself once the printer is back."""

    kind = "papers_wait"
    group = case.CaseGroup.GOES_ON
    level = NoticeKind.INFO


class PapersNotPrinted(PapersOpen):
    """Papers of which the server has given some up."""

    kind = "papers_failed"
    level = NoticeKind.DANGER


class PapersUnproven(ManyPapers):
    """Papers that may have come out."""

    kind = "papers_unproven"
    unproven = True


class PapersPrinting(ManyPapers):
    """Papers that a person had printed together, and that are under way."""

    kind = "papers_printing"
    continues = frozenset({"papers_wait", "papers_failed", "papers_unproven"})
    group = case.CaseGroup.GOES_ON
    level = NoticeKind.INFO
    icon: ClassVar[tuple[str, Token]] = ("printer", "info")
    sums_up = False
    rings = False
    is_under_way = True

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return ()


class MoreUndelivered(case.ForKnowing):
    """There are more jobs than the server lists in its status; only their count is known."""

    kind = "more_undelivered"


_OF_STATE: Mapping[JobState, type[DeliveryCase]] = {
    JobState.FAILED: DeliveryFailed,
    JobState.UNPROVEN: PerhapsDelivered,
    JobState.WAITING: DeliveryWaits,
    JobState.RUNNING: DeliveryWaits,
}
"""The case class by job state; jobs that are done or dropped have no case."""


class AnsweredJobs:
    """The jobs that a person answered here. The server's last status may still list them."""

    def __init__(self) -> None:
        self.answered: set[DeliveryJob] = set()
        self.repeated: dict[int, DeliveryJob] = {}
        """Jobs that a person asked for again and whose end is not known yet, by their ids."""
        self.came_out: list[tuple[DeliveryJob, datetime]] = []
        """Jobs that a person asked for again and that came out, with the time when the till learned
        of that (UTC)."""
        self.papers: OpenPapers | None = None
        """How many receipts lack their paper, as the server told last."""
        self.printing = PaperCount()
        """Those that a person had printed together, until each came out or is told again."""
        self.in_vain: DeliveryJob | None = None
        """One of those that were printed together last and did not come out."""

    def repeat(self, job: DeliveryJob) -> None:
        self.answered.add(job)
        self.repeated[job.id] = job

    def end(self, job: DeliveryJob) -> None:
        self.answered.add(job)

    def end_together(self, listed: Iterable[DeliveryJob], decided: PaperCount) -> None:
        """Take away the rows of these papers until the server tells something else of them."""
        ids = {paper.id for paper in decided.papers}
        self.papers = None
        self.answered.update(job for job in listed if job.id in ids)


class Deliveries(case.Source):
    """The jobs that are not printed or sent, from the server's last status."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._jobs = AnsweredJobs()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        jobs, status = self._jobs, self.services.server.status
        yield from self._together(reading.now)
        for job in status.jobs if status else ():
            if job.state in _OF_STATE and job not in jobs.answered:
                jobs.repeated.pop(job.id, None)
                yield _OF_STATE[job.state].of(job, jobs, mails=self.services.may_mail)
        yield from (DeliveryRepeated.of(job, jobs) for job in jobs.repeated.values())
        if status is not None and status.jobs and status.jobs_left_off:
            oldest = min(job.since for job in status.jobs)
            yield MoreUndelivered(id="more jobs", since=oldest, many=status.jobs_left_off)

    def _together(self, now: datetime) -> Iterable[case.Case]:
        """The cases of many papers, while there are more than a few."""
        papers, open_papers = self._jobs.papers, self._open_papers()
        if self._jobs.printing.receipts:
            yield PapersPrinting(
                id=PapersPrinting.kind,
                since=self.noticed(PapersPrinting.kind, now),
                receipts=self._jobs.printing.receipts,
                jobs=self._jobs,
            )
        if papers is None or len(open_papers) <= FEW:
            return
        surely = PapersNotPrinted if papers.given_up else PapersWait
        kinds = ((surely, papers.not_printed), (PapersUnproven, papers.unproven))
        for kind, counted in kinds:
            if counted.receipts > FEW:
                yield kind(
                    id=kind.kind,
                    since=min(job.since for job in open_papers),
                    receipts=counted.receipts,
                    papers=counted.papers,
                    jobs=self._jobs,
                )

    def _open_papers(self) -> list[DeliveryJob]:
        status = self.services.server.status
        listed = status.jobs if status else ()
        return [job for job in listed if is_receipt_paper(job) and job not in self._jobs.answered]

    def solved(self, reading: case.Reading) -> Iterable[case.Case]:
        for job, at in reversed(self._jobs.came_out):
            if day_of(at) == day_of(reading.now):
                yield SolvedDelivery(
                    id=f"solved {delivery_case_id(job)}", since=at, total=job.total, job=job
                )

    async def ask(self, tell: case.Tell) -> None:
        """Ask the server whether the jobs that a person asked for again came out. One that was
        dropped meanwhile is over, and nothing is said about it."""
        await self._ask_papers(tell)
        for job in tuple(self._jobs.repeated.values()):
            end = await self.services.server_jobs.end_of(job.id)
            if end is None or self._jobs.repeated.pop(job.id, None) is None:
                continue
            if end is JobState.DONE:
                self._jobs.came_out.append((job, self.services.till.clock.now()))
                tell(partial(_came_out_words, job), StateKind.DONE)

    async def _ask_papers(self, tell: case.Tell) -> None:
        """Ask how many papers there are where there are more than a few, for the status does not
        list all. Papers that were printed together are told as being printed until the status lists
        those that did not come out."""
        jobs, open_papers = self._jobs, self._open_papers()
        is_many = len(open_papers) > FEW
        if not (is_many or jobs.printing.receipts):
            jobs.papers = jobs.in_vain = None
            return
        papers = await self.services.server_jobs.papers()
        jobs.papers = papers if is_many else None
        printed = {paper.id for paper in jobs.printing.papers}
        back = printed & {
            paper.id for count in (papers.not_printed, papers.unproven) for paper in count.papers
        }
        listed = [job for job in open_papers if job.id in back]
        if not papers.in_turn and listed:
            jobs.in_vain = listed[0]
            tell(partial(_in_vain_words, listed[0], len(back)), StateKind.DECIDE)
        waits = len(back) if papers.in_turn or not listed else 0
        many = min(jobs.printing.receipts, papers.in_turn + waits)
        jobs.printing = replace(jobs.printing, receipts=many)


def _in_vain_words(job: DeliveryJob, many: int, texts: Texts) -> str:
    trouble = delivery_trouble_words(job, texts)
    return texts.count("att.papers.in_vain", many, trouble=trouble)


def _came_out_words(job: DeliveryJob, texts: Texts) -> str:
    return texts(f"att.job.came_out{_suffix(job)}", what=_paper_words(job, texts))


def _suffix(job: DeliveryJob) -> str:
    """Return the ending of a text id: texts about mails have ids of their own."""
    return ".mail" if job.method is JobMethod.EMAIL else ""


def _paper_words(job: DeliveryJob, texts: Texts) -> str:
    """Return the words for the paper: the receipt with its number, or a sheet of the till."""
    if job.number is None:
        return texts("att.job.of_till")
    return texts("att.job.of_receipt", number=job.number)
