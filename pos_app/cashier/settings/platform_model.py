"""The platform as a manager sets it up: its typed, tried and saved values, and its keys. The server
tries, stores and asks the platform. A secret is forgotten once it is saved or the page is left.
Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import field, replace
from enum import StrEnum
from typing import TypeVar
from uuid import uuid4

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import SetupModel
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage, ValuesModel
from pos_app.domain.setup import platform_setup
from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.domain.setup.safe_connection import ClearTextFault, clear_text_fault
from pos_app.errors import MachineError, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.server.ports import ServerPlatformSetup
from pos_app.selling.synchronisation.joining import Joining, JoiningAnswer, JoiningQuestion
from pos_app.settings import is_platform_address

T = TypeVar("T")


_KEPT = (
    "environment", "url", "clear_text_allowed", "application_url", "key", "store_id",
    "public_mode",
)  # fmt: skip


class Environment(StrEnum):
    OWN = "own"
    SANDBOX = "sandbox"
    PRODUCTION = "production"


class PlatformField(StrEnum):
    URL = "url"
    APPLICATION_URL = "application_url"
    KEY = "key"
    SECRET = "secret"


@dataclass(frozen=True, slots=True)
class PlatformQuestion:
    """A question before an act. what: selects its words. name: names the key, the store or the
    client. means: selects the words about the act's effects, if these differ. at: the id of the API
    key beside which it is asked; otherwise ""."""

    what: str
    name: str
    yes: Callable[[], Coroutine[object, object, None]] = field(compare=False)
    means: str = ""
    at: str = ""


class ClientTrouble(StrEnum):
    """The reason why this till needs another clientId."""

    OTHER = "other_installation"
    """Another installation connects with this clientId."""
    FOREIGN = "foreign_client"
    """The platform knows this clientId as another account's."""
    LOST = "client_lost"
    """The file with the clientId is gone."""


