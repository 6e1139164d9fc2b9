"""All settings of all programs, as one typed object.

Secrets are no settings: they are kept by the adapter that seals them.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pos_app.settings import kinds
from pos_app.settings.faults import why_not_here

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""Values of `server.host` for this machine only."""
EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""Values of `server.host` for this machine and its network."""

FunctionKey = Literal["F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11"]


LONGEST_NAME = 50
"""Equal to `domain.request.LONGEST_CASHIER`, which settings don't import; a test compares the
two."""
ShortName = Annotated[str, str.strip, kinds.seen, kinds.UpTo(LONGEST_NAME)]
ScaleLayoutText = Annotated[
    str,
    str.strip,
    str.upper,
    kinds.Pattern(
        "(?=.{12}$)(02|2[0-9])A{4,6}V?(G{4,6}|K{4,6}|D{4,6}|P{4,6})",
        "twelve signs, such as 21AAAAAGGGGG",
    ),
]
OUR_LABELS = ("\u0402", "\u0415", "\u0413", "\u0410")
"""The tax labels of production, Cyrillic letters."""
QUIET_SECONDS = "processor.quiet_seconds"
SHORTEST_QUIET_SECONDS = 45.0
"""The least QUIET_SECONDS with a real processor: longer than its longest execution."""
_LARGEST = 999_999_999_999
"""The most that a quantity or an amount can be, in whole pieces or dinars."""


def _here(host: str) -> str:
    if host not in LOOPBACK | EVERYWHERE:
        raise ValueError(why_not_here(host))
    return host


class ServerSettings(kinds.SettingsGroup):
    host: Annotated[str, _here] = "127.0.0.1"
    """A name of the loopback, or "0.0.0.0" or "::" to listen on the LAN too."""
    port: Annotated[int, kinds.Within(0, 65535)] = 9999
    names: tuple[str, ...] = ()
    """Further host names that a request may carry in `Host`."""
    origins: tuple[str, ...] = ()
    """Web origins that may call."""
    api_enabled: bool = True
    """False closes the local API to requests without the install token."""
    cashier: ShortName = "API"
    """The cashier printed on receipts of callers that name none."""


def _labels(labels: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse a key that only resembles a label of ours: it would map nothing, and nobody would
    notice. Refuse two labels that become one: one of them would be taxed by the wrong rate."""
    for ours, theirs in labels.items():
        if ours not in OUR_LABELS:
            raise ValueError(f"{ours!a} is none of our labels, Cyrillic {', '.join(OUR_LABELS)}")
        if len(theirs) != 1:
            raise ValueError(f"the label for {ours} is one character")
        if theirs in OUR_LABELS and theirs != ours:
            raise ValueError(f"the label for {ours} is another label of ours")
    if len(set(labels.values())) < len(labels):
        raise ValueError("two labels of ours have the same one of the processor's")
    return labels


class ProcessorSettings(kinds.SettingsGroup):
    kind: Literal["development", "lpfr", "vpfr"] = "development"
    url: str = ""
    """Base address. It is empty with `development` when the server starts the processor itself, and
    with `vpfr` when the certificate's address counts."""
    quiet_seconds: Annotated[float, kinds.Within(0, 86_400)] = 60.0
    """W: the time for which a request must stay not found before it counts as absent."""
    used_here_alone: bool = False
    """For a processor that reports no counter: no other program signs with this secure element."""
    label_map: Annotated[Mapping[str, str], _labels] = MappingProxyType({})
    """Our tax label -> the processor's, for test environments; empty in production."""
    ca_file: str = ""
    """Authorities for `vpfr` that are trusted besides the system's own. Once read it is an absolute
    path, as every `ca_file`."""

    def check(self) -> None:
        """A request that is signed after W would count as absent, and be signed again."""
        if self.quiet_seconds == 0:
            raise ValueError("it is more than 0", "quiet_seconds")
        if self.kind != "development" and self.quiet_seconds < SHORTEST_QUIET_SECONDS:
            raise ValueError(
                f"quiet_seconds of a real processor is at least {SHORTEST_QUIET_SECONDS:g}: an"
                " answer is waited for 40 seconds, and absence is proven only after that"
            )


