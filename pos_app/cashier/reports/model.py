"""The state of the screen of reports: the chosen report, its days, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.text.instant import day_of
from pos_app.errors import PosError
from pos_app.selling.people.rights import Act
from pos_app.selling.reports.own import of_person
from pos_app.selling.reports.periods import Period, Preset
from pos_app.selling.reports.report import Report, ReportChoice, ReportName


class ReportsModel(ManagerLock):
    """Keeps the last choice; the manager's PIN protects it."""

    def __init__(self, services: TillServices, *, on_lifted: Callable[[], None]) -> None:
        super().__init__(services, act=Act.REPORTS, on_lifted=on_lifted)
        self.name = ReportName.DAY
        self.preset = Preset.TWO_WEEKS
        self.days_typed = ("", "")
        self.holds_days = False
        """Whether somebody typed them in this visit; else they are the visible days."""
        self.days: tuple[date, date] | None = None
        self.report: Report | None = None
        self.is_asking = False
        self.progress = (0, 0)
        self.fault: PosError | None = None
        self.chosen = ""
        """The key of the chosen line and bar."""
        self.person = ""
        """The person whose acts alone are shown, or "" for everybody's."""
        self.message = ""

    @property
    def today(self) -> date:
        return day_of(self.services.till.clock.now())

    @property
    def period(self) -> Period:
        if self.preset is Preset.DAYS and self.days is not None:
            return Period(min(self.days), max(self.days))
        usual = Preset.TWO_WEEKS if self.preset is Preset.DAYS else self.preset
        return Period.of(usual, self.today)

    @property
    def choice(self) -> ReportChoice:
        period = self.period
        return ReportChoice(self.name, period, period.before(self.preset))

    @property
    def is_current(self) -> bool:
        return self.report is not None and self.report.choice == self.choice

    def begin(self, *, again: bool) -> None:
        """Note that a report is asked for. The last report stays, and with `again` its error."""
        self.is_asking, self.progress, self.message = True, (0, 0), ""
        if not again:
            self.fault = None

    def take(self, report: Report) -> None:
        """Take the report, unless another one is chosen by now."""
        if report.choice != self.choice:
            return
        self.is_asking, self.report, self.fault = False, report, None
        if self.person not in [bar.key for bar in report.bars]:
            self.person = ""
        self._choose_shown(report)

    def _choose_shown(self, report: Report) -> None:
        """Let the chosen line be one that is shown: it stays if it is, else the first one is."""
        shown = of_person(report, self.person) if self.name is ReportName.ACTS else report
        keys = [line.key for line in shown.table.lines]
        if self.chosen not in keys:
            self.chosen = keys[0] if keys else ""

    def fail(self, error: PosError) -> None:
        self.is_asking, self.fault, self.report = False, error, None

    def stop(self) -> None:
        self.is_asking = False

    def step(self, by: int) -> None:
        """Choose the next bar or the previous one, in the order of time."""
        bars = [bar.key for bar in self.report.bars] if self.report is not None else []
        if bars:
            at = bars.index(self.bar) if self.bar in bars else len(bars) - 1 - by
            self.look_at_bar(bars[min(max(at + by, 0), len(bars) - 1)])

    @property
    def bar(self) -> str:
        return self.person if self.name is ReportName.ACTS else self.chosen

    def look_at_bar(self, key: str) -> None:
        """Choose a bar: in a report of acts a person, whose lines alone are shown; else a line."""
        if self.name is ReportName.ACTS and self.report is not None:
            self.person = key
            self._choose_shown(self.report)
        else:
            self.chosen = key

    def leave(self) -> None:
        """Lock, and drop the report, which nobody else may see."""
        self.lock()
        self.is_asking, self.report, self.fault, self.message = False, None, None, ""
