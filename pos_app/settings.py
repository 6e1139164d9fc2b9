"""One typed settings object for all programs, read from `settings.toml` in the data folder.

Order of precedence: command line, environment (`POS_APP_SERVER__PORT=…`), the file, defaults.
Secrets are no settings: they are kept by the adapter that seals them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeGuard, get_args, get_origin

import platformdirs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)

from pos_app.errors import SettingsBroken
from pos_app.settings_faults import (
    Given,
    check_folder,
    not_allowed,
    read_file,
    unknown,
    why_not_here,
)

FILE_NAME = "settings.toml"
PREFIX = "pos_app_"
"""Of environment variables that are settings, in any case of letters."""
BETWEEN = "__"
"""Stands between a group and its setting in the name of an environment variable."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

ActionKey = Literal["F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11"]
ShortName = Annotated[str, StringConstraints(min_length=1, max_length=50, strip_whitespace=True)]
"""A name that is printed: the processor takes a cashier of at most 50 characters."""


_LARGEST = 999_999_999_999
"""The most that a quantity or an amount can be, in whole pieces or dinars."""


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerSettings(_Group):
    """The local API server."""

    host: str = "127.0.0.1"
    """Where it listens: the loopback, by any of its names."""
    port: int = Field(default=9999, ge=0, le=65535)
    names: tuple[str, ...] = ()
    """Further host names that a request may carry in `Host`."""
    origins: tuple[str, ...] = ()
    """Web origins that may call; empty by default."""
    api_enabled: bool = True
    """False closes the local API to requests without the install token."""
    cashier: ShortName = "API"
    """Cashier printed on receipts of callers that name none."""

    @field_validator("host")
    @classmethod
    def _only_this_machine(cls, host: str) -> str:
        if host not in _LOOPBACK:
            raise ValueError(why_not_here(host))
        return host


class ProcessorSettings(_Group):
    """The fiscal processor (PFR) that signs for this server."""

    kind: Literal["development", "lpfr", "vpfr"] = "development"
    url: str = ""
    """Base address; empty with `development`: the server starts the processor itself."""
    quiet_seconds: float = Field(default=60.0, gt=0, le=86_400, allow_inf_nan=False)
    """W: how long a request that is not found must stay not found before it counts as absent."""
    used_here_alone: bool = False
    """For an uncounted lane: no other program signs with this secure element."""
    label_map: dict[str, str] = {}
    """Our tax label -> the processor's, for test environments; empty in production."""


class EsirSettings(_Group):
    """Who we are toward the tax administration."""

    ib: str = ""
    """Identification number under which this ESIR was approved."""
    seller_pib: str = Field(default="", pattern="^([0-9]{9})?$")
    """The shop's own PIB, named as buyer where a refund has no other; empty: the processor's."""


class TillSettings(_Group):
    """The till's own behaviour and looks."""

    name: ShortName = "Каса 1"
    cashier: ShortName = "Касир 1"
    language: Literal["sr-Cyrl", "sr-Latn", "en"] = "sr-Cyrl"
    theme: Literal["light", "dark"] = "light"
    touch_mm: Literal[9, 12, 15] = 12
    touch_keyboard: Literal["auto", "always", "never"] = "auto"
    """When the keyboard on the screen opens: a field tapped by a finger, any field, or never."""
    text_percent: int = Field(default=100, ge=100, le=150)
    action_keys: tuple[ActionKey, ...] = ("F3", "F4", "F5", "F6", "F7", "F9")
    queue_without_processor: Literal["allowed", "hold"] = "allowed"
    cash_rounding: Literal["whole_dinar", "none"] = "whole_dinar"
    ask_from_quantity: int = Field(default=1000, gt=0, le=_LARGEST)
    """A typed quantity from which the till asks whether it is right."""
    ask_from_line_total: int = Field(default=1_000_000, gt=0, le=_LARGEST)
    """The same for what a typed quantity or price makes of a line, in dinars."""
    ask_above_cash_times: int = Field(default=10, gt=0, le=1_000_000)
    """The same for cash received above so many times the total; one note is never asked about."""


