"""The edits of `catalogue.db` on the way to the platform: `selling.synchronisation.run.EditQueue`.

Each move is one transaction, committed before the next act. The body of an edit is made from the
platform's last known product, so that nothing else of it is changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

import apsw

from pos_app import log, wire
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue import products, rows
from pos_app.adapters.sqlite.catalogue.belongings import adopt
from pos_app.adapters.sqlite.catalogue.codes import give_codes
from pos_app.adapters.sqlite.catalogue.edit_queue import give_way, join_later, join_waiting
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.listed_products import ListedWriter, note_arrived
from pos_app.adapters.sqlite.catalogue.platform_memory import note_taken
from pos_app.adapters.sqlite.catalogue.removals import remove_product
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import Product
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason
from pos_app.selling.synchronisation import catalogue_edits, run
from pos_app.selling.synchronisation.same_article import codes_of, is_added_here, variant_ids

_OPEN = """
LEFT JOIN product p ON p.uuid = e.product_uuid
WHERE e.state IN ('waiting', 'sending', 'conflict', 'refused')
    AND coalesce(p.origin, '') IN ('', ?)
ORDER BY e.id
"""
_ALL_OPEN = "WHERE e.state IN ('waiting', 'sending', 'conflict', 'refused') ORDER BY e.id"
_ADDED = """
WHERE e.kind = 'add' AND e.state IN ('waiting', 'sending') ORDER BY e.id
"""
_ASKED = "WHERE e.kind = 'add' AND e.state = 'conflict' ORDER BY e.id"
_GONE = """
SELECT DISTINCT product_uuid FROM edit
WHERE kind = 'update' AND article_uuid = product_uuid AND state = 'conflict'
    AND json_extract(theirs, '$.deleted')
"""
_CHANGED = """
SELECT DISTINCT product_uuid FROM edit
WHERE kind IN ('update', 'delete') AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""
_VERSION = "SELECT version FROM source JOIN product ON id = product WHERE uuid = ?"
_OWNER = """
SELECT a.product_uuid FROM article a JOIN product p ON p.id = a.product
WHERE a.sku = ? AND p.origin = ? AND a.product_uuid <> ?
"""
_IS_OF_ANOTHER = """
SELECT 1 FROM article WHERE uuid = ?1 AND product_uuid <> ?2
UNION ALL SELECT 1 FROM product WHERE uuid = ?1 AND uuid <> ?2
"""
_WRONG_ID = "The platform answered with the id of another article."
_SAID_NO = frozenset(
    {run.PushEnd.REFUSED, run.PushEnd.DUPLICATE, run.PushEnd.GONE, run.PushEnd.UNLISTED}
)
_INTERRUPTED = "WHERE e.state = 'sending' AND e.kind <> 'add'"

_log = log.get(__name__)


