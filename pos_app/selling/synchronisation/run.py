"""A till's catalogue and its platform are synchronised: this module has the order of requests and
the effect of each answer, and no I/O. The platform and the queue of edits are ports.

A run first imports the platform's list, which compares each open edit field by field
(`conflicts.meet` decides), and only then sends: so an edit is never based on an older version than
the last list. An edit without an answer is looked for in the next list before it is sent again.

    list -> send each edit in its order -> list again where an answer asked for it -> send the rest

Source: platform-contract.md 2.1–2.4, 6; architecture.md, rule 11.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Protocol, TypeVar
from uuid import UUID

from pos_app import log
from pos_app.domain.article.product import Product
from pos_app.domain.article.store import Store
from pos_app.errors import Invalid, PosError, ProgramError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.store_edits import StoreEdit

ROUNDS = 3
"""The most lists that one run imports; the rest waits for the next run."""
MOST_UNANSWERED = 2
"""After so many edits without any answer a run stops sending, because the connection is bad."""
AT_ONCE = 8
"""The number of edits that are sent together, because each mostly waits for the platform."""
GROUP = 32
"""The number of edits that are begun, and settled, in one commit."""
RANGE = 1000
"""The number of article codes that a till has for itself, unless settings differ."""
_FIRST_RANGE, _RANGES = 1_000_000, 9000

_log = log.get(__name__)

G = TypeVar("G")
T = TypeVar("T")


# --- article codes of what is made here ----------------------------------------------------------


def range_of(till_id: str) -> range:
    """The article codes of a till without a configured range: a thousand with seven digits.

    Two tills of one account share a range in one case of 9,000; a collision becomes a conflict.
    """
    first = _FIRST_RANGE + UUID(till_id).int % _RANGES * RANGE
    return range(first, first + RANGE)


def codes_of_till(first: int, last: int, *, till_id: Callable[[], str]) -> range:
    """The article codes of a till: from `first` to `last` where settings give them (`last` is not
    0), else those of its id."""
    return range(first, last + 1) if last else range_of(till_id())


# --- what is asked -------------------------------------------------------------------------------


UNREAD = "unread"
"""In place of an ETag, or of the digest of the small lists: the platform took a change after its
last list. By the ETag or digest of that list a platform that was put back to it would not be
noticed."""


@dataclass(frozen=True, slots=True)
class KnownList:
    """The notes about a platform's last list. etag: the ETag as it was sent, "" for none, or
    UNREAD.

    since: the latest `updatedAt` in it, as written there; "" where a whole list is needed.
    refuses_since: whether this platform has no `updatedSince`. versions: whether it numbers its
    versions, so that a change can name one as its condition.
    """

    etag: str = ""
    since: str = ""
    refuses_since: bool = False
    versions: bool = False

    @property
    def asked_since(self) -> str:
        """The value for `updatedSince`; "" for a whole list."""
        return "" if self.refuses_since else self.since


def is_whole(asked_since: str, oldest: str) -> bool:
    """Whether a list is the whole one, by the oldest `updatedAt` in it ("" for none).

    A platform that does not know `updatedSince` may silently ignore it and send all.

    | asked since | oldest in the answer | it is     |
    |             | 2026-09-01           | whole     |
    | 2026-11-20  | 2026-11-20           | changes   |
    | 2026-11-20  |                      | changes   |
    | 2026-11-20  | 2026-09-01           | whole     |
    """
    return not asked_since or bool(oldest and oldest < asked_since)


def known_after(
    known: KnownList, answer: KnownList, *, oldest: str, latest: str, held_back: bool
) -> KnownList:
    """The notes after a list is imported.

    answer: the facts about the answer, with `since` as requested. oldest, latest: the `updatedAt`
    in it. held_back: a person decides about the answer's many deletions, which the platform lists
    once more once anything changes. The tag is kept with the instant: by the tag a restored
    platform notices a newer client.

    | the answer is        | etag     | since              | refuses_since   |
    | whole, as asked      | its own  | its latest         | as the answer   |
    | whole, changes asked | its own  | its latest         | yes             |
    | changes              | its own  | the later of both  | as the answer   |
    | changes, held back   | its own  | as it was asked    | as the answer   |
    """
    whole = is_whole(answer.since, oldest)
    refuses = answer.refuses_since or (whole and bool(answer.since))
    if held_back and not whole:
        return replace(answer, refuses_since=refuses)
    since = max(latest, "" if whole else known.since)
    return replace(answer, since=since, refuses_since=refuses)


def in_use_first(stores: Sequence[Store], store_id: str) -> tuple[Store, ...]:
    """Sort this shop's store first, as the first is in use. store_id: "" if settings name none."""
    return tuple(sorted(stores, key=lambda store: bool(store_id) and store.id != store_id))


