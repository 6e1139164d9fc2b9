"""The status line in words: server, processor, queue, synchronisation, and what works now.

Source: till.md (Promise 5: offline is a state, not an error), look.md ("Status item").
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pos_app.cashier.services.storage_faults import StorageFault, Where
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import StatusItem, StatusLine
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.frame import WaitingCounts
from pos_app.domain.receipt.server_status import DeliveryJob, ProcessorState, PublicMode
from pos_app.domain.receipt.states import JobMethod
from pos_app.domain.setup.safe_connection import UNSAFE
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.errors import OutcomeUnknown, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.attention import delivery_trouble
from pos_app.selling.catalogue.catalogue import CatalogueStatus
from pos_app.selling.sale.state import UNENDED, SaleState
from pos_app.selling.server.monitor import ServerLink, ServerView
from pos_app.selling.synchronisation.run import SyncProgress

_P = ProcessorState
_TAKEN = "taken"
"""The platform's code for a connection that another till has taken."""

_LINKS = {
    ServerLink.OURS: StateKind.DONE,
    ServerLink.NOT_ASKED: StateKind.WAIT,
    ServerLink.AWAY: StateKind.WAIT,
    ServerLink.STRANGER: StateKind.FAILED,
}


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """The facts of the status line. now: UTC. waiting, to_decide: the number of things that wait,
    and of those that need a person, as Attention counts them. queued: the number of sales without
    an end.

    storage, catalogue: the faults of their files. drawer: why it did not open with the last sale.
    sync: the progress of a synchronisation, None between two. has_platform: there is a platform to
    synchronise with.
    """

    server: ServerView
    waiting: int
    to_decide: int
    catalogue_status: CatalogueStatus
    holds: bool
    now: datetime
    queued: int = 0
    storage: StorageFault | None = None
    catalogue: StorageFault | None = None
    drawer: RemoteError | None = None
    sync: SyncProgress | None = None
    has_platform: bool = True

    @classmethod
    def of(
        cls,
        services: TillServices,
        *,
        waiting: int,
        to_decide: int,
        drawer: RemoteError | None = None,
    ) -> StatusFacts:
        counts, facts = _counts_of(services), services.catalogue.facts()
        return cls(
            services.server,
            waiting,
            to_decide,
            facts,
            services.settings.till.queue_without_processor == "hold",
            services.till.clock.now(),
            sum(counts.values()),
            services.faults.fault_of(Where.TILL),
            services.faults.fault_of(Where.CATALOGUE),
            drawer,
            sync_progress(services),
            has_platform=services.has_platform,
        )


def show_status(
    line: StatusLine, services: TillServices, waiting: WaitingCounts, texts: Texts
) -> None:
    """Show everything anew. A narrow line names the person who works here, too."""
    facts = StatusFacts.of(
        services, waiting=waiting.many, to_decide=waiting.to_decide, drawer=waiting.drawer
    )
    person = person_below(services) if line.theme.metrics.narrow else ""
    line.set_status(status_items(facts, texts), sentence(facts, texts), person=person)


def sync_progress(services: TillServices) -> SyncProgress | None:
    return services.sync.progress if services.sync is not None else None


def status_items(facts: StatusFacts, texts: Texts) -> tuple[StatusItem, ...]:
    """The four subjects with their states. Storage, printer and drawer are shown only while they
    fail, storage first."""
    return (
        *_storage(facts.storage, texts),
        _server(facts.server, texts),
        _processor(facts.server, texts),
        *_printer(facts.server, texts),
        *_drawer(facts.drawer, texts),
        _queue(facts, texts),
        _catalogue(facts, texts),
    )


def person_below(services: TillServices) -> str:
    """The name of the person who works here, which the key that locks has no room for in a narrow
    window; "" where no such key is shown."""
    return services.cashier if services.locks and not services.here.is_locked else ""


def sentence(facts: StatusFacts, texts: Texts) -> str:
    """One sentence that says what works now."""
    if facts.storage is not None:
        return texts("works.no_storage")
    if facts.catalogue is not None:
        return texts("works.no_catalogue")
    if facts.server.link is ServerLink.NOT_ASKED:
        return texts("works.asking")
    if facts.server.signs_nothing:
        return texts("works.hold" if facts.holds else "works.not_signed")
    if facts.queued:
        return texts("works.queue")
    if _kept_back(facts.server) is not None:
        return texts("works.not_printed")
    status = facts.catalogue_status
    works = status.synced_at is not None and status.away_since is None
    return texts("works.all" if works else "works.no_sync")


def _counts_of(services: TillServices) -> Mapping[SaleState, int]:
    """The number of sales without an end, by state. Where they can't be read the numbers are 0, and
    the fault is reported."""
    none: Mapping[SaleState, int] = dict.fromkeys(UNENDED, 0)
    at = services.till.clock.now()
    return services.faults.read_or(Where.TILL, none, services.sales.counts, by="queue", at=at)