class SqliteEditQueue:
    """The queue toward the platform `origin`. codes: the range for articles that were added here
    without one. It has no edits of products that came from elsewhere, such as a file."""

    def __init__(
        self, connection: apsw.Connection, *, origin: str, codes: range, now: Callable[[], datetime]
    ) -> None:
        self._connection = connection
        self._origin = origin
        self._codes = codes
        self._now = now

    @translated_errors(FILE_NAME)
    def recover(self) -> None:
        with transaction(self._connection) as connection:
            for row in rows.many(connection, rows.SELECT_EDITS + _INTERRUPTED):
                edit = rows.edit(row)
                queue.set_state(connection, edit, catalogue_edits.EditState.WAITING, at=self._now())
                join_later(connection, edit.id, at=self._now())

    @translated_errors(FILE_NAME)
    def open_edits(self) -> Sequence[catalogue_edits.CatalogueEdit]:
        return [
            rows.edit(row)
            for row in rows.many(self._connection, rows.SELECT_EDITS + _OPEN, (self._origin,))
        ]

    @translated_errors(FILE_NAME)
    def all_open(self) -> Sequence[catalogue_edits.CatalogueEdit]:
        return [
            rows.edit(row) for row in rows.many(self._connection, rows.SELECT_EDITS + _ALL_OPEN)
        ]

    @translated_errors(FILE_NAME)
    def begin(
        self, edits: Sequence[catalogue_edits.CatalogueEdit]
    ) -> Sequence[run.OutgoingEdit | None]:
        with transaction(self._connection) as connection:
            now = [queue.edit_of(connection, one.id) for one in edits]
            going = {one.id for one in run.still_together(now)}
            return [self._begin(one) if one.id in going else None for one in now]

    def _begin(self, edit: catalogue_edits.CatalogueEdit) -> run.OutgoingEdit | None:
        connection = self._connection
        platform = products.platform_product(connection, edit.product_id)
        if platform is None and edit.kind is not catalogue_edits.EditKind.ADD:
            _log.warning("a change whose article is gone is not sent")
            queue.set_state(connection, edit, catalogue_edits.EditState.DROPPED, at=self._now())
            return None
        edit = give_way(connection, edit)
        queue.set_state(
            connection,
            edit,
            catalogue_edits.EditState.SENDING,
            at=self._now(),
            error=edit.error,
            field=edit.error_field,
        )
        product = None if platform is None else catalogue_edits.applied(platform, edit)
        edit = edit if product is None else _with_variants_of(product, edit)
        queue.note_sent(connection, edit.id, _sent_by_now(edit))
        if edit.kind is catalogue_edits.EditKind.ADD:
            added = self._added(edit)
            return run.OutgoingEdit(edit.kind, added, comes_back=edit.comes_back)
        assert platform is not None  # else it is an addition
        assert product is not None
        row = rows.first(connection, _VERSION, (edit.product_id,))
        version = row[0] if row else None
        if edit.kind is catalogue_edits.EditKind.DELETE:
            return run.OutgoingEdit(catalogue_edits.EditKind.DELETE, platform, version=version)
        own = edit.article_id == edit.product_id
        changed = frozenset(edit.changes) if own else frozenset({catalogue_edits.VARIANTS})
        if product.has_variants is not platform.has_variants:
            changed |= {catalogue_edits.HAS_VARIANTS}
        kind = catalogue_edits.EditKind.UPDATE
        return run.OutgoingEdit(kind, product, changed, version, before=platform)

    def _added(self, edit: catalogue_edits.CatalogueEdit) -> Product:
        product = products.added_product(self._connection, edit.product_id)
        assert product is not None  # its addition is open
        # A product that is not sold itself gets a code, too: else the platform would give it one
        # that another addition brings.
        numbered = give_codes(self._connection, product, self._codes, unsold=True)
        if numbered != product:
            document = wire.catalogue.product_to_json(numbered)
            queue.replace_document(self._connection, edit, document, base={})
        return numbered

    # --- what came of it ---------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def settle(self, answered: Sequence[run.AnsweredEdit]) -> Sequence[run.AnsweredEdit]:
        named = Counter(x for one in answered for x in set(_ids_in(one.answer)))
        with transaction(self._connection):
            index = self._index()
            settled = []
            for one in answered:
                proven = self._proven(one, named)
                self._settle(proven, index)
                settled.append(proven)
        return settled

    @translated_errors(FILE_NAME)
    def send_again(self, added: catalogue_edits.CatalogueEdit) -> None:
        with transaction(self._connection) as connection:
            queue.reopen_add(connection, added, at=self._now())

    def _proven(self, answered: run.AnsweredEdit, named: Counter[str]) -> run.AnsweredEdit:
        """Leave out of a success a product with an id that something else has, too: an addition is
        looked for in the list then, and the list shows what became of a change. named: how many of
        the answers name each id."""
        edit, ids = answered.edit, _ids_in(answered.answer)
        if answered.answer.end is not run.PushEnd.TAKEN or not (
            len(set(ids)) < len(ids)
            or any("\0" in x or named[x] > 1 or self._is_of_another(x, edit) for x in ids)
        ):
            return answered
        answer = replace(answered.answer, product=None)
        if edit.kind is catalogue_edits.EditKind.ADD:
            answer = run.PushAnswer(run.PushEnd.DUPLICATE, why=_WRONG_ID)
        return run.AnsweredEdit(edit, answer, run.effect_of(edit, answer))

    def _is_of_another(self, uuid: str, edit: catalogue_edits.CatalogueEdit) -> bool:
        return rows.first(self._connection, _IS_OF_ANOTHER, (uuid, edit.product_id)) is not None

    def _settle(self, answered: run.AnsweredEdit, index: CatalogueIndex) -> None:
        connection, answer, effect = self._connection, answered.answer, answered.effect
        edit = queue.edit_of(connection, answered.edit.id)
        if answer.end is run.PushEnd.TAKEN:
            self._take(edit, answer, index)
        else:
            is_refused = answer.end in _SAID_NO
            kept = edit.error_field if edit.comes_back else ""
            why, field = (answer.why, answer.field) if is_refused else ("", kept)
            queue.note_refusal(connection, edit, why=why, field=field)
            if (
                edit.kind is catalogue_edits.EditKind.UPDATE
                and answer.end is not run.PushEnd.UNKNOWN
            ):
                queue.note_sent(connection, edit.id, {})
            if effect.state is not edit.state:
                queue.set_state(
                    connection, edit, effect.state, at=self._now(), error=why, field=field
                )
                join_later(connection, edit.id, at=self._now())
            if answer.end is run.PushEnd.DUPLICATE:
                join_waiting(connection, edit.product_id, at=self._now())
        index.show(edit.product_id, by=self._origin, at=self._now())

    def _take(
        self, done: catalogue_edits.CatalogueEdit, answer: run.PushAnswer, index: CatalogueIndex
    ) -> None:
        """Note that the platform has the edit: the platform's answer counts from now on."""
        connection, theirs = self._connection, answer.product
        if done.kind is catalogue_edits.EditKind.DELETE:
            self._end(done)
            remove_product(connection, done.product_id, at=self._now())
            return
        if done.kind is catalogue_edits.EditKind.ADD and theirs is not None:
            added = products.added_product(connection, done.product_id)
            assert added is not None  # its addition is open
            adopt(connection, variant_ids(added, theirs), is_ours=True)
        row = rows.first(connection, _VERSION, (done.product_id,))
        self._end(done)
        if theirs is None or (
            done.kind is catalogue_edits.EditKind.UPDATE and theirs.id != done.product_id
        ):
            note_arrived(connection, done)
            return
        version = wire.moment.instant_text(theirs.updated_at)
        queue.follow(connection, theirs.id, old=row[0] if row else None, new=version)
        digest = blake2b(answer.text.encode(), digest_size=16).digest()
        writer = ListedWriter(index, origin=self._origin, at=self._now())
        writer.write(theirs, answer.text, digest, {}, index=1, is_known=True)

    def _end(self, edit: catalogue_edits.CatalogueEdit) -> None:
        queue.set_state(self._connection, edit, catalogue_edits.EditState.DONE, at=self._now())
        note_taken(self._connection)

    def _index(self) -> CatalogueIndex:
        return CatalogueIndex(
            self._connection, rows.units_of(self._connection), PriceReason(PriceCause.PLATFORM)
        )


