"""Cases of this till itself: its files, backups, disk and drawer, and articles to be completed."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.attention.cases import case
from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.services.storage_faults import StorageFault, Where, where_of
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Texts, sentence
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.window.status import storage_why
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.setup.backup import LastTry
from pos_app.errors import FilesReplaced, MachineError, OutcomeUnknown
from pos_app.selling.attention.incomplete_articles import to_complete
from pos_app.selling.catalogue.catalogue import CodesOfArticles
from pos_app.selling.sale.sale import SoldUnknown
from pos_app.selling.server.drawer_openings import DrawerShut
from pos_app.selling.server.self_test import LEAST_FREE
from pos_app.selling.shift.shift import holds_much

# --- files ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class StorageFails(case.Case):
    """A file of this till can't be read or written."""

    trouble: StorageFault
    icon = ("circle-alert", "danger")
    level = NoticeKind.DANGER

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return storage_why(self.trouble, texts)

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        """The notice has the fault's own words; its second part says what can still be done
        here."""
        notice = texts.error(self.trouble.fault, has_details=True)
        is_gone = isinstance(self.trouble.fault, FilesReplaced)
        safe = notice.safe if is_gone else texts(f"att.safe.storage.{self.trouble.where}")
        return case.words_of(notice, safe=safe)


class TillFileFails(StorageFails):
    """The file of carts and sales."""

    kind = "storage_fails"

    @property
    def foot(self) -> str:
        return "att.go_on_storage"


class CatalogueFails(StorageFails):
    """The file of articles."""

    kind = "catalogue_fails"


_OF_FILE = {Where.TILL: TillFileFails, Where.CATALOGUE: CatalogueFails}


class Storage(case.Source):
    """The faults that any screen has met at the till's files."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        for where, kind in _OF_FILE.items():
            if (trouble := self.services.faults.fault_of(where)) is not None:
                yield kind(id=f"storage {kind.kind}", since=trouble.since, trouble=trouble)


class ReadThoroughly(case.Source):
    """Has at most one case, as it was found when everything was last read."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._kept_case: case.Case | None = None

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        if reading.thorough:
            self._kept_case = self.read()
        if self._kept_case is not None:
            yield self._kept_case

    @abstractmethod
    def read(self) -> case.Case | None:
        """The case now, or None. Raises MachineError."""


# --- backups -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BackupFailed(case.Case):
    """The last backup failed, or did not reach the second folder. Another one is tried each day, or
    started by hand."""

    last: LastTry
    kind = "backup_failed"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("database-backup", "ink_2")
    rings = False

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        if self.last.error is None:
            return NoticeWords(
                texts("att.happened.backup_not_second"),
                texts("att.safe.backup_failed"),
                texts("att.press.backup_not_second"),
            )
        notice = texts.error(self.last.error, has_details=True)
        return case.words_of(notice, safe=texts("att.safe.backup_failed"))


class BackupTries(ReadThoroughly):
    def read(self) -> BackupFailed | None:
        backups = self.services.backups
        last = None if backups is None else backups.last_try()
        if last is None or not (last.error or last.second_words):
            return None
        return BackupFailed(id="backup failed", since=last.at, last=last)


