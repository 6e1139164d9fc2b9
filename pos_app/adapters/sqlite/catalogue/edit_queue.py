"""Adds a manager's edits to the queue of `catalogue.db`. It runs within a transaction.

The next change of an article is joined to one that was not sent yet, so that the base of an edit is
always the platform's version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue import planned_prices as plans
from pos_app.adapters.sqlite.catalogue.codes import give_codes, give_variant_code
from pos_app.adapters.sqlite.catalogue.products import (
    added_product,
    effective_product,
    open_edits,
    platform_product,
)
from pos_app.adapters.sqlite.catalogue.removals import remove_product
from pos_app.adapters.sqlite.catalogue.rows import (
    SELECT_EDITS,
    document_of,
    edit,
    first,
    many,
    marks_of,
)
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.domain.article.article import Marks
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import Product, ProductFields, Variant, code_taken, input_faults
from pos_app.errors import NotAllowed, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.synchronisation import catalogue_edits, variant_lists

_TAKEN = """
SELECT CASE WHEN sku = ?1 THEN 'sku' ELSE 'ean' END, sku, name FROM article
WHERE (sku = ?1 OR ean_key = ?2) AND uuid <> ?3 LIMIT 1
"""
_VERSION = "SELECT version FROM source JOIN product ON id = product WHERE uuid = ?"
_DELETION = """
SELECT id, document, state_at <> made_at FROM edit
WHERE product_uuid = ? AND kind = 'delete' ORDER BY id DESC LIMIT 1
"""
_ENDED_WITH = """
WHERE e.product_uuid = ? AND e.id < ? AND e.state = 'dropped' AND e.state_at = ?
    AND e.kind IN ('add', 'update')
ORDER BY e.id
"""
_WAITS_AGAIN = """
UPDATE edit SET sent = old.sent, theirs = old.theirs, error_field = old.error_field,
    state = iif(old.theirs = '{}', 'waiting', 'conflict')
