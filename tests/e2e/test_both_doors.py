"""The local API and the platform answer the same request forms alike: same status, same code."""

from __future__ import annotations

import base64
import gzip
import json
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.e2e.town import SALE, Town
from tests.sweep import each

RECEIPTS = "/fiscalization/receipts"
Members = dict[str, Any]


def new_key() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Door:
    """A place that takes orders. prefix: before each path. members: what each order has."""

    address: str
    prefix: str = ""
    members: Members = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, form: Form) -> tuple[int, Any]:
        """Return status and body of the answer; (0, "") where the connection ends without one."""
        place = urlsplit(self.address)
        with socket.create_connection((place.hostname, place.port), timeout=30) as caller:
            caller.sendall(form.written(self))
            if form.ends:
                caller.shutdown(socket.SHUT_WR)
            told = b""
            while part := caller.recv(65536):
                told += part
        head, _, content = told.partition(b"\r\n\r\n")
        if b"transfer-encoding: chunked" in head.lower():
            content = content.partition(b"\r\n")[2]
        words = head.split(b" ", 2)
        body = json.JSONDecoder().raw_decode(content.decode())[0] if content else ""
        return (int(words[1]) if len(words) > 1 else 0), body


@dataclass(frozen=True)
class Form:
    """A request. body: bytes instead of the order. packed: makes the bytes that are sent."""

    method: str = "POST"
    path: str = RECEIPTS
    version: str = "1.1"
    host: str | None = ""
    headers: dict[str, str | None] = field(default_factory=dict)
    members: Members = field(default_factory=dict)
    body: bytes | None = None
    packed: Callable[[bytes], bytes] = bytes
    is_chunked: bool = False
    ends: bool = False
    key: str | None = None

    def written(self, door: Door) -> bytes:
        order = SALE | door.members | self.members
        plain = json.dumps(order, ensure_ascii=False).encode() if self.body is None else self.body
        sent = self.packed(plain) if self.method != "GET" else b""
        place = urlsplit(door.address).netloc
        lines = {
            "Host": place if self.host == "" else self.host,
            "Connection": "close",
            "Content-Type": "application/json" if self.method != "GET" else None,
            "Idempotency-Key": self.key,
            **door.headers,
            **self.headers,
        }
        if self.is_chunked:
            lines["Transfer-Encoding"] = "chunked"
            sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(sent), sent)
        elif self.method != "GET":
            lines |= {"Content-Length": str(len(sent))} | self.headers
        head = f"{self.method} {door.prefix}{self.path} HTTP/{self.version}\r\n"
        head += "".join(
            f"{name}: {value}\r\n" for name, value in lines.items() if value is not None
        )
        return head.encode() + b"\r\n" + sent


@pytest.fixture(scope="module")
def doors(town: Town) -> tuple[Door, Door]:
    secret = base64.b64encode(":".join(town.credentials).encode()).decode()
    return Door(town.shop.url), Door(
        town.url(0).removesuffix("/v2"),
        "/v2",
        {"clientId": town.client},
        {"Authorization": f"Basic {secret}"},
    )


