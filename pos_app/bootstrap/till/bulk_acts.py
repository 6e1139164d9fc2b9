"""Plans the change of many articles in the catalogue, and makes it until it is over.

It runs in the process of `catalogue_files`. Each commit makes some rows and takes them off the
plan, so that a process that is killed leaves no row made and planned, or neither.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import groupby, islice
from typing import Any

from pos_app import errors
from pos_app.adapters.catalogue_files.bulk_json import (
    done_to_json,
    ending_from_json,
    rows_from_json,
)
from pos_app.adapters.json_lines import write_document
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.selling.catalogue import bulk_plan, taking_back
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, ActState, BulkAct, PlannedRow
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason
from pos_app.selling.catalogue.editing import open_for_edit
from pos_app.selling.catalogue.last_change import ChangedArticle, ChangeKind, LastChange
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.selling.catalogue.product_draft import DraftFaults
from pos_app.selling.catalogue.sheet import row_plan
from pos_app.selling.catalogue.sheet.saving import save_row

AT_ONCE, FIRST_AT_ONCE = 100, 2000
"""The rows that are read for one commit; the second number is for an empty catalogue."""
EACH = 200
"""The rows between two reports of the planning."""
PLANNED_AT_ONCE, PAUSE = 1000, 0.003
"""The planned rows of one commit, and the seconds after a commit for the till's writes."""
COMMIT_SECONDS, FIRST_COMMIT_SECONDS = 0.03, 0.2
"""The longest time of a commit. No other program can write meanwhile, and the counting of a sale
gives up after 50 ms. The second time is for an empty catalogue, from which nothing is sold; commits
are long there because each one writes the index of words."""
_BELOW_ALL = 2**62
_SINCE = ("changed_meanwhile", "code_of_other", "article_gone")
_CHANGES = (ActKind.CHANGE, ActKind.PLAN)
_CAUSES = {
    ActKind.CHANGE: PriceCause.BULK,
    ActKind.PLAN: PriceCause.BULK,
    ActKind.DELETE: PriceCause.BULK,
    ActKind.IMPORT: PriceCause.IMPORT,
    ActKind.TAKE_BACK: PriceCause.TAKEN_BACK,
}


def begin(
    editor: SqliteCatalogueEditor, act: BulkAct, rows: Iterable[PlannedRow], *, many: int
) -> None:
    """Write the plan of an act, and let the act begin. Nothing is changed before all of it is
    written. many: the number of rows or products. Raises NotAllowed while another act is open."""
    editor.begin_act(act)
    to_plan, is_any = _reported(rows, many), False
    while some := list(islice(to_plan, PLANNED_AT_ONCE)):
        editor.plan_rows(some)
        is_any = True
        time.sleep(PAUSE)
    if is_any:
        editor.keep_act(replace(act, state=ActState.RUNNING, whole=many))
    else:
        editor.end_act()


def _reported(rows: Iterable[PlannedRow], many: int) -> Iterator[PlannedRow]:
    for number, row in enumerate(rows):
        if number % EACH == 0:
            write_document({"progress": [0, many]})
        yield row


def carry_out(editor: SqliteCatalogueEditor, asked: dict[str, Any]) -> ActDone:
    """Make the rows that a person saw."""
    rows = rows_from_json(asked["rows"])
    ends = ending_from_json(asked.get("ends"))
    act = BulkAct(ActKind(asked["kind"]), "", asked["by"], datetime.now(UTC), ends=ends)
    begin(editor, act, rows, many=len({row.product_id for row in rows}))
    return Runner(editor).carry_through()


def carry_on(editor: SqliteCatalogueEditor, runner: Runner) -> ActDone:
    """Carry on the act that was cut or stopped, if there is one."""
    with editor.together():
        act = editor.bulk_act()
        if act is not None:
            editor.keep_act(replace(act, state=ActState.RESUMED))
    return runner.carry_through()


def begin_taking_back(editor: SqliteCatalogueEditor, shown_change: LastChange, *, by: str) -> None:
    """Begin to take back the last change, which a person was shown; of a change that was cut or
    stopped the rest is not made. The unit or category that went with it is there again from the
    beginning. Raises NotAllowed where it is not the last one any more, or another unit or category
    has that name by now."""
    with editor.together():
        act, last = editor.bulk_act(), editor.last_change()
        if act is not None and act.kind is ActKind.TAKE_BACK:
            return
        if last is None or replace(last, articles=shown_change.articles) != shown_change:
            raise errors.NotAllowed("other_change")
        if act is not None and not act.is_over and not editor.has_changed(act):
            raise errors.NotAllowed("bulk_open")
        if act is not None:
            editor.end_act()
        editor.bring_back_ended(by=by, at=datetime.now(UTC))
        new = BulkAct(ActKind.TAKE_BACK, last.name, by, datetime.now(UTC), ActState.RUNNING)
        editor.begin_act(replace(new, whole=last.articles))