class EsirSettings(kinds.SettingsGroup):
    """Our identity toward the tax administration."""

    ib: str = ""
    """Identification number under which this ESIR was approved."""
    seller_pib: Annotated[str, kinds.Pattern("([0-9]{9})?", "nine digits, or empty")] = ""
    """The shop's own PIB, which is the buyer of a refund without another buyer; empty: the PIB that
    the processor reports."""
    in_vat: bool = True
    """Whether the shop is in the system of VAT; if not, its articles have the label А."""
    closing_refund_payment: Literal["mirror", "cash"] = "mirror"
    """When an advance is closed, all its payments are refunded: as they were paid, or in cash."""
    refund_copy: Literal["cash", "every"] = "cash"
    """The refunds that are followed by the copy which the customer signs."""
    restricted_payments: bool = False
    """Card, check and instant payment are recorded as cash."""


class TillSettings(kinds.SettingsGroup):
    name: ShortName = "Каса 1"
    cashier: ShortName = "Касир 1"
    language: Literal["sr-Cyrl", "sr-Latn", "en"] = "sr-Cyrl"
    theme: Literal["light", "dark"] = "light"
    touch_mm: Literal[9, 12, 15] = 12
    touch_keyboard: Literal["auto", "always", "never"] = "auto"
    """The keyboard on the screen opens for a field tapped by a finger, for any field, or never."""
    text_percent: Annotated[int, kinds.Within(100, 150)] = 100
    action_keys: Annotated[tuple[FunctionKey, ...], kinds.once] = ("F3", "F4", "F5", "F6", "F9")
    queue_without_processor: Literal["allowed", "hold"] = "allowed"
    cash_rounding: Literal["whole_dinar", "none"] = "whole_dinar"
    ask_from_quantity: Annotated[int, kinds.Within(1, _LARGEST)] = 1000
    """The till asks whether a typed quantity from this one on is right, in units without a limit
    below."""
    ask_above_kilograms: Annotated[int, kinds.Within(1, _LARGEST)] = 30
    ask_above_litres: Annotated[int, kinds.Within(1, _LARGEST)] = 30
    ask_above_metres: Annotated[int, kinds.Within(1, _LARGEST)] = 100
    ask_above_pieces: Annotated[int, kinds.Within(1, _LARGEST)] = 100
    ask_above_usual_times: Annotated[int, kinds.Within(1, 1_000_000)] = 20
    """The till asks about a quantity that is more than so many times the usual one of the
    article."""
    ask_from_line_total: Annotated[int, kinds.Within(1, _LARGEST)] = 1_000_000
    """The till asks about a line total that a typed quantity or price makes, from this amount on,
    in dinars."""
    ask_above_cash_times: Annotated[int, kinds.Within(1, 1_000_000)] = 10
    """The till asks about received cash that is more than so many times the total, unless it is one
    note."""
    ask_from_cash: Annotated[int, kinds.Within(1, _LARGEST)] = 1_200_000
    """The till asks about cash that stays in the drawer, from this amount on, in dinars. The amount
    stands for the 10,000 euros of the law against money laundering."""
    edition_price: Literal["catalogue", "ask"] = "catalogue"
    """The price of a paper or book that is scanned with the two or five digits beside its bar code:
    that of the catalogue, or the cashier is asked for the edition's own."""
    keep_batch: bool = False
    """Whether batch and serial number of a piece, which its code may tell, are kept with the line
    of the cart."""
    expired_goods: Literal["ask", "refuse"] = "ask"
    """What the till does with a pack whose code says that its last day is past."""
    advance_untouched_days: Annotated[int, kinds.Within(1, 36_500)] = 365
    """After so many days without a payment or refund an open advance is reported as forgotten."""
    paid_later: Annotated[
        tuple[Literal["check", "wiretransfer", "voucher", "other"], ...], kinds.once
    ] = ("wiretransfer", "check")
    """The methods by which the money comes days after the receipt: what was paid by them is owed
    until somebody writes down that it came."""
    refund_needs_manager: bool = False
    """Whether a refund from a receipt requires the manager's PIN, as a refund by hand always
    does."""
    refund_reasons: Annotated[tuple[ShortName, ...], kinds.once, kinds.UpTo(9)] = ()
    """The reasons from which the cashier chooses at a refund, or types another; if there are none,
    no reason is asked for."""