def item(**members: Any) -> Members:
    return {"items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99} | members]}


def instead(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda body: body.replace(old, new, 1)


def coded(name: str, packed: Callable[[bytes], bytes] = bytes) -> Form:
    return Form(headers={"Content-Encoding": name}, packed=packed)


def typed(name: str | None) -> Form:
    return Form(headers={"Content-Type": name})


OK, MALFORMED, WRONG, HOST = (200, None), (400, 40090003), (400, 40090001), (421, 42100001)
FORMS: dict[str, tuple[Form, tuple[int, int | None]]] = {
    "as usual": (Form(), OK),
    "its side ended": (Form(ends=True), OK),
    "its side ended, with a key": (Form(ends=True, key=new_key()), OK),
    "in chunks": (Form(is_chunked=True), OK),
    "identity": (coded("identity"), OK),
    "Identity": (coded("Identity"), OK),
    "no coding told": (coded(""), OK),
    "gzip": (coded("gzip", gzip.compress), MALFORMED),
    "gzip, not told": (Form(packed=gzip.compress), MALFORMED),
    "gzip told of plain": (coded("gzip"), MALFORMED),
    "an unknown coding": (coded("br"), MALFORMED),
    "HTTP/1.0": (Form(version="1.0"), OK),
    "HTTP/1.0 without Host": (Form(version="1.0", host=None), HOST),
    "HTTP/1.1 without Host": (Form(host=None), HOST),
    "an empty Host": (Form(host=" "), HOST),
    "two Hosts": (Form(headers={"host": "127.0.0.1"}), HOST),
    "null": (Form(members={"buyerId": None, "discount": None, "storeId": None}), OK),
    "an unknown member": (Form(members={"surprise": 1}), OK),
    "null for what is required": (Form(members={"payments": None}), WRONG),
    "a name twice": (Form(packed=instead(b"{", b'{"invoiceType": "normal", ')), MALFORMED),
    "a BOM": (Form(packed=lambda body: b"\xef\xbb\xbf" + body), MALFORMED),
    "UTF-16": (Form(packed=lambda body: body.decode().encode("utf-16")), MALFORMED),
    "blanks behind it": (Form(packed=lambda body: body + b"\r\n \r\n"), OK),
    "no body": (Form(body=b""), MALFORMED),
    "no type": (typed(None), MALFORMED),
    "a type of a form": (typed("application/x-www-form-urlencoded"), MALFORMED),
    "a type in capitals": (typed("APPLICATION/JSON;charset=UTF-8"), OK),
    "another charset": (typed("application/json; charset=latin-1"), MALFORMED),
    "a slash behind": (Form(path=RECEIPTS + "/"), OK),
    "two slashes": (Form(path=RECEIPTS + "//"), (405, 40500001)),
    "a query": (Form(path=RECEIPTS + "?a=b"), OK),
    "PUT": (Form(method="PUT"), (405, 40500001)),
    "DELETE": (Form(method="DELETE"), (405, 40500001)),
    "a short key": (Form(key="short"), WRONG),
    "an empty key": (Form(key=""), WRONG),
    "a key with blanks": (Form(key="a key with blanks in it"), WRONG),
    "two keys": (Form(key=16 * "k", headers={"idempotency-key": 17 * "k"}), WRONG),
    "no length": (Form(headers={"Content-Length": "abc"}), MALFORMED),
    "no such operation": (Form(path=f"{RECEIPTS}/AAAAAAAA-AAAAAAAA-1/cancel"), (404, 40400001)),
    "a copy of nothing": (Form(path=f"{RECEIPTS}/AAAAAAAA-AAAAAAAA-1/copy"), (404, 40400001)),
}


@each("name", FORMS)
def test_a_form_is_answered_alike(name: str, doors: tuple[Door, Door]) -> None:
    form, wanted = FORMS[name]
    told = [door.ask(form) for door in doors]
    assert [(status, body.get("code")) for status, body in told] == [wanted, wanted]
    faults = [{**body.get("validation", {})} for _, body in told]
    assert faults[0] == faults[1]


SPELLINGS: dict[str, Callable[[Members], Members]] = {
    "the same": lambda body: body,
    "null added": lambda body: body | {"buyerId": None, "surprise": None},
    "null in an item": lambda body: body | item(article=None),
    "null in the payments": lambda body: body | {"payments": body["payments"] | {"card": None}},
    "another order": lambda body: dict(reversed(body.items())),
    "1.0 for 1": lambda body: body | item(quantity=1.0),
    "clientId in capitals": lambda body: (
        body | ({"clientId": body["clientId"].upper()} if "clientId" in body else {})
    ),
}


def test_the_same_request_in_another_spelling_is_the_same(doors: tuple[Door, Door]) -> None:
    for one in doors:
        key, order = new_key(), SALE | one.members
        first = one.ask(Form(key=key, members=order))
        assert first[0] == 200
        for name, spelled in SPELLINGS.items():
            body = json.dumps(spelled(order), ensure_ascii=False).encode()
            assert one.ask(Form(key=key, body=body)) == first, name
        other = one.ask(Form(key=key, members=order | {"discount": 1}))
        assert (other[0], other[1]["code"]) == (409, 40900001)
