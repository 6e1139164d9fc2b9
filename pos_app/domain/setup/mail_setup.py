"""The shop's outgoing mail at the server: the state of its password, and a trial mail.

The mail's other settings are in settings.toml. Source: till.md (Settings).
"""

from __future__ import annotations

from typing import Annotated, Protocol

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MailSetup:
    """has_password: the server has a password. given_elsewhere: the environment or another file
    gives the password, which is then changed there."""

    has_password: bool
    given_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class MailTrial:
    """fault: "" if the mail server took the mail; "not_set_up", "settings", or a `DeviceTrouble`.
    message: the fault in English. may_be_sent: sending broke off so late that the mail may have
    been sent all the same. tls: a `TlsFault` where there was no safe connection, or ""."""

    fault: str = ""
    message: str = ""
    may_be_sent: bool = False
    tls: str = ""


class MailSetupService(Protocol):
    """The mail of the running server. Each method raises Invalid or MachineError there; at the
    till, over HTTP, Refused, NotDelivered or OutcomeUnknown."""

    async def setup(self) -> MailSetup: ...

    async def send_trial(
        self, to: Annotated[str, {"min_length": 3, "max_length": 254}], *, by: str
    ) -> MailTrial:
        """Send a trial mail now, or not at all. Raises Invalid for an invalid address."""
        ...

    async def keep_password(
        self, password: Annotated[str, {"max_length": 1000}], *, by: str
    ) -> None:
        """Have the password sealed; the server then opens the shop anew, also with changed
        settings. "" removes it."""
        ...
