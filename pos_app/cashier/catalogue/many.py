"""Acts on many articles at once: a bulk change, deletion, and taking the last change back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pos_app.cashier.services import TillServices
from pos_app.errors import PosError
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_change import BulkChange, BulkStep
from pos_app.selling.catalogue.last_change import ChangeKind, LastChange
from pos_app.selling.file_work import FileWork


@dataclass
class WorkDone:
    """The result of long work. error: the one that ended the work, else the first of a step."""

    changed: int = 0
    failed: int = 0
    error: PosError | None = None
    is_stopped: bool = False
    is_deletion: bool = False


class ManyArticles:
    """outcome: the result of the last change or deletion; it is None before the first."""

    def __init__(self, services: TillServices) -> None:
        self._services = services
        self.outcome: WorkDone | None = None

    def change(self, product_ids: Sequence[str], change: BulkChange) -> Iterator[BulkStep]:
        """Change these products, one in each step; the change can be taken back."""
        services, at = self._services, self._services.till.clock.now()
        self.outcome = WorkDone()
        log = services.editor.change_log(ChangeKind.BULK, name="", by=services.cashier, at=at)
        yield from bulk_change.change_each(
            services.catalogue,
            services.editor,
            product_ids,
            change,
            log,
            by=services.cashier,
            at=at,
        )

    def delete(
        self, product_ids: Sequence[str], *, forget: Callable[[str], None]
    ) -> Iterator[BulkStep]:
        """Stop selling these products, one in each step. forget is called with the id of each
        deleted product."""
        services, at = self._services, self._services.till.clock.now()
        self.outcome = WorkDone(is_deletion=True)
        for step in bulk_change.delete_each(
            services.editor, product_ids, by=services.cashier, at=at
        ):
            if step.error is None:
                forget(step.product_id)
            yield step

    def note(self, step: BulkStep) -> None:
        if self.outcome is None:
            return
        if step.error is None:
            self.outcome.changed += int(step.changed > 0)
        else:
            self.outcome.failed += 1
            self.outcome.error = self.outcome.error or step.error

    def end(self, error: PosError | None, *, is_stopped: bool) -> int:
        """End the work; returns how many products it changed."""
        if self.outcome is None:
            return 0
        self.outcome.error = error or self.outcome.error
        self.outcome.is_stopped = is_stopped
        return self.outcome.changed

    def last(self) -> LastChange | None:
        return self._services.editor.last_change()

    def take_back(self) -> FileWork:
        """Take the last change back; articles that were changed since stay as they are."""
        return self._services.catalogue_files.take_back(by=self._services.cashier)
