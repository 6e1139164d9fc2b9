"""Imports, exports and labels in a child process: the port
`selling.catalogue.files.CatalogueFiles`.

A large sheet parsed in the till's own process would stop the window for seconds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from pos_app import installed, wire
from pos_app.adapters.catalogue_files.bulk_json import ending_to_json, last_to_json, rows_to_json
from pos_app.adapters.child_work import Asked, ChildWorks, error_of
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue import files
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, BulkAct, EndingName, PlannedRow
from pos_app.selling.catalogue.last_change import LastChange
from pos_app.selling.catalogue.sheet.row_plan import FieldChange, Question, SheetAnswers
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileWork


class CatalogueProcess:
    """Starts the children. data: the till's data folder. codes: for new articles that an import has
    without a code. command: starts the child; the work is appended."""

    def __init__(
        self, data: Path, *, codes: range | None = None, command: Sequence[str] | None = None
    ) -> None:
        self._data, self._codes = data, codes
        self._command = tuple(
            command or installed.command("pos_app.bootstrap.till.catalogue_files")
        )
        self._works = ChildWorks(_READS)
        self._plans = tempfile.TemporaryDirectory(prefix="pos-app-import-")

    def close(self) -> None:
        """End the running children, and forget the unconfirmed plans."""
        self._works.close()
        self._plans.cleanup()

    def plan_import(
        self,
        path: Path,
        *,
        label: TaxLabel | None,
        rates: Mapping[TaxLabel, Decimal],
        answers: SheetAnswers | None = None,
    ) -> FileWork:
        plan = Path(self._plans.name) / "plan.jsonl"
        asked = {
            "file": str(path),
            "plan": str(plan),
            "label": label,
            "rates": {one.value: str(rate) for one, rate in rates.items()},
            "answers": None if answers is None else _answers_to_json(answers),
        }
        return self._begin("plan", asked)

    def carry_out(self, plan: files.ImportPlan, *, name: str, by: str) -> FileWork:
        asked = {
            "plan": str(plan.plan),
            "by": by,
            "codes": self._codes_asked,
            "name": name,
            "shape": plan.shape,
            "answers": _answers_to_json(plan.answers),
            "heads": {str(one.index): one.head for one in plan.columns},
        }
        return self._begin("apply", asked)

    def save_refused(self, plan: files.ImportPlan, path: Path, *, language: str) -> FileWork:
        asked = {"plan": str(plan.plan), "file": str(path), "language": language}
        return self._begin("refused", asked)

    @property
    def _codes_asked(self) -> list[int]:
        return [self._codes.start, self._codes.stop] if self._codes is not None else []

    def change(
        self,
        rows: Sequence[PlannedRow],
        *,
        by: str,
        ends: EndingName | None = None,
        for_later: bool = False,
    ) -> FileWork:
        kind = ActKind.PLAN if for_later else ActKind.CHANGE
        return self._begin("act", partial(_rows_asked, kind, tuple(rows), by, ends))

    def delete(self, rows: Sequence[PlannedRow], *, by: str) -> FileWork:
        return self._begin("act", partial(_rows_asked, ActKind.DELETE, tuple(rows), by, None))

    def carry_on(self) -> FileWork:
        return self._begin("carry_on", {"codes": self._codes_asked})

    def take_back(self, last: LastChange, *, by: str) -> FileWork:
        return self._begin("undo", {"last": last_to_json(last), "by": by})

    def export(self, choice: TableChoice, path: Path) -> FileWork:
        chosen = {
            "query": choice.query,
            "category": choice.category_id,
            "edits": choice.edits.value,
            "order": choice.order.value,
            "descending": choice.descending,
        }
        return self._begin("export", {"file": str(path), "choice": chosen})

    def labels(self, product_ids: Sequence[str], path: Path, *, only_changed: bool) -> FileWork:
        asked = {"file": str(path), "products": list(product_ids), "only_changed": only_changed}
        return self._begin("labels", asked)

    def coming_labels(
        self, day: date, path: Path, *, now: datetime, only_changed: bool
    ) -> FileWork:
        times = {"day": day.isoformat(), "now": now.isoformat()}
        asked = {"file": str(path), "only_changed": only_changed, **times}
        return self._begin("labels", asked)

    def take_photos(self, paths: Sequence[Path], *, product_id: str, by: str) -> FileWork:
        asked = {"files": [str(one) for one in paths], "product": product_id, "by": by}
        return self._begin("photos", asked)

    def _begin(self, what: str, asked: Asked) -> FileWork:
        return self._works.begin((*self._command, what, str(self._data)), asked)


def _rows_asked(
    kind: ActKind, rows: Sequence[PlannedRow], by: str, ends: EndingName | None
) -> dict[str, Any]:
    return {"kind": kind, "rows": rows_to_json(rows), "by": by, "ends": ending_to_json(ends)}


def _act_done(members: list[Any]) -> ActDone:
    act, kept, error = members
    return ActDone(
        None if act is None else wire.records.from_json(BulkAct, act),
        tuple(kept),
        None if error is None else error_of(error),
    )


def _plan(values: dict[str, Any]) -> files.ImportPlan:
    bad, odd = _cells(values["bad_cells"]), _cells(values["odd_cells"])
    changes = tuple(
        files.ChangeShown(
            row, name, is_new, price, tuple(FieldChange(*one) for one in fields), unpriced
        )
        for row, name, is_new, price, fields, unpriced in values["changes"]
    )
    names = ("rows", "new", "changed", "same", "bad", "odd", "renamed", "unpriced", "joined")
    columns = (
        files.ColumnShown(index, head, field, why, tuple(cells))
        for index, head, field, why, cells in values["columns"]
    )
    doubled = {name: tuple(indices) for name, indices in values["doubled"].items()}
    answers = values["answers"]
    counts = {name: values[name] for name in names}
    categories = values["categories"]
    return files.ImportPlan(
        plan=Path(values["file"]),
        **counts,
        bad_cells=bad,
        odd_cells=odd,
        changes=changes,
        new_categories=len(categories),
        categories=tuple(categories),
        new_units=len(values["units"]),
        units=tuple(values["units"]),
        encoding=values["encoding"],
        columns=tuple(columns),
        doubled=doubled,
        names_article=values["names_article"],
        questions=tuple(map(Question, values["questions"])),
        answers=SheetAnswers(
            {int(at): name for at, name in answers["fields"].items()},
            {Question(one): value for one, value in answers["said"].items()},
            answers["taxes"],
        ),
        taxes=tuple(values["taxes"]),
        system=values["system"],
        shape=values["shape"],
        remembered=values["remembered"],
    )


def _answers_to_json(answers: SheetAnswers) -> dict[str, Any]:
    """Return answers as the child reads them, and as they are remembered."""
    fields = {str(at): name for at, name in answers.fields.items()}
    return {
        "fields": fields,
        "said": {one.value: answer for one, answer in answers.by_question.items()},
        "taxes": dict(answers.by_tax),
    }


def _undone(members: list[Any]) -> Undone:
    done, left, left_many = members
    return Undone(done, tuple(left), left_many)


def _cells(entries: list[list[Any]]) -> tuple[files.BadCellShown, ...]:
    return tuple(
        files.BadCellShown(row, column, text, error_of(why)) for row, column, text, why in entries
    )


_READS: Mapping[str, Callable[[Any], object]] = {"plan": _plan, "undone": _undone, "act": _act_done}
