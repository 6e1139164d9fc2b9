"""Cases of public mode: other programs do not reach this till through the platform, they reach a
copy of it, or the platform refused a newcomer in favour of this till. And one of both ways to the
platform: there is no safe connection. Source: platform-contract.md
2.7 ("the newcomer is refused and both show why")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from pos_app.cashier.attention.cases import case
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.status import connection_words, refusal_words
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState, PublicNotice
from pos_app.domain.setup.safe_connection import UNSAFE
from pos_app.errors import MachineError

LASTS_AFTER = timedelta(minutes=5)
"""How long a trouble that may pass by itself must last before it is shown."""
_PASSES = frozenset({"too_many", "replaced"})
_CLONED = "cloned"
"""The platform's code for a copy of this installation; it has a case whether connected or not."""


class PublicModeCase(case.Case):
    """A trouble that a manager mends on the settings page of the platform."""

    safe = "public_mode"

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return case.one_action(texts, "att.step.public", "att.joining.open", "settings", self._open)

    def _open(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.open_platform()
        return ""


class PublicModeMissing(PublicModeCase):
    """Public mode is on, and its address, key or secret is missing."""

    kind = "public_missing"


class ClientIdLost(PublicModeCase):
    """Public mode is on, and the file with the clientId that other programs name is gone."""

    kind = "public_client_lost"


@dataclass(frozen=True, kw_only=True)
class PublicModeRefused(PublicModeCase):
    """The platform does not let this till in. public_mode: what the server said of it."""

    kind = "public_refused"
    public_mode: PublicMode

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return refusal_words(self.public_mode, texts) or texts("att.public.no_reason")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.public_refused", why=self.why(texts, facts))


class PublicModeKey(PublicModeRefused):
    """The platform does not accept this till's key."""

    kind = "public_key"


class PublicModeTaken(PublicModeRefused):
    """Another till is connected in this till's stead."""

    kind = "public_taken"


@dataclass(frozen=True, kw_only=True)
class PlatformUnsafe(PublicModeCase):
    """The platform's certificate is not trusted, or its address has no encryption: nothing is sent
    there. code: a `TlsFault`, or a `ClearTextFault.code`."""

    kind = "platform_unsafe"
    safe = kind
    code: str

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return connection_words(self.code, texts)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.platform_unsafe", why=self.why(texts, facts))


class InstallationCloned(PublicModeCase):
    """A computer with a copy of this installation's data and this till push each other off the
    platform in turns. No act here ends that: both have one journal, so the copy may not sell on
    under any name."""

    kind = "installation_cloned"
    icon = ("copy", "warn")
    safe = kind

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        words = texts("att.step.cloned_words")
        return (case.Step(texts("att.step.cloned"), words, case.StepState.CURRENT),)


class PublicModeAway(case.ForKnowing):
    """The platform is not reached now; the server tries again by itself."""

    kind = "public_away"
    safe = "public_mode"


@dataclass(frozen=True, kw_only=True)
class NewcomerRefused(case.ForKnowing):
    """Another application tried to connect in this till's stead. seen: the notices that a person
    has seen here."""

    kind = "public_notice"
    public_notice: PublicNotice
    seen: set[tuple[str, str]]

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return self.public_notice.name or texts("att.public.nameless")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.happened.public_notice", name=self.why(texts, facts))

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return case.one_action(texts, "att.step.public_seen", "att.seen", "check", self._see)

    def _see(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        self.seen.add(_which(self.public_notice))
        return ""


class PublicModes(case.Source):
    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._seen: set[tuple[str, str]] = set()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        status = self.services.server.status
        public_mode = status.public_mode if status is not None else None
        unsafe = self._unsafe(public_mode)
        if unsafe is not None:
            yield unsafe
        elif public_mode is not None:
            yield from self._of_public_mode(public_mode, reading)

    def _unsafe(self, public_mode: PublicMode | None) -> PlatformUnsafe | None:
        """Return the case of an unsafe connection, as public mode or the last synchronisation found
        it."""
        if public_mode is not None and public_mode.code in UNSAFE:
            since, code = public_mode.since, public_mode.code
            return PlatformUnsafe(id="platform_unsafe", since=since, code=code)
        try:
            facts = self.services.catalogue.facts()
        except MachineError:  # the source of the catalogue's cases reports it
            return None
        if facts.away_since is None or facts.fault not in UNSAFE:
            return None
        return PlatformUnsafe(id="platform_unsafe", since=facts.away_since, code=facts.fault)

    def _of_public_mode(
        self, public_mode: PublicMode, reading: case.Reading
    ) -> Iterable[case.Case]:
        lasts = reading.now - public_mode.since >= LASTS_AFTER
        case_id = "public_mode"
        if public_mode.cloned_since is not None:
            yield InstallationCloned(id="installation_cloned", since=public_mode.cloned_since)
        match public_mode.state:
            case PublicModeState.NOT_CONFIGURED:
                lacks = _OF_LACK.get(public_mode.code, PublicModeMissing)
                yield lacks(id=case_id, since=public_mode.since)
            case PublicModeState.AWAY if lasts:
                yield PublicModeAway(id=case_id, since=public_mode.since)
            case PublicModeState.CONNECTED:
                yield from self._newcomer(public_mode.newcomer)
            case PublicModeState.REFUSED if public_mode.code != _CLONED:
                if lasts or public_mode.code not in _PASSES:
                    made = _OF_REFUSAL.get(public_mode.code, PublicModeRefused)
                    yield made(id=case_id, since=public_mode.since, public_mode=public_mode)

    def _newcomer(self, notice: PublicNotice | None) -> Iterable[case.Case]:
        if notice is None:  # the connection is another one
            self._seen.clear()
        elif _which(notice) not in self._seen:
            yield NewcomerRefused(
                id="public_notice", since=notice.since, public_notice=notice, seen=self._seen
            )


_OF_LACK: Mapping[str, type[PublicModeCase]] = {"client_lost": ClientIdLost}
_OF_REFUSAL: Mapping[str, type[PublicModeRefused]] = {
    **dict.fromkeys(("revoked", "credentials", "scope"), PublicModeKey),
    "taken": PublicModeTaken,
}


def _which(notice: PublicNotice) -> tuple[str, str]:
    """The notice without its time: a refused newcomer tries again every minute, and one notice of
    it is enough."""
    return notice.code, notice.name