FROM (SELECT sent, theirs, error_field FROM edit WHERE id = ?1) AS old WHERE edit.id = ?2
"""
_FORGET_SOURCE = "DELETE FROM source WHERE product = (SELECT id FROM product WHERE uuid = ?)"
_NOT_SENT = frozenset(
    {
        catalogue_edits.EditState.WAITING,
        catalogue_edits.EditState.CONFLICT,
        catalogue_edits.EditState.REFUSED,
    }
)


def record(
    connection: apsw.Connection, new: catalogue_edits.NewEdit, *, codes: range | None = None
) -> catalogue_edits.CatalogueEdit:
    """Queue an edit. codes: for a new product or variant. Raises NotFound, NotAllowed, Invalid."""
    match new.kind:
        case catalogue_edits.EditKind.ADD:
            return add(connection, new, codes=codes)
        case catalogue_edits.EditKind.UPDATE:
            return update(connection, new, codes=codes)
        case catalogue_edits.EditKind.DELETE:
            return delete(connection, new)
        case catalogue_edits.EditKind.NOTE:
            raise NotAllowed("note_apart")


def shown_product(connection: apsw.Connection, product_uuid: str) -> Product:
    """Return the product as the till shows it. Raises NotFound when it shows none."""
    product = effective_product(connection, product_uuid)
    if product is None:
        raise NotFound("article.in_cart", product=product_uuid)
    return product


def add(
    connection: apsw.Connection, new: catalogue_edits.NewEdit, *, codes: range | None = None
) -> catalogue_edits.CatalogueEdit:
    """Queue a new product. Raises NotAllowed when its id is taken, Invalid when a code is."""
    product = new.product
    assert product is not None  # NewEdit.adding
    if first(connection, "SELECT 1 FROM product WHERE uuid = ?", (new.product_id,)):
        raise NotAllowed("in_catalogue", product=new.product_id)
    _check(connection, product, None)
    product = give_codes(connection, product, codes)
    return _insert(connection, new, wire.catalogue.product_to_json(product), base={})


def update(
    connection: apsw.Connection, new: catalogue_edits.NewEdit, *, codes: range | None = None
) -> catalogue_edits.CatalogueEdit:
    """Queue new values of fields, or join them to an edit that was not sent yet.

    codes: the range for a new variant without a code.

    Raises NotFound, and Invalid when the article could not be sold with them or a code is taken.
    """
    now = shown_product(connection, new.product_id)
    if catalogue_edits.owner_in(now, new.article_id) is None:
        raise NotFound("article.in_cart", article=new.article_id)
    new = _with_codes(connection, new, now, codes)
    changed = catalogue_edits.with_changes(now, new.article_id, new.changes)
    _check(connection, changed, now)
    codes_change = not new.changes.keys().isdisjoint(catalogue_edits.CODES)
    earlier = open_edits(connection, new.product_id)
    new = _in_its_list(connection, new, changed, earlier)
    _end_of_removed(connection, new, earlier)
    for old in (one for one in earlier if one.state in _NOT_SENT):
        if old.kind is catalogue_edits.EditKind.ADD:
            document = wire.catalogue.product_to_json(changed)
            if old.state is catalogue_edits.EditState.CONFLICT and codes_change:
                queue.reopen_add(connection, old, at=new.at)  # it may collide no more
            return _take_in(connection, old, document, base={}, at=new.at)
        if old.article_id == new.article_id:
            known = {**_base(connection, new, earlier), **old.base}
            wished = _since(now.variants, new.changes, {**known, **old.changes})
            joined = _add_to(connection, old, wished, base=known, at=new.at)
            return queue.end_equal(connection, joined, at=new.at)
    base = _base(connection, new, earlier)
    wished = _since(now.variants, new.changes, base)
    document, known = map(wire.catalogue.changes_to_json, (wished, base))
    return _insert(connection, new, document, base=known)


def _in_its_list(
    connection: apsw.Connection,
    new: catalogue_edits.NewEdit,
    changed: Product,
    earlier: tuple[catalogue_edits.CatalogueEdit, ...],
) -> catalogue_edits.NewEdit:
    """Make a change of a variant one of the list that adds or changes it and was not sent yet, or
    of the one question about a deleted product. changed: the product with the change in it."""
    unsent = [one for one in earlier if one.state in _NOT_SENT]
    its_lists = [one for one in unsent if _is_of_whole(one)]
    if new.article_id == new.product_id or not its_lists:
        return new
    platform = platform_product(connection, new.product_id)
    has_own = any(one.article_id == new.article_id for one in unsent)
    is_added = platform is not None and not catalogue_edits.owner_in(platform, new.article_id)
    for one in its_lists:
        listed = {x.id for x in one.changes.get(catalogue_edits.VARIANTS, ())}
        is_gone = any(x.field == catalogue_edits.DELETED for x in one.conflicts)
        is_changed = not has_own and _changed_in_list(one, new.article_id)
        if is_gone or is_changed or (is_added and new.article_id in listed):
            variants = {catalogue_edits.VARIANTS: changed.variants}
            return replace(new, article_id=new.product_id, changes=variants)
    return new


def _is_of_whole(edit: catalogue_edits.CatalogueEdit) -> bool:
    return edit.kind is catalogue_edits.EditKind.UPDATE and edit.article_id == edit.product_id


def _changed_in_list(
    edit: catalogue_edits.CatalogueEdit, variant_id: str
) -> catalogue_edits.Changes:
    """The fields of a variant that an edit's list of variants changes."""
    name = catalogue_edits.VARIANTS
    ours = edit.changes.get(name, ())
    return variant_lists.changed_in(edit.base.get(name, ()), ours, variant_id)


def _since(
    before: tuple[Variant, ...], changes: catalogue_edits.Changes, known: catalogue_edits.Changes
) -> catalogue_edits.Changes:
    """The changes with a list of variants that has only what is changed now. A variant that is
    shown with a change of its own keeps the value that the list knows: that change, about which a
    person may be asked, goes by itself. before: as they are shown. known: the
    list by now, or its base."""
    name = catalogue_edits.VARIANTS
    if name not in changes or name not in known:
        return changes
    return {**changes, name: variant_lists.merged(before, changes[name], known[name])}


