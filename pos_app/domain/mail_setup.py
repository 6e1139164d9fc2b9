"""The shop's outgoing mail at the server: whether its password is kept, and a trial mail.

Its settings are values of settings.toml as others. Source: till.md (Settings).
"""

from __future__ import annotations

from typing import Protocol

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MailSetup:
    """has_password: whether one is kept, or given. given_elsewhere: whether the environment or
    another file gives it: it is changed there."""

    has_password: bool
    given_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class MailTrial:
    """What came of a trial mail.

    fault: "" where the mail server took it; "not_set_up", "settings"; else what prevented it, a
    `DeviceTrouble`. message: the same in English. may_be_sent: it broke off so late that it may
    have been sent all the same.
    """

    fault: str = ""
    message: str = ""
    may_be_sent: bool = False


class MailSetupService(Protocol):
    """The mail of the server that runs. Each raises Invalid or MachineError there; at the till,
    over HTTP, Refused, NotDelivered or OutcomeUnknown."""

    async def setup(self) -> MailSetup: ...

    async def send_trial(self, to: str, *, by: str) -> MailTrial:
        """Send a trial mail now, or not at all. Raises Invalid for an address that is none."""
        ...