class Runner:
    """Makes the rows of an act. piece: the unit of an import's new articles."""

    def __init__(
        self,
        editor: SqliteCatalogueEditor,
        *,
        piece: str | None = None,
        commit_seconds: float = COMMIT_SECONDS,
    ) -> None:
        self._editor = editor
        self._piece = piece
        self._commit_seconds = commit_seconds
        self._at_once = AT_ONCE if commit_seconds == COMMIT_SECONDS else FIRST_AT_ONCE
        self._kept: list[str] = []
        self._error: errors.PosError | None = None
        self._below = _BELOW_ALL
        self._left_units: set[str] = set()
        self._undone: set[str] = set()
        self._new_names = NewNames()

    def carry_through(self) -> ActDone:
        """Make all that is planned; the act ends with the commit of its last row."""
        editor, done = self._editor, None
        while True:
            with editor.together():
                act = editor.bulk_act()
                if act is None:
                    break
                editor.write_because(PriceReason(_CAUSES[act.kind]))
                make = self._take_back if act.kind is ActKind.TAKE_BACK else self._make
                done, is_over = make(act, time.monotonic() + self._commit_seconds)
                if is_over:
                    editor.end_name(act, at=datetime.now(UTC))
                    editor.end_act()
                else:
                    editor.keep_act(done)
            write_document({"progress": [done.reached, done.whole]})
            if is_over:
                break
            time.sleep(PAUSE)
        return ActDone(done, tuple(self._kept), self._error)

    def _make(self, act: BulkAct, until: float) -> tuple[BulkAct, bool]:
        """Make some rows, always all rows of a product; return the act, and whether none is
        left."""
        editor = self._editor
        groups = self._groups(act)
        changed, made = list[ChangedArticle](), list[int]()
        self._new_names, before = NewNames(), act.done
        for some in groups:
            act = self._group(act, some, changed)
            made += [row.number for row in some]
            if time.monotonic() > until:
                break
        editor.forget_planned(made)
        kind = ChangeKind.IMPORT if act.kind is ActKind.IMPORT else ChangeKind.BULK
        log = editor.change_log(kind, name=act.name, by=act.by, at=act.at)
        log.add(changed, self._new_names, many=act.done - before)
        return act, not editor.planned_rows(limit=1)

    def _groups(self, act: BulkAct) -> list[list[PlannedRow]]:
        """Return the next rows, those of one product together and complete."""
        limit = self._at_once
        while True:
            rows = self._editor.planned_rows(limit=limit)
            groups = [[*some] for _, some in groupby(rows, key=_group_of(act))]
            if len(rows) < limit:
                return groups
            if len(groups) > 1:
                return groups[:-1]  # the last one may have more rows
            limit *= 2

    def _group(
        self, act: BulkAct, rows: list[PlannedRow], changed: list[ChangedArticle]
    ) -> BulkAct:
        """Make the rows of one product, or one row of an import; return the act with its counts."""
        row, act = rows[0], replace(act, reached=act.reached + 1)
        made, left = list[ChangedArticle](), list[str]()
        try:
            with self._editor.together():
                if act.kind in _CHANGES:
                    by, at = act.by, datetime.now(UTC)
                    self._editor.write_because(_reason_of(row))
                    made, left = bulk_plan.change_as_planned(self._editor, rows, by=by, at=at)
                elif act.kind is ActKind.DELETE:
                    by, at = act.by, datetime.now(UTC)
                    made, left = bulk_plan.delete_as_planned(self._editor, row, by=by, at=at)
                else:
                    made = self._import(act, row)
        except errors.MachineError:
            raise
        except errors.PosError as error:
            if act.kind is ActKind.DELETE or not _is_changed_since(error):
                return self._refused(act, row, error)
            left = [self._name_of(row)]
        changed += made
        if left:
            self._kept.append(row.product_id)
            names = (*act.left_names, *left)
            act = replace(act, left_out=act.left_out + len(left), left_names=names)
        elif act.kind is ActKind.IMPORT:
            self._new_names |= _new_names_of(row)
        return replace(act, done=act.done + _counts(act, row, made, left))

    def _refused(self, act: BulkAct, row: PlannedRow, error: errors.PosError) -> BulkAct:
        self._kept.append(row.product_id)
        self._error = self._error or error
        return replace(act, failed=act.failed + 1)

    def _name_of(self, row: PlannedRow) -> str:
        now = open_for_edit(self._editor, self._editor, row.product_id, row.article_id)
        return now.product.name if now is not None else str(row.more.get("name", ""))

    def _import(self, act: BulkAct, planned: PlannedRow) -> list[ChangedArticle]:
        editor, made, changed = self._editor, list[ChangedArticle](), list[ChangedArticle]()
        row = _row_of(planned)
        at, ids = datetime.now(UTC), (row.product_id, row.article_id)
        has_product = editor.product(row.product_id) is not None
        with taking_back.noted(editor, *ids, made):
            save_row(editor, editor, row, piece=self._piece, by=act.by, at=at)
        if row.variant_of and not has_product:  # noted first, so it is undone last
            above = open_for_edit(editor, editor, row.product_id, row.product_id)
            if above is not None:
                changed.append(taking_back.as_added(above))
        return [*changed, *made]

    def _take_back(self, act: BulkAct, until: float) -> tuple[BulkAct, bool]:
        """Undo the changes of some products, the last one first; return the act, and whether none
        is left."""
        editor = self._editor
        if self._below == _BELOW_ALL:  # those that were left are looked at once more
            act = replace(act, reached=act.done, left_out=0, left_names=())
        for some in self._changed_groups():
            act = self._undo(act, some)
            self._below = some[-1][0]
            if time.monotonic() > until:
                break
        if editor.changed_articles(below=self._below, limit=1):
            return act, False
        editor.end_last_change()
        memory = {"shapes": {}, "undone": 0, **editor.answers_to_sheets()}
        editor.keep_of_sheets({**memory, "undone": memory["undone"] + 1})
        return act, True

    def _changed_groups(self) -> list[list[tuple[int, ChangedArticle]]]:
        """Return the next changes to undo, those of one product together and complete."""
        limit = self._at_once
        while True:
            rows = self._editor.changed_articles(below=self._below, limit=limit)
            groups = [[*some] for _, some in groupby(rows, key=lambda row: row[1].product_id)]
            if len(rows) < limit:
                return groups
            if len(groups) > 1:
                return groups[:-1]
            limit *= 2

    def _undo(self, act: BulkAct, some: list[tuple[int, ChangedArticle]]) -> BulkAct:
        """Undo the changes of one product; return the act with its counts, which are those of the
        change itself."""
        editor, at, is_import = self._editor, datetime.now(UTC), bool(act.name)
        done, left, numbers = set[str](), dict[str, str](), list[int]()
        for number, one in some:
            unit = one.article_id if is_import else one.product_id
            if taking_back.take_back(editor, one, by=act.by, at=at):
                numbers.append(number)
                done.add(unit)
            elif unit not in self._left_units:
                self._left_units.add(unit)
                product = None if is_import else editor.product(unit)
                left[unit] = product.name if product else taking_back.name_of(editor, one)
        if is_import and len(done) > 1:
            done.discard(some[0][1].product_id)  # the product was made for its variants
        many = len(done - self._left_units - self._undone)
        self._undone |= done
        editor.forget_changes(numbers, many=many)
        names = (*act.left_names, *left.values())
        reached = act.reached + many + len(left)
        return replace(
            act,
            reached=reached,
            done=act.done + many,
            left_out=act.left_out + len(left),
            left_names=names,
        )


