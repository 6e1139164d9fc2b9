"""Makes the devices that the settings name, and the handovers that bring receipts to them.

Nothing is opened at the start: a printer that is off must not keep the shop from selling. A wrong
setting is refused at once, by its name. Modules of missing devices are not loaded: mail, print
services and printers would make each start of each server some 40 ms longer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pos_app.adapters.secrets.names import MAIL_PASSWORD
from pos_app.adapters.secrets.reading import read_secret
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import Mailer, PagePrinter, ThermalPrinter
from pos_app.fiscalization.handover.handover_queue import Handover
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import Settings, refused

if TYPE_CHECKING:
    from pos_app.adapters.printers.transport import Transport

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of this server. thermal, pages: its printers, or None."""

    handovers: Mapping[JobMethod, Handover]
    thermal: ThermalPrinter | None = None
    pages: PagePrinter | None = None

    @property
    def has_drawer(self) -> bool:
        return JobMethod.DRAWER in self.handovers


def devices_of(
    settings: Settings, papers: StorePdf, *, to_printer: Transport | None = None
) -> Devices:
    """Make the handovers of all devices that are set. Raises SettingsBroken.

    to_printer: the way to the receipt printer, in place of its own.
    """
    thermal, pages = thermal_of(settings, to_printer), pages_of(settings)
    post = mailer_of(settings)
    handovers: dict[JobMethod, Handover] = {}
    if thermal is None and pages is None and post is None:
        return Devices(handovers)
    from pos_app.adapters.handovers import MailHandover, PageHandover, ThermalHandover

    if thermal is not None:
        times = settings.receipt.papers
        handovers[JobMethod.THERMAL] = ThermalHandover(thermal, papers, times=times)
        if settings.printer.drawer != "none":
            handovers[JobMethod.DRAWER] = _drawer(settings, thermal)
    if pages is not None:
        handovers[JobMethod.A4] = PageHandover(pages, papers)
    if post is not None:
        handovers[JobMethod.EMAIL] = MailHandover(post, papers)
    return Devices(handovers, thermal, pages)


def thermal_of(settings: Settings, transport: Transport | None = None) -> ThermalPrinter | None:
    """Make the receipt printer of the settings; nothing is opened. Raises SettingsBroken."""
    printer = settings.printer
    kind = printer.kind
    if kind == "none":
        return None
    from pos_app.adapters.printers.choose import thermal_printer

    return _settled(
        settings,
        "printer",
        lambda: thermal_printer(
            kind, printer.address, baud=printer.baud, flow=printer.flow, transport=transport
        ),
    )


def _drawer(settings: Settings, thermal: ThermalPrinter) -> Handover:
    from pos_app.adapters.handovers import DrawerHandover
    from pos_app.adapters.printers.escpos import DrawerPin, drawer_pulse

    pin = DrawerPin.FIVE if settings.printer.drawer == "pin5" else DrawerPin.TWO
    return DrawerHandover(thermal, drawer_pulse(pin))


def pages_of(settings: Settings) -> PagePrinter | None:
    """Make the A4 printer of the settings; nothing is opened. Raises SettingsBroken."""
    if not settings.a4.queue:
        return None
    from pos_app.adapters.printers.choose import page_printer
    from pos_app.adapters.printers.ipp_exchange import CUPS_SOCKET

    server = settings.a4.server or CUPS_SOCKET
    return _settled(settings, "a4", lambda: page_printer(settings.a4.queue, server=server))


def mailer_of(
    settings: Settings, *, step_seconds: float = 20.0, whole_seconds: float = 90.0
) -> Mailer | None:
    """Make the mail of the settings; nothing is connected. Raises SettingsBroken."""
    mail = settings.mail
    if not mail.host:
        return None
    from pos_app.adapters.mail.message import Shop
    from pos_app.adapters.mail.smtp import MailServer, SmtpMailer

    shop = _settled(settings, "mail", lambda: Shop(mail.sender, mail.sender_name), of="sender")
    if mail.reply_to:
        shop = _settled(
            settings, "mail", lambda: replace(shop, reply_to=mail.reply_to), of="reply_to"
        )
    server = MailServer(
        host=mail.host,
        port=mail.port,
        security=mail.security,
        user=mail.user,
        password=read_secret(MAIL_PASSWORD, data=settings.data, variables=os.environ),
        ca_file=Path(mail.ca_file) if mail.ca_file else None,
    )
    return SmtpMailer(server, shop, step_seconds=step_seconds, whole_seconds=whole_seconds)


def check_mail_authorities(settings: Settings) -> None:
    """Raise SettingsBroken where the file of `mail.ca_file` has no readable certificate."""
    import ssl

    if not settings.mail.ca_file:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(settings.mail.ca_file)
    except OSError as error:  # ssl's own errors are OSErrors
        raise refused(settings, "mail.ca_file", str(error)) from error


def _settled(settings: Settings, group: str, make: Callable[[], T], *, of: str = "") -> T:
    """Make a device. of: the wrong setting, where the fault names none."""
    try:
        return make()
    except Invalid as error:
        raise refused(settings, f"{group}.{of or error.field}", error.what) from error