# --- what an answer means ------------------------------------------------------------------------


class PushEnd(StrEnum):
    TAKEN = "taken"
    GONE = "gone"
    """The platform has no such product (404)."""
    STALE = "stale"
    """The platform has a newer version than the edit's (409): nothing was changed."""
    DUPLICATE = "duplicate"
    """Another product has this article code, EAN or id: nothing was changed."""
    UNLISTED = "unlisted"
    """A unit or category that the edit names is not there any more (409): nothing was changed."""
    REFUSED = "refused"
    """The platform refused the request: nothing was changed."""
    BEFORE = "before"
    """The edit was surely not made: an earlier part, such as a photo, had no answer."""
    NOT_SENT = "not_sent"
    """The edit was surely not made, for an outer cause: no connection, wrong key, many requests."""
    UNKNOWN = "unknown"
    """The edit may have been made: no answer came, or the platform had a fault."""


@dataclass(frozen=True, slots=True)
class PushAnswer:
    """The platform's answer for an edit.

    product, text: the platform's present product, as a value and as it was written; store: the
    platform's present store, None if the answer can't be read. field: the member that the platform
    found wrong, or "". why: the platform's words. fault: the error for a person who waits.
    answered: false where no answer came at all. too_fast: the platform asks for fewer requests.
    raised: an exception of this program, or of this machine, which ends the run once the others
    are settled.
    """

    end: PushEnd
    product: Product | None = None
    text: str = ""
    store: Store | None = None
    field: str = ""
    why: str = ""
    fault: PosError | None = None
    answered: bool = True
    too_fast: bool = False
    raised: BaseException | None = None


class AfterEdit(StrEnum):
    GO_ON = "go_on"
    LOOK = "look"
    """Import a list before this edit is sent again."""
    STOP = "stop"
    """Send nothing more in this run."""


@dataclass(frozen=True, slots=True)
class PushEffect:
    state: catalogue_edits.EditState
    then: AfterEdit = AfterEdit.GO_ON


GONE_FIELD = "id"
"""The field named for an edit whose product the platform lists but did not find."""

