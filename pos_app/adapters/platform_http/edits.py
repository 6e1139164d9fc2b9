"""Sends edits to the platform, and interprets its answers. Source: platform-contract.md 2, 3."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx

from pos_app import errors
from pos_app.adapters.platform_http.client import PlatformAnswer, PlatformClient, refusal
from pos_app.domain.article.product import Product
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.synchronisation import catalogue_edits, run
from pos_app.selling.synchronisation.store_edits import StoreEdit
from pos_app.wire.catalogue import product_from_json, product_input
from pos_app.wire.document_ids import MEMBER_OF
from pos_app.wire.problem import DUPLICATE, KEY_BOUND
from pos_app.wire.row import brought_back
from pos_app.wire.store import changed_members, store_from_json, store_to_json

_TAKEN = re.compile(r"exist|taken|duplicate|unique|in use", re.IGNORECASE)
_CODE = re.compile(r"\b(sku|ean)\b", re.IGNORECASE)
_NOT_NOW = frozenset({AnswerClass.WAIT, AnswerClass.CURE})
"""Classes of answers to which the edit is right: it waits until the platform takes it."""
_NOT_THE_EDIT = frozenset({401, 402, 403, 405, 407, 408, 421, 425, 429, 501})
"""Statuses that concern the key, the address or the pace, and not the edit."""
_NO_MORE = frozenset({404, 410})
"""Statuses of a product that the platform does not take back."""
_CONFLICTS = frozenset({409, 412})


def _no_photo(_: str) -> Path | None:
    return None


def _no_word(_: str, __: str) -> None:
    """Ignore the ids, which the caller does not need."""


def send_edit(
    client: PlatformClient,
    edit: run.OutgoingEdit,
    *,
    versions: bool,
    photo: Callable[[str], Path | None] = _no_photo,
    kept: Callable[[str], Path | None] = _no_photo,
    uploaded: Callable[[str, str], None] = _no_word,
) -> run.PushAnswer:
    """Send one edit, once. versions: whether the platform takes `If-Match`; it takes null for each
    field then, too. photo: returns the path of a photo that was chosen here, by its id; photos are
    sent before their product. kept: returns that of any photo on this machine; one that the
    platform does not know any more is sent again, each once. uploaded: called with our id of each
    photo, and with the platform's id. Raises nothing for faults of the platform or the connection,
    or for a photo that is gone."""
    begun = _photographed(client, edit, photo, uploaded)
    tries = 1 + len(catalogue_edits.photos_of(edit.product))
    while not isinstance(begun, run.PushAnswer):
        edit, tries = begun, tries - 1
        condition = _condition(edit.version if versions else None)
        try:
            sent = _sent(client, edit, condition, takes_null=versions)
            answer = _read(edit, sent, is_conditional=bool(condition))
        except (errors.NotDelivered, errors.OutcomeUnknown) as error:
            return _unanswered(error, run.PushEnd.UNKNOWN)
        lost = {one: kept(one) for one in _lost_photos(edit, answer)} if tries else {}
        begun = _photographed(client, edit, lost.get, uploaded)
        if begun == edit:
            return answer
    return begun


def _photographed(
    client: PlatformClient,
    edit: run.OutgoingEdit,
    photo: Callable[[str], Path | None],
    uploaded: Callable[[str, str], None],
) -> run.OutgoingEdit | run.PushAnswer:
    try:
        return _with_photos(client, edit, photo, uploaded)
    except (errors.NotDelivered, errors.OutcomeUnknown) as error:
        # the same bytes are one file, however often they are sent
        return _unanswered(error, run.PushEnd.BEFORE)


def _unanswered(
    error: errors.NotDelivered | errors.OutcomeUnknown, unknown: run.PushEnd
) -> run.PushAnswer:
    """The answer for an edit of which none came. unknown: its end where it may have arrived."""
    end = run.PushEnd.NOT_SENT if isinstance(error, errors.NotDelivered) else unknown
    return run.PushAnswer(end, fault=error, answered=False)


def _lost_photos(edit: run.OutgoingEdit, answer: run.PushAnswer) -> list[str]:
    """The photo for which the platform refused an edit, as it names it."""
    if answer.end is not run.PushEnd.REFUSED or not answer.field.startswith(catalogue_edits.IMAGES):
        return []
    return [one for one in catalogue_edits.photos_of(edit.product) if one in answer.why]


def send_store(client: PlatformClient, edit: StoreEdit, *, version: str | None) -> run.PushAnswer:
    """Send the changes of a store, once. version: the `updatedAt` of the platform's store, where it
    takes `If-Match`. Raises nothing for faults of the platform or the connection."""
    condition = _condition(version)
    whole = client.operations.method("update_store") == "PUT"
    body = store_to_json(edit.ours) if whole else changed_members(edit.base, edit.ours)
    body.pop("id", None)
    try:
        answer = client.ask("update_store", edit.ours.id, body=body, headers=condition)
    except (errors.NotDelivered, errors.OutcomeUnknown) as error:
        return _unanswered(error, run.PushEnd.UNKNOWN)
    if not answer.is_success:
        return _refused(answer, is_conditional=bool(condition))
    try:
        return run.PushAnswer(run.PushEnd.TAKEN, store=store_from_json(answer.document()))
    except errors.Invalid as error:  # the next list has the store
        return run.PushAnswer(run.PushEnd.TAKEN, why=error.what)


def _condition(version: str | None) -> dict[str, str]:
    return {"If-Match": f'"{version}"'} if version else {}


def _sent(
    client: PlatformClient, edit: run.OutgoingEdit, condition: dict[str, str], *, takes_null: bool
) -> PlatformAnswer:
    match edit.kind:
        case catalogue_edits.EditKind.ADD:
            if edit.comes_back:  # the platform keeps what is left out
                back = brought_back(product_input(edit.product, _every_field(edit.product)))
                answer = client.ask("update_product", edit.product.id, body=back)
                if answer.status not in _NO_MORE:
                    return answer
            return client.ask("add_product", body=product_input(edit.product))
        case catalogue_edits.EditKind.DELETE:
            return client.ask("delete_product", edit.product.id, headers=condition)
        case _:
            whole = client.operations.method("update_product") == "PUT"
            fields = _every_field(edit.product) if whole else edit.changed
            before = None if takes_null else edit.before
            body = product_input(edit.product, fields, before=before)
            return client.ask("update_product", edit.product.id, body=body, headers=condition)


def _with_photos(
    client: PlatformClient,
    edit: run.OutgoingEdit,
    photo: Callable[[str], Path | None],
    uploaded: Callable[[str, str], None],
) -> run.OutgoingEdit | run.PushAnswer:
    """Send the photos. Return the edit with the platform's ids of them, or the answer to a photo
    that the platform does not take."""
    product, cover = edit.product, edit.product.cover_image
    if edit.kind is catalogue_edits.EditKind.DELETE or not (
        edit.kind is catalogue_edits.EditKind.ADD or edit.changed & _PHOTOS
    ):
        return edit
    is_cover_new = (
        cover is not None
        and catalogue_edits.IMAGES not in edit.changed
        and photo(cover.id) is not None
    )
    wanted = catalogue_edits.photos_of(product) if is_cover_new else product.images
    if not any(photo(one) for one in wanted):
        return edit
    images: dict[str, None] = {}
    for file_id in wanted:
        path = photo(file_id)
        sent = file_id if path is None else _upload(client, edit, path)
        if isinstance(sent, run.PushAnswer):
            return sent
        if path is not None:
            uploaded(file_id, sent)
        images[sent] = None
    product = replace(product, images=tuple(images))
    return replace(edit, product=product, changed=edit.changed | {catalogue_edits.IMAGES})


_PHOTOS = frozenset({catalogue_edits.COVER, catalogue_edits.IMAGES})
_OF_A_PHOTO = {
    run.PushEnd.GONE: run.PushEnd.REFUSED,
    run.PushEnd.DUPLICATE: run.PushEnd.REFUSED,
    run.PushEnd.UNKNOWN: run.PushEnd.BEFORE,
}
_PICTURES = {".png": "image/png", ".webp": "image/webp", ".gif": "image/gif"}


def _upload(client: PlatformClient, edit: run.OutgoingEdit, path: Path) -> str | run.PushAnswer:
    """Return the platform's id of a photo, or the outcome of its edit where there is none."""
    kind = _PICTURES.get(path.suffix, "image/jpeg")
    try:
        content = path.read_bytes()
    except OSError as error:  # a person chooses another photo, or asks for it again
        why = f"The photo {path.name} can't be read: {error.strerror or type(error).__name__}."
        return run.PushAnswer(run.PushEnd.REFUSED, field=catalogue_edits.IMAGES, why=why)
    answer = client.upload(path.name, content, kind)
    if not answer.is_success:
        pushed = _refused(answer, is_conditional=False)
        return replace(pushed, end=_OF_A_PHOTO.get(pushed.end, pushed.end))
    try:
        return _id_in(answer.document())
    except errors.Invalid as error:
        fault = errors.OutcomeUnknown("platform.photo", why=error.what)
        return run.PushAnswer(run.PushEnd.NOT_SENT, why=error.what, fault=fault)