def _with_variants_of(
    product: Product, edit: catalogue_edits.CatalogueEdit
) -> catalogue_edits.CatalogueEdit:
    """The edit with the list of variants as it is sent. One that is put back stays as it is."""
    name = catalogue_edits.VARIANTS
    if name not in edit.changes or edit.changes[name] == edit.base.get(name):
        return edit
    return replace(edit, changes={**edit.changes, name: product.variants})


def _sent_by_now(edit: catalogue_edits.CatalogueEdit) -> catalogue_edits.Changes:
    """What the platform may get of an edit that is sent now. A value that is put back is the
    platform's, unless it gets what was sent before."""
    put_back = {name for name in edit.sent if edit.changes.get(name) == edit.base.get(name)}
    return {**edit.sent, **{n: v for n, v in edit.changes.items() if n not in put_back}}


def _ids_in(answer: run.PushAnswer) -> list[str]:
    product = answer.product
    return [] if product is None else [product.id, *(one.id for one in product.variants)]


# --- what was added here, in a list of the platform ----------------------------------------------


def settle_returned(connection: apsw.Connection, news: Iterable[Product]) -> list[str]:
    """Give articles that a person is asked about, because the platform has none of their id, the id
    under which the list has them again; return these ids. It runs within a transaction."""
    gone = rows.many(connection, _GONE)
    if not gone:
        return []
    by_code = {code: one for one in news if not one.is_deleted for code in codes_of(one)}
    found = []
    for (uuid,) in gone:
        here = products.effective_product(connection, uuid)
        codes = () if here is None else sorted(codes_of(here))
        theirs = next((by_code[code] for code in codes if code in by_code), None)
        if (
            here
            and theirs
            and theirs.id not in found
            and is_added_here(here, theirs, was_sent=True)
        ):
            adopt(connection, variant_ids(here, theirs), is_ours=True)
            found.append(theirs.id)
    return found