class ShiftSettings(kinds.SettingsGroup):
    use: Literal["auto", "on", "off"] = "auto"
    """"auto": a shop has shifts, a demo has none."""
    drawer_limit: Annotated[int, kinds.Within(0, _LARGEST)] = 100_000
    """Dinars in the drawer from which the till asks quietly for a drop; 0: never."""
    bundle: Annotated[int, kinds.Within(1, 1000)] = 100
    """Notes in a bundle."""
    roll: Annotated[int, kinds.Within(1, 1000)] = 50
    """Coins in a roll."""
    terminals: Annotated[tuple[ShortName, ...], kinds.once, kinds.UpTo(6)] = ("Терминал 1",)
    """The card terminals, each with a slip of its own."""


class PeopleSettings(kinds.SettingsGroup):
    badge_needs_pin: bool = False
    """Whether a badge only names the person, and the PIN is asked for too."""
    lock_after_minutes: Annotated[int, kinds.Within(0, 480)] = 0
    """Minutes without a key, a touch or a scan after which the till locks itself; 0: never."""
    cart_of_another: Literal["ask", "hold"] = "ask"
    """Whether a cart that another cashier left may be taken over, or is always suspended."""


class CustomerDisplaySettings(kinds.SettingsGroup):
    monitor: str = ""
    """The name of its monitor; empty: there is none."""
    pictures: str = ""
    """A folder of pictures that are shown while nothing is sold; empty: the shop's name alone."""
    theme: Literal["till", "light", "dark"] = "till"


class BackupSettings(kinds.SettingsGroup):
    folder: str = ""
    """A second folder for backups, on another drive: a path relative to the data folder, or
    absolute; empty: backups are in the data folder alone."""
    daily: bool = True
    """Whether a backup is made each day, while nobody sells."""


class ScannerSettings(kinds.SettingsGroup):
    """The wedge scanner's way of typing; and a scanner at a serial port, if there is one."""

    prefix: Annotated[str, kinds.UpTo(20)] = ""
    suffix: Literal["enter", "tab", "none"] = "enter"
    layout: Literal["us", "sr-latin", "german"] = "us"
    gap_ms: Annotated[int, kinds.Within(5, 200)] = 35
    """The longest pause between two keys of one scan, in milliseconds."""
    port: str = ""
    """"COM3" or "/dev/ttyACM0"; empty: no scanner is at a serial port."""
    baud: Literal[9600, 19200, 38400, 57600, 115200] = 9600


class ScaleSettings(kinds.SettingsGroup):
    """EAN-13 codes printed by the shop's own scales."""

    layouts: tuple[ScaleLayoutText, ...] = (
        "20AAAAAGGGGG", "21AAAAAGGGGG", "22AAAAAGGGGG", "23AAAAAGGGGG", "24AAAAAGGGGG",
        "25AAAAAGGGGG", "26AAAAADDDDD", "27AAAAADDDDD", "28AAAAADDDDD",
    )  # fmt: skip
    """The twelve digits before the check digit: the prefix, then A for a digit of the article's
    code, V for a verifier digit, and for the value G (grams), K (pieces), D (dinars) or P (para).
    """

    def check(self) -> None:
        prefixes = [one[:2] for one in self.layouts]
        if "layouts" in self.given and len(set(prefixes)) < len(prefixes):
            raise ValueError("each prefix stands there once", "layouts")