def _storage(trouble: StorageFault | None, texts: Texts) -> tuple[StatusItem, ...]:
    if trouble is None:
        return ()
    state = storage_why(trouble, texts)
    return (StatusItem(texts("status.storage"), state, StateKind.FAILED),)


def storage_why(trouble: StorageFault, texts: Texts) -> str:
    text_id = f"status.storage.{trouble.fault.code}"
    return texts(text_id if texts.has(text_id) else "status.storage.other")


def _catalogue(facts: StatusFacts, texts: Texts) -> StatusItem:
    if facts.catalogue is None:
        return synchronisation(facts, texts)
    state = storage_why(facts.catalogue, texts)
    return StatusItem(texts("status.catalogue"), state, StateKind.FAILED)


def _server(view: ServerView, texts: Texts) -> StatusItem:
    if view.is_troubled:
        return StatusItem(texts("status.server"), server_why(view, texts), StateKind.FAILED)
    state = texts(f"status.server.{view.link.value}")
    return StatusItem(texts("status.server"), state, _LINKS[view.link])


def stranger_words(server: ServerView, texts: Texts) -> tuple[str, str]:
    """Words for the program that answers in the server's stead, and what to do about it."""
    code = server.reason.code if server.reason else ""
    text_id = f"att.stranger.{code if texts.has(f'att.stranger.{code}') else 'foreign'}"
    return texts(text_id), texts(f"{text_id}.do")


def server_why(view: ServerView, texts: Texts) -> str:
    """The reason why the server does not start by itself, in a few words."""
    reason = view.fault or view.reason
    text_id = f"server.why.{reason.code if reason else ''}"
    return texts(text_id if texts.has(text_id) else "server.why")


def refusal_words(public_mode: PublicMode, texts: Texts) -> str:
    """The reason why the platform does not let this till in, in a few words; "" where it is
    unknown."""
    if public_mode.code == _TAKEN and public_mode.by:
        return texts("att.public.taken", name=public_mode.by)
    text_id = f"set.plat.refusal.{public_mode.code}"
    return texts(text_id) if texts.has(text_id) else connection_words(public_mode.code, texts)


def as_sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def connection_words(code: str, texts: Texts) -> str:
    """Why there is no safe connection (a `TlsFault`, a `ClearTextFault.code`) and what to do, as a
    part of a sentence; "" for another fault."""
    text_id = f"fault.{code}"
    return texts(text_id) if texts.has(text_id) else ""


def _processor(view: ServerView, texts: Texts) -> StatusItem:
    """The processor's state. It is amber as soon as it is known that nothing is signed, whatever
    the cause."""
    subject = texts("status.processor")
    if view.status is None:
        kind = StateKind.DECIDE if view.signs_nothing else StateKind.WAIT
        return StatusItem(subject, texts("status.processor.unknown"), kind)
    status = view.status.processor
    if status.state is _P.READY and view.link is ServerLink.OURS:
        made = f"processor.{status.kind}"
        kind_words = texts(made) if texts.has(made) else status.kind
        return StatusItem(subject, texts("status.processor.ready", kind=kind_words))
    if status.state is _P.READY:
        return StatusItem(subject, texts("status.processor.unknown"), StateKind.DECIDE)
    if status.state is _P.DISK:  # not the processor's fault
        return StatusItem(texts("status.disk"), texts("status.disk.nearly_full"), StateKind.DECIDE)
    state = texts(f"status.processor.{status.state.value}")
    return StatusItem(subject, state, StateKind.DECIDE)


def _kept_back(view: ServerView) -> DeliveryJob | None:
    """The paper that a printer keeps back, or None while our server can't be asked."""
    job = delivery_trouble.printer_in_trouble(view.status) if view.link is ServerLink.OURS else None
    return job if job is not None and job.state in delivery_trouble.GOES_ON else None


def _printer(view: ServerView, texts: Texts) -> tuple[StatusItem, ...]:
    """The printer's state while it keeps papers back, or while papers wait for somebody's
    answer."""
    if (job := _kept_back(view)) is not None:
        text_id = f"status.printer.{job.trouble}"
        state = texts(text_id if texts.has(text_id) else "status.printer.other")
        return (StatusItem(texts("status.printer"), state, StateKind.DECIDE, "printer-x"),)
    papers = delivery_trouble.unanswered_papers(view.status) if view.link is ServerLink.OURS else 0
    if not papers:
        return ()
    state = texts.count("status.printing.decide", papers)
    return (StatusItem(texts("status.printing"), state, StateKind.DECIDE, "printer-x"),)


