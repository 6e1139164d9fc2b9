"""A manager's changes in `catalogue.db`: the port `selling.catalogue.catalogue.CatalogueEditor`.

Each change is one short transaction that survives a power cut; a synchronisation under way holds
the file for a few milliseconds at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app import log, wire
from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto
from pos_app.adapters.closed_at_exit import ClosedAtExit
from pos_app.adapters.sqlite.catalogue import (
    bulk_acts,
    edit_queue,
    last_change,
    lists,
    name_edits,
    names,
    products,
    shop_notes,
    stores,
)
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue import planned_prices as plans
from pos_app.adapters.sqlite.catalogue.belongings import hand_over
from pos_app.adapters.sqlite.catalogue.codes import give_codes, without_codes
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.joining import ask_anew, keep_answer_of_platform
from pos_app.adapters.sqlite.catalogue.listed_products import note_arrived
from pos_app.adapters.sqlite.catalogue.lists import add_usual_units, name_categories, write_pictures
from pos_app.adapters.sqlite.catalogue.removals import drop_edits, remove_product, settle_gone
from pos_app.adapters.sqlite.catalogue.rows import (
    SELECT_EDITS,
    STAYS_HERE,
    document_of,
    edit,
    first,
    many,
    marks_of,
    units_of,
)
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.catalogue.writer import briefly, open_writer
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.owner import is_kept, keep_owner
from pos_app.adapters.sqlite.stored_values import (
    moment_of,
    moment_text,
    optional_money,
    optional_para,
)
from pos_app.domain.article.article import Marks
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Quantity
from pos_app.errors import Invalid, MachineError, NotAllowed, NotFound
from pos_app.selling.catalogue.bulk_act import ActKind, ActState, BulkAct, PlannedRow
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason, PrintedLabel
from pos_app.selling.catalogue.last_change import ChangedArticle, ChangeKind, ChangeLog, LastChange
from pos_app.selling.catalogue.planned_prices import EndedPlan, PlannedPrice
from pos_app.selling.synchronisation import catalogue_edits, store_edits
from pos_app.selling.synchronisation.conflicts import EditMatch, as_one, costing, decided, priced_by
from pos_app.selling.synchronisation.joining import JoiningAnswer, JoiningQuestion
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import Named
from pos_app.selling.synchronisation.store_edits import StoreEdit
from pos_app.wire.strict_json import dumps, loads

_log = log.get(__name__)

_NAMELESS = """
UPDATE category SET name = NULL WHERE uuid = ?
    AND NOT EXISTS (SELECT 1 FROM product_category WHERE category = category.id)
"""
_LACKING = """
SELECT value FROM json_each(?)
WHERE value NOT IN (SELECT uuid FROM category WHERE name IS NOT NULL)
    AND value NOT IN (SELECT uuid FROM unit)
