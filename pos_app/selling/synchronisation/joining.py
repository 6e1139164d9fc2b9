"""A person decides whether articles that this shop has from elsewhere go to a platform.

A person may enter the API key of a wrong account by mistake. So before a till sends its first
article to a platform, or imports the platform's articles beside its own, a person is shown the
account of the key, and what will happen to changes that were made here for another account.
Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from pos_app.characters import one_line
from pos_app.domain.article.product import Product
from pos_app.domain.article.store import Store
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.run import in_use_first

ASK_AGAIN = timedelta(hours=1)
"""The counts of an open question are renewed at the platform after this time."""
_STORES_SHOWN = 5
_LONGEST = 100
"""The most characters of a store's name, and of its address."""
BY_COMMAND, BY_SETTING, BY_NOBODY = "--join", "platform.join", ""
"""The authors of answers that no person gave at the till."""


class JoiningAnswer(StrEnum):
    SEND = "send"
    """The platform's articles come in, and the articles that it lacks are added there."""
    READ = "read"
    """The platform's articles come in, and nothing is sent there."""


def answer_of_settings(join: str) -> JoiningAnswer | None:
    """The answer of `platform.join`, or None where it leaves the answer to a person."""
    return None if join == "ask" else JoiningAnswer(join)


@dataclass(frozen=True, slots=True)
class StoreThere:
    """A store of the account. address: with its city; "" where the platform has none."""

    name: str
    address: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.address)))


def stores_there(stores: Sequence[Store], store_id: str) -> tuple[StoreThere, ...]:
    """The first stores of an account, this shop's before the others, in words without control
    signs. store_id: "" where settings name none."""
    names_and_addresses = (
        (one.name, ", ".join(filter(None, (one.address, one.city))))
        for one in in_use_first(stores, store_id)[:_STORES_SHOWN]
    )
    return tuple(
        StoreThere(*(one_line(text, longest=_LONGEST) for text in one))
        for one in names_and_addresses
    )


@dataclass(frozen=True, slots=True)
class OpenChanges:
    """The unfinished changes of this shop, except new articles.

    waiting: to be sent. to_decide: both sides changed a field, or the platform refused the change.
    stores: changes of stores that the account does not have, which end when its stores come in.
    """

    waiting: int = 0
    to_decide: int = 0
    stores: int = 0


NO_CHANGES = OpenChanges()


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningQuestion:
    """The question to a person. url, key: the platform that was asked, and its API key.

    stores: the stores of the account, this shop's store first. listed: the number of its products.
    to_send: our articles that it lacks. same: our articles that it has too, by code. repriced: the
    number of those that have another price there; that price counts from then on. at: UTC.
    """

    url: str
    key: str
    stores: tuple[StoreThere, ...] = ()
    listed: int = 0
    to_send: int = 0
    same: int = 0
    repriced: int = 0
    changes: OpenChanges = NO_CHANGES
    at: datetime

    @property
    def is_needed(self) -> bool:
        return bool(self.to_send or self.same or self.changes != NO_CHANGES)


@dataclass(frozen=True, slots=True)
class Joining:
    """The shop's relation to its platform. answer is None while the question is open."""

    question: JoiningQuestion | None
    answer: JoiningAnswer | None


NOTHING_SAID = Joining(None, None)


# --- which answer counts -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningFacts:
    """The facts of a run before it asks the platform anything.

    command_answer: the command's answer. setting: the answer in this run's settings, or None if
    they leave it to a person; setting_before: the same in the last run's settings. before: the
    question and answer so far. has_more: there are articles that may belong to another account.
    sends_unasked: no person gave the earlier answer, and that answer would send another account's
    articles. now: UTC.
    """

    is_demo: bool = False
    command_answer: JoiningAnswer | None = None
    setting: JoiningAnswer | None = None
    setting_before: JoiningAnswer | None = None
    before: Joining = NOTHING_SAID
    has_more: bool = True
    sends_unasked: bool = False
    now: datetime

    @property
    def is_unheard(self) -> bool:
        """Whether the command's answer has no effect, as a demo brings no own articles."""
        return self.is_demo and self.command_answer is not None


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer that counts from now on. by: its author, "" where nobody needed to be asked."""

    answer: JoiningAnswer
    by: str = BY_NOBODY


def answer_before_asking(facts: JoiningFacts) -> JoiningAnswer | NewAnswer | JoiningQuestion | None:
    """The standing answer, or the `NewAnswer` of this run, or the open question, or None where the
    platform has to be asked for its account.

    The last answer counts, and a changed setting is an answer:

    | demo | --join | setting changed to | answered before | counts            |
    | yes  | any    | any                | any             | send, as it has nothing |
    | no   | read   | any                | any             | --join            |
    | no   | –      | send               | read            | the setting       |
    | no   | –      | not changed        | read            | the answer before |
    | no   | –      | not changed, send  | no              | the setting       |
    | no   | –      | ask                | no              | a person is asked |
    """
    if facts.is_demo:
        return JoiningAnswer.SEND
    answer = None if facts.sends_unasked else facts.before.answer
    is_new = facts.setting is not facts.setting_before
    for joining_answer, by, counts in (
        (facts.command_answer, BY_COMMAND, True),
        (facts.setting, BY_SETTING, is_new or answer is None),
    ):
        if joining_answer is not None and counts:
            return joining_answer if joining_answer is answer else NewAnswer(joining_answer, by)
    if answer is not None:
        return answer
    if not facts.has_more:
        return NewAnswer(JoiningAnswer.SEND)
    asked = facts.before.question
    return asked if asked is not None and facts.now - asked.at < ASK_AGAIN else None


def answer_after_asking(
    *, under_another_key: JoiningAnswer | None, question: Callable[[], JoiningQuestion]
) -> JoiningAnswer | NewAnswer | JoiningQuestion:
    """The answer, or the question to a person, once the platform has named its account.
    under_another_key: the answer given about this account under another key of it, or None.
    question: builds the question with its counts."""
    if under_another_key is not None:
        return under_another_key
    asked = question()
    return asked if asked.is_needed else NewAnswer(JoiningAnswer.SEND)


class JoiningNotes(Protocol):
    """Questions and answers about a platform, and articles here that may be another account's."""

    def now(self) -> Joining: ...
    def setting_before(self, now: JoiningAnswer | None) -> JoiningAnswer | None: ...
    def note_setting(self, now: JoiningAnswer | None) -> None: ...
    def note_demo(self) -> None: ...
    def may_be_asked(self) -> bool: ...
    def sends_unasked(self) -> bool: ...
    def same_account(self, listed: Mapping[str, Product]) -> JoiningAnswer | None: ...
    def counted(self, listed: Mapping[str, Product]) -> tuple[int, int, int]: ...
    def changes(self, stores: Collection[str] | None = None) -> OpenChanges: ...
    def ask(self, question: JoiningQuestion) -> None: ...
    def keep_answer(self, answer: NewAnswer, *, at: datetime) -> None: ...
    def carry_over(self, answer: JoiningAnswer, *, at: datetime) -> None: ...
