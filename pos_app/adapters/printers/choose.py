"""Makes the printer that a shop chose in its settings."""

from __future__ import annotations

import re
from typing import Literal

from pos_app.adapters.printers import winspool
from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.ipp_exchange import CUPS_SOCKET, cups_address, printer_address
from pos_app.adapters.printers.pages_ipp import IppPages
from pos_app.adapters.printers.pages_windows import WindowsPages
from pos_app.adapters.printers.transport import Transport
from pos_app.adapters.printers.transport_port import device_transport, serial_transport
from pos_app.adapters.printers.transport_spooler import SpooledReceipts
from pos_app.adapters.printers.transport_tcp import PORT, TcpTransport
from pos_app.adapters.serial_port import Flow
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import PagePrinter, ThermalPrinter

ThermalKind = Literal["network", "usb", "serial", "windows"]
_SIX, _HOST = r"\[(?P<six>[0-9A-Fa-f:.%\w]+)\]", r"(?P<host>[^:/\s\[\]]+)"
_HOST_AND_PORT = re.compile(rf"(?:{_SIX}|{_HOST})(?::(?P<port>\d{{1,5}}))?")
_QUEUE = re.compile(r"[^\s/#?\\]+")


def thermal_printer(
    kind: ThermalKind,
    address: str,
    *,
    baud: int = 115200,
    flow: Flow = "none",
    transport: Transport | None = None,
) -> ThermalPrinter:
    """Return a receipt printer; nothing is opened yet. Raises Invalid, with the field "address".

    address: "192.168.1.50" or "host:9100" (network), "/dev/usb/lp0" (usb), "COM3" or "/dev/ttyUSB0"
    (serial; baud and flow control are its own), a queue's name (windows). transport: the way to it,
    in place of that of its kind.
    """
    if not address.strip():
        raise Invalid("empty.printer", field="address")
    if transport is not None:
        return EscposPrinter(transport)
    match kind:
        case "network":
            return EscposPrinter(_network(address.strip()))
        case "usb":
            return EscposPrinter(device_transport(address))
        case "serial":
            return EscposPrinter(serial_transport(address, baud=baud, flow=flow))
        case "windows":
            return SpooledReceipts(_windows_spooler(), address)


def page_printer(queue: str, *, server: str = CUPS_SOCKET) -> PagePrinter:
    """Return a queue of the system's print service, or a printer that speaks IPP ("ipp://…").
    server: CUPS' socket or "host:port". Raises Invalid, with the field "queue"."""
    if queue.startswith("ipp:"):
        try:
            return IppPages(printer_address(queue))
        except ValueError as error:
            raise Invalid("address", what=str(error), field="queue") from error
    if winspool.IS_HERE and queue.strip():
        return WindowsPages(_windows_spooler(), queue)
    if not _QUEUE.fullmatch(queue):
        raise Invalid("name", field="queue")
    return IppPages(cups_address(queue, server=server))


def _network(address: str) -> TcpTransport:
    found = _HOST_AND_PORT.fullmatch(address)
    port = int(found["port"] or PORT) if found else 0
    if not found or not 0 < port < 65536:
        raise Invalid("address.printer", field="address")
    return TcpTransport(found["six"] or found["host"], port)


def _windows_spooler() -> winspool.Winspool:
    try:
        return winspool.of_this_machine()
    except OSError as error:
        raise Invalid("system", field="kind") from error