_ADD, _UPDATE, _DELETE = (
    catalogue_edits.EditKind.ADD,
    catalogue_edits.EditKind.UPDATE,
    catalogue_edits.EditKind.DELETE,
)
_S, _N = catalogue_edits.EditState, AfterEdit
_EFFECTS: Mapping[PushEnd, Mapping[catalogue_edits.EditKind, PushEffect]] = MappingProxyType({
    PushEnd.TAKEN: {kind: PushEffect(_S.DONE) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.GONE: {
        _ADD: PushEffect(_S.WAITING, _N.STOP),  # no such operation: a wrong address
        # The list shows whether the product is gone: then an update is a conflict, a deletion done.
        _UPDATE: PushEffect(_S.WAITING, _N.LOOK),
        _DELETE: PushEffect(_S.WAITING, _N.LOOK),
    },
    PushEnd.STALE: {kind: PushEffect(_S.WAITING, _N.LOOK) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.DUPLICATE: {
        # The code may be taken by our own addition of an hour ago: the list shows that.
        _ADD: PushEffect(_S.SENDING, _N.LOOK),
        # Another change of this till may free the code: it is sent before this one goes again.
        _UPDATE: PushEffect(_S.WAITING, _N.LOOK),
        _DELETE: PushEffect(_S.REFUSED),
    },
    # The run that takes the list makes the unit or category there again.
    PushEnd.UNLISTED: {kind: PushEffect(_S.WAITING, _N.LOOK) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.REFUSED: {kind: PushEffect(_S.REFUSED) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.BEFORE: {kind: PushEffect(_S.WAITING, _N.LOOK) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.NOT_SENT: {kind: PushEffect(_S.WAITING, _N.STOP) for kind in (_ADD, _UPDATE, _DELETE)},
    PushEnd.UNKNOWN: {
        _ADD: PushEffect(_S.SENDING, _N.LOOK),  # it is never sent twice, even after days
        _UPDATE: PushEffect(_S.WAITING, _N.LOOK),
        _DELETE: PushEffect(_S.WAITING, _N.LOOK),
    },
})  # fmt: skip


def effect_of(
    edit: catalogue_edits.CatalogueEdit, answer: PushAnswer, *, is_in_vain: bool = False
) -> PushEffect:
    """The effect of an answer on an edit. is_in_vain: nothing that may free a code was taken since
    it had the same answer in this run.

    | answer    | add                    | update            | delete        |
    | taken     | done                   | done              | done          |
    | gone      | waits, nothing is sent | list, then again  | list, then again |
    | gone again, though listed | waits, nothing is sent | waits        | waits         |
    | stale     | list, then again       | list, then again  | list, then again |
    | duplicate | looked for in the list | list, then again  | refused       |
    | duplicate, in vain, or of no named field | looked for in the list | refused | refused |
    | unlisted  | list, then again       | list, then again  | –             |
    | unlisted again | refused           | refused           | –             |
    | refused   | refused                | refused           | refused       |
    | before    | list, then again       | list, then again  | list, then again |
    | not sent  | waits, nothing is sent | waits …           | waits …       |
    | unknown   | looked for in the list | list, then again  | list, then again |
    """
    if _is_gone_again(edit, answer) and edit.kind is not _ADD:
        # The address is wrong, or the platform at fault: the next run tries again.
        return PushEffect(catalogue_edits.EditState.WAITING)
    if answer.end is PushEnd.UNLISTED and edit.error_field == answer.field:
        return PushEffect(catalogue_edits.EditState.REFUSED)  # this till does not have it, either
    is_no_code = not answer.field
    if answer.end is PushEnd.DUPLICATE and edit.kind is _UPDATE and (is_in_vain or is_no_code):
        return PushEffect(catalogue_edits.EditState.REFUSED)
    return _EFFECTS[answer.end][edit.kind]


def _is_gone_again(edit: catalogue_edits.CatalogueEdit, answer: PushAnswer) -> bool:
    return answer.end is PushEnd.GONE and edit.error_field == GONE_FIELD


# --- a run ---------------------------------------------------------------------------------------


class EditQueue(Protocol):
    """The edits of this till, each move committed before the next act."""

    def open_edits(self) -> Sequence[catalogue_edits.CatalogueEdit]:
        """All unfinished edits, the oldest first."""

    def begin(
        self, edits: Sequence[catalogue_edits.CatalogueEdit]
    ) -> Sequence[OutgoingEdit | None]:
        """Commit that these edits are being sent; return the present content of each. An item is
        None for an edit that no longer goes with the others (`still_together`) and stays as it is.
        """

    def settle(self, answered: Sequence[AnsweredEdit]) -> Sequence[AnsweredEdit]:
        """Commit the effects of these answers; return what was committed: an answer that names an
        id of another article is no proof of an addition."""

    def send_again(self, added: catalogue_edits.CatalogueEdit) -> None:
        """Commit that an addition waits again, whose code was taken and may be free by now."""


@dataclass(frozen=True, slots=True)
class AnsweredEdit:
    edit: catalogue_edits.CatalogueEdit
    answer: PushAnswer
    effect: PushEffect


@dataclass(frozen=True, slots=True)
class OutgoingEdit:
    """The content of an edit for sending.

    product: the whole new one, under the platform's id. changed: names of its fields that are to
    change, "variants" for any change of one. version: `updatedAt` of the platform's product that it
    is based on, None where there is none yet. comes_back: the platform deleted the product that is
    added, which keeps its id and codes where the platform takes it back. before: the product that
    is changed, as the platform has it.
    """

    kind: catalogue_edits.EditKind
    product: Product
    changed: frozenset[str] = frozenset()
    version: str | None = None
    comes_back: bool = False
    before: Product | None = None


@dataclass(frozen=True, slots=True)
class PushCount:
    """The numbers of sent edits of a run, and of the others by state. unknown: sent, and only the
    platform's next list shows whether it has them. waiting: surely to be sent. fault: the error
    that stopped sending, or None."""

    sent: int = 0
    refused: int = 0
    conflicts: int = 0
    unknown: int = 0
    waiting: int = 0
    fault: PosError | None = None


def sendable(edits: Iterable[catalogue_edits.CatalogueEdit]) -> list[catalogue_edits.CatalogueEdit]:
    """The edits that may be sent now, in order: for each product none after an unfinished one.

    | of one product, in order   | sendable now    |
    | waiting, waiting           | the first       |
    | conflict, waiting          | nothing         |
    | sending (no answer yet)    | nothing         |
    """
    seen: set[str] = set()
    ready = []
    for edit in edits:
        if edit.product_id not in seen and edit.state is catalogue_edits.EditState.WAITING:
            ready.append(edit)
        seen.add(edit.product_id)
    return ready


def together(
    edits: Iterable[catalogue_edits.CatalogueEdit], most: int
) -> list[list[catalogue_edits.CatalogueEdit]]:
    """Groups of edits that may be sent at the same time, in order.

    Additions, and changes of other fields than codes, are independent. A deletion or a change of
    codes may free a code that the next edit takes, so it goes alone.

    | in order, of different products   | groups        |
    | add, add, price, add              | all at once   |
    | add, delete, add                  | three         |
    | price, code, add, add             | three         |
    """
    groups: list[list[catalogue_edits.CatalogueEdit]] = []
    is_open = False
    for edit in edits:
        is_free = _goes_beside(edit)
        if is_open and is_free and len(groups[-1]) < most:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        is_open = is_free
    return groups


def still_together(
    group: Sequence[catalogue_edits.CatalogueEdit],
) -> list[catalogue_edits.CatalogueEdit]:
    """The first edits of a group that may still go together, after a manager changed some.

    | as it is by now              | goes              |
    | price, price, add            | all               |
    | price, code, add             | the first         |
    | code, price                  | the first         |
    | price, dropped, add          | first and last    |
    """
    waiting = [one for one in group if one.state is catalogue_edits.EditState.WAITING]
    return next(iter(together(waiting, len(group))), [])


def _goes_beside(edit: catalogue_edits.CatalogueEdit) -> bool:
    return edit.kind is _ADD or (edit.kind is _UPDATE and not edit.changes.keys() & _CODES)


_CODES = frozenset({"sku", "ean", "manufacturer_sku", catalogue_edits.VARIANTS})


def push(
    queue: EditQueue,
    send: Callable[[Sequence[OutgoingEdit]], Sequence[PushAnswer]],
    *,
    take_list: Callable[[], object],
    rounds: int = ROUNDS,
    group: int = GROUP,
) -> PushCount:
    """Send the open edits, each at most once between two lists. The list was imported before.

    send: sends the given edits in any order, some at the same time; it returns the answers in the
    given order. group: the most edits for one call. take_list: imports the platform's list; raises
    PosError. It is called again only where an answer requires it.
    """
    sent, unknown, codes = 0, set[int](), _TakenCodes()
    fault: PosError | None = None
    bug: PosError | None = None
    for left in reversed(range(rounds)):
        tally = _push_round(queue, send, group, codes)
        sent += tally.sent
        unknown |= tally.unknown
        fault, bug = tally.fault, bug or tally.bug
        if fault is not None or not tally.looks:
            fault = fault or tally.not_found
            break
        if not left:
            fault = tally.unanswered
            break
        try:
            take_list()
        except (RemoteError, Invalid) as error:  # earlier edits are counted all the same
            fault = error
            break
        for one in filter(codes.may_be_free_for, queue.open_edits()):
            queue.send_again(one)
        found = unknown - {one.id for one in queue.open_edits()}
        sent, unknown = sent + len(found), set()  # the list showed their outcome
    return counted(queue.open_edits(), sent=sent, unknown=unknown, fault=fault or bug)


@dataclass(slots=True)
class SendingLine:
    """The state of the connection while edits are sent; each answer is noted. ended: the answer for
    all further edits, so that only a few wait for a dead connection, or None while another try is
    useful."""

    ended: PushAnswer | None = None
    _unanswered: int = 0

    def send(self, act: Callable[[], PushAnswer]) -> PushAnswer:
        if self.ended is None:
            answer = act()
            self.note(answer)
            return answer
        return self.ended

    def note(self, answer: PushAnswer) -> None:
        self._unanswered += not answer.answered
        if answer.end is PushEnd.NOT_SENT:
            self.ended = answer
        elif self._unanswered >= MOST_UNANSWERED:
            self.ended = PushAnswer(PushEnd.NOT_SENT, fault=answer.fault, answered=False)


@dataclass(slots=True)
class _TakenCodes:
    """The edits whose code was taken, by what may have freed one since. freed: so many edits that
    may free a code were taken in this run. tried: that number at the last attempt of each edit."""

    freed: int = 0
    tried: dict[int, int] = field(default_factory=dict)

    def effect_of(self, edit: catalogue_edits.CatalogueEdit, answer: PushAnswer) -> PushEffect:
        is_in_vain = self.tried.get(edit.id) == self.freed
        if answer.end is PushEnd.DUPLICATE:
            self.tried[edit.id] = self.freed
        self.freed += answer.end is PushEnd.TAKEN and not _goes_beside(edit)
        return effect_of(edit, answer, is_in_vain=is_in_vain)

    def may_be_free_for(self, edit: catalogue_edits.CatalogueEdit) -> bool:
        """Whether an addition that the list did not explain may be taken by now."""
        is_asked = edit.state in (
            catalogue_edits.EditState.REFUSED,
            catalogue_edits.EditState.CONFLICT,
        )
        return edit.kind is _ADD and is_asked and self.tried.get(edit.id, self.freed) < self.freed


@dataclass(slots=True)
class _Tally:
    """most: edits in one group. tried: ids of those sent since the last list, unknown: of those
    without an answer; unanswered: the last one's error. not_found: the error of a product that is
    listed and not found. bug: what this program failed at with one edit, beside the others. stops:
    nothing more is sent."""

    most: int
    line: SendingLine = field(default_factory=SendingLine)
    sent: int = 0
    looks: bool = False
    stops: bool = False
    fault: PosError | None = None
    tried: set[int] = field(default_factory=set)
    unknown: set[int] = field(default_factory=set)
    unanswered: PosError | None = None
    not_found: PosError | None = None
    bug: PosError | None = None

    def note_bug(self, error: BaseException) -> None:
        _log.error("a bug kept a change from the platform", exc_info=error)
        self.bug = ProgramError()

    def not_begun(self, group: Sequence[catalogue_edits.CatalogueEdit], error: Exception) -> None:
        """From now on begin one after the other, and leave the one that can't be begun."""
        self.most = 1
        if len(group) == 1:
            self.note_bug(error)
            self.tried.add(group[0].id)

    def count(self, answered: AnsweredEdit, *, was_alone: bool) -> None:
        if answered.answer.too_fast and not was_alone:  # from now on one after the other
            self.most = 1
            self.tried.discard(answered.edit.id)
            return
        self.sent += answered.effect.state is catalogue_edits.EditState.DONE
        if answered.answer.end is PushEnd.UNKNOWN:
            self.unknown.add(answered.edit.id)
        if answered.answer.end in (PushEnd.UNKNOWN, PushEnd.BEFORE):
            self.unanswered = answered.answer.fault
        if _is_gone_again(answered.edit, answered.answer):
            self.not_found = answered.answer.fault
        self.looks |= answered.effect.then is AfterEdit.LOOK
        self.line.note(answered.answer)
        if answered.effect.then is AfterEdit.STOP or self.line.ended is not None:
            self.stops = True
            self.fault = self.fault or answered.answer.fault


def _push_round(
    queue: EditQueue,
    send: Callable[[Sequence[OutgoingEdit]], Sequence[PushAnswer]],
    most: int,
    codes: _TakenCodes,
) -> _Tally:
    tally = _Tally(most)
    while ready := [one for one in sendable(queue.open_edits()) if one.id not in tally.tried]:
        for group in together(ready, tally.most):
            outgoing = _tried(queue.begin, group)
            if isinstance(outgoing, Exception):
                tally.not_begun(group, outgoing)
                break
            begun = zip(group, outgoing, strict=True)
            on_way = [(edit, sent) for edit, sent in begun if sent is not None]
            tally.tried.update(edit.id for edit, _ in on_way)
            answers = send([sent for _, sent in on_way])
            came = [
                AnsweredEdit(edit, answer, codes.effect_of(edit, answer))
                for (edit, _), answer in zip(on_way, answers, strict=True)
            ]
            answered = _settled(queue, came, tally)
            for bug in [one.raised for one in answers if one.raised is not None]:
                if isinstance(bug, PosError) or not isinstance(bug, Exception):
                    raise bug
                tally.note_bug(bug)
            for one in answered:
                tally.count(one, was_alone=len(on_way) == 1)
            if tally.stops:
                return tally
            if tally.most < len(on_way) or len(on_way) < len(group):
                break  # the rest is grouped anew
    return tally


def unknown_after(error: BaseException) -> PushAnswer:
    """The answer for an edit whose sending raised; it may have been sent."""
    return PushAnswer(PushEnd.UNKNOWN, raised=error)


def _settled(
    queue: EditQueue, answered: Sequence[AnsweredEdit], tally: _Tally
) -> Sequence[AnsweredEdit]:
    """Settle these, each by itself where all together fail. The next run finds out about one that
    can't be settled."""
    settled = _tried(queue.settle, answered)
    if not isinstance(settled, Exception):
        return settled
    if len(answered) == 1:
        tally.note_bug(settled)
        return ()
    return [done for one in answered for done in _settled(queue, [one], tally)]


def _tried(
    act: Callable[[Sequence[G]], Sequence[T]], given: Sequence[G]
) -> Sequence[T] | Exception:
    """What the act returns, or the bug that ended it: one change must not stop the others."""
    try:
        return act(given)
    except PosError:
        raise
    except Exception as error:  # noqa: BLE001 - the caller logs it
        return error


def counted(
    edits: Iterable[catalogue_edits.CatalogueEdit],
    *,
    sent: int = 0,
    unknown: Collection[int] = (),
    fault: PosError | None = None,
) -> PushCount:
    """Count the states of these edits. sent, fault: the number that the run sent, and its fault.
    unknown: the ids of the edits that got no answer in it."""
    held = Counter(
        catalogue_edits.EditState.SENDING
        if one.state is catalogue_edits.EditState.WAITING and one.id in unknown
        else one.state
        for one in edits
    )
    return PushCount(
        sent=sent,
        refused=held[catalogue_edits.EditState.REFUSED],
        conflicts=held[catalogue_edits.EditState.CONFLICT],
        unknown=held[catalogue_edits.EditState.SENDING],
        waiting=held[catalogue_edits.EditState.WAITING],
        fault=fault,
    )


class StoreEditQueue(Protocol):
    """The changes of stores that the platform does not have yet, each move committed."""

    def open_edits(self) -> Sequence[StoreEdit]: ...

    def begin(self, edit: StoreEdit) -> StoreEdit | None:
        """Note that a change is on its way, and return it so. It returns None where somebody
        changed it meanwhile: the next run sends that."""

    def take(self, sent: StoreEdit, answered: Store) -> None:
        """Note that the platform took the change, with this answer."""

    def refuse(self, sent: StoreEdit, *, why: str, field: str) -> None:
        """Note that the platform refused the change, which then waits for a person; without `why`
        it surely was not made, and waits for the next run."""


def push_stores(
    queue: StoreEditQueue, send: Callable[[StoreEdit], PushAnswer], *, pushed: PushCount
) -> PushCount:
    """Send the changes of stores; fields that both sides changed wait for a person.

    pushed: the counts so far, returned with those of the stores. A change without an answer is not
    sent again: the next run's list shows its outcome.
    """
    edits = queue.open_edits()
    pushed = with_stores(pushed, [edit for edit in edits if not edit.is_ready])
    for edit in filter(None, map(queue.begin, [edit for edit in edits if edit.is_ready])):
        answer = send(edit)
        if answer.end is PushEnd.TAKEN:
            queue.take(edit, answer.store or edit.ours)
            pushed = replace(pushed, sent=pushed.sent + 1)
        elif answer.end in (PushEnd.REFUSED, PushEnd.DUPLICATE):
            queue.refuse(edit, why=answer.why, field=answer.field)
            pushed = replace(pushed, refused=pushed.refused + 1)
        elif answer.end is PushEnd.UNKNOWN:
            fault = pushed.fault or answer.fault
            pushed = replace(pushed, unknown=pushed.unknown + 1, fault=fault)
        else:  # the next run meets a newer version, or the store's right address
            queue.refuse(edit, why="", field="")
            fault = pushed.fault or answer.fault
            pushed = replace(pushed, waiting=pushed.waiting + 1, fault=fault)
    return pushed


def with_stores(pushed: PushCount, edits: Iterable[StoreEdit]) -> PushCount:
    """Add these changes of stores to the counts; none of them is sent."""
    refused = both = waiting = 0
    for edit in edits:
        refused += bool(edit.error)
        both += bool(edit.conflicts) and not edit.error
        waiting += edit.is_ready
    return replace(
        pushed,
        refused=pushed.refused + refused,
        conflicts=pushed.conflicts + both,
        waiting=pushed.waiting + waiting,
    )


# --- beside a till -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """The progress of a run. step: "list", "products" or "edits"; of: 0 while it is unknown."""

    step: str
    done: int
    of: int


class SyncEnd(IntEnum):
    """The end of `pos-app sync`: its exit code."""

    DONE = 0
    FAILED = 1
    """This machine, or its settings, had a fault."""
    BAD_LIST = 2
    BUSY = 3
    """Another run is under way on these data."""
    WAITING = 4
    """A person must decide."""
    AWAY = 5
    """The platform was not reached, or refuses this till."""


class SyncRunner(Protocol):
    """Runs synchronisations beside the till, now and then."""

    @property
    def progress(self) -> SyncProgress | None:
        """The progress of the present run, or None between runs."""

    def ask(self) -> None:
        """Start a run soon."""

    def every(self, minutes: int) -> None:
        """Set the minutes between two runs, from the next one on; 0 runs only on request."""

    def want_picture(self, product_id: str) -> None:
        """Fetch, once, the missing picture of a product that a person sees."""