class PrinterSettings(kinds.SettingsGroup):
    """The receipt printer of this server."""

    kind: Literal["none", "network", "usb", "serial", "windows"] = "none"
    address: str = ""
    """"192.168.1.50" or "host:9100", "/dev/usb/lp0", "COM3", or a queue's name, by its kind."""
    baud: Annotated[int, kinds.Within(1)] = 115200
    flow: Literal["none", "hardware", "software"] = "none"
    """Baud and flow control are those of a serial printer."""
    width_mm: Literal[58, 80] = 80
    cut: Literal["partial", "full", "none"] = "partial"
    drawer: Literal["none", "pin2", "pin5"] = "none"
    """The pin of the plug to which the cash drawer is wired."""


class A4Settings(kinds.SettingsGroup):
    """The page printer: a queue of the system's print service."""

    queue: str = ""
    """The name of the queue, or "ipp://…" for a printer that speaks IPP; empty: none."""
    server: str = ""
    """The address of CUPS, "host:port"; empty: this machine's own."""


class MailSettings(kinds.SettingsGroup):
    """The shop's outgoing mail. Its password is no setting: see docs/reference/settings.md."""

    host: str = ""
    """Empty: no mail is sent."""
    port: Annotated[int, kinds.Within(1, 65535)] = 587
    security: Literal["starttls", "tls"] = "starttls"
    user: str = ""
    sender: str = ""
    sender_name: str = ""
    """The shop's name as customers know it; empty: the address."""
    reply_to: str = ""
    ca_file: str = ""
    """Certificates that are trusted besides the system's own."""
    when_missing: Literal["warn", "refuse"] = "warn"
    """A receipt that can't be mailed as asked is signed with a warning, or not signed."""


class ReceiptSettings(kinds.SettingsGroup):
    """The shop's own words on paper, outside of the signed part."""

    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    bank_accounts: tuple[str, ...] = ()
    """Printed on receipts paid by transfer; the first is the one that the payment code names."""
    payee: str = ""
    """Name and seat in the payment code (NBS IPS QR), lines separated by \\n; empty: no code."""
    short_code: bool = False
    """Whether a Code 128 of the short number is printed below each receipt, for scanners that read
    no QR code."""
    papers: Annotated[int, kinds.Within(1, 3)] = 1
    """The number of papers of a receipt that the receipt printer prints by itself."""


PlatformOperation = Literal[
    "list_stores",
    "add_store",
    "update_store",
    "list_products",
    "add_product",
    "update_product",
    "delete_product",
    "list_units",
    "add_unit",
    "update_unit",
    "delete_unit",
    "list_categories",
    "add_category",
    "update_category",
    "delete_category",
    "upload_file",
    "list_clients",
    "list_keys",
    "add_key",
    "rotate_key",
    "revoke_key",
]
"""The operations of a platform; `platform.operations` may give each another method and path."""
OF_ONE = frozenset({
    "update_store", "update_product", "delete_product", "update_unit", "delete_unit",
    "update_category", "delete_category", "rotate_key", "revoke_key",
})  # fmt: skip
"""Operations on one resource: their path has {Id}."""
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?/v2")
_OPERATION = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s?#]*)")


def is_platform_address(url: str) -> bool:
    """Tell whether a platform's address has this form: http or https, and its version at the
    end."""
    return _ADDRESS.fullmatch(url) is not None


def _versioned(url: str) -> str:
    url = url.strip().rstrip("/")
    if url and not is_platform_address(url):
        raise ValueError("the address begins with https:// or http:// and ends with /v2")
    return url


def _method_and_path(table: Mapping[PlatformOperation, str]) -> Mapping[PlatformOperation, str]:
    for name, method_and_path in table.items():
        if not _OPERATION.fullmatch(method_and_path):
            raise ValueError(f'{name} is a method and a path, such as "GET /products"')
        if ("{Id}" in method_and_path) is not (name in OF_ONE):
            has = "has {Id}" if name in OF_ONE else "has no {Id}"
            raise ValueError(f"the path of {name} {has}")
    return table