def settle_added(
    index: CatalogueIndex, news: Iterable[Product], *, origin: str, at: datetime
) -> list[str]:
    """Find the articles that were added here in the platform's list; return the found ids.

    news: products of the list that the catalogue does not have under their id. The list was
    requested after the last sending: an article that is neither there nor in the catalogue was not
    taken. If one article has our article's code and another one its EAN, a person is shown the
    latter. It runs within a transaction.
    """
    connection = index.connection
    edits = [rows.edit(row) for row in rows.many(connection, rows.SELECT_EDITS + _ADDED)]
    if not edits:
        return []
    alive = [one for one in news if not one.is_deleted]
    new = {one.id for one in alive}
    by_code = {code: one for one in alive for code in codes_of(one)}
    by_ean = {code_key(one.ean): one for one in alive if one.ean and not one.variants}
    found = []
    for edit in edits:
        one = queue.edit_of(connection, edit.id)  # an earlier one may have taken its id
        added = products.added_product(connection, one.product_id)
        assert added is not None  # its addition is open
        theirs = _listed(connection, added, by_code, origin)
        was_sent = one.state is catalogue_edits.EditState.SENDING
        if (
            theirs
            and theirs.id in new  # else the catalogue has it beside ours
            and is_added_here(added, theirs, was_sent=was_sent)
        ):
            new.remove(theirs.id)
            is_ours = was_sent and not one.error  # else another program made the same there
            adopt(connection, variant_ids(added, theirs), is_ours=is_ours)
            found.append(theirs.id)
            continue
        looks_for_ean = not was_sent or one.error_field.endswith("ean")
        if looks_for_ean and (
            same := products.with_same_ean(connection, added, news=by_ean, origin=origin)
        ):
            _collide_by_ean(connection, one, added, same, at=at)
        elif theirs:
            _collide(connection, one, added, theirs, _shared_code(added, theirs), at=at)
        elif was_sent:
            _was_not_taken(connection, one, added, at=at)
        join_later(connection, one.id, at=at)
        index.show(one.product_id, by=origin, at=at)
    return found


def ask_again(connection: apsw.Connection, *, origin: str, at: datetime) -> None:
    """Ask about the additions that a person was asked about, by what the other articles are now.
    It runs within a transaction."""
    for row in rows.many(connection, rows.SELECT_EDITS + _ASKED):
        edit = rows.edit(row)
        added = products.added_product(connection, edit.product_id)
        assert added is not None  # its addition is open
        if same := products.with_same_ean(connection, added, origin=origin):
            _collide_by_ean(connection, edit, added, same, at=at)
        elif theirs := _listed(connection, added, {}, origin):
            _collide(connection, edit, added, theirs, _shared_code(added, theirs), at=at)
        elif edit.is_of_ean and not _is_leaving(connection, added):
            queue.reopen_add(connection, edit, at=at)
            if edit.comes_back:
                queue.note_refusal(connection, edit, why="", field=edit.error_field)


def _is_leaving(connection: apsw.Connection, added: Product) -> bool:
    """Tell whether the platform has the EAN until a change of this till takes it away there."""
    for (uuid,) in rows.many(connection, _CHANGED):
        there = products.platform_product(connection, uuid)
        if there and there.ean and added.ean and code_key(there.ean) == code_key(added.ean):
            return True
    return False


def _listed(
    connection: apsw.Connection, added: Product, by_code: Mapping[int, Product], origin: str
) -> Product | None:
    """Return the platform's product that has a code of the added one."""
    for code in sorted(codes_of(added)):
        if code in by_code:
            return by_code[code]
        if row := rows.first(connection, _OWNER, (code, origin, added.id)):
            return products.effective_product(connection, row[0])
    return None


def _was_not_taken(
    connection: apsw.Connection,
    edit: catalogue_edits.CatalogueEdit,
    added: Product,
    *,
    at: datetime,
) -> None:
    if edit.error_field.endswith("sku"):  # a deleted article, which no list shows, has it
        _collide(connection, edit, added, added, _shared_code(added, added), at=at)
        return
    if edit.error:
        queue.set_state(
            connection,
            edit,
            catalogue_edits.EditState.REFUSED,
            at=at,
            error=edit.error,
            field=edit.error_field,
        )
        return
    state, kept = catalogue_edits.EditState.WAITING, edit.error_field
    queue.set_state(connection, edit, state, at=at, field=kept if edit.comes_back else "")


def _shared_code(added: Product, theirs: Product) -> catalogue_edits.Changes:
    return {"sku": min(codes_of(added) & codes_of(theirs), default=added.sku)}


def _collide_by_ean(
    connection: apsw.Connection,
    edit: catalogue_edits.CatalogueEdit,
    added: Product,
    same: Product,
    *,
    at: datetime,
) -> None:
    shared = _shared_code(added, same) if codes_of(added) & codes_of(same) else {}
    _collide(connection, edit, added, same, {**shared, "ean": same.ean}, at=at)


def _collide(
    connection: apsw.Connection,
    edit: catalogue_edits.CatalogueEdit,
    added: Product,
    theirs: Product,
    shared: catalogue_edits.Changes,
    *,
    at: datetime,
) -> None:
    """Note that another article has the code or EAN, in `shared`, of one that was made here."""
    values = {**shared, **catalogue_edits.compared(theirs)}
    if "ean" not in shared and theirs.ean == added.ean:
        del values["ean"]
    queue.store_asked(connection, edit, values, at=at)