def _counts(
    act: BulkAct, row: PlannedRow, made: Sequence[ChangedArticle], left_names: Sequence[str]
) -> bool:
    """Tell whether what was made of a row counts as a changed product or article."""
    if act.kind in _CHANGES:
        return bool(made)
    return not left_names and row.more.get("kind") != row_plan.RowKind.JOINED


def _is_changed_since(error: errors.PosError) -> bool:
    """Tell whether something else changed or took the article of a row, or has its code, since the
    file was read: a row that was wrong by then is not planned."""
    if isinstance(error, errors.NotFound | errors.NotAllowed):
        return True
    faults = error.by_field.values() if isinstance(error, DraftFaults) else [error]
    return any(isinstance(one, errors.Invalid) and one.kind in _SINCE for one in faults)


def _reason_of(row: PlannedRow) -> PriceReason:
    percent = row.more.get("percent")
    return PriceReason(PriceCause.BULK, Decimal(str(percent)) if percent else None)


def _group_of(act: BulkAct) -> Any:
    """Rows of one product are made together; rows of an import are made one by one."""
    if act.kind is ActKind.IMPORT:
        return lambda row: row.number
    return lambda row: row.product_id


def _row_of(planned: PlannedRow) -> row_plan.RowPlan:
    more: Mapping[str, Any] = planned.more
    return row_plan.RowPlan(
        0,
        row_plan.RowKind(more["kind"]),
        "",
        planned.product_id,
        planned.article_id,
        planned.after,
        more["variant_of"],
        new_names=_new_names_of(planned),
        before=planned.before or {},
    )


def _new_names_of(planned: PlannedRow) -> NewNames:
    more: Mapping[str, Any] = planned.more
    return NewNames(more["categories"], more["units"])


def told(done: ActDone) -> dict[str, Any]:
    """Return the last output of the process."""
    return {"act": done_to_json(done)}