class PlatformSettings(kinds.SettingsGroup):
    """The platform whose catalogue this shop sells from. Its secret is no setting."""

    environment: Literal["own", "sandbox", "production"] = "own"
    """The platform's environment, for people; the address alone decides which one is asked."""
    url: Annotated[str, _versioned] = ""
    """Base address, ending in /v2; empty: no platform, the catalogue comes from a file."""
    application_url: str = ""
    """The address of its application for a browser."""
    key: str = ""
    """The name of the API key; its secret is `platform_secret`."""
    store_id: str = ""
    """The account's store that this shop is; empty: the first one listed."""
    clear_text_allowed: Annotated[str, _versioned] = ""
    """The address in a private network to which a manager lets key and secret go without
    encryption; it counts only while it is `url`."""
    proxy: str = ""
    """HTTP proxy on the way to the platform, such as "http://proxy:3128"; empty: none."""
    ca_file: str = ""
    """Certificates that are trusted besides the system's own."""
    public_mode: bool = False
    """True: other programs issue receipts here through the platform."""
    join: Literal["ask", "send", "read"] = "ask"
    """Whether articles that the platform lacks are sent there; ask: a person decides."""
    operations: Annotated[Mapping[PlatformOperation, str], _method_and_path] = MappingProxyType({})
    """Method and path of operations that this platform has elsewhere: "PUT /articles/{Id}"."""
    sku_from: Annotated[int, kinds.Within(0, _LARGEST)] = 0
    sku_to: Annotated[int, kinds.Within(0, _LARGEST)] = 0
    """The range of article codes that are made at this till; both 0: a range made from the till's
    identity."""
    sync_minutes: Annotated[int, kinds.Within(0, 1440)] = 5
    """Minutes between two synchronisations of an open till; 0: only when it opens or is asked."""

    def check(self) -> None:
        if bool(self.sku_from) is not bool(self.sku_to) or self.sku_from > self.sku_to:
            raise ValueError("sku_from and sku_to are the first and the last code of a range")


def _address(url: str) -> str:
    plain = url.strip().rstrip("/")
    if plain and not plain.startswith(("https://", "http://")):
        raise ValueError("it is written as https://platform.example")
    return plain


def _taxpayers(pibs: tuple[str, ...]) -> tuple[str, ...]:
    for each in pibs:
        if not re.fullmatch("[0-9]{9}", each):
            raise ValueError(f'"{each}" is no PIB, which has nine digits')
    return pibs


def _networks(proxies: tuple[str, ...]) -> tuple[str, ...]:
    for each in proxies:
        try:
            ipaddress.ip_network(each)
        except ValueError:
            raise ValueError(f'"{each}" is neither an IP address nor a network') from None
    return proxies