class ScannerSettings(_Group):
    """How the wedge scanner types."""

    prefix: str = ""
    suffix: Literal["enter", "tab", "none"] = "enter"
    layout: Literal["us"] = "us"
    gap_ms: int = Field(default=35, ge=5, le=200)
    """Longest pause between two keys of one scan."""


class WeightCodeSettings(_Group):
    """EAN-13 codes printed by the shop's own scale, beginning with 2."""

    weight_prefixes: tuple[str, ...] = ("20", "21", "22", "23", "24", "25")
    """Prefix, five digits of article code, five digits of grams, check digit."""
    price_prefixes: tuple[str, ...] = ("26", "27", "28")
    """Prefix, five digits of article code, five digits of the line total in dinars."""


class PrinterSettings(_Group):
    """The receipt printer of this server."""

    kind: Literal["none", "network", "usb", "serial", "windows"] = "none"
    address: str = ""
    """"192.168.1.50" or "host:9100", "/dev/usb/lp0", "COM3", or a queue's name, by its kind."""
    baud: int = Field(default=115200, gt=0)
    flow: Literal["none", "hardware", "software"] = "none"
    """Baud and flow control are those of a serial printer."""
    width_mm: Literal[58, 80] = 80
    cut: Literal["partial", "full", "none"] = "partial"
    drawer: Literal["none", "pin2", "pin5"] = "none"
    """The pin of the plug to which the cash drawer is wired."""


class A4Settings(_Group):
    """The page printer: a queue of the system's print service."""

    queue: str = ""
    """Its name, or "ipp://…" of a printer that speaks IPP; empty: none."""
    server: str = ""
    """Where CUPS is, "host:port"; empty: this machine's own."""


class MailSettings(_Group):
    """The shop's outgoing mail. Its password is no setting: see docs/settings.md."""

    host: str = ""
    """Empty: no mail is sent."""
    port: int = Field(default=587, ge=1, le=65535)
    security: Literal["starttls", "tls"] = "starttls"
    user: str = ""
    sender: str = ""
    """Address that receipts come from."""
    sender_name: str = ""
    """The shop's name as customers know it; empty: the address."""
    reply_to: str = ""
    ca_file: str = ""
    """Certificates that are trusted besides the system's own."""


class ReceiptSettings(_Group):
    """The shop's own words on paper, outside of what is signed."""

    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    bank_accounts: tuple[str, ...] = ()
    """Printed on receipts paid by transfer; the first is the one that the payment code names."""
    payee: str = ""
    """Name and seat in the code to pay by (NBS IPS QR), lines parted by \\n; empty: no code."""


class Settings(_Group):
    """Everything that can be set, of one installation."""

    data: Path
    environment: Literal["production", "sandbox", "demo"] = "production"
    server: ServerSettings = ServerSettings()
    processor: ProcessorSettings = ProcessorSettings()
    esir: EsirSettings = EsirSettings()
    till: TillSettings = TillSettings()
    scanner: ScannerSettings = ScannerSettings()
    weight_codes: WeightCodeSettings = WeightCodeSettings()
    printer: PrinterSettings = PrinterSettings()
    a4: A4Settings = A4Settings()
    mail: MailSettings = MailSettings()
    receipt: ReceiptSettings = ReceiptSettings()


def default_data_folder() -> Path:
    """The platform's usual place for this product's data."""
    return Path(platformdirs.user_data_dir("pos-app", appauthor=False))


