"""A newer version of the product: what is new, and its installation when the cashier agrees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pos_app.cashier.attention.cases import case
from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts, in_language
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.window.status import as_sentence, connection_words
from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.errors import Refused, RemoteError
from pos_app.selling.updates import RunningProgram, Updates, check_may_reopen


@dataclass(frozen=True, kw_only=True)
class NewVersion(case.Case):
    """A version that is newer than this till. installer is None where a person gets it elsewhere.
    percent: how much of the installer is downloaded, or None while nothing is downloaded."""

    release: Release
    installed: Version
    installer: InstallerFile | None
    percent: int | None
    updates: Updates
    kind = "new_version"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("download", "ink_2")
    level = NoticeKind.INFO

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.why.new_version", version=self.release.version)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts(
            "att.about.new_version", version=self.release.version, installed=self.installed
        )

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.new_version", version=self.release.version)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        news = in_language(self.release.notes, texts.language)
        whats_new = case.Step(texts("att.update.new"), news)
        if self.percent is not None:
            words = texts("att.update.brought", percent=self.percent)
            return whats_new, case.Step(texts("att.update.step"), words, case.StepState.CURRENT)
        later = case.Action("later", texts("att.update.later"), self._later, "clock")
        if self.installer is None:
            words = texts("att.update.by_hand", page=self.release.page)
            return whats_new, case.Step(
                texts("att.update.step"), words, case.StepState.CURRENT, rows=((later,),)
            )
        install = case.Action(
            "install",
            texts("att.update.install"),
            self._install,
            "download",
            ButtonKind.FILLED,
            key_cap=ENTER,
            running=texts("att.update.runs"),
        )
        words = texts("att.update.words")
        return whats_new, case.Step(
            texts("att.update.step"), words, case.StepState.CURRENT, rows=((later, install),)
        )

    def _install(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        self.updates.check_may_install()
        return self._until_started()

    async def _until_started(self) -> str:
        await self.updates.install()
        return "att.update.started"

    def _later(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        self.updates.postpone()
        return ""


@dataclass(frozen=True, kw_only=True)
class VersionNotInstalled(case.Case):
    """The installer was started, and the till that runs is still the old one."""

    version: Version
    installed: Version
    updates: Updates
    kind = "version_not_installed"

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        text_id = "att.happened.version_not_installed"
        return texts(text_id, version=self.version, installed=self.installed)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        words = texts("att.update.not_installed_words")
        return case.one_action(
            texts, "att.update.not_installed", "att.seen", "check", self._seen, words=words
        )

    def _seen(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        self.updates.note_not_installed()
        return ""


@dataclass(frozen=True, kw_only=True)
class ProgramReplaced(case.Case):
    """The files of this program were exchanged while it runs. It sells on, and starts no process of
    the other version."""

    program: RunningProgram
    kind = "program_replaced"
    icon = ("download", "warn")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        words = texts("att.reopen.words")
        return case.one_action(
            texts, "att.reopen.step", "att.reopen", "refresh-cw", self._reopen, words=words
        )

    def _reopen(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        services = context.services
        check_may_reopen(services.till.carts, services.sales)
        self.program.reopen()
        return ""


class ProgramFiles(case.Source):
    """Whether this program's files are still its own."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        program = self.services.program
        if program is not None and program.is_replaced:
            since = self.noticed("program replaced", reading.now)
            yield ProgramReplaced(id="program replaced", since=since, program=program)


@dataclass(frozen=True, kw_only=True)
class UpdatesRefused(case.Case):
    """The file at the address of updates is no manifest or can't be trusted."""

    fault: RemoteError
    kind = "updates_refused"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("download", "ink_2")
    rings = False

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        words = connection_words(self.fault.values.get("tls", ""), texts)
        return as_sentence(words) if words else texts.error(self.fault).happened

    def technical(self, texts: Texts) -> str:
        return texts.error(self.fault).technical


class NewVersions(case.Source):
    """The results of the last look for updates."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._since = services.till.clock.now()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        updates = self.services.updates
        if updates is None:
            return
        if (version := updates.not_installed) is not None:
            yield VersionNotInstalled(
                id="version not installed",
                since=self._since,
                version=version,
                installed=updates.installed,
                updates=updates,
            )
        if isinstance(updates.fault, Refused) or (updates.fault and "tls" in updates.fault.values):
            yield UpdatesRefused(id="updates refused", since=self._since, fault=updates.fault)
        if updates.release is not None and not updates.is_postponed:
            yield NewVersion(
                id="new version",
                since=updates.release.published_at,
                release=updates.release,
                installed=updates.installed,
                installer=updates.installer,
                percent=_percent(updates),
                updates=updates,
            )


def _percent(updates: Updates) -> int | None:
    if updates.fetched is None or updates.installer is None:
        return None
    return min(100, updates.fetched * 100 // updates.installer.size)
