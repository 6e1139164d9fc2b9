"""Settings that a manager changes one by one: their pages, their kinds, and the typed values. Kind,
choices and range of a value are those of its shape in `settings.shapes`. A further value needs an
entry in `VALUE_PAGES` and its words in the texts. Source: till.md (Settings)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pos_app import log
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import SetupModel
from pos_app.domain.money.number_text import grouped_text
from pos_app.errors import Invalid, RemoteError, SettingsBroken
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import EVERYWHERE, LOOPBACK, Settings, named
from pos_app.settings.kinds import Pattern, SettingKind, Within, kinds

_log = log.get(__name__)

Typed = bool | str
"""A switch, the word of a choice, or the text of a field; each entry of a list is a line of
text."""
_WHOLE = re.compile(r"\d{1,3}(\.\d{3})+|\d+")
GROUPED_FROM = 10_000


class ValueKind(Enum):
    SWITCH = auto()
    CHOICE = auto()
    CHOICES = auto()
    """Any of some words, each a box; their order means nothing."""
    NUMBER = auto()
    TEXT = auto()
    LINES = auto()


class ValuePage(StrEnum):
    """A page that shows values, perhaps beside other panels."""

    RECEIPTS = "receipts"
    SIGN_IN = "sign_in"
    SELLING = "selling"
    SHIFT = "shift"
    LOOK = "look"
    API = "api"
    SCANNER = "scanner"
    MAIL = "mail"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class ValueGroup:
    """A panel of values. name: the last part of the id of its title."""

    name: str
    values: tuple[str, ...]


def _group(name: str, of: str, *members: str) -> ValueGroup:
    return ValueGroup(name, named(of, *members))


VALUE_PAGES: Mapping[ValuePage, tuple[ValueGroup, ...]] = MappingProxyType(
    {
        ValuePage.RECEIPTS: (
            _group("words", "receipt", "header", "footer", "short_code"),
            _group("paper", "receipt", "papers"),
            _group("refund_copy", "esir", "refund_copy", "closing_refund_payment"),
            _group("law", "esir", "restricted_payments", "seller_pib"),
            _group("transfer", "receipt", "bank_accounts", "payee"),
        ),
        ValuePage.SIGN_IN: (
            _group("lock", "people", "lock_after_minutes", "badge_needs_pin"),
            _group("cart", "people", "cart_of_another"),
        ),
        ValuePage.SELLING: (
            _group("waiting", "till", "queue_without_processor"),
            _group("cash", "till", "cash_rounding"),
            _group("refunds", "till", "refund_needs_manager", "refund_reasons"),
            _group(
                "quantities", "till", "ask_above_kilograms", "ask_above_litres",
                "ask_above_metres", "ask_above_pieces", "ask_from_quantity",
                "ask_above_usual_times",
            ),
            _group("amounts", "till", "ask_from_line_total", "ask_above_cash_times",
                   "ask_from_cash"),
            _group("goods", "till", "expired_goods", "keep_batch", "edition_price"),
            _group("advances", "till", "advance_untouched_days"),
            _group("paid_later", "till", "paid_later"),
        ),
        ValuePage.SHIFT: (
            _group("shifts", "shift", "use", "drawer_limit"),
            _group("count", "shift", "bundle", "roll", "terminals"),
        ),
        ValuePage.LOOK: (
            _group("till", "till", "name", "language", "theme"),
            _group("size", "till", "touch_mm", "text_percent", "touch_keyboard"),
            _group("keys", "till", "action_keys"),
        ),
        ValuePage.API: (
            _group("listens", "server", "api_enabled", "host", "port"),
            _group("callers", "server", "names", "origins", "cashier"),
        ),
        ValuePage.SCANNER: (
            _group("keys", "scanner", "layout", "prefix", "suffix", "gap_ms"),
            _group("port", "scanner", "port", "baud"),
            _group("scale", "scales", "layouts"),
        ),
        ValuePage.MAIL: (
            _group("server", "mail", "host", "port", "security", "user", "ca_file"),
            _group("letter", "mail", "sender", "sender_name", "reply_to", "when_missing"),
        ),
        ValuePage.PLATFORM: (_group("sync", "platform", "sync_minutes"),),
    }
)  # fmt: skip
OF_SERVER = frozenset({"server", "esir", "mail", "receipt"})
"""Groups that the server reads; it opens the shop anew when one of their values changed."""
(USE_OF_SHIFTS,) = named("shift", "use")
HOST, PORT, NAMES, ORIGINS = named("server", "host", "port", "names", "origins")
PORTS = frozenset((PORT, *named("mail", "port")))
"""Numbers that are names: they have a next one, but nobody wants it."""
(PAYEE,) = named("receipt", "payee")
"""One text of several lines."""
BOXES = frozenset(named("till", "paid_later"))
"""Lists of words whose order means nothing."""
SHOP_WORDS = frozenset(named("receipt", "header", "footer"))
"""Lists in which an empty line between others has a meaning."""
AT_START = frozenset({USE_OF_SHIFTS, PORT})
"""Values that take effect only when the till is opened the next time."""
HERE, NETWORK = "here", "network"
_HOSTS = MappingProxyType({HERE: LOOPBACK, NETWORK: EVERYWHERE})
"""The hosts of the server that each choice stands for, in every spelling."""
_USUAL_HOST = MappingProxyType({HERE: "127.0.0.1", NETWORK: "0.0.0.0"})
_LINE = MappingProxyType(
    {
        NAMES: re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+)(:[0-9]{1,5})?"),
        ORIGINS: re.compile(r"https?://[0-9A-Za-z_.:\[\]-]+/?", re.IGNORECASE),
    }
)
"""The form of a line of a list; a line of another form would let nobody in without anybody
noticing."""


def shape_of(setting: str) -> SettingKind:
    """The declared kind of a setting. Raises KeyError for an unknown name."""
    group, _, member = setting.partition(".")
    return kinds(kinds(Settings)[group].plain)[member]


def kind_of(setting: str) -> ValueKind:
    declared = shape_of(setting).plain
    if setting in BOXES:
        return ValueKind.CHOICES
    if get_origin(declared) is tuple or setting == PAYEE:
        return ValueKind.LINES
    if choices_of(setting):
        return ValueKind.CHOICE
    kinds: Mapping[Any, ValueKind] = {bool: ValueKind.SWITCH, int: ValueKind.NUMBER}
    return kinds.get(declared, ValueKind.TEXT)


def choices_of(setting: str) -> tuple[str, ...]:
    """The choices of a setting, in their order; empty for a setting that is no choice."""
    if setting == HOST:
        return tuple(_HOSTS)
    declared = shape_of(setting).plain
    if setting in BOXES:
        declared = get_args(declared)[0]
    is_list = get_origin(declared) is tuple
    return () if is_list else tuple(str(one) for one in get_args(declared))


def range_of(setting: str) -> tuple[int, float]:
    rules = shape_of(setting).rules
    within = next((rule for rule in rules if isinstance(rule, Within)), Within(0))
    return within.least, within.most


def value_of(settings: Settings, setting: str) -> object:
    group, _, member = setting.partition(".")
    return getattr(getattr(settings, group), member)


def number_text(number: int) -> str:
    """A number as its field shows it."""
    return grouped_text(number) if number >= GROUPED_FROM else str(number)


def as_typed(value: object, setting: str = "") -> Typed:
    """A value as its field shows it."""
    if setting == HOST:
        return next(choice for choice, hosts in _HOSTS.items() if value in hosts)
    match value:
        case bool():
            return value
        case int():
            return number_text(value)
        case tuple():
            words = [str(one) for one in value]
            if setting in BOXES:
                words.sort(key=choices_of(setting).index)
            return "\n".join(words)
        case _:
            return str(value)


def as_written(setting: str, typed_value: Typed) -> object:
    """A typed value in the form of the settings. Raises Invalid (kinds `number`, `least`, `most`,
    `names`, `origins`)."""
    if setting == HOST:
        return _USUAL_HOST[str(typed_value)]
    match kind_of(setting), typed_value:
        case ValueKind.NUMBER, str():
            return _number(setting, typed_value.strip())
        case ValueKind.CHOICE, str():
            words = get_args(shape_of(setting).plain)
            return next(one for one in words if str(one) == typed_value)
        case ValueKind.CHOICES, str():
            return typed_value.split()
        case ValueKind.LINES, str():
            text_lines = _lines(setting, typed_value)
            return "\n".join(text_lines) if setting == PAYEE else text_lines
        case ValueKind.TEXT, str():
            return typed_value.strip()
    return typed_value


def _has_wrong_form(setting: str, typed_value: Typed) -> bool:
    forms = [rule for rule in shape_of(setting).rules if isinstance(rule, Pattern)]
    return isinstance(typed_value, str) and any(
        re.fullmatch(rule.form, typed_value.strip()) is None for rule in forms
    )


def _lines(setting: str, text: str) -> list[str]:
    if setting in SHOP_WORDS:
        return (
            [text_line.rstrip() for text_line in text.rstrip().split("\n")] if text.strip() else []
        )
    text_lines = [text_line.strip() for text_line in text.split("\n") if text_line.strip()]
    pattern = _LINE.get(setting)
    if pattern is not None and any(
        pattern.fullmatch(text_line) is None for text_line in text_lines
    ):
        kind = setting.partition(".")[2]
        raise Invalid(kind, field=setting)
    return text_lines


def _number(setting: str, text: str) -> int:
    if _WHOLE.fullmatch(text) is None:
        raise Invalid("number.whole", field=setting)
    number, (least, most) = int(text.replace(".", "")), range_of(setting)
    if number < least:
        raise Invalid("least", field=setting, least=least)
    if number > most:
        raise Invalid("most", field=setting, most=most)
    return number


class ValuesModel(SetupModel[Settings]):
    """The values of one page, as they are typed. on_saved: called with the changed names."""

    def __init__(self, services: TillServices, names: Sequence[str]) -> None:
        super().__init__(services)
        self.names = tuple(names)
        self.typed_values: dict[str, Typed] = {}
        self.refused = ""
        """The setting whose saved value was refused."""
        self._saved_now: Mapping[str, tuple[Typed, Typed]] = {}
        """The values that were just written, each before and after."""
        self.waits_for_start = False
        """Whether a saved value applies only after the till is opened anew."""
        self.on_saved: Callable[[frozenset[str]], None] = lambda _: None
        self.setup: Settings = services.settings
        self.is_outdated = False
        self.given = self._given()
        self.fill_from_setup()

    def _given(self) -> tuple[str, ...]:
        keeper = self.services.settings_keeper
        return keeper.given_elsewhere(self.names) if keeper is not None else ()

    @property
    def has_server(self) -> bool:
        return self.services.settings_keeper is not None

    async def _ask(self) -> Settings:
        return self.services.settings

    # --- typed -----------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the present settings, because another page, or a key, may have changed them. Typed
        values stay."""
        settings = self.services.settings
        if settings is self.setup:
            return
        kept = {one: self.typed_values[one] for one in self.changed}
        self.setup = settings
        self.fill_from_setup()
        self.typed_values.update(kept)
        self.announce()

    def type(self, setting: str, typed_value: Typed) -> None:
        if self.typed_values[setting] != typed_value:
            self.typed_values[setting] = typed_value
            self.failure = self.saved_at = None
            self.refused = ""
            self.announce()

    def was(self, setting: str) -> Typed:
        """The present value, as a field shows it."""
        return as_typed(value_of(self.setup, setting), setting)

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(one for one in self.names if self.typed_values[one] != self.was(one))

    def fault_of(self, setting: str) -> str:
        """A word for the fault of a value; "" for a right one."""
        if setting == self.refused:
            return "refused"
        try:
            as_written(setting, self.typed_values[setting])
        except Invalid as error:
            return error.kind
        return "refused" if _has_wrong_form(setting, self.typed_values[setting]) else ""

    @property
    def has_changes(self) -> bool:
        return bool(self.changed)

    @property
    def wrong(self) -> str:
        """The first setting whose typed value can't be saved; "" for none."""
        return next((one for one in self.changed if self.fault_of(one)), "")

    @property
    def can_save(self) -> bool:
        return super().can_save and not self.wrong

    @property
    def shift_is_open(self) -> bool:
        """Whether an open shift must be closed before the use of shifts can be turned off."""
        is_leaving = (
            self.typed_values.get(USE_OF_SHIFTS) == "off" and self.was(USE_OF_SHIFTS) != "off"
        )
        return is_leaving and self.services.shifts.open_shift() is not None

    def fill_from_setup(self) -> None:
        self.typed_values = {one: self.was(one) for one in self.names}

    def drop(self) -> None:
        self.fill_from_setup()
        self.refused = ""
        self.saved_at = self.failure = None
        self.announce()

    def leave(self) -> None:
        self.saved_at = self.failure = None
        self.refused = ""

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """Write the changes, all or none; they apply at once, except those of `AT_START`."""
        keeper = self.services.settings_keeper
        if keeper is None or not self.can_save or self.shift_is_open:
            return
        changes = {one: as_written(one, self.typed_values[one]) for one in self.changed}
        made: list[Settings] = []
        before_and_after = {one: (self.was(one), self.typed_values[one]) for one in changes}

        async def change() -> None:
            try:
                made.append(await asyncio.to_thread(keeper.change, changes))
            except SettingsBroken as error:
                name = str(error.values.get("name", ""))
                if name not in changes:
                    raise
                self.refused = name
            else:
                self._saved_now = before_and_after

        await self.save_change(
            change, note_saved=lambda: self._note_saved(made, frozenset(changes))
        )
        if made and any(one.partition(".")[0] in OF_SERVER for one in changes.keys() - AT_START):
            await self._have_server_read_it()

    def _note_saved(self, made: Sequence[Settings], changed: frozenset[str]) -> None:
        if not made:
            return
        services = self.services
        services.settings_here.saved = self.setup = made[0]
        _log.warning("settings were changed by %s: %s", services.cashier, ", ".join(changed))
        self.fill_from_setup()
        self.waits_for_start = self.waits_for_start or bool(changed & AT_START)
        self.saved_at = services.till.clock.now()
        self.on_saved(changed)

    def note_act(self, lifted_by: str) -> None:
        """Note each changed value with its former and new one. A change of something else (a
        password, a token) is noted for the page."""
        values, self._saved_now = self._saved_now, {}
        if not values and not self.refused:
            super().note_act(lifted_by)
        for setting, (was, now) in values.items():
            self.note_setting(setting, lifted_by, before=str(was), after=str(now))

    async def _have_server_read_it(self) -> None:
        """Have the server read the settings; a server that does not answer reads them when it
        starts."""
        try:
            await self.services.server_decisions.reopen(by=self.services.cashier)
        except RemoteError as error:
            _log.warning("the server was not told of changed settings: %s", error.what)