def load(data: Path | None = None, **given: Any) -> Settings:
    """Read the settings of the installation in `data`; `given` wins over file and environment.

    Raises SettingsBroken naming the setting and where it stands, DataFolderNotWritable when
    `data` is a file.
    """
    folder = (data or default_data_folder()).absolute()
    check_folder(folder)
    path = folder / FILE_NAME
    file, text = read_file(path)
    environment = from_environment(os.environ)
    try:
        outside = _merged(environment, {"data": folder, **given})
        return Settings.model_validate(_merged(file, outside))
    except ValidationError as error:
        first = error.errors()[0]
        parts = [part for part in first["loc"] if isinstance(part, str)]
        stands = Given(
            ".".join(parts),
            path,
            text,
            variable=_variable(parts) if _holds(environment, parts) else "",
            by_command=_holds(given, parts),
        )
        raise _fault(first["type"], first["msg"], stands) from error


def refused(settings: Settings, name: str, why: str) -> SettingsBroken:
    """A setting that only the program which uses it can tell to be wrong, told as `load` would."""
    path = settings.data / FILE_NAME
    return not_allowed(Given(name, path, read_file(path)[1]), why)


def names() -> frozenset[str]:
    """All settings that a file may hold, as "server.port", and their groups."""
    found = set[str]()
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        members = kind.model_fields if _is_group(kind) else {}
        found |= {name, *(f"{name}.{member}" for member in members)}
    return frozenset(found - {"data"})


def _is_group(kind: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _fault(kind: str, words: str, stands: Given) -> SettingsBroken:
    if kind == "extra_forbidden":
        return unknown(stands, names())
    if kind == "model_type":
        return not_allowed(stands, "it is a group of settings, not a value")
    return not_allowed(stands, words.removeprefix("Value error, "))


def _variable(parts: Sequence[str]) -> str:
    return (PREFIX + BETWEEN.join(parts)).upper()


def _holds(settings: Mapping[str, object], parts: Sequence[str]) -> bool:
    """Whether these settings say something about the one at that path."""
    found: object = settings
    for part in parts:
        if not isinstance(found, Mapping):
            return True
        if part not in found:
            return False
        found = found[part]
    return True


def from_environment(variables: Mapping[str, str]) -> dict[str, object]:
    """What environment variables set, as the file would say it.

    `POS_APP_SERVER__PORT=8080` sets one value; lists, tables and whole groups are JSON, as in
    `POS_APP_SERVER__ORIGINS=["https://shop.rs"]`; a value of its own wins over its group's JSON.
    A variable whose first word is no setting (`POS_APP_TEST_…`) is somebody else's.
    Raises SettingsBroken naming the variable when its JSON can't be read.
    """
    read: dict[str, object] = {}
    for name in sorted(variables):  # a group comes before its members
        path = name.lower().removeprefix(PREFIX).split(BETWEEN)
        if name.lower().startswith(PREFIX) and path[0] in Settings.model_fields:
            value: object = variables[name]
            if _is_json(path):
                value = _json_of(name, variables[name])
            for part in reversed(path):
                value = {part: value}
            assert isinstance(value, dict)
            read = _merged(read, value)
    return read


def _is_json(path: list[str]) -> bool:
    """Whether the setting at `path` holds more than one value, or one of some figures."""
    group: type[BaseModel] = Settings
    for depth, part in enumerate(path, start=1):
        field = group.model_fields.get(part)
        kind = field.annotation if field else None
        if not _is_group(kind):
            return depth == len(path) and (get_origin(kind) in (tuple, dict) or _is_figure(kind))
        group = kind
    return True


def _is_figure(kind: object) -> bool:
    return get_origin(kind) is Literal and all(isinstance(one, int) for one in get_args(kind))


def _json_of(name: str, text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsBroken(
            f"The environment variable {name} is not valid JSON: {error}.",
            safe="Nothing was changed.",
            do=f"Mend {name}, or take it out of the environment.",
            kind="value",
            name=name,
            path=FILE_NAME,
        ) from error
    return value


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Both, group by group; what `above` says wins."""
    whole = dict(below)
    for name, value in above.items():
        old = whole.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            whole[name] = _merged(old, value)
        else:
            whole[name] = value
    return whole
