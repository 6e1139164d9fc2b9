"""IPP's bytes are written as in the RFC's own example, and read whole or refused."""

from __future__ import annotations

import struct

import pytest

from pos_app.adapters.printers import ipp
from tests.sweep import each

HEAD = b"\x02\x00\x00\x00\x00\x00\x00\x01"


def attribute(tag: int, name: bytes, value: bytes) -> bytes:
    return (
        bytes([tag]) + struct.pack(">H", len(name)) + name + struct.pack(">H", len(value)) + value
    )


def test_a_request_is_what_the_rfc_says() -> None:
    """RFC 8010, appendix A: version, operation, number, then the group of operation attributes."""
    made = ipp.request(
        ipp.IppOperation.GET_JOB_ATTRIBUTES,
        [
            (ipp.Tag.URI, "printer-uri", "ipp://localhost/printers/A4"),
            (ipp.Tag.INTEGER, "job-id", 147),
            (ipp.Tag.KEYWORD, "requested-attributes", ("job-state", "job-id")),
            (ipp.Tag.BOOLEAN, "my-jobs", True),
        ],
    )
    assert made == (
        b"\x02\x00\x00\x09\x00\x00\x00\x01\x01"
        + attribute(0x47, b"attributes-charset", b"utf-8")
        + attribute(0x48, b"attributes-natural-language", b"en")
        + attribute(0x45, b"printer-uri", b"ipp://localhost/printers/A4")
        + attribute(0x21, b"job-id", b"\x00\x00\x00\x93")
        + attribute(0x44, b"requested-attributes", b"job-state")
        + attribute(0x44, b"", b"job-id")
        + attribute(0x22, b"my-jobs", b"\x01")
        + b"\x03"
    )


def test_an_answer_is_read_group_by_group() -> None:
    told = ipp.answer(
        HEAD
        + b"\x01"
        + attribute(0x47, b"attributes-charset", b"utf-8")
        + b"\x02"
        + attribute(0x21, b"job-id", b"\x00\x00\x00\x93")
        + attribute(0x23, b"job-state", b"\x00\x00\x00\x09")
        + attribute(0x44, b"job-state-reasons", b"none")
        + attribute(0x44, b"", "још".encode())
        + attribute(0x13, b"time-at-processing", b"")
        + attribute(0x22, b"printer-is-accepting-jobs", b"\x00")
        + attribute(0x31, b"date", b"\x07")
        + b"\x03"
    )
    assert told.is_success
    assert told.only(ipp.Tag.JOB) == {
        "job-id": (147,),
        "job-state": (9,),
        "job-state-reasons": ("none", "још"),
        "time-at-processing": (None,),
        "printer-is-accepting-jobs": (False,),
        "date": (b"\x07",),
    }
    assert told.only(ipp.Tag.PRINTER) == {}
    assert not ipp.answer(b"\x02\x00\x04\x06\x00\x00\x00\x01\x03").is_success, "a refusal"


WHOLE = HEAD + b"\x02" + attribute(0x21, b"job-id", b"\x00\x00\x00\x93") + b"\x03"


@each("length", range(len(WHOLE)))
def test_what_is_cut_short_is_refused(length: int) -> None:
    with pytest.raises(ipp.Malformed):
        ipp.answer(WHOLE[:length])


@each(
    "message",
    [
        b"<html>not found</html>",
        HEAD + attribute(0x21, b"job-id", b"\x00\x00\x00\x93") + b"\x03",  # in no group
        HEAD + b"\x02" + attribute(0x21, b"job-id", b"\x93") + b"\x03",  # a short number
        HEAD + b"\x02" + attribute(0x44, b"reason", b"\xff") + b"\x03",  # no UTF-8
    ],
)
def test_what_is_no_message_is_refused(message: bytes) -> None:
    with pytest.raises(ipp.Malformed):
        ipp.answer(message)
