"""The bottom line in words: server, processor, queue, synchronisation, and what works now.

Source: till.md (Promise 5: offline is a state, not an error), look.md ("Status item").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.counter import Counter, signs_nothing
from pos_app.cashier.look.state import StateKind
from pos_app.cashier.look.status import StatusItem
from pos_app.cashier.storage_faults import Trouble, Where
from pos_app.cashier.texts import Words
from pos_app.domain.instant import day_of, in_belgrade
from pos_app.errors import MachineError, OutcomeUnknown, RemoteError
from pos_app.selling.answers import DeliveryJob, ProcessorState
from pos_app.selling.catalogue import Facts
from pos_app.selling.life import UNENDED, SaleState
from pos_app.selling.link import Link, ServerView
from pos_app.selling.undelivered import GOES_ON, printer_in_trouble, unanswered_papers

_P = ProcessorState

_LINKS = {
    Link.OURS: StateKind.DONE,
    Link.NOT_ASKED: StateKind.WAIT,
    Link.AWAY: StateKind.WAIT,
    Link.STRANGER: StateKind.FAILED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What the bottom line is made of. now: UTC. waiting, to_decide: how many things wait, and how
    many of them call for a person, as Attention counts them. queued: how many sales have no end.

    storage, catalogue: what keeps their files from being read or written. drawer: why it did not
    open with the last sale.
    """

    server: ServerView
    waiting: int
    to_decide: int
    facts: Facts
    holds: bool
    now: datetime
    queued: int = 0
    storage: Trouble | None = None
    catalogue: Trouble | None = None
    drawer: RemoteError | None = None

    @classmethod
    def of(
        cls,
        counter: Counter,
        *,
        waiting: int,
        to_decide: int,
        drawer: RemoteError | None = None,
    ) -> Standing:
        """How the counter stands now, with the counts of Attention."""
        counts, facts = _counts_of(counter), counter.shelf.facts()
        return cls(
            counter.server,
            waiting,
            to_decide,
            facts,
            counter.settings.till.queue_without_processor == "hold",
            counter.till.clock.now(),
            sum(counts.values()),
            counter.faults.of(Where.TILL),
            counter.faults.of(Where.CATALOGUE),
            drawer,
        )


def status_items(standing: Standing, words: Words) -> tuple[StatusItem, ...]:
    """The four subjects with their states; storage before them while it fails, printer and drawer
    among them while they do."""
    return (
        *_storage(standing.storage, words),
        _server(standing.server, words),
        _processor(standing.server, words),
        *_printer(standing.server, words),
        *_drawer(standing.drawer, words),
        _queue(standing, words),
        _catalogue(standing, words),
    )


def sentence(standing: Standing, words: Words) -> str:
    """One sentence: what works now. Without a processor it says so before all else."""
    if standing.storage is not None:
        return words("works.no_storage")
    if standing.catalogue is not None:
        return words("works.no_catalogue")
    if standing.server.link is Link.NOT_ASKED:
        return words("works.asking")
    if signs_nothing(standing.server):
        return words("works.hold" if standing.holds else "works.not_signed")
    if standing.queued:
        return words("works.queue")
    if _kept_back(standing.server) is not None:
        return words("works.not_printed")
    return words("works.all" if standing.facts.synced_at else "works.no_sync")


def _counts_of(counter: Counter) -> Mapping[SaleState, int]:
    """Sales without an end by state; none where they can't be read, which is noted."""
    faults, by = counter.faults, "queue"
    try:
        counts = counter.sales.counts()
    except MachineError as error:
        faults.met(Where.TILL, error, by=by, at=counter.till.clock.now())
        return dict.fromkeys(UNENDED, 0)
    faults.over(Where.TILL, by=by)
    return counts


def _storage(trouble: Trouble | None, words: Words) -> tuple[StatusItem, ...]:
    """Nothing can be entered or confirmed: red, and before all else."""
    if trouble is None:
        return ()
    state = storage_why(trouble, words)
    return (StatusItem(words("status.storage"), state, StateKind.FAILED),)


def storage_why(trouble: Trouble, words: Words) -> str:
    """What is the matter with a file of this till, in a few words."""
    key = f"status.storage.{trouble.fault.code}"
    return words(key if words.has(key) else "status.storage.other")


def _catalogue(standing: Standing, words: Words) -> StatusItem:
    if standing.catalogue is None:
        return _synchronisation(standing.facts, standing.now, words)
    state = storage_why(standing.catalogue, words)
    return StatusItem(words("status.catalogue"), state, StateKind.FAILED)


