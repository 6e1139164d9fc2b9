"""Whether articles that this shop has from elsewhere go to a platform: a person says so first.

A key is soon typed that belongs to another account. So before a till sends its first article to a
platform, or takes that one's articles in beside its own, a person sees who answers to the key.
Source: platform-contract.md 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JoiningAnswer(StrEnum):
    SEND = "send"
    """The platform's articles come in, and what it lacks of ours is added there."""
    READ = "read"
    """The platform's articles come in, and nothing is sent there."""


@dataclass(frozen=True, slots=True)
class StoreThere:
    """A store of the account. address: with its city, "" where the platform tells none."""

    name: str
    address: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.address)))


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningQuestion:
    """What a person is asked. url, key: which platform was asked with which key.

    stores: of the account, the one that this shop would be first. listed: its products. to_send:
    ours that it lacks. same: ours that it has too, by code. at: UTC.
    """

    url: str
    key: str
    stores: tuple[StoreThere, ...] = ()
    listed: int = 0
    to_send: int = 0
    same: int = 0
    at: datetime


@dataclass(frozen=True, slots=True)
class Joining:
    """How this shop is with its platform. answer: None while the question is open."""

    question: JoiningQuestion | None
    answer: JoiningAnswer | None


NOTHING_SAID = Joining(None, None)