"""
_STAYS_HERE = f"SELECT 1 FROM product p WHERE uuid = ? AND {STAYS_HERE}"
_SHEETS = "sheets"
_BEGUN = "begun_act"
"""The keys in the table of names and values."""


def _change_of(act: BulkAct) -> LastChange:
    kind = ChangeKind.IMPORT if act.kind is ActKind.IMPORT else ChangeKind.BULK
    return LastChange(kind, act.name, act.by, act.at, 0)


class SqliteCatalogueEditor(ClosedAtExit):
    """The writes of one program. It belongs to the thread that made it. Each method raises
    DatabaseBusy, or DatabaseDamaged where the file can't be read, beside its own errors."""

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        codes: range | None = None,
        owner: Mapping[str, str] | None = None,
    ) -> None:
        """Open the catalogue, made empty when there is none. Raises what `open_database` does.

        now: the time by which planned prices are over. codes: given to articles that are added here
        without one; None gives none. owner: the catalogue's owner, which is kept in it once.
        """
        self._connection = open_writer(path, durable=True)
        plans.provide_time(self._connection, now)
        self._now = now
        self._codes = codes
        self._index_together: CatalogueIndex | None = None
        self._why = PriceReason(PriceCause.EDIT)
        if owner is not None:
            self._keep_owner(owner)

    def close(self) -> None:
        self._connection.close()

    def _keep_owner(self, owner: Mapping[str, str]) -> None:
        """Keep the owner; where another program holds the file, the next start does it."""
        try:
            with translated_errors(FILE_NAME):
                if is_kept(self._connection):
                    return
                with briefly(self._connection), transaction(self._connection):
                    keep_owner(self._connection, owner)
        except MachineError as error:
            _log.info("the catalogue was not told its owner: %s", error.what)

    # --- many at once ------------------------------------------------------------------------

    @contextmanager
    def together(self) -> Iterator[None]:
        """Do as `CatalogueEditor.together`; each act within is undone alone where it fails."""
        is_outermost = self._index_together is None
        with translated_errors(FILE_NAME), self._act():
            if is_outermost:
                self._index_together = self._index()
            try:
                yield
            except BaseException:
                self._index().rolled_back()
                raise
            finally:
                if is_outermost:
                    self._index_together = None

    @contextmanager
    def _act(self) -> Iterator[apsw.Connection]:
        """Run a transaction; within `together` it is a savepoint."""
        if self._index_together is None:
            with transaction(self._connection) as connection:
                yield connection
        else:
            with self._connection:  # a savepoint
                yield self._connection

    @contextmanager
    def _act_on_units(self) -> Iterator[apsw.Connection]:
        """Run a transaction that may change units; the later acts of the same `together` show
        articles with them."""
        with self._act() as connection:
            yield connection
            if self._index_together is not None:
                self._index_together.units = units_of(connection)

    def write_because(self, why: PriceReason) -> None:
        """Take this as the reason of the price changes that are written from now on."""
        self._why = why
        if self._index_together is not None:
            self._index_together.why = why

    @translated_errors(FILE_NAME)
    def product(self, product_id: str) -> Product | None:
        """Do as `Catalogue.product`, with uncommitted changes."""
        return products.effective_product(self._connection, product_id)

    @translated_errors(FILE_NAME)
    def marks(self, article_id: str) -> Marks:
        """Do as `Catalogue.marks`, with uncommitted changes."""
        return marks_of(self._connection, article_id)

    @translated_errors(FILE_NAME)
    def lacking(self, ids: Collection[str]) -> frozenset[str]:
        rows = many(self._connection, _LACKING, (dumps(sorted(ids)).decode(),)) if ids else ()
        return frozenset(row[0] for row in rows)

    # --- edits -------------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def record(
        self, edit: catalogue_edits.NewEdit, *, plans_are_meant: bool = False
    ) -> catalogue_edits.CatalogueEdit:
        """Carry out and queue an edit. Raises NotFound, NotAllowed, Invalid, DiskFull."""
        with self._act() as connection:
            made = edit_queue.record(connection, edit, codes=self._codes)
            added = products.added_product(connection, edit.product_id) if edit.product else None
            if added is not None:  # it is not shown yet
                self._index().put(added, origin="")
            else:
                self._index().show(
                    edit.product_id, by=edit.by, at=edit.at, plans_are_meant=plans_are_meant
                )
            return made

    @translated_errors(FILE_NAME)
    def open_edits(self, product_id: str) -> tuple[catalogue_edits.CatalogueEdit, ...]:
        edits, sql = products.open_edits(self._connection, product_id), _STAYS_HERE
        if not edits or first(self._connection, sql, (product_id,)) is None:
            return edits
        return tuple(one for one in edits if one.state is not catalogue_edits.EditState.WAITING)

    @translated_errors(FILE_NAME)
    def edits(
        self, states: frozenset[catalogue_edits.EditState]
    ) -> tuple[catalogue_edits.CatalogueEdit, ...]:
        sql = SELECT_EDITS + "WHERE e.state IN (SELECT value FROM json_each(?)) ORDER BY e.id"
        wanted = dumps(sorted(states)).decode()
        return tuple(edit(row) for row in many(self._connection, sql, (wanted,)))

    @translated_errors(FILE_NAME)
    def move(
        self, edit_id: int, state: catalogue_edits.EditState, *, at: datetime, error: str = ""
    ) -> catalogue_edits.CatalogueEdit:
        with self._act() as connection:
            old = queue.edit_of(connection, edit_id)
            queue.set_state(connection, old, state, at=at, error=error)
            if state is catalogue_edits.EditState.DONE:
                note_arrived(connection, old)
            self._show(old.product_id, by=old.by, at=at)
            return queue.edit_of(connection, edit_id)

    @translated_errors(FILE_NAME)
    def withdraw(self, edit_id: int, *, by: str, at: datetime) -> None:
        with self._act() as connection:
            old = queue.edit_of(connection, edit_id)
            edit_queue.withdraw(connection, old, by=by, at=at)
            self._show(old.product_id, by=by, at=at)
            if "price" not in old.changes:
                return
            product = products.effective_product(connection, old.product_id)
            for uuid in costing(product, old.article_id):
                plans.tell_ended_since(connection, uuid, since=old.at)

    @translated_errors(FILE_NAME)
    def decide(
        self, edit_id: int, sides: Mapping[str, catalogue_edits.EditSide], *, at: datetime
    ) -> str:
        with self._act() as connection:
            old = queue.edit_of(connection, edit_id)
            if old.state is catalogue_edits.EditState.DROPPED:
                return old.product_id  # it ended with another answer about its article
            meeting = decided(old, sides)
            if old.kind is catalogue_edits.EditKind.ADD:
                return self._decide_added(old, sides, at=at)
            if catalogue_edits.DELETED in sides:
                self._decide_deleted(old, sides[catalogue_edits.DELETED], at=at)
            else:
                queue.store_decided(connection, old, meeting, at=at)
            self._show(old.product_id, by=old.by, at=at)
            if catalogue_edits.DELETED not in sides:
                self._end_plans(old, meeting, at=at)
            return old.product_id

    def _end_plans(
        self, old: catalogue_edits.CatalogueEdit, meeting: EditMatch, *, at: datetime
    ) -> None:
        """Let a price that a person decided about be charged, as one that is written is: a plan
        without an end that has begun gives way to it. meeting: the edit after the answers."""
        product = products.effective_product(self._connection, old.product_id)
        if product is None:
            return
        for uuid in priced_by(old, meeting, product):
            plans.end_usual_plan(self._connection, uuid, by=old.by, at=at, why=self._why)

    def _decide_added(
        self,
        old: catalogue_edits.CatalogueEdit,
        sides: Mapping[str, catalogue_edits.EditSide],
        *,
        at: datetime,
    ) -> str:
        """Decide about an article made here whose code or EAN another product has; return the id
        that its product has from then on. The side of that code is the answer about the whole
        article: ours takes another code, or goes. Where both have one EAN they are the same goods,
        and ours becomes a change of the other product, whose fields are decided one by one. A
        product that only has the code is not changed."""
        connection, theirs = self._connection, catalogue_edits.EditSide.THEIRS
        product = edit_queue.shown_product(connection, old.product_id)
        same = products.with_same_ean(connection, product) if old.is_of_ean else None
        whole = sides.get("ean", sides.get("sku"))
        if same is not None and sides:
            return self._become_change(old, product, same, sides, at=at)
        if sides and (whole is None or (whole is theirs and old.is_of_ean)):
            raise Invalid("no_conflict", field=min(sides))  # nothing here has that EAN any more
        if whole is theirs:
            remove_product(self._connection, product.id, at=at)
        elif whole is not None:
            is_taken = any(one.field == "sku" for one in old.conflicts)
            if is_taken:
                product = give_codes(connection, without_codes(product), self._codes)
            queue.become_add(connection, old, product, at=at)
        self._show(old.product_id, by=old.by, at=at)
        return old.product_id

    def _become_change(
        self,
        old: catalogue_edits.CatalogueEdit,
        product: Product,
        same: Product,
        sides: Mapping[str, catalogue_edits.EditSide],
        *,
        at: datetime,
    ) -> str:
        """Turn an article made here into a change of the platform's article, with what is decided
        of it. A value that the platform changed since it was shown is not decided yet."""
        connection, ours = self._connection, catalogue_edits.EditSide.OURS
        price = sides.get("price", sides.get("ean", sides.get("sku", ours)))
        plan, is_ours = plans.plan_of(connection, product.id), price is ours
        hand_over(connection, product.id, same.id, with_values=is_ours)
        remove_product(connection, product.id, at=at)
        changes, asked = as_one(old, product, same, sides)
        if changes:
            new = catalogue_edits.NewEdit.changing(same.id, same.id, changes, by=old.by, at=at)
            made = edit_queue.record(connection, new, codes=self._codes)
            there = {name: made.base.get(name, theirs) for name, theirs in asked.items()}
            asked = {name: theirs for name, theirs in there.items() if theirs != changes[name]}
            if asked:
                queue.store_asked(connection, made, {**made.asked, **asked}, at=at)
        self._show(product.id, by=old.by, at=at)
        self._show(same.id, by=old.by, at=at)
        if plan is not None:
            plan = replace(plan, article_id=same.id)
            plans.join_plan(
                connection, plan, product.name, by=old.by, at=at, why=self._why, with_values=is_ours
            )
        if not (plan and is_ours) and "price" in {one.field for one in old.fields_apart}:
            plans.end_usual_plan(connection, same.id, by=old.by, at=at, why=self._why)
        return same.id

    def _decide_deleted(
        self, old: catalogue_edits.CatalogueEdit, side: catalogue_edits.EditSide, *, at: datetime
    ) -> None:
        """Decide about a product that one side deleted while the other changed it."""
        connection = self._connection
        is_variant = old.article_id != old.product_id
        if side is catalogue_edits.EditSide.THEIRS:
            queue.set_state(connection, old, catalogue_edits.EditState.DROPPED, at=at)
            if old.kind is not catalogue_edits.EditKind.DELETE and not is_variant:
                remove_product(connection, old.product_id, at=at)
        elif old.kind is catalogue_edits.EditKind.DELETE:
            queue.renew_base(connection, old, at=at)
        elif is_variant:
            raise NotAllowed("variant_gone")
        else:
            product = edit_queue.shown_product(connection, old.product_id)
            queue.become_add(connection, old, product, at=at)
            drop_edits(connection, old.product_id, at=at, but=old.id)  # the addition has them all
            queue.note_refusal(connection, old, why="", field=catalogue_edits.DELETED)
            edit_queue.forget_platform(connection, old.product_id)

    @translated_errors(FILE_NAME)
    def bring_back(self, product_id: str, *, by: str, at: datetime) -> None:
        with self._act() as connection:
            returned = edit_queue.bring_back(connection, product_id, by=by, at=at)
            self._show(product_id, by=by, at=at)
            for article_id, marks in returned.marks.items():
                if marks != marks_of(connection, article_id):
                    shop_notes.note(connection, article_id, marks, by=by, at=at)
            for plan in returned.plans:
                if not plan.is_over_at(at) and plans.plan_of(connection, plan.article_id) is None:
                    plans.keep_plan(connection, plan, by=by, at=at, why=self._why)
            self._show(product_id, by=by, at=at)

    @translated_errors(FILE_NAME)
    def gone(self, *, limit: int) -> tuple[str, ...]:
        sql = "SELECT name FROM product JOIN gone ON gone.product = id ORDER BY sort_key LIMIT ?"
        return tuple(row[0] for row in many(self._connection, sql, (limit,)))

    @translated_errors(FILE_NAME)
    def accept_gone(self, *, by: str, at: datetime, at_most: int | None = None) -> int:
        sql = "SELECT uuid FROM product JOIN gone ON gone.product = id LIMIT ?"
        with self._act() as connection:
            rows = many(connection, sql, (-1 if at_most is None else at_most,))
            index = self._index()
            for (uuid,) in rows:
                settle_gone(index, uuid, by=by, at=at)
            return len(rows)

    # --- what only this shop notes -----------------------------------------------------------

    @translated_errors(FILE_NAME)
    def note(
        self, article_id: str, marks: Marks, *, by: str, at: datetime
    ) -> catalogue_edits.CatalogueEdit:
        with self._act() as connection:
            made = shop_notes.note(connection, article_id, marks, by=by, at=at)
            self._show(made.product_id, by=by, at=at)
            return made

    @translated_errors(FILE_NAME)
    def pin(self, article_ids: tuple[str, ...], *, by: str, at: datetime) -> None:
        with self._act() as connection:
            made = shop_notes.pin_all(connection, article_ids, by=by, at=at)
            for product_id in {edit.product_id for edit in made}:
                self._show(product_id, by=by, at=at)

    @translated_errors(FILE_NAME)
    def count_sold(self, lines: Iterable[tuple[str, Quantity]], *, on: date) -> None:
        """Do as `CatalogueEditor.count_sold`, but without waiting: it raises DatabaseBusy at
        once."""
        with briefly(self._connection), transaction(self._connection) as connection:
            shop_notes.count_sold(connection, lines, on=on)

    # --- the store ---------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def open_store(self, store: Store) -> None:
        with self._act_on_units() as connection:
            stores.add_first_store(connection, store)
            add_usual_units(connection)

    @translated_errors(FILE_NAME)
    def add_usual_units(self) -> None:
        with self._act_on_units() as connection:
            add_usual_units(connection)

    @translated_errors(FILE_NAME)
    def add_categories(self, names: Mapping[str, str]) -> None:
        with self._act() as connection:
            name_categories(connection, names)

    # --- units and categories ----------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def add_units(self, units: Iterable[Unit]) -> None:
        with self._act_on_units() as connection:
            lists.add_new_units(connection, units)

    @translated_errors(FILE_NAME)
    def add_name(self, named: Named, *, by: str, at: datetime) -> None:
        with self._act_on_units() as connection:
            names.add_name(connection, named, by=by, at=at)

    @translated_errors(FILE_NAME)
    def change_name(self, old: Named, new: Named, *, by: str, at: datetime) -> None:
        with self._act_on_units() as connection:
            names.change_name(connection, self._index(), old, new, by=by, at=at)

    @translated_errors(FILE_NAME)
    def order_names(self, ordered: Collection[Named], *, by: str, at: datetime) -> None:
        with self._act_on_units() as connection:
            names.order_names(connection, ordered, by=by, at=at)

    @translated_errors(FILE_NAME)
    def delete_name(self, named: Named, *, by: str, at: datetime) -> None:
        with self._act_on_units() as connection:
            names.delete_name(connection, named, by=by, at=at)

    @translated_errors(FILE_NAME)
    def name_edits(self) -> tuple[NameEdit, ...]:
        return tuple(name_edits.name_edits(self._connection))

    @translated_errors(FILE_NAME)
    def decide_name(
        self, edit: NameEdit, side: catalogue_edits.EditSide, *, by: str, at: datetime
    ) -> None:
        with self._act_on_units() as connection:
            names.decide_name(connection, self._index(), edit, side, by=by, at=at)

    @translated_errors(FILE_NAME)
    def end_name(self, act: BulkAct, *, at: datetime) -> None:
        """Delete the unit or category that an act ends, if no article has it any more; the change
        that the act made brings it back where it is taken back."""
        with self._act_on_units() as connection:
            ended = None if act.ends is None else names.named(connection, act.ends)
            if ended is None or names.has_articles(connection, ended):
                return
            names.delete_name(connection, ended, by=act.by, at=at)
            last_change.note_ended(connection, _change_of(act), name_edits.text_of(ended))

    @translated_errors(FILE_NAME)
    def bring_back_ended(self, *, by: str, at: datetime) -> None:
        """Bring back the unit or category that went with the last change."""
        with self._act_on_units() as connection:
            text = last_change.take_ended(connection)
            if text:
                names.bring_back(connection, name_edits.named_of(text), by=by, at=at)

    # --- the change of many articles that is under way ---------------------------------------

    @translated_errors(FILE_NAME)
    def bulk_act(self) -> BulkAct | None:
        return bulk_acts.act_under_way(self._connection)

    @translated_errors(FILE_NAME)
    def begin_act(self, act: BulkAct) -> None:
        """Begin an act, planned or running. Raises NotAllowed while another one is open; only an
        import takes the place of an open import, because its plan was made from what is there."""
        with self._act() as connection:
            earlier = bulk_acts.act_under_way(connection)
            kinds = set() if earlier is None or earlier.is_over else {earlier.kind, act.kind}
            if kinds - {ActKind.IMPORT}:
                raise NotAllowed("bulk_open")
            bulk_acts.begin(connection, act)

    @translated_errors(FILE_NAME)
    def plan_rows(self, rows: Iterable[PlannedRow]) -> None:
        with self._act() as connection:
            bulk_acts.plan(connection, rows)

    @translated_errors(FILE_NAME)
    def planned_rows(self, *, limit: int) -> list[PlannedRow]:
        """Return the next rows of the act that are to be made."""
        return bulk_acts.planned(self._connection, limit=limit)

    @translated_errors(FILE_NAME)
    def forget_planned(self, numbers: Sequence[int]) -> None:
        with self._act() as connection:
            bulk_acts.forget_planned(connection, numbers)

    @translated_errors(FILE_NAME)
    def keep_act(self, act: BulkAct) -> None:
        with self._act() as connection:
            bulk_acts.save_act(connection, act)

    @translated_errors(FILE_NAME)
    def note_begun(self, act: BulkAct | None) -> None:
        with self._act() as connection:
            connection.execute("DELETE FROM meta WHERE name = ?", (_BEGUN,))
            if act is not None:
                last = last_change.last_change(connection)
                before = "" if last is None else moment_text(last.at)
                values = {"act": wire.records.to_json(BulkAct, act), "before": before}
                row = (_BEGUN, dumps(values).decode())
                connection.execute("INSERT INTO meta VALUES (?, ?)", row)

    @translated_errors(FILE_NAME)
    def settle_begun(self) -> None:
        with self._act() as connection:
            row = first(connection, "SELECT value FROM meta WHERE name = ?", (_BEGUN,))
            if row is None or bulk_acts.act_under_way(connection) is not None:
                return
            values, last = document_of(row[0]), last_change.last_change(connection)
            begun = wire.records.from_json(BulkAct, values["act"])
            was_made = values["before"] != ("" if last is None else moment_text(last.at))
            made = begun.done if last is None else last.articles
            done = replace(begun, state=ActState.STOPPED, done=made if was_made else 0)
            bulk_acts.begin(connection, done)
            bulk_acts.save_act(connection, done)
            connection.execute("DELETE FROM meta WHERE name = ?", (_BEGUN,))

    @translated_errors(FILE_NAME)
    def stop_act(self) -> BulkAct | None:
        with self._act() as connection:
            act = bulk_acts.act_under_way(connection)
            if act is not None:
                act = replace(act, state=ActState.STOPPED)
                bulk_acts.save_act(connection, act)
            return act

    @translated_errors(FILE_NAME)
    def end_act(self) -> None:
        with self._act() as connection:
            bulk_acts.end(connection)

    @translated_errors(FILE_NAME)
    def has_changed(self, act: BulkAct) -> bool:
        """Tell whether the last change is what this act has changed so far."""
        return last_change.is_of(self._connection, _change_of(act))

    # --- the last change of many articles ----------------------------------------------------

    def change_log(self, kind: ChangeKind, *, name: str, by: str, at: datetime) -> ChangeLog:
        change = LastChange(kind, name, by, at, 0)
        return last_change.SqliteChangeLog(self._connection, change)

    @translated_errors(FILE_NAME)
    def last_change(self) -> LastChange | None:
        return last_change.last_change(self._connection)

    @translated_errors(FILE_NAME)
    def changed_articles(self, *, below: int, limit: int) -> list[tuple[int, ChangedArticle]]:
        """Return the last change's articles with numbers below `below`, the last first."""
        return last_change.changed_articles(self._connection, below=below, limit=limit)

    @translated_errors(FILE_NAME)
    def forget_changes(self, numbers: Sequence[int], *, many: int) -> None:
        """Forget changes of the last change that were taken back. many: as `LastChange.articles`
        counts."""
        with self._act() as connection:
            last_change.forget(connection, numbers, many=many)

    @translated_errors(FILE_NAME)
    def end_last_change(self) -> None:
        """End the undo of the last change. Units and categories that were made with it and that no
        product has now count as never made."""
        with self._act_on_units() as connection:
            made = last_change.end(connection)
            connection.executemany(_NAMELESS, [(one,) for one in made.categories])
            names.drop_unneeded_units(connection, made.units)

    # --- sheets ------------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def answers_to_sheets(self) -> dict[str, Any]:
        """Return the kept answers about imported sheets; nothing before the first."""
        rows = many(self._connection, "SELECT value FROM meta WHERE name = ?", (_SHEETS,))
        document: Any = loads(str(rows[0][0]).encode()) if rows else {}
        return dict(document)

    @translated_errors(FILE_NAME)
    def keep_of_sheets(self, values: Mapping[str, Any]) -> None:
        with self._act() as connection:
            row = (_SHEETS, dumps(values).decode())
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

    @translated_errors(FILE_NAME)
    def keep_store(self, store: Store) -> None:
        with self._act() as connection:
            edit = stores.store_edit(connection, store.id)
            done = StoreEdit(base=store, ours=store, theirs=store, by="", at=self._now())
            left = done if edit is None else store_edits.met(edit, store)
            stores.keep_edit(connection, store.id, left)
            stores.rewrite_store(connection, left.ours if left else store)

    @translated_errors(FILE_NAME)
    def queue_store(
        self, before: Store, after: Store, *, by: str, at: datetime, was_sent: bool = False
    ) -> None:
        with self._act() as connection:
            old = stores.store_edit(connection, after.id)
            edit = store_edits.changed_here(old, before, after, by=by, at=at, was_sent=was_sent)
            stores.rewrite_store(connection, after)
            stores.keep_edit(connection, after.id, edit)

    @translated_errors(FILE_NAME)
    def store_edit(self, store_id: str) -> StoreEdit | None:
        return stores.store_edit(self._connection, store_id)

    @translated_errors(FILE_NAME)
    def decide_store(self, store_id: str, sides: Mapping[str, catalogue_edits.EditSide]) -> None:
        with self._act() as connection:
            edit = stores.store_edit(connection, store_id)
            if edit is None:
                raise NotFound("store.sent")
            left = store_edits.decided(edit, sides)
            stores.keep_edit(connection, store_id, left)
            stores.rewrite_store(connection, left.ours if left else edit.theirs)

    @translated_errors(FILE_NAME)
    def drop_store_edit(self, store_id: str) -> None:
        with self._act() as connection:
            edit = stores.store_edit(connection, store_id)
            if edit is not None:
                stores.keep_edit(connection, store_id, store_edits.withdrawn(edit))
                stores.rewrite_store(connection, edit.theirs)

    # --- joining a platform ------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def answer_joining(
        self, answer: JoiningAnswer, asked: JoiningQuestion, *, by: str, at: datetime
    ) -> None:
        with self._act() as connection:
            keep_answer_of_platform(connection, answer, asked, by=by, at=at)

    @translated_errors(FILE_NAME)
    def ask_joining_anew(self, *, after_read: bool) -> None:
        with self._act() as connection:
            ask_anew(connection, after_read=after_read)

    # --- planned prices ----------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def plan_of(self, article_id: str) -> PlannedPrice | None:
        return plans.plan_of(self._connection, article_id)

    @translated_errors(FILE_NAME)
    def plan_price(self, plan: PlannedPrice, *, by: str, at: datetime) -> None:
        with self._act() as connection:
            plans.keep_plan(connection, plan, by=by, at=at, why=self._why)

    @translated_errors(FILE_NAME)
    def drop_plan(self, article_id: str, *, by: str, at: datetime) -> None:
        with self._act() as connection:
            plans.drop_plan(connection, article_id, by=by, at=at, why=self._why)

    @translated_errors(FILE_NAME)
    def forget_ended_plans(self, seen: Sequence[EndedPlan]) -> None:
        with self._act() as connection:
            left = [one for one in plans.ended_plans(connection) if one not in seen]
            plans.keep_ended(connection, left)

    @translated_errors(FILE_NAME)
    def note_planned_prices(self, *, at: datetime) -> None:
        with self._act() as connection:
            plans.note_due(connection, at)

    # --- pictures ----------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def keep_picture(self, picture: LocalPhoto) -> None:
        """Add a photo that is in the folder of files."""
        with self._act() as connection:
            write_pictures(connection, (picture,))

    # --- labels ------------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def labels_printed(self, article_ids: Iterable[str]) -> dict[str, PrintedLabel]:
        sql = "SELECT article_uuid, shown, at, price FROM label_print WHERE article_uuid IN"
        wanted = dumps(list(article_ids)).decode()
        rows = many(self._connection, f"{sql} (SELECT value FROM json_each(?))", (wanted,))
        return {
            uuid: PrintedLabel(words, moment_of(at), optional_money(price))
            for uuid, words, at, price in rows
        }

    @translated_errors(FILE_NAME)
    def note_labels(self, labels: Mapping[str, PrintedLabel]) -> None:
        with transaction(self._connection) as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO label_print VALUES (?, ?, ?, ?)",
                [
                    (uuid, one.words, moment_text(one.at), optional_para(one.price))
                    for uuid, one in labels.items()
                ],
            )

    # --- what is shown -----------------------------------------------------------------------

    def _index(self) -> CatalogueIndex:
        if self._index_together is not None:
            return self._index_together
        return CatalogueIndex(self._connection, units_of(self._connection), self._why)

    def _show(self, product_id: str, *, by: str, at: datetime) -> None:
        self._index().show(product_id, by=by, at=at)
