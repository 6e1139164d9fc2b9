"""The state of the screen of reports: the chosen report, its days, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import date

from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.reports.collecting import CollectForm
from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.text.instant import day_of
from pos_app.errors import MachineError, PosError
from pos_app.selling.people.rights import Act
from pos_app.selling.reports.own import of_person
from pos_app.selling.reports.periods import Period, Preset
from pos_app.selling.reports.receivables import (
    CollectedPayment,
    OpenReceivable,
    of_line,
    table_by_buyer,
)
from pos_app.selling.reports.report import Report, ReportChoice, ReportName, buyers_of


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
        self.buyers: Mapping[str, str] = {}
        """The names of its buyers in the buyers' book."""
        self.is_asking = False
        self.progress = (0, 0)
        self.fault: PosError | None = None
        self.chosen = ""
        """The key of the chosen line and bar."""
        self.person = ""
        """The person whose acts alone are shown, or "" for everybody's."""
        self.message = ""
        self.unfolded = frozenset[str]()
        """The buyers whose receipts are shown."""
        self.ticked = frozenset[str]()
        """The numbers of the receipts that are chosen for an act on several."""
        self.form: CollectForm | None = None
        self.is_collecting = False
        """Whether the form is shown; what is typed in it stays for the same receipts."""
        self.asks_back: tuple[CollectedPayment, ...] = ()
        """What a person is asked whether to take back."""
        self.last_press: tuple[CollectedPayment, ...] = ()
        """What was written down last in this visit."""
        self._visible: tuple[Report, object, Report] | None = None

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
        with suppress(MachineError):  # a book that can't be read now names nobody
            self.buyers = self.services.buyers.names_of(buyers_of(report))
        self.ticked &= {one.number for one in report.receivables}
        if self.person not in [bar.key for bar in report.bars]:
            self.person = ""
        if self.form is not None and self.is_collecting:
            self.form.renew(report.receivables)
        self._choose_shown()

    @property
    def visible_report(self) -> Report | None:
        """The report as it is shown: the acts of one person, or what is owed by buyer. It is the
        same object as long as it says the same, so that the table keeps its position."""
        report = self.report
        if report is None or report.choice.name not in (ReportName.ACTS, ReportName.RECEIVABLES):
            return report
        is_acts = report.choice.name is ReportName.ACTS
        part = self.person if is_acts else (self.unfolded, self.ticked)
        kept = self._visible
        if kept is None or kept[0] is not report or kept[1] != part:
            seen = of_person(report, self.person) if is_acts else self._by_buyer(report)
            kept = self._visible = (report, part, seen)
        return kept[2]

    def _by_buyer(self, report: Report) -> Report:
        rows = table_by_buyer(
            report.receivables,
            on=report.choice.period.last,
            unfolded=self.unfolded,
            ticked=self.ticked,
        )
        return replace(report, table=rows)

    def _choose_shown(self) -> None:
        """Let the chosen line be one that is shown: it stays if it is, else the first one is."""
        shown = self.visible_report
        assert shown is not None
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
            self._choose_shown()
        else:
            self.chosen = key

    def leave(self) -> None:
        """Lock, and drop the report, which nobody else may see."""
        self.lock()
        self.is_asking, self.report, self.fault, self.message = False, None, None, ""
        self.ticked, self.form, self.is_collecting = frozenset(), None, False
        self.asks_back = self.last_press = ()
        self._visible = None

    # --- money that comes in later ---------------------------------------------------------------

    def of_line(self, key: str) -> tuple[OpenReceivable, ...]:
        """What a line of the receivables stands for."""
        return () if self.report is None else of_line(self.report.receivables, key)

    def is_buyer(self, key: str) -> bool:
        return any(one.group == key for one in self.of_line(key))

    def unfold(self, key: str) -> None:
        """Show a buyer's receipts, or hide them."""
        self.unfolded ^= {key}

    def tick(self, key: str) -> None:
        """Choose a receipt, or all of a buyer's, or choose them no more."""
        numbers = {one.number for one in self.of_line(key)}
        self.ticked = self.ticked - numbers if numbers <= self.ticked else self.ticked | numbers

    @property
    def to_collect(self) -> tuple[OpenReceivable, ...]:
        """The receipts that are acted on: those that are ticked, else those of the chosen line."""
        if self.report is None or self.report.choice.name is not ReportName.RECEIVABLES:
            return ()
        ticked = tuple(one for one in self.report.receivables if one.number in self.ticked)
        return ticked or self.of_line(self.chosen)

    @property
    def is_till_today(self) -> bool:
        """Whether the report tells what is owed now, so that money can be written down."""
        return self.period.last >= self.today

    @property
    def to_take_back(self) -> tuple[CollectedPayment, ...]:
        """What a press on "take back" is about: the chosen payment, or what was written down
        last."""
        if self.report is None or self.report.choice.name is not ReportName.COLLECTED:
            return self.last_press
        return tuple(one for one in self.report.collected if str(one.id) == self.chosen)

    def begin_collecting(self) -> None:
        """Open the form. What was typed for the same receipts stands in it still. Raises Invalid
        for "receipts"."""
        receivables = self.to_collect
        form = self.form
        if form is None or form.is_renewed or set(form.receivables) != set(receivables):
            form = self.form = CollectForm.of(receivables, lambda: self.today)
        form.offer_today()
        self.is_collecting = True

    def collect(self) -> None:
        """Write down what the form says. Raises Invalid for "day" or "amount"; DiskFull,
        DatabaseBusy, DatabaseDamaged."""
        form, services = self.form, self.services
        assert form is not None
        day, shares = form.day, form.shares
        with services.here.lifting(self.lifted_by) if self.lifted_by else nullcontext():
            services.collected.collect(
                shares,
                key=form.key,
                day=day,
                note=form.note.strip(),
                by=services.cashier,
                at=services.till.clock.now(),
            )
        self.form, self.is_collecting, self.ticked = None, False, frozenset()
        self.last_press = ()
        with suppress(MachineError):  # it is written down; only what undoes it in this visit lacks
            self.last_press = tuple(services.collected.of_press(form.key))

    def ask_back(self) -> None:
        """Begin to ask about what is to be taken back. Raises Invalid for "payment" where that
        can't be; DatabaseBusy, DatabaseDamaged."""
        asked = self.to_take_back
        self.services.collected.check_take_back([one.id for one in asked])
        self.asks_back = asked

    def take_back(self) -> None:
        """Take back what was asked about. Raises Invalid for "payment"; DiskFull, DatabaseBusy,
        DatabaseDamaged."""
        services = self.services
        with services.here.lifting(self.lifted_by) if self.lifted_by else nullcontext():
            services.collected.take_back(
                [one.id for one in self.asks_back],
                by=services.cashier,
                at=services.till.clock.now(),
            )
        self.asks_back = self.last_press = ()