def _end_of_removed(
    connection: apsw.Connection,
    new: catalogue_edits.NewEdit,
    earlier: tuple[catalogue_edits.CatalogueEdit, ...],
) -> None:
    """Drop the changes of variants that a new list lacks: nobody is asked about them any more."""
    kept = {one.id for one in new.changes.get(catalogue_edits.VARIANTS, ())} | {new.product_id}
    for one in earlier if catalogue_edits.VARIANTS in new.changes else ():
        if one.article_id not in kept and one.state in _NOT_SENT and not one.sent:
            queue.set_state(connection, one, catalogue_edits.EditState.DROPPED, at=new.at)


def _with_codes(
    connection: apsw.Connection, new: catalogue_edits.NewEdit, now: Product, codes: range | None
) -> catalogue_edits.NewEdit:
    """Give a code to each variant that is added without one."""
    if codes is None or catalogue_edits.VARIANTS not in new.changes:
        return new
    known = {one.id for one in now.variants}
    variants = tuple(
        one if one.id in known else give_variant_code(connection, one, codes)
        for one in new.changes[catalogue_edits.VARIANTS]
    )
    return replace(new, changes={**new.changes, catalogue_edits.VARIANTS: variants})


def delete(
    connection: apsw.Connection, new: catalogue_edits.NewEdit
) -> catalogue_edits.CatalogueEdit:
    """Queue the deletion of a product, and drop its unsent edits. It is done at once where the
    platform has deleted the product, too, which one of these edits was asked about: there is
    nothing to send, and no later list tells of it again. The edit keeps what `bring_back` needs.
    Raises NotFound."""
    product = shown_product(connection, new.product_id)
    earlier = open_edits(connection, new.product_id)
    is_gone_there = any(
        conflict.field == catalogue_edits.DELETED
        for old in earlier
        if old.kind is catalogue_edits.EditKind.UPDATE and old.article_id == new.product_id
        for conflict in old.conflicts
    )
    made = _insert(connection, new, _all_of(connection, product), base={})
    for old in earlier:
        if old.state in _NOT_SENT:
            _end_in(connection, old, made, at=new.at)
    may_have_left = any(old.state is catalogue_edits.EditState.SENDING for old in earlier)
    if platform_product(connection, new.product_id) is None and not may_have_left:
        queue.set_state(connection, made, catalogue_edits.EditState.DROPPED, at=new.at)
    elif is_gone_there:
        queue.set_state(connection, made, catalogue_edits.EditState.DONE, at=new.at)
        remove_product(connection, new.product_id, at=new.at)
    return queue.edit_of(connection, made.id)


def _all_of(connection: apsw.Connection, product: Product) -> dict[str, object]:
    """All of a product that a person sees, also what this shop alone notes of it."""
    document = wire.catalogue.product_to_json(product)
    planned = []
    for owner in (document, *document["variants"]):
        owner.update(wire.shop_notes.marks_to_json(marks_of(connection, owner["id"])))
        plan = plans.plan_of(connection, owner["id"])
        planned += [] if plan is None else [wire.records.to_json(PlannedPrice, plan)]
    return {**document, "plans": planned}


@dataclass(frozen=True, slots=True)
class Returned:
    """What this shop alone noted of a product that was deleted, and is there again."""

    marks: Mapping[str, Marks]
    plans: Sequence[PlannedPrice]


def bring_back(
    connection: apsw.Connection, product_uuid: str, *, by: str, at: datetime
) -> Returned:
    """Take the deletion of a product back. Where the platform has it, the platform is asked to
    bring the product back; else the changes that ended with it wait again. Raises as
    `CatalogueEditor.bring_back`."""
    number, text, was_sent = first(connection, _DELETION, (product_uuid,)) or (0, "{}", 0)
    deletion, document = queue.edit_of(connection, number), document_of(text)
    if not document or effective_product(connection, product_uuid) is not None:
        raise NotAllowed("changed_since")
    is_waiting = deletion.state is catalogue_edits.EditState.WAITING
    if deletion.state is catalogue_edits.EditState.SENDING or (is_waiting and was_sent):
        raise NotAllowed("deletion_on_its_way")
    product, marks = wire.catalogue.read_product(document)
    for owner in (product, *product.variants):
        _check_codes(connection, owner, None)
    if deletion.state in _NOT_SENT:
        queue.set_state(connection, deletion, catalogue_edits.EditState.DROPPED, at=at)
    if deletion.state is not catalogue_edits.EditState.DONE:
        _wait_again(connection, deletion, by=by, at=at)
    if effective_product(connection, product_uuid) is None:
        _add_again(connection, product, by=by, at=at)
    return Returned(marks, wire.records.list_from_json(PlannedPrice, document["plans"]))