def _drawer(trouble: RemoteError | None, texts: Texts) -> tuple[StatusItem, ...]:
    if trouble is None:
        return ()
    is_unknown = isinstance(trouble, OutcomeUnknown)
    state = texts(f"status.drawer.{'unknown' if is_unknown else 'shut'}")
    return (StatusItem(texts("status.drawer"), state, StateKind.DECIDE),)


def _queue(facts: StatusFacts, texts: Texts) -> StatusItem:
    if not facts.waiting and facts.queued:
        return StatusItem(texts("status.queue"), texts("status.queue.issues"), StateKind.WAIT)
    if not facts.waiting:
        return StatusItem(texts("status.queue"), texts("status.queue.empty"))
    kind = StateKind.DECIDE if facts.to_decide else StateKind.WAIT
    text = counts_words(facts.waiting, facts.to_decide, texts)
    return StatusItem(texts("status.waits"), text, kind)


def counts_words(waiting: int, to_decide: int, texts: Texts) -> str:
    """The number of things that wait, and of those that need a person: "3 ставке · 2 траже
    одлуку"."""
    items = texts.count("status.items", waiting)
    return f"{items} · {texts.count('status.decisions', to_decide)}" if to_decide else items


def synchronisation(facts: StatusFacts, texts: Texts) -> StatusItem:
    """The state of the catalogue compared with the platform's catalogue."""
    status = facts.catalogue_status
    decide = status.to_decide
    if status.asked_to_join is not None:
        return StatusItem(texts("status.sync"), texts("status.sync.joining"), StateKind.DECIDE)
    if decide:
        state = texts.count("status.sync.conflict", decide)
        return StatusItem(texts("status.sync"), state, StateKind.DECIDE)
    if facts.sync is not None and facts.sync.of > _WORTH_TELLING:
        state = texts("status.sync.running", done=facts.sync.done, of=facts.sync.of)
        return StatusItem(texts("status.sync"), state, StateKind.WAIT)
    if status.away_since is not None:
        return _away(status, status.away_since, facts.now, texts)
    if status.synced_at is None:
        subject = texts("status.synced.never")
        if not facts.has_platform:
            return StatusItem(subject, texts("status.synced.here"))
        state = _with_waiting(texts("status.synced.never_words"), status, texts)
        return StatusItem(subject, state, StateKind.WAIT)
    today = day_of(status.synced_at) == day_of(facts.now)
    shown = _clock(status.synced_at, facts.now)
    state = texts("status.synced.at", time=shown) if today else texts("status.synced.on", day=shown)
    if not (status.to_send and facts.has_platform):
        return StatusItem(texts("status.synced"), state)
    return StatusItem(texts("status.synced"), _with_waiting(state, status, texts), StateKind.WAIT)


def _with_waiting(state: str, status: CatalogueStatus, texts: Texts) -> str:
    """The state, and how many changes wait to be sent to the platform."""
    if not status.to_send:
        return state
    return f"{state} · {texts.count('status.sync.waiting', status.to_send)}"


_WORTH_TELLING = 200
"""With more products or edits a run takes long enough to be shown."""


def _away(status: CatalogueStatus, since: datetime, now: datetime, texts: Texts) -> StatusItem:
    """The item for a platform that is not reached, where the till waits, or that refuses this till,
    where a person has to act."""
    if status.fault in UNSAFE:  # Attention and the page of the platform say more
        return StatusItem(texts("status.sync"), texts("status.sync.unsafe"), StateKind.DECIDE)
    text_id = f"status.sync.why.{status.fault}"
    if texts.has(text_id):
        return StatusItem(texts("status.sync"), texts(text_id), StateKind.DECIDE)
    told = status.fault if status.fault in ("web_page", "elsewhere") else "away"
    what = f"status.sync.{told}"
    state = _with_waiting(texts(what, when=_clock(since, now)), status, texts)
    return StatusItem(texts("status.sync"), state, StateKind.WAIT)


def _clock(moment: datetime, now: datetime) -> str:
    """The time of day; unless that is today, with the day, and with another year's year."""
    local, today = in_belgrade(moment), in_belgrade(now)
    if local.date() == today.date():
        return local.strftime("%H:%M")
    return local.strftime("%d.%m. %H:%M" if local.year == today.year else "%d.%m.%Y. %H:%M")


# --- a delivery that failed or waits, for the last sale and Attention ----------------------------


def delivery_case_id(job: DeliveryJob) -> str:
    return f"job {job.id}"


def delivery_trouble_words(job: DeliveryJob, texts: Texts) -> str:
    """Words for the trouble of a delivery. A newer server may send a trouble that this till has no
    words for."""
    text_id = f"att.trouble.{job.trouble}"
    own = f"{text_id}.{'mail' if job.method is JobMethod.EMAIL else 'paper'}"
    return texts(own if texts.has(own) else text_id if texts.has(text_id) else "att.trouble.other")