class PlatformServerSettings(kinds.SettingsGroup):
    """The public platform, where this installation hosts one (`pos-app platform`)."""

    host: str = "127.0.0.1"
    """The address at which the platform listens, without TLS: a proxy in front of it has the
    certificate."""
    port: Annotated[int, kinds.Within(0, 65535)] = 8400
    database_url: str = ""
    """"postgresql://…"; empty: a file in the data folder."""
    public_url: Annotated[str, _address] = ""
    """The address by which callers reach the platform; empty: the address that each caller used."""
    workers: Annotated[int, kinds.Within(1, 64)] = 1
    """Processes that answer; more than one need PostgreSQL."""
    connections: Annotated[int, kinds.Within(64, 65536)] = 4096
    """Connections of one worker at once, including tills of public mode, as far as the system
    allows."""
    leave_seconds: Annotated[float, kinds.Within(0, 300)] = 0.0
    """The seconds for which the platform goes on after SIGTERM while /ready says 503, so that a
    proxy can send callers elsewhere. Then it accepts no more connections and ends the requests
    under way."""
    relay_days: Annotated[int, kinds.Within(1, 3650)] = 30
    """Days for which bodies and answers of public mode are kept after they were last asked for."""
    audit_days: Annotated[int, kinds.Within(1, 36500)] = 400
    quota_applications: Annotated[int, kinds.Within(0)] = 1000
    """Applications of an account that are connected to a worker at once; 0 in any quota is no
    limit."""
    quota_key_applications: Annotated[int, kinds.Within(0)] = 500
    quota_requests: Annotated[int, kinds.Within(0)] = 200
    """Requests of an account under way at a worker at once."""
    quota_key_requests: Annotated[int, kinds.Within(0)] = 100
    quota_per_second: Annotated[int, kinds.Within(0)] = 300
    """Requests of an account a second, at a worker."""
    quota_key_per_second: Annotated[int, kinds.Within(0)] = 200
    quota_clients: Annotated[int, kinds.Within(0)] = 2000
    quota_rows: Annotated[int, kinds.Within(0)] = 500_000
    """Rows of an account's catalogue, with deleted ones."""
    quota_megabytes: Annotated[int, kinds.Within(0)] = 20_000
    """All that an account stores: rows, answers, commands, and pictures in all sizes."""
    reserve_megabytes: Annotated[int, kinds.Within(0)] = 256
    """Free megabytes below which only receipts are taken; 0: no reserve."""
    database_megabytes: Annotated[int, kinds.Within(0)] = 0
    """The megabytes that a PostgreSQL database may take on its disk; 0: not known."""
    files: Annotated[str, kinds.Pattern("(s3://[^/]+.*)?", "as s3://bucket, or empty")] = ""
    """The bucket of uploaded files, "s3://bucket/prefix"; empty: a folder in the data folder."""
    metrics_token: str = ""
    """The token of a program that reads /metrics; empty: nobody may."""
    trusted_proxies: Annotated[tuple[str, ...], _networks] = ()
    """Addresses and networks ("10.0.0.0/8") whose X-Forwarded-For and -Proto are trusted."""
    signers: Annotated[int, kinds.Within(0, 64)] = 0
    """Processes that sign with certificates which callers send; 0: certificate mode is off."""
    elements: Annotated[int, kinds.Within(1, 10_000)] = 400
    """Secure elements of certificates that are open in one signer at once."""
    outside_vat: Annotated[tuple[str, ...], _taxpayers] = ()
    """The PIBs of taxpayers outside the system of VAT, for whose certificates no label of VAT is
    signed."""


class UpdateSettings(kinds.SettingsGroup):
    """The settings for newer versions. Every user of the computer may write into the data folder,
    so an address and a key there are ignored (`adapters/updates/source.py`). Only an empty address
    has an effect: the till no longer asks for newer versions."""

    url: str = ""
    key: str = ""


class Settings(kinds.SettingsGroup):
    data: Path
    environment: Literal["production", "sandbox", "demo"] = "production"
    server: ServerSettings = ServerSettings()
    processor: ProcessorSettings = ProcessorSettings()
    esir: EsirSettings = EsirSettings()
    till: TillSettings = TillSettings()
    shift: ShiftSettings = ShiftSettings()
    people: PeopleSettings = PeopleSettings()
    customer_display: CustomerDisplaySettings = CustomerDisplaySettings()
    backup: BackupSettings = BackupSettings()
    scanner: ScannerSettings = ScannerSettings()
    scales: ScaleSettings = ScaleSettings()
    printer: PrinterSettings = PrinterSettings()
    a4: A4Settings = A4Settings()
    mail: MailSettings = MailSettings()
    receipt: ReceiptSettings = ReceiptSettings()
    platform: PlatformSettings = PlatformSettings()
    platform_server: PlatformServerSettings = PlatformServerSettings()
    updates: UpdateSettings = UpdateSettings()

    @property
    def has_shifts(self) -> bool:
        return self.shift.use == "on" or (self.shift.use == "auto" and self.environment != "demo")