class PlatformModel(SetupModel[platform_setup.PlatformSetup]):
    """values: the values of the page that this till keeps itself; they are saved together with the
    server's."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        groups = VALUE_PAGES[ValuePage.PLATFORM]
        self.values = ValuesModel(services, [one for group in groups for one in group.values])
        self.environment = Environment.OWN
        self.typed_texts = dict.fromkeys(PlatformField, "")
        self.clear_text_allowed = ""
        """The address to which the manager lets the key go without encryption."""
        self.store_id = ""
        self.public_mode = False
        self.trial: platform_setup.PlatformTrial | None = None
        self.stores: tuple[platform_setup.PlatformStore, ...] = ()
        self.keys: tuple[platform_setup.PlatformKey, ...] | None = None
        """The account's keys, once the platform has listed them."""
        self.new_key: platform_setup.NewPlatformKey | None = None
        """A new key with its secret, until it is put away."""
        self.key_name = ""
        self.key_scopes: frozenset[KeyScope] = frozenset({KeyScope.FISCALIZATION})
        self.each_order_is_a_sale = False
        self.one_client = False
        self.store_name = ""
        self._presses: dict[object, str] = {}
        """The ids of acts that got no answer; each is repeated under its id."""
        self.asked: PlatformQuestion | None = None
        self.decides_later = False
        """Whether the question about joining was put off until the page is opened again."""

    @property
    def at_server(self) -> ServerPlatformSetup | None:
        return self.services.platform_setup

    @property
    def has_server(self) -> bool:
        return self.at_server is not None

    async def _ask(self) -> platform_setup.PlatformSetup:
        assert self.at_server is not None
        return await self.at_server.setup()

    @property
    def has_platform(self) -> bool:
        """Whether a platform is set up, not only typed."""
        return self.setup is not None and bool(self.setup.url)

    @property
    def store_in_use(self) -> str:
        """The id of the store to which this till belongs: the chosen store, else the first one that
        the platform listed; "" if no list has come yet."""
        if self.store_id or not self.has_platform or self._waits_to_join:
            return self.store_id
        store = self.services.catalogue.store()
        return "" if store is None else store.id

    @property
    def _waits_to_join(self) -> bool:
        """Whether a person must first say that the catalogue's articles become the platform's."""
        return self.services.catalogue.facts().asked_to_join is not None

    # --- typed -----------------------------------------------------------------------------------

    @property
    def url_is_wrong(self) -> bool:
        """Whether the typed text can't be a platform's address."""
        return bool(self._url) and not is_platform_address(self._url)

    @property
    def clear_text(self) -> ClearTextFault | None:
        """Why the key does not go to the typed address without encryption, or None."""
        return self._clear_text_fault(self.clear_text_allowed)

    @property
    def asks_for_clear_text(self) -> bool:
        """Whether the key goes to the typed address without encryption if the manager allows it."""
        return self._clear_text_fault("") is ClearTextFault.NOT_ALLOWED

    def _clear_text_fault(self, allowed: str) -> ClearTextFault | None:
        proxy = "" if self.setup is None else self.setup.proxy
        return clear_text_fault(self._url, allowed=allowed, proxy=proxy)

    @property
    def _url(self) -> str:
        return self.typed_texts[PlatformField.URL].strip().rstrip("/")

    @property
    def url_is_refused(self) -> bool:
        """Whether the typed text is new and can't be saved."""
        is_new = self.setup is None or self._url != self.setup.url
        return self.url_is_wrong or (is_new and self.clear_text is not None)

    @property
    def has_changes(self) -> bool:
        return self._differs() != platform_setup.PlatformChange() or self.values.has_changes

    @property
    def can_save(self) -> bool:
        return super().can_save and not self.url_is_refused and not self.values.wrong

    def choose_environment(self, environment: Environment) -> None:
        self.environment = environment
        self._drop_trial()

    def type(self, entry: PlatformField, text: str) -> None:
        self.typed_texts[entry] = text
        self._drop_trial()

    def allow_clear_text(self, on: bool) -> None:
        """Let the key go without encryption to the typed address, and to no other."""
        self.clear_text_allowed = self._url if on else ""
        self._drop_trial()

    def choose_store(self, store_id: str) -> None:
        self.store_id = store_id
        self._changed()

    def set_public_mode(self, on: bool) -> None:
        self.public_mode = on
        self._changed()

    def fill_from_setup(self) -> None:
        setup = self.setup
        self.typed_texts = dict.fromkeys(PlatformField, "")
        if setup is not None:
            name = setup.environment
            self.environment = Environment(name) if name in set(Environment) else Environment.OWN
            self.typed_texts |= {
                PlatformField.URL: setup.url,
                PlatformField.KEY: setup.key,
                PlatformField.APPLICATION_URL: setup.application_url,
            }
            self.clear_text_allowed = setup.clear_text_allowed
            self.store_id, self.public_mode = setup.store_id, setup.public_mode

    def drop(self) -> None:
        self.values.drop()
        self.fill_from_setup()
        self.fault, self.failure = "", None
        self._drop_trial()

    def leave(self) -> None:
        self.typed_texts[PlatformField.SECRET] = ""
        self.trial, self.new_key, self.asked, self.saved_at = None, None, None, None
        self.failure, self.keys, self.is_outdated = None, None, True
        self.decides_later = False

    def _drop_trial(self) -> None:
        """Drop the trial's result, because it is about other values."""
        self.trial = None
        self._changed()

    def _changed(self) -> None:
        self.saved_at, self.fault = None, ""
        self.announce()

    def _differs(self) -> platform_setup.PlatformChange:
        setup = self.setup
        if setup is None:
            return platform_setup.PlatformChange()
        texts = {
            PlatformField.URL: setup.url,
            PlatformField.KEY: setup.key,
            PlatformField.APPLICATION_URL: setup.application_url,
        }
        new = {
            entry.value: self.typed_texts[entry].strip()
            for entry, before in texts.items()
            if self.typed_texts[entry].strip().rstrip("/") != before.rstrip("/")
        }
        environment, allowed = self.environment.value, self.clear_text_allowed
        if "url" in new and allowed != self._url:
            allowed = ""  # it was given for another address
        return platform_setup.PlatformChange(
            environment=environment if environment != setup.environment else None,
            url=new.get("url"),
            clear_text_allowed=allowed if allowed != setup.clear_text_allowed else None,
            application_url=new.get("application_url"),
            key=new.get("key"),
            store_id=self.store_id if self.store_id != setup.store_id else None,
            public_mode=self.public_mode if self.public_mode != setup.public_mode else None,
            secret=self.typed_texts[PlatformField.SECRET].strip() or None,
        )

    # --- tried and saved -------------------------------------------------------------------------

    async def try_out(self) -> None:
        """Ask the typed platform for the account's stores. Nothing is changed."""
        at_server = self.at_server
        if at_server is None or self.setup is None or self.url_is_wrong or self.clear_text:
            return
        if self.running:
            return
        self.trial = None
        change = self._differs()
        platform_trial = await self.act("try", lambda: at_server.try_out(change))
        if platform_trial is not None:
            self.trial = platform_trial
            if not platform_trial.fault:
                self.stores = platform_trial.stores
            self.announce()

    async def save(self) -> None:
        if self.values.has_changes and not await self._save_values():
            return
        at_server, change = self.at_server, self._differs()
        if at_server is None or change == platform_setup.PlatformChange() or self.url_is_refused:
            return
        if await self._asks_for_store(change):
            return
        change, by = self._differs(), self.services.cashier

        await self.save_change(
            lambda: at_server.change(change, by=by), note_saved=lambda: self._note_saved(change)
        )

    async def _asks_for_store(self, change: platform_setup.PlatformChange) -> bool:
        """Tell whether the store must be chosen first, because a new account has several. An
        account that can't be asked is saved as typed."""
        if not change.url and not change.key:
            return False
        if self.trial is None:
            await self.try_out()
        stores = () if self.trial is None else self.trial.stores
        if not stores or self.store_id in {one.id for one in stores}:
            return False
        if len(stores) == 1:  # the chosen store is another account's
            self.store_id = stores[0].id if self.store_id else ""
            return False
        self.fault = "store"
        self.announce()
        return True

    async def _save_values(self) -> bool:
        """Save the values and give the synchronisation its new interval; tell whether they were
        saved."""
        values, sync = self.values, self.services.sync
        await values.save()
        self.failure, self.saved_at = values.failure, values.saved_at
        is_saved = values.saved_at is not None
        if is_saved and sync is not None:
            sync.every(self.services.settings.platform.sync_minutes)
            if self.has_platform:
                sync.ask()
        self.announce()
        return is_saved

    def _note_saved(self, change: platform_setup.PlatformChange) -> None:
        setup = self.setup
        assert setup is not None
        values = {name: value for name in _KEPT if (value := getattr(change, name)) is not None}
        made = replace(setup, **values)
        self.setup = replace(
            made, url=made.url.rstrip("/"), has_secret=setup.has_secret or change.secret is not None
        )
        self.services.platform_here.saved_url = self.setup.url
        trial = self.trial
        self.drop()
        self.trial, self.is_outdated, self.keys = trial, True, None
        self.saved_at = self.services.till.clock.now()
        if change.url is not None or change.key is not None or change.secret is not None:
            self._ask_joining(after_read=False)

    # --- synchronisation -------------------------------------------------------------------------

    def synchronise(self) -> None:
        """Run a synchronisation soon; `services.sync` has its progress."""
        if self.services.sync is not None:
            self.services.sync.ask()

    # --- whether this shop's articles go there ---------------------------------------------------

    @property
    def joining(self) -> Joining:
        """The question about sending the articles that this shop has from elsewhere, and its
        answer."""
        return self.services.catalogue.facts().joining

    def answer_joining(self, answer: JoiningAnswer, asked: JoiningQuestion) -> None:
        """Keep the answer and ask for a synchronisation, which carries it out. asked: the shown
        question; the present one may be about another account."""
        at = self.services.till.clock.now()
        self.failure = None
        try:
            self.services.editor.answer_joining(answer, asked, by=self.services.cashier, at=at)
        except (MachineError, NotAllowed) as error:
            self.failure = error
        else:
            self.synchronise()
        self.announce()

    def decide_later(self) -> None:
        """Put the question off; nothing is taken or sent until it is answered."""
        self.decides_later = True
        self.announce()

    def ask_joining_anew(self) -> None:
        """Have the next synchronisation ask again, after the answer to send nothing."""
        self._ask_joining(after_read=True)

    def _ask_joining(self, *, after_read: bool) -> None:
        self.decides_later = False
        try:
            self.services.editor.ask_joining_anew(after_read=after_read)
        except MachineError as error:
            self.failure = error
        else:
            self.synchronise()
        self.announce()

    # --- stores and keys -------------------------------------------------------------------------

    async def load_keys(self) -> None:
        at_server = self.at_server
        if at_server is not None and self.has_platform:
            entries = await self.act("keys", at_server.keys, by_itself=True)
            if entries is not None:
                self.keys = tuple(entries)
                self.announce()

    def type_key_name(self, name: str) -> None:
        self.key_name = name
        self.announce()

    def set_scope(self, scope: KeyScope, on: bool) -> None:
        self.key_scopes = self.key_scopes | {scope} if on else self.key_scopes - {scope}
        self.announce()

    def set_each_order_is_a_sale(self, on: bool) -> None:
        self.each_order_is_a_sale = on
        self.announce()

    def set_one_client(self, on: bool) -> None:
        self.one_client = on
        self.announce()

    async def add_key(self) -> None:
        """Add a key; its secret is shown until it is put away, and stored nowhere."""
        at_server, name = self.at_server, self.key_name.strip()
        if at_server is None or not name or not self.key_scopes:
            return
        each = self.each_order_is_a_sale and KeyScope.FISCALIZATION in self.key_scopes
        one = self.one_client and KeyScope.APPLICATION in self.key_scopes
        terms = KeyTerms(name, self.key_scopes, each, one)
        made = await self._make(
            "add_key", terms, lambda press: at_server.add_key(terms, press=press)
        )
        if made is not None:
            self.new_key, self.key_name = made, ""
            self.each_order_is_a_sale = self.one_client = False
            await self.load_keys()

    def put_key_away(self) -> None:
        self.new_key = None
        self.announce()

    def is_own(self, key: platform_setup.PlatformKey) -> bool:
        """Tell whether this till itself asks the platform with the key."""
        return self.setup is not None and key.id == self.setup.key

    def may_rotate(self, key: platform_setup.PlatformKey) -> bool:
        """Tell whether a key may be rotated. The till saves its own new key, which it can do only
        if key and secret are not set elsewhere and no change is unsaved."""
        setup = self.setup
        given = () if setup is None else setup.given_elsewhere
        is_free = not {"platform.key", "platform_secret"} & set(given) and not self.has_changes
        return not self.is_own(key) or is_free

    def ask_rotate(self, key: platform_setup.PlatformKey) -> None:
        is_own = self.is_own(key)
        means = "rotate_own" if is_own else ""
        done = self._rotate_own if is_own else self._rotate
        self._question(PlatformQuestion("rotate", key.name, lambda: done(key.id), means, key.id))

    async def _rotate(self, key_id: str) -> None:
        """Rotate a key; the new one is shown until it is put away."""
        if await self._rotated(key_id) is not None:
            await self.load_keys()

    async def _rotated(self, key_id: str) -> platform_setup.NewPlatformKey | None:
        at_server = self.at_server
        assert at_server is not None
        made = await self._make(
            "rotate", key_id, lambda press: at_server.rotate_key(key_id, press=press)
        )
        if made is not None:
            self.new_key = made
        return made

    async def _make(
        self, name: str, what: object, make: Callable[[str], Coroutine[object, object, T]]
    ) -> T | None:
        """Run an act under an id that stays the same until an answer comes."""
        press = self._presses.setdefault((name, what), uuid4().hex)
        made = await self.act(name, lambda: make(press))
        if made is not None:
            del self._presses[name, what]
        return made

    async def _rotate_own(self, key_id: str) -> None:
        """Rotate the till's own key and save the new one. If that fails the new key stays shown;
        until the new key is used the till has its old one."""
        at_server, by = self.at_server, self.services.cashier
        assert at_server is not None
        made = await self._rotated(key_id)
        if made is None:
            return
        change = platform_setup.PlatformChange(key=made.id, secret=made.secret, same_account=True)

        def note_saved() -> None:
            self.new_key = None
            self._note_saved(change)

        await self.save_change(lambda: at_server.change(change, by=by), note_saved=note_saved)

    def ask_revoke(self, key: platform_setup.PlatformKey) -> None:
        """Ask whether to revoke a key. The till's own key is not revoked here, because that would
        lock the till out."""
        if self.is_own(key):
            self.failure = NotAllowed("own_key")
            self.announce()
            return
        asked = PlatformQuestion("revoke", key.name, lambda: self._revoke(key.id), at=key.id)
        self._question(asked)

    async def _revoke(self, key_id: str) -> None:
        at_server = self.at_server
        assert at_server is not None

        async def revoke() -> bool:
            await at_server.revoke_key(key_id)
            return True

        if await self.act("revoke", revoke):
            await self.load_keys()

    def type_store_name(self, name: str) -> None:
        self.store_name = name
        self.announce()

    def ask_add_store(self) -> None:
        """Ask whether to add a store, because a platform may bill it."""
        name = self.store_name.strip()
        if name and self.has_platform:
            self._question(PlatformQuestion("add_store", name, lambda: self._add_store(name)))

    async def _add_store(self, name: str) -> None:
        at_server = self.at_server
        assert at_server is not None
        made = await self._make(
            "add_store", name, lambda press: at_server.add_store(name, press=press)
        )
        if made is not None:
            self.stores, self.store_name = (*self.stores, made), ""
            self.announce()

    def ask_new_client(self) -> None:
        """Ask whether to take another clientId, because programs that name the former one must
        learn it."""
        if self.setup is not None:
            why = self.client_trouble
            means = why.value if why in (ClientTrouble.FOREIGN, ClientTrouble.LOST) else ""
            asked = PlatformQuestion("new_client", self.setup.client_id, self._new_client, means)
            self._question(asked)

    @property
    def client_trouble(self) -> ClientTrouble | None:
        status = self.services.server.status
        public_mode = status.public_mode if status is not None else None
        if public_mode is None:
            return None
        if public_mode.code in (ClientTrouble.FOREIGN, ClientTrouble.LOST):
            return ClientTrouble(public_mode.code)
        return ClientTrouble.OTHER if public_mode.code == ClientTrouble.OTHER else None

    async def _new_client(self) -> None:
        at_server, by = self.at_server, self.services.cashier
        assert at_server is not None
        change = platform_setup.PlatformChange(new_client=True)
        await self.save_change(lambda: at_server.change(change, by=by), note_saved=self.renew)

    def _question(self, asked: PlatformQuestion) -> None:
        self.asked = asked
        self.announce()

    def put_question_away(self) -> None:
        self.asked = None
        self.announce()

    async def agree(self) -> None:
        asked, self.asked = self.asked, None
        if asked is not None:
            await asked.yes()