def _wait_again(
    connection: apsw.Connection, deletion: catalogue_edits.CatalogueEdit, *, by: str, at: datetime
) -> None:
    """Queue once more what ended with a deletion, as it was, also where a person was asked."""
    ended = (deletion.product_id, deletion.id, moment_text(deletion.at))
    for row in many(connection, SELECT_EDITS + _ENDED_WITH, ended):
        old = edit(row)
        again = queue.insert_edit(
            connection, old.kind, old.product_id, article_uuid=old.article_id,
            document=document_of(row[5]), base=document_of(row[6]), base_version=old.base_version,
            by=by, at=at,
        )  # fmt: skip
        connection.execute(_WAITS_AGAIN, (old.id, again.id))


def _add_again(connection: apsw.Connection, product: Product, *, by: str, at: datetime) -> None:
    """Queue a product that the platform may have deleted as one that it brings back."""
    new = catalogue_edits.NewEdit.adding(product, by=by, at=at)
    made = _insert(connection, new, wire.catalogue.product_to_json(product), base={})
    queue.note_refusal(connection, made, why="", field=catalogue_edits.DELETED)
    forget_platform(connection, product.id)


def forget_platform(connection: apsw.Connection, product_uuid: str) -> None:
    """Make a product one that this till adds."""
    connection.execute(_FORGET_SOURCE, (product_uuid,))
    connection.execute("UPDATE product SET origin = '' WHERE uuid = ?", (product_uuid,))


def withdraw(
    connection: apsw.Connection, old: catalogue_edits.CatalogueEdit, *, by: str, at: datetime
) -> None:
    """Take an edit back. One that the platform may have is followed by its earlier values. Raises
    NotAllowed where it is settled by now."""
    back = {name: old.base[name] for name in old.changes if name in old.base}
    if back and old.may_be_there and old.kind is catalogue_edits.EditKind.UPDATE:
        ids = old.product_id, old.article_id
        update(connection, catalogue_edits.NewEdit.changing(*ids, back, by=by, at=at))
    else:
        queue.set_state(connection, old, catalogue_edits.EditState.DROPPED, at=at)


def _end_in(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    deletion: catalogue_edits.CatalogueEdit,
    *,
    at: datetime,
) -> None:
    """Drop a change of a product that was deleted since. The platform may have it, and that is no
    change of another's."""
    dropped, field = catalogue_edits.EditState.DROPPED, old.error_field
    queue.set_state(connection, old, dropped, at=at, error=old.error, field=field)
    if old.article_id == deletion.product_id:
        known = queue.edit_of(connection, deletion.id).sent
        queue.note_sent(connection, deletion.id, {**known, **old.sent})


def join_later(connection: apsw.Connection, edit_id: int, *, at: datetime) -> None:
    """Join to an edit that is no longer on its way what was made of its article since, so that no
    wish but the last is sent. An addition that the platform surely does not have goes with its
    deletion."""
    old = queue.edit_of(connection, edit_id)
    if old.state not in _NOT_SENT:
        return
    later = [one for one in open_edits(connection, old.product_id) if one.id > old.id]
    for one in later:
        if one.kind is catalogue_edits.EditKind.DELETE:
            _end_in(connection, old, one, at=at)
            if old.kind is catalogue_edits.EditKind.ADD:
                for new in later:
                    queue.set_state(connection, new, catalogue_edits.EditState.DROPPED, at=at)
            return
    for one in later:
        if one.kind is catalogue_edits.EditKind.UPDATE and one.state in _NOT_SENT:
            _join(connection, queue.edit_of(connection, edit_id), one, at=at)


