"""Acts on many articles at once: a bulk change, deletion, and taking the last change back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.services.till_services import TillServices
from pos_app.errors import MachineError, NotAllowed, PosError
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, BulkAct, EndingName, PlannedRow
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.last_change import LastChange
from pos_app.selling.file_work import FileWork


@dataclass
class WorkDone:
    """The result of an act. changed, failed: products; prices: those that were planned, where some
    have variants. left_out: articles that stay because
    something else changed them since; names: the first of them. error: the one that ended the work,
    else the first of a product. open: the act, where it was stopped or cut and the rest is to be
    decided. ends: the unit or category that was to go with it; ends_stays: it stays, because an
    article still has it."""

    changed: int = 0
    failed: int = 0
    prices: int = 0
    left_out: int = 0
    names: tuple[str, ...] = ()
    error: PosError | None = None
    kind: ActKind = ActKind.CHANGE
    ends: EndingName | None = None
    ends_stays: bool = False
    open: BulkAct | None = None


class ManyArticles:
    """outcome: the result of the last act; it is None before the first."""

    def __init__(self, services: TillServices) -> None:
        self._services = services
        self.outcome: WorkDone | None = None
        self._at: datetime | None = None
        self._is_begun = False
        """Whether a change was begun whose outcome nobody was told yet."""

    def change(
        self, rows: Sequence[PlannedRow], *, ends: EndingName | None = None, for_later: bool = False
    ) -> FileWork:
        """Begin to make what was shown; the change can be taken back. ends: the unit or category
        that goes with it. for_later: its prices are planned."""
        self._note_begun(ActKind.PLAN if for_later else ActKind.CHANGE)
        files, by = self._services.catalogue_files, self._services.cashier
        return files.change(rows, by=by, ends=ends, for_later=for_later)

    def delete(self, rows: Sequence[PlannedRow]) -> FileWork:
        """Begin to stop selling these products."""
        self._note_begun(ActKind.DELETE)
        return self._services.catalogue_files.delete(rows, by=self._services.cashier)

    def carry_out(self, plan: ImportPlan, *, name: str) -> FileWork:
        """Begin to import what the preview of a file showed."""
        self._note_begun(ActKind.IMPORT, name=name)
        services = self._services
        return services.catalogue_files.carry_out(plan, name=name, by=services.cashier)

    def _note_begun(self, kind: ActKind, *, name: str = "", done: int = 0) -> None:
        """Note what is begun, so that it is told even where the till ends before its first write.
        done: the number of products to be taken back."""
        by, at = self._services.cashier, self._services.till.clock.now()
        try:
            self._services.editor.note_begun(BulkAct(kind, name, by, at, done=done))
        except MachineError:  # then the work itself says what is wrong
            return
        self._is_begun = True

    def forget_begun(self) -> None:
        """Note that a person was told what became of the last change."""
        if self._is_begun:
            with suppress(MachineError):  # then the next opening tells it once more
                self._services.editor.note_begun(None)
                self._is_begun = False

    def carry_on(self) -> FileWork:
        self._is_begun = True
        return self._services.catalogue_files.carry_on()

    def end(self, result: object, *, is_stopped: bool) -> ActDone:
        """Take the result of the work. An act that was stopped or failed stays open, until a person
        decides whether the rest is made too."""
        done = result if isinstance(result, ActDone) else ActDone(None)
        error = result if isinstance(result, PosError) else done.error
        is_cut = is_stopped or (isinstance(result, PosError) and not isinstance(error, NotAllowed))
        left_open = None
        if is_cut:
            left_open = self._stopped()
        elif isinstance(error, NotAllowed) and done.act is None:
            left_open = self.open_act()
        act = done.act or left_open
        self._at = None if act is None else act.at
        self.outcome = WorkDone(error=error, open=left_open)
        if act is not None:
            self.outcome.changed, self.outcome.failed = act.done, act.failed
            self.outcome.left_out, self.outcome.names = act.left_out, act.left_names
            self.outcome.kind = act.kind
            if act.kind is ActKind.PLAN and (last := self._last_made()) is not None:
                self.outcome.prices = last.owners
            self._tell_ending(self.outcome, act.ends)
        return ActDone(act, done.kept, error)

    def _tell_ending(self, outcome: WorkDone, ends: EndingName | None) -> None:
        """Take into the result what became of the unit or category, where that can be read."""
        if ends is None:
            return
        try:
            counted = self._services.catalogue.counted_names(ends.kind)
        except MachineError:
            return
        outcome.ends = ends
        outcome.ends_stays = any(one.named.id == ends.id for one in counted)

    def _stopped(self) -> BulkAct | None:
        try:
            return self._services.editor.stop_act()
        except MachineError:  # it is found at the next start, and carried on
            return self.open_act()

    def open_act(self) -> BulkAct | None:
        """Return the act that was cut or stopped, if there is one and it can be read."""
        try:
            return self._services.editor.bulk_act()
        except MachineError:
            return None

    def leave_open_act(self) -> None:
        """End the open act: what was changed stays, the rest is not made. Raises MachineError."""
        self._services.editor.end_act()
        self._services.editor.note_begun(None)

    def last(self) -> LastChange | None:
        return self._services.editor.last_change()

    def can_take_back(self) -> bool:
        """Whether the last act made the last change."""
        return self._last_made() is not None

    def _last_made(self) -> LastChange | None:
        """Return the last change if the last act made it and it can be read."""
        try:
            last = self.last()
        except MachineError:
            return None
        return last if last is not None and last.at == self._at else None

    def take_back(self, last: LastChange) -> FileWork:
        """Take the last change back; articles that were changed since stay as they are."""
        self._note_begun(ActKind.TAKE_BACK, name=last.name, done=last.articles)
        return self._services.catalogue_files.take_back(last, by=self._services.cashier)