# --- the disk ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DiskFills(case.Case):
    """The disk has less room than the self-test wants, long before anything stops. free: bytes."""

    free: int
    kind = "disk_fills"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("hard-drive", "ink_2")
    rings = False

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.about.disk_fills", free=self._megabytes(texts))

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.disk_fills", free=self._megabytes(texts))

    def _megabytes(self, texts: Texts) -> str:
        return texts.number(self.free // 1_000_000)


class DiskRoom(ReadThoroughly):
    """The free room on the disk that has all of this till's data."""

    def read(self) -> DiskFills | None:
        machine = self.services.machine
        free = None if machine is None else machine.free_bytes()
        if free is None or free >= LEAST_FREE:
            return None
        return DiskFills(id="disk fills", since=self.services.till.clock.now(), free=free)


# --- the drawer ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DrawerStaysShut(case.Case):
    """The drawer did not open with the last sale for cash, so somebody has to open it."""

    shut: DrawerShut
    kind = "drawer_shut"

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        text_id = f"drawer_of_sale.{self.shut.why.code}"
        return NoticeWords(
            sentence(texts(text_id)), texts(f"{text_id}.safe"), texts(f"{text_id}.do")
        )

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        row = (
            case.Action(
                "again",
                texts("keys.f10"),
                self._open,
                "vault",
                ButtonKind.FILLED,
                key_cap=cap_of(TillCommand.DRAWER),
            ),
            case.Action("seen", texts("att.drawer.seen"), self._end, "check"),
        )
        note = texts("att.drawer.note")
        return (case.Step(texts("att.step.job"), note, case.StepState.CURRENT, rows=(row,)),)

    def _open(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.open_drawer()
        return ""

    def _end(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.end_drawer()
        return ""


class DrawerUnknown(DrawerStaysShut):
    """It is unknown whether the drawer opened."""

    kind = "drawer_unknown"


class DrawerSource(case.Source):
    """Tells whether the drawer opened with the last sale, as the window reported it."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        if (shut := reading.drawer) is not None:
            is_unknown = isinstance(shut.why, OutcomeUnknown)
            kind = DrawerUnknown if is_unknown else DrawerStaysShut
            yield kind(id="drawer", since=shut.since, shut=shut)


@dataclass(frozen=True, kw_only=True)
class DrawerFull(case.ForKnowing):
    """The drawer holds more cash than the shop's limit; the case ends after a drop."""

    kind = "drawer_full"
    icon = ("vault", "ink_2")

    limit: Money

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.about.drawer_full", limit=amount_text(self.limit))

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.drawer_full", limit=amount_text(self.limit))

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        words = texts("att.drawer_full.words")
        return (case.Step(texts("att.drawer_full.step"), words, case.StepState.CURRENT),)


class FullDrawers(ReadThoroughly):
    """Looks at the drawer while a shift is open and the shop has a limit."""

    def read(self) -> DrawerFull | None:
        repository, limit = self.services.shifts, Money(self.services.settings.shift.drawer_limit)
        if not holds_much(repository, limit):
            return None
        shift = repository.open_shift()
        if shift is None:
            return None
        return DrawerFull(id="drawer full", since=shift.opened_at, limit=limit)


# --- articles to be completed --------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ToComplete(case.ForKnowing):
    """Articles sold at an open price for codes that the catalogue lacks; nothing waits for them."""

    articles: tuple[SoldUnknown, ...]
    kind = "to_complete"
    icon = ("tag", "ink_2")

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.to_complete")

    def listed(self, texts: Texts) -> tuple[case.ListLine, ...]:
        """The rows: code, what was sold for it, how often, when, by whom, and the price."""
        return tuple(_line_of(article, texts) for article in self.articles)


class IncompleteArticles(case.Source):
    """Finds the articles to be completed. While the catalogue can't be read, those found last are
    kept."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._sold_unknown: tuple[SoldUnknown, ...] = ()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        if reading.thorough:
            self._read()
        if found := self._sold_unknown:
            newest = max(article.at for article in found)
            yield ToComplete(id="to complete", since=newest, many=len(found), articles=found)

    def _read(self) -> None:
        services = self.services
        try:
            self._sold_unknown = to_complete(
                sales=services.sales, catalogue=services.catalogue, rules=services.code_rules()
            )
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise


def _line_of(article: SoldUnknown, texts: Texts) -> case.ListLine:
    parts = (
        article.name,
        texts("att.complete.label", label=article.label),
        texts.count("att.complete.lines", article.lines),
        moment_text(article.at),
        article.cashier,
    )
    return case.ListLine(article.code, " · ".join(parts), amount_text(article.price))


# --- codes of articles that are labels of a scale, too -----------------------------------------


@dataclass(frozen=True, kw_only=True)
class CodesOfLabels(case.ForKnowing):
    """Stored codes that the till would read as a scale's label if they were no article's."""

    codes: CodesOfArticles
    kind = "codes_of_labels"
    icon = ("tag", "ink_2")

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return ", ".join(name for _, name in self.codes[:2])

    def listed(self, texts: Texts) -> tuple[case.ListLine, ...]:
        return tuple(case.ListLine(code, name, "") for code, name in self.codes)


class LabelCodes(case.Source):
    """Finds codes of articles that the shop's scale prints, too. While the catalogue can't be read,
    those found last are kept."""

    SHOWN = 50

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._counted_codes: tuple[int, CodesOfArticles] = (0, ())
        self._since: datetime | None = None

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        if reading.thorough:
            services = self.services
            with contextlib.suppress(MachineError):  # the catalogue's reader reports it
                self._counted_codes = services.catalogue.codes_of_labels(
                    services.scale_rules(), limit=self.SHOWN
                )
        many, codes = self._counted_codes
        self._since = (self._since or self.services.till.clock.now()) if many else None
        if self._since is not None:
            yield CodesOfLabels(id="codes of labels", since=self._since, many=many, codes=codes)