def _join(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    new: catalogue_edits.CatalogueEdit,
    *,
    at: datetime,
) -> None:
    if old.kind is catalogue_edits.EditKind.ADD:
        added = added_product(connection, old.product_id)
        assert added is not None  # its addition is open
        changed = catalogue_edits.with_changes(added, new.article_id, new.changes)
        document = wire.catalogue.product_to_json(changed)
        _take_in(connection, old, document, base={}, at=at)
    elif old.article_id == new.article_id:
        base = {**new.base, **old.base}
        known = {**new.base, **new.asked}.get(catalogue_edits.VARIANTS, ())
        wished = _since(known, new.changes, old.changes)
        _add_to(connection, old, wished, base=base, at=at, is_asked=bool(new.asked))
    elif _is_of_whole(old) and not new.asked and _changed_in_list(old, new.article_id):
        variants = tuple(
            replace(one, **new.changes) if one.id == new.article_id else one
            for one in old.changes[catalogue_edits.VARIANTS]
        )
        _add_to(connection, old, {catalogue_edits.VARIANTS: variants}, base=old.base, at=at)
    else:
        return
    queue.set_state(connection, new, catalogue_edits.EditState.DROPPED, at=at)
    if new.asked:
        queue.store_asked(
            connection, queue.edit_of(connection, old.id), {**old.asked, **new.asked}, at=at
        )


def join_waiting(connection: apsw.Connection, product_uuid: str, *, at: datetime) -> None:
    """Make one change of all that waits of a product and its variants, where one of them gets a
    code that another has on the platform: only both at once are taken there."""
    platform, name = platform_product(connection, product_uuid), catalogue_edits.VARIANTS
    changed = [
        one
        for one in open_edits(connection, product_uuid)
        if one.kind is catalogue_edits.EditKind.UPDATE
    ]
    waiting = [
        one
        for one in changed
        if one.state is catalogue_edits.EditState.WAITING and not one.may_be_there
    ]
    of_variants = [one for one in waiting if not _is_of_whole(one)]
    whole = next(filter(_is_of_whole, changed), None)
    is_apart = whole is not None and whole not in waiting
    if platform is None or is_apart or not of_variants or len(waiting) < 2:
        return
    wished = catalogue_edits.effective(platform, tuple(filter(None, (whole, *of_variants))), None)
    assert wished is not None  # no deletion is among them
    had = _owners_by_code(platform)
    if all(had.get(code, id_) == id_ for code, id_ in _owners_by_code(wished).items()):
        return
    changes, base = {name: wished.variants}, {name: platform.variants}
    if whole is not None:
        _add_to(connection, whole, changes, base={**whole.base, **base}, at=at)
    else:
        by, made_at = of_variants[-1].by, of_variants[-1].at
        new = catalogue_edits.NewEdit.changing(
            product_uuid, product_uuid, changes, by=by, at=made_at
        )
        document, known = map(wire.catalogue.changes_to_json, (changes, base))
        _insert(connection, new, document, base=known)
    for one in of_variants:
        queue.set_state(connection, one, catalogue_edits.EditState.DROPPED, at=at)


def _owners_by_code(product: Product) -> dict[tuple[str, str], str]:
    return {
        (name, code_key(str(code))): one.id
        for one in (product, *product.variants)
        for name in catalogue_edits.CODES
        if (code := getattr(one, name))
    }