def _server(view: ServerView, words: Words) -> StatusItem:
    if view.is_troubled:
        return StatusItem(words("status.server"), server_why(view, words), StateKind.FAILED)
    state = words(f"status.server.{view.link.value}")
    return StatusItem(words("status.server"), state, _LINKS[view.link])


def server_why(view: ServerView, words: Words) -> str:
    """Why the server does not come by itself, in a few words."""
    told = view.fault or view.reason
    key = f"server.why.{told.code if told else ''}"
    return words(key if words.has(key) else "server.why")


def _processor(view: ServerView, words: Words) -> StatusItem:
    """Amber as soon as it is known that nothing is signed, whatever stands between."""
    subject = words("status.processor")
    if view.status is None:
        kind = StateKind.DECIDE if signs_nothing(view) else StateKind.WAIT
        return StatusItem(subject, words("status.processor.unknown"), kind)
    told = view.status.processor
    if told.state is _P.READY and view.link is Link.OURS:
        made = f"processor.{told.kind}"
        kind_words = words(made) if words.has(made) else told.kind
        return StatusItem(subject, words("status.processor.ready", kind=kind_words))
    if told.state is _P.READY:
        return StatusItem(subject, words("status.processor.unknown"), StateKind.DECIDE)
    if told.state is _P.DISK:  # not the processor's fault
        return StatusItem(words("status.disk"), words("status.disk.nearly_full"), StateKind.DECIDE)
    state = words(f"status.processor.{told.state.value}")
    return StatusItem(subject, state, StateKind.DECIDE)


def _kept_back(view: ServerView) -> DeliveryJob | None:
    """The paper that a printer keeps back; None while our server can't tell."""
    job = printer_in_trouble(view.status) if view.link is Link.OURS else None
    return job if job is not None and job.state in GOES_ON else None


def _printer(view: ServerView, words: Words) -> tuple[StatusItem, ...]:
    """Only what is known: that papers are kept back, or wait for somebody's answer."""
    if (job := _kept_back(view)) is not None:
        key = f"status.printer.{job.trouble}"
        state = words(key if words.has(key) else "status.printer.other")
        return (StatusItem(words("status.printer"), state, StateKind.DECIDE, "printer-x"),)
    papers = unanswered_papers(view.status) if view.link is Link.OURS else 0
    if not papers:
        return ()
    state = words.count("status.printing.decide", papers)
    return (StatusItem(words("status.printing"), state, StateKind.DECIDE, "printer-x"),)


def _drawer(trouble: RemoteError | None, words: Words) -> tuple[StatusItem, ...]:
    if trouble is None:
        return ()
    is_unknown = isinstance(trouble, OutcomeUnknown)
    state = words(f"status.drawer.{'unknown' if is_unknown else 'shut'}")
    return (StatusItem(words("status.drawer"), state, StateKind.DECIDE),)


def _queue(standing: Standing, words: Words) -> StatusItem:
    if not standing.waiting and standing.queued:
        return StatusItem(words("status.queue"), words("status.queue.issues"), StateKind.WAIT)
    if not standing.waiting:
        return StatusItem(words("status.queue"), words("status.queue.empty"))
    kind = StateKind.DECIDE if standing.to_decide else StateKind.WAIT
    told = counts_words(standing.waiting, standing.to_decide, words)
    return StatusItem(words("status.waits"), told, kind)


def counts_words(waiting: int, to_decide: int, words: Words) -> str:
    """How many things wait, and how many of them call for a person: "3 ставке · 2 траже одлуку"."""
    items = words.count("status.items", waiting)
    return f"{items} · {words.count('status.decisions', to_decide)}" if to_decide else items


def _synchronisation(facts: Facts, now: datetime, words: Words) -> StatusItem:
    decide = facts.conflicts + facts.refused
    if decide:
        state = words.count("status.sync.conflict", decide)
        return StatusItem(words("status.sync"), state, StateKind.DECIDE)
    if facts.synced_at is None:
        subject = words("status.synced.never")
        return StatusItem(subject, words("status.synced.never_words"), StateKind.WAIT)
    moment = in_belgrade(facts.synced_at)
    if day_of(facts.synced_at) == day_of(now):
        state = words("status.synced.at", time=moment.strftime("%H:%M"))
    else:
        state = words("status.synced.on", day=moment.strftime("%d.%m. %H:%M"))
    return StatusItem(words("status.synced"), state)
