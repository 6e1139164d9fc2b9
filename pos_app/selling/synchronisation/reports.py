"""The report of a run: its counts, its end, and the messages for a person or the till."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Protocol

from pos_app import errors
from pos_app.domain.money.money import Money
from pos_app.domain.setup.safe_connection import ClearTextFault
from pos_app.domain.text.counted import counted
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.joining import JoiningAnswer, JoiningQuestion, NewAnswer
from pos_app.selling.synchronisation.run import PushCount, SyncEnd


@dataclass(frozen=True, slots=True)
class Imported:
    """The effects of a list on the catalogue, in products. held_back: products that the platform no
    longer has and that wait for a manager, also from earlier runs; held_now: those of them from
    this list. joined: products that came from elsewhere and belong to the platform now; to_join:
    products from elsewhere that are to be added there; along, settled, undeleted: the changes
    affected then (`Joined` of the catalogue's own names). stores_ended: changes of stores that the
    list does not have. articles: the articles sold now. lost: changes that this till
    had sent, and that the platform lacks since it was put back from an older copy."""

    listed: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    held_back: int = 0
    held_now: int = 0
    conflicts: int = 0
    joined: int = 0
    to_join: int = 0
    along: int = 0
    settled: int = 0
    undeleted: int = 0
    stores_ended: int = 0
    articles: int = 0
    lost: int = 0

    def after(self, before: Imported) -> Imported:
        """Return the counts of two lists of a run: of the last one with products, but joining of
        both."""
        imported = self if self.listed or not before.listed else before
        both = {name: getattr(self, name) + getattr(before, name) for name in _OF_JOINING}
        return replace(imported, **both)


_OF_JOINING = ("joined", "to_join", "along", "settled", "undeleted", "stores_ended", "lost")


@dataclass(slots=True)
class OddPrices:
    """The numbers of prices that are zero, and unusually large; an article's name for each."""

    zero: int = 0
    zero_name: str = ""
    large: int = 0
    large_name: str = ""

    def count(self, name: str, doubt: errors.Invalid | None) -> None:
        if doubt is None:
            return
        if doubt.kind == "price_zero":
            self.zero, self.zero_name = self.zero + 1, self.zero_name or name
        else:
            self.large, self.large_name = self.large + 1, self.large_name or name


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport(Imported):
    """The result of a synchronisation with a file.

    pictures: photos beside the file. shared_codes: EANs that several articles have. odd: prices
    that are perhaps not meant; large: the price from which this holds. seconds: the duration.
    """

    pictures: int
    shared_codes: int
    odd: OddPrices
    large: Money
    seconds: float

    @property
    def waits(self) -> bool:
        return bool(self.held_back or self.conflicts)

    @property
    def end(self) -> SyncEnd:
        return SyncEnd.WAITING if self.waits else SyncEnd.DONE

    def lines(self) -> Iterator[str]:
        yield (
            f"{counted(self.listed, 'product')} listed: {self.added} added, {self.changed} changed,"
            f" {self.unchanged} unchanged, {self.removed} removed;"
            f" {counted(self.pictures, 'photo')}, {self.seconds:.1f} s."
        )
        if self.held_back:
            yield (
                f"{counted(self.held_back, 'product')} gone from the list: that is unusually many,"
                " so nothing of it is removed. If it is meant, use --accept-removals."
            )
        if self.conflicts:
            yield (
                f"{counted(self.conflicts, 'change')} made here and in the list: the till keeps its"
                " own until it is decided."
            )
        if self.shared_codes:
            yield f"{counted(self.shared_codes, 'EAN')} of several articles: the till will ask."
        for many, how, name in (
            (self.odd.zero, "of nothing", self.odd.zero_name),
            (self.odd.large, f"of {self.large} or more", self.odd.large_name),
        ):
            if many:
                yield f"{counted(many, 'price')} {how}, {name!r} first: look whether it is meant."


@dataclass(frozen=True, slots=True)
class PlatformReport:
    """The result of a run. brought: the effects of the last list with changes. seconds: the
    duration.

    is_unchanged: the platform reported no change. asked: the question to a person before all else;
    then nothing was imported or sent. new_answer: the answer to it that is new in this run.
    only_reads: the answer forbids sending. is_unheard: the command's answer has no effect in a
    demo.
    """

    brought: Imported
    pushed: PushCount
    is_unchanged: bool
    seconds: float
    asked: JoiningQuestion | None = None
    new_answer: NewAnswer | None = None
    only_reads: bool = False
    is_unheard: bool = False

    @property
    def end(self) -> SyncEnd:
        """A question comes first, then what ended the run early, then what waits for a person."""
        if self.asked is not None:
            return SyncEnd.WAITING
        if self.pushed.fault is not None:
            return end_of(self.pushed.fault)
        waits = self.brought.held_back or self.pushed.conflicts or self.pushed.refused
        return SyncEnd.WAITING if waits else SyncEnd.DONE


def end_of(error: errors.PosError) -> SyncEnd:
    """The end of a run that this error prevented or ended."""
    if isinstance(error, errors.RemoteError):
        return SyncEnd.AWAY
    codes: dict[type[errors.PosError], SyncEnd] = {
        errors.AlreadyRunning: SyncEnd.BUSY,
        errors.NotFound: SyncEnd.BAD_LIST,
    }
    is_list = isinstance(error, errors.Invalid)
    return codes.get(type(error), SyncEnd.BAD_LIST if is_list else SyncEnd.FAILED)


def fault_word(error: errors.PosError) -> str:
    """Return the fault in a word, for which the till has a text."""
    if isinstance(tls := error.values.get("tls"), str):  # a TlsFault
        return tls
    return _WORDS.get(error.full_kind, _WORDS.get(error.kind, error.code))


_WORDS = {
    "platform_key": "platform_key",
    "platform_no_more": "platform_no_more",
    "platform_no_room": "platform_no_room",
    "platform_clear_text": ClearTextFault.PUBLIC.code,
    "platform_clear_text.not_allowed": ClearTextFault.NOT_ALLOWED.code,
    "web_page": "web_page",
    "web_page.elsewhere": "elsewhere",
}
"""The faults that are told apart from others with the same code, by kind. A row that an earlier
version kept may have "platform_untrusted", for which the till still has a text; now each such fault
is a `TlsFault`."""


def name_the_list(error: errors.Invalid) -> None:
    error.reworded(
        what=f"The platform's list can't be used: {error.what.rstrip('.')}.",
        safe="The catalogue of this till is unchanged.",
    )


# --- in words ------------------------------------------------------------------------------------


def _wait(count: int) -> str:
    return f"{counted(count, 'change')} {'waits' if count == 1 else 'wait'}"


def platform_lines(report: PlatformReport) -> Iterator[str]:
    """The report of a run with the platform in words."""
    brought, pushed = report.brought, report.pushed
    if report.asked is not None:
        yield from _asked_lines(report.asked)
        return
    if report.is_unheard:
        yield "--join has no effect here: a demo takes no articles of its own to a platform."
    if report.new_answer is not None and report.new_answer.by:
        yield _SAID[report.new_answer.answer].format(by=report.new_answer.by)
    if report.is_unchanged and not brought.listed:
        yield f"Nothing changed on the platform; {report.seconds:.1f} s."
        if brought.removed:
            yield f"{counted(brought.removed, 'product')} removed, which the platform has no more."
    else:
        yield (
            f"{counted(brought.listed, 'product')} told: {brought.added} added,"
            f" {brought.changed} changed, {brought.removed} removed; {report.seconds:.1f} s."
        )
    yield from _joined_lines(brought)
    if pushed.fault is None and pushed.sent:
        yield f"{counted(pushed.sent, 'change')} sent to the platform."
    if brought.held_back:
        yield (
            f"{counted(brought.held_back, 'product')} gone from the list: that is unusually many,"
            " so nothing of it is removed. If it is meant, use --accept-removals."
        )
    if pushed.conflicts:
        yield f"{counted(pushed.conflicts, 'change')} made on both sides: a person decides."
    if pushed.refused:
        them = "it" if pushed.refused == 1 else "them"
        yield f"{counted(pushed.refused, 'change')} refused by the platform: a person mends {them}."
    yield from _left_lines(report)


_SAID = {
    JoiningAnswer.SEND: '{by} says "send": what this shop has goes to the platform from now on.',
    JoiningAnswer.READ: '{by} says "read": nothing goes to the platform from now on.',
}


def _joined_lines(brought: Imported) -> Iterator[str]:
    if brought.joined or brought.to_join:
        verb = "is" if brought.joined == 1 else "are"
        to_add = f"; {counted(brought.to_join, 'product')} to be added there" * bool(
            brought.to_join
        )
        yield (
            f"Of what this shop had before, {counted(brought.joined, 'product')} {verb} the"
            f" platform's too{to_add}."
        )
    if brought.along or brought.settled:
        yield (
            f"With these go {counted(brought.along, 'change')} that waited, and"
            f" {counted(brought.settled, 'change')} that nobody had decided yet: this shop's own"
            " values count."
        )
    if brought.undeleted:
        yield (
            f"{counted(brought.undeleted, 'deletion')} of what another account has: ended, it is"
            " not sent here."
        )
    if brought.lost:
        yield (
            "The platform was put back from an older copy:"
            f" {counted(brought.lost, 'change')} of this till not there any more, a person decides."
        )
    if brought.stores_ended:
        yield (
            f"{counted(brought.stores_ended, 'change')} of a store that this account does not have:"
            " ended, it is not sent."
        )


def _left_lines(report: PlatformReport) -> Iterator[str]:
    pushed = report.pushed
    left = pushed.waiting + pushed.unknown
    if pushed.fault is not None:
        why = " ".join(filter(None, (pushed.fault.what, pushed.fault.do)))
        yield f"The run ended early. {why}"
        parts = [f"{counted(pushed.sent, 'change')} sent"]
        if pushed.unknown:
            parts.append(f"{pushed.unknown} without an answer, about which the next run asks again")
        if pushed.waiting:
            parts.append(f"{pushed.waiting} not sent yet, which the next run sends")
        yield f"{'; '.join(parts)}."
    elif report.only_reads and left:
        yield (
            f"{_wait(left)} here, as this platform is only read: --join send, or the settings of"
            " the till, sends what waits."
        )
    elif left:
        yield f"{_wait(left)} for the next run."


def _asked_lines(asked: JoiningQuestion) -> Iterator[str]:
    yield (
        "Nothing was taken or sent: this shop has articles that are not from the account at"
        f" {asked.url}."
    )
    stores = "; ".join(map(str, asked.stores))
    has = f"has these stores: {stores}" if stores else "has no store yet"
    yield f"The account of the key {asked.key} {has}."
    yield (
        f"{counted(asked.listed, 'product')} there; {asked.to_send} of this shop would be added"
        f" there, {asked.same} {'agrees' if asked.same == 1 else 'agree'} by code."
    )
    if asked.repriced:
        costs = "costs" if asked.repriced == 1 else "cost"
        yield (
            f"Of what agrees, {asked.repriced} {costs} another amount there: the platform's price"
            " counts."
        )
    changes = asked.changes
    if changes.waiting or changes.to_decide:
        yield (
            f"Of what was changed here, {_wait(changes.waiting)} to be sent, and"
            f" {_wait(changes.to_decide)} for a decision."
        )
        yield (
            "With send, an article that is not there is added as this till has it, changes and all,"
            " decided or not; one that is there is compared anew, and a person decides where both"
            " differ; a deletion of what is not there ends. With read, all of them wait here."
        )
    if changes.stores:
        yield (
            f"{counted(changes.stores, 'change')} of a store that the account does not have: with"
            " either answer it ends, as the account's stores take its place."
        )
    yield (
        "Decide in the settings of the till, with --join send or --join read, or by platform.join."
    )


# --- while it runs --------------------------------------------------------------------------------


class Voice(Protocol):
    def tell(self, text_line: str) -> None: ...
    def step(self, step: str, done: int, of: int) -> None: ...
    def report(self, report: PlatformReport) -> None: ...
    def refused(self, error: errors.PosError) -> None: ...


class ProgressLines:
    """Prints a line of progress at most once in `each_seconds`, and none for a short run. now:
    seconds of a monotonic clock."""

    def __init__(
        self, tell: Callable[[str], None], each_seconds: float, now: Callable[[], float]
    ) -> None:
        self._tell = tell
        self._each_seconds = each_seconds
        self._now = now
        self._quiet_since = now()

    def tell(self, done: int, of: int, what: str = "products") -> None:
        if self._now() - self._quiet_since >= self._each_seconds:
            self._quiet_since = self._now()
            self._tell(f"{done} of {of} {what}")


class PlainVoice:
    """Reports to a person. prevents: prints the cause that prevents the work."""

    def __init__(
        self,
        tell: Callable[[str], None],
        prevents: Callable[[str], None],
        each_seconds: float,
        now: Callable[[], float],
    ) -> None:
        self.tell = tell
        self._prevents = prevents
        self._lines = ProgressLines(tell, each_seconds, now)
        self._has_asked = False

    def step(self, step: str, done: int, of: int) -> None:
        if step == "list" and not self._has_asked:
            self.tell("Asking the platform for its list.")
            self._has_asked = True
        elif step != "list":
            self._lines.tell(done, of, step)

    def report(self, report: PlatformReport) -> None:
        for text_line in platform_lines(report):
            self.tell(text_line)

    def refused(self, error: errors.PosError) -> None:
        self._prevents(str(error))


class MembersVoice:
    """Reports to the till; each line holds the members of an object. each_seconds: the time between
    two steps; the first and the last are always reported."""

    _quiet_since: float | None = None

    def __init__(
        self,
        tell: Callable[[Mapping[str, object]], None],
        each_seconds: float,
        now: Callable[[], float],
    ) -> None:
        self._tell = tell
        self._each_seconds = each_seconds
        self._now = now

    def tell(self, text_line: str) -> None:
        self._tell({"words": text_line})

    def step(self, step: str, done: int, of: int) -> None:
        now, since = self._now(), self._quiet_since
        if done in (0, of) or since is None or now - since >= self._each_seconds:
            self._quiet_since = now
            self._tell({"step": step, "done": done, "of": of})

    def report(self, report: PlatformReport) -> None:
        brought, pushed = asdict(report.brought), asdict(replace(report.pushed, fault=None))
        del pushed["fault"]
        document = {"brought": brought, "pushed": pushed, "unchanged": report.is_unchanged}
        if report.asked is not None:
            document = {"asked": asdict(report.asked) | {"at": report.asked.at.isoformat()}}
        self._tell({"report": document})
        if (fault := report.pushed.fault) is not None:  # edits may have been sent before
            self._refused(errors.as_members(fault) | {"safe": ""}, fault)

    def refused(self, error: errors.PosError) -> None:
        self._refused(errors.as_members(error), error)

    def _refused(self, members: dict[str, object], error: errors.PosError) -> None:
        self._tell({"refused": members, "fault": fault_word(error)})


def report_unheard(voice: Voice, join: JoiningAnswer | None) -> None:
    """Warn that a run with a file ignores the command's answer."""
    if join is not None:
        voice.tell("--join has no effect with a file: it is about a platform.")


def report_fault(voice: Voice, error: errors.PosError) -> SyncEnd:
    """Report the error that prevented or ended a run; return the run's end."""
    voice.refused(error)
    if isinstance(error, errors.NotDelivered | errors.OutcomeUnknown):  # before anything was sent
        voice.tell("Nothing was sent: the next run asks again.")
    return end_of(error)


def report_first(voice: Voice, data: object) -> None:
    """Report a first catalogue, by which a person notices a mistyped folder."""
    voice.tell(f"{data} had no catalogue: this is its first one.")