def give_way(
    connection: apsw.Connection, edit: catalogue_edits.CatalogueEdit
) -> catalogue_edits.CatalogueEdit:
    """Split a change to an EAN that is taken, where another article here gets the one that this
    article has on the platform: it is sent without an EAN first, and with the new one after that,
    so two articles exchange theirs. It is as if a person had cleared the EAN, and typed the other
    one while that was on its way. It runs as the change is begun."""
    was, new = edit.base.get("ean"), edit.changes.get("ean")
    if not (was and new and edit.error_field.endswith("ean")):
        return edit
    if first(connection, _TAKEN, (None, code_key(was), edit.article_id)) is None:
        return edit
    first_of_two = {**edit.changes, "ean": None}
    changes, base, later, cleared = map(
        wire.catalogue.changes_to_json, (first_of_two, edit.base, {"ean": new}, {"ean": None})
    )
    queue.replace_document(connection, edit, changes, base=base)
    queue.insert_edit(
        connection, edit.kind, edit.product_id, article_uuid=edit.article_id, document=later,
        base=cleared, base_version=edit.base_version, by=edit.by, at=edit.at,
    )  # fmt: skip
    return queue.edit_of(connection, edit.id)


def _base(
    connection: apsw.Connection,
    new: catalogue_edits.NewEdit,
    earlier: tuple[catalogue_edits.CatalogueEdit, ...],
) -> catalogue_edits.Changes:
    """Return the platform's values of these fields, once the edits being sent have arrived."""
    platform = platform_product(connection, new.product_id)
    owner = catalogue_edits.owner_in(platform, new.article_id) if platform else None
    if owner is None:
        return {}
    base = catalogue_edits.values_of(owner, new.changes)
    for old in earlier:
        if old.state is catalogue_edits.EditState.SENDING:
            is_own = old.article_id == new.article_id
            going = old.changes if is_own else _changed_in_list(old, new.article_id)
            base |= {name: going[name] for name in base if name in going}
    return base


def _add_to(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    changes: catalogue_edits.Changes,
    *,
    base: catalogue_edits.Changes,
    at: datetime,
    is_asked: bool = False,
) -> catalogue_edits.CatalogueEdit:
    """Join later values to an unsent change. A value that is the platform's again is not sent,
    unless the platform may have another one by now; where none is left the change ends."""
    wished = {**old.changes, **changes}
    if old.state is not catalogue_edits.EditState.CONFLICT and not is_asked:
        wished = {
            name: value
            for name, value in wished.items()
            if name in old.sent or name not in base or value != base[name]
        }
    kept = wished or changes
    document, known = map(wire.catalogue.changes_to_json, (kept, base))
    joined = _take_in(connection, old, document, base=known, at=at)
    if not wished:
        queue.set_state(connection, joined, catalogue_edits.EditState.DROPPED, at=at)
    return queue.edit_of(connection, old.id)


def _take_in(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    document: Mapping[str, object],
    *,
    base: Mapping[str, object],
    at: datetime,
) -> catalogue_edits.CatalogueEdit:
    """Join a change to an unsent edit; one that the platform refused is sent again."""
    if old.state is catalogue_edits.EditState.REFUSED:
        queue.set_state(connection, old, catalogue_edits.EditState.WAITING, at=at)
    queue.replace_document(connection, old, document, base=base)
    return queue.edit_of(connection, old.id)


def _insert(
    connection: apsw.Connection,
    new: catalogue_edits.NewEdit,
    document: Mapping[str, object],
    *,
    base: Mapping[str, object],
) -> catalogue_edits.CatalogueEdit:
    version = first(connection, _VERSION, (new.product_id,))
    return queue.insert_edit(
        connection,
        new.kind,
        new.product_id,
        article_uuid=new.article_id,
        document=document,
        base=base,
        base_version=version[0] if version else None,
        by=new.by,
        at=new.at,
    )


def _check(connection: apsw.Connection, product: Product, was: Product | None) -> None:
    """Refuse a person's wrong input; older faults of a foreign list are left."""
    known = {fault.field for fault in input_faults(was)} if was else set()
    for fault in input_faults(product):
        if fault.field not in known:
            raise fault
    for owner in (product, *product.variants):
        _check_codes(connection, owner, catalogue_edits.owner_in(was, owner.id) if was else None)


def _check_codes(
    connection: apsw.Connection, owner: ProductFields, was: ProductFields | None
) -> None:
    if was is not None and (owner.sku, owner.ean) == (was.sku, was.ean):
        return
    key = code_key(owner.ean) if owner.ean else None
    if taken := first(connection, _TAKEN, (owner.sku, key, owner.id)):
        raise code_taken(*taken)