def _id_in(document: object) -> str:
    """Return the id. Raises Invalid where there is none."""
    given = document.get("id") if isinstance(document, dict) else None
    if not given:
        raise errors.Invalid("required", field="id")
    return str(given)


def _every_field(product: Product) -> frozenset[str]:
    """All fields that are sent, but the photos where the platform listed only the main one."""
    lists_photos = bool(product.images) or product.cover_image is None
    unknown = frozenset() if lists_photos else frozenset({catalogue_edits.IMAGES})
    return frozenset(Product.__dataclass_fields__) - _ANSWERED - unknown


_ANSWERED = frozenset({"id", "created_at", "updated_at", "deleted_at"})


def _read(
    edit: run.OutgoingEdit, answer: PlatformAnswer, *, is_conditional: bool
) -> run.PushAnswer:
    if answer.is_success:
        return _taken(edit, answer)
    return _refused(answer, is_conditional=is_conditional)


def _refused(answer: PlatformAnswer, *, is_conditional: bool) -> run.PushAnswer:
    """Interpret a refusal. is_conditional: whether a version was named with `If-Match`; without it
    a conflict is one with something else there, such as a code that exists."""
    status = answer.status
    why = answer.words() or f"HTTP {status}"
    problem = answer.problem()
    if status >= 500 and status not in _NOT_THE_EDIT:
        return run.PushAnswer(run.PushEnd.UNKNOWN, why=why, fault=_fault(answer))
    if status in _NOT_THE_EDIT or status < 400:
        too_fast = status == httpx.codes.TOO_MANY_REQUESTS
        return run.PushAnswer(
            run.PushEnd.NOT_SENT, why=why, fault=_fault(answer), too_fast=too_fast
        )
    if problem is not None and problem.answer_class in _NOT_NOW:
        return run.PushAnswer(run.PushEnd.NOT_SENT, why=why, fault=_fault(answer))
    if status == 404:
        return run.PushAnswer(run.PushEnd.GONE, why=why, field=run.GONE_FIELD, fault=_fault(answer))
    code = problem.code if problem is not None else None
    field = problem.keys[0] if problem is not None and problem.keys else ""
    is_unlisted = code == KEY_BOUND.code and field.rpartition(".")[2] in MEMBER_OF.values()
    is_stale = status == httpx.codes.PRECONDITION_FAILED or code == KEY_BOUND.code
    if is_unlisted or (is_conditional and is_stale):
        end = run.PushEnd.UNLISTED if is_unlisted else run.PushEnd.STALE
        return run.PushAnswer(end, field=field, why=why)
    named = _CODE.search(field or why)
    if named and (code == DUPLICATE.code or _TAKEN.search(why)):
        return run.PushAnswer(run.PushEnd.DUPLICATE, field=field or named[1].lower(), why=why)
    if status in _CONFLICTS:
        return run.PushAnswer(run.PushEnd.DUPLICATE, field=field, why=why)
    return run.PushAnswer(run.PushEnd.REFUSED, field=field, why=why)


def _taken(edit: run.OutgoingEdit, answer: PlatformAnswer) -> run.PushAnswer:
    """Interpret a success; the next list has the id that can't be read in an answer."""
    if edit.kind is catalogue_edits.EditKind.DELETE:
        return run.PushAnswer(run.PushEnd.TAKEN)
    try:
        product = product_from_json(answer.document())
    except errors.Invalid as error:
        end = (
            run.PushEnd.UNKNOWN if edit.kind is catalogue_edits.EditKind.ADD else run.PushEnd.TAKEN
        )
        return run.PushAnswer(end, why=error.what)
    return run.PushAnswer(run.PushEnd.TAKEN, product=product, text=answer.text.strip())


def _fault(answer: PlatformAnswer) -> errors.PosError:
    return refusal(answer)
