"""Writes a letter as the bytes of a mail: text, HTML and the PDF; no content can become a header.

Source: RFC 5322, RFC 2046; `email` refuses line breaks in headers, and we replace them before.
"""

from __future__ import annotations

import hashlib
import re
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime

from pos_app.domain.text.email_address import checked_address
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import ReceiptMail
from pos_app.lazy_dataclass import dataclass

_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
_FILE_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_ID_PART = re.compile(r"[^A-Za-z0-9-]+")
_LINE_START_DOT = re.compile(rb"(?m)^\.")
_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Shop:
    """The sender. name: shown beside the address. reply_to: "" without one. Raises Invalid."""

    address: str
    name: str
    reply_to: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "address", checked_address(self.address))
        if self.reply_to:
            object.__setattr__(self, "reply_to", checked_address(self.reply_to))


@dataclass(frozen=True, slots=True)
class Envelope:
    """The SMTP addresses, and the message with CRLF line ends."""

    sender: str
    recipient: str
    message: bytes

    @property
    def on_the_wire(self) -> bytes:
        """The message as it follows DATA, with its end (RFC 5321, 4.5.2)."""
        return _LINE_START_DOT.sub(b"..", self.message) + b".\r\n"


def message_id(letter: ReceiptMail, shop: Shop) -> str:
    """Return an id by address and sending; a repetition has the same one."""
    sending = f"{letter.receipt}|{letter.to}|{letter.sending}"
    mark = hashlib.sha256(sending.encode()).hexdigest()[:16]
    receipt = _ID_PART.sub("-", letter.receipt)[:64].strip("-")
    return f"<{receipt}.{letter.sending}.{mark}@{shop.address.rpartition('@')[2]}>"


def envelope(letter: ReceiptMail, shop: Shop) -> Envelope:
    """Write the mail. Raises Invalid for an address that can't be one."""
    recipient = checked_address(letter.to)
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"] = _named(shop.address, shop.name)
    mail["To"] = Address(addr_spec=recipient)
    if shop.reply_to:
        mail["Reply-To"] = Address(addr_spec=shop.reply_to)
    mail["Subject"] = _one_line(letter.subject)
    mail["Date"] = format_datetime(letter.at)
    mail["Message-ID"] = message_id(letter, shop)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(letter.text, cte="base64")
    if letter.html:
        mail.add_alternative(letter.html, subtype="html", cte="base64")
    if letter.pdf:
        name = _file_name(letter.file_name)
        mail.add_attachment(letter.pdf, maintype="application", subtype="pdf", filename=name)
    return Envelope(shop.address, recipient, mail.as_bytes())


def _named(address: str, name: str) -> Address:
    shown = _one_line(name)
    try:
        return Address(display_name=shown, addr_spec=address)
    except ValueError as error:
        raise Invalid("shop_name", field="name") from error


def _one_line(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()[:_LONGEST_HEADER]


def _file_name(text: str) -> str:
    name = _FILE_NAME.sub("-", text).strip(".-") or "receipt"
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"
