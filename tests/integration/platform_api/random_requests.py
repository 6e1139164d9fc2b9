"""Requests of all kinds to a platform, right and broken, drawn from one seed; and a client that
sends what no library would send."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote
from uuid import UUID

RECEIPTS = "/v2/fiscalization/receipts"
PATIENCE_SECONDS = 120.0
_HALF_SECONDS = 0.2
"""The wait for an answer to what may be half a request: the platform waits longer for the rest."""
_TEXTS = (
    "",
    " ",
    "Хлеб",
    "x" * 300,
    "<b onload=alert(1)>х</b><script>1</script>",
    "a\x00b",
    "\ud800",
    "\u202eдам",
    "🥖" * 40,
    "58.90",
    "null",
    "2026-09-01T05:30:00.000Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
    "2026-02-30",
    "' OR 1=1 --",
    "%s%n",
    "{}",
    "Ђ",
    "10:100000049",
    "8600123450144",
    "../../etc/passwd",
    "\x01platform\x01",
    "\\u0001",
    "1e400",
)
_NUMBERS = (
    0,
    -1,
    1,
    7,
    58.9,
    0.1,
    1e-9,
    1e308,
    -0.0,
    2**31,
    2**53,
    2**63,
    2**64,
    10**30,
    99999.999,
)
_BROKEN = (
    b"", b"{", b"[", b"nul", b"{}{}", b'{"a":1,"a":2}', b"[" * 5000, b'{"a":' * 40 + b"1",
    b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b'{"name": NaN}', b'{"price": Infinity}',
    b'{"sku": 1e999}', b'"' + b"x" * 100_000 + b'"', b"{" + b" " * 200_000 + b"}", b"\x00",
    b'{"name":"\\ud800"}', b'{"name":"\xed\xa0\x80"}', b'{"price":' + b"9" * 5000 + b"}",
    b"[" + b"1," * 20_000 + b"1]", b'{"name":"x","taxRateLabel":"\xd0"}',
)  # fmt: skip
_RAW = (
    b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /health\r\n\r\n", b"\r\n\r\n\r\n",
    b"GET /health HTTP/1.1\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    (
        b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n",
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    b"GET /%zz%00%ff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /h\x00ealth HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: \xd0\xa5\r\n Y: folded\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 300 + b"\r\n",
)  # fmt: skip
_KNOWN = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's bytes. may_hang_up: the platform need not answer it."""

    raw: bytes
    is_receipt: bool = False
    may_hang_up: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer; its status is 0 where the connection ended without one."""

    status: int
    head: bytes = b""
    body: bytes = b""


@dataclass
class Requests:
    """Draws requests. document: the platform's OpenAPI document. credentials: key and secret.
    pictures: files of pictures. foreign: ids of another account."""

    chance: Random
    document: Mapping[str, Any]
    credentials: tuple[str, str]
    client: str
    pictures: Sequence[bytes]
    foreign: Sequence[str]
    known: dict[str, deque[str]] = field(default_factory=dict)

    def note(self, asked_path: str, body: bytes) -> None:
        try:
            row_id = json.loads(body).get("id")
        except (ValueError, AttributeError):
            return
        if isinstance(row_id, str):
            kind = asked_path.partition("?")[0]
            self.known.setdefault(kind, deque(maxlen=_KNOWN)).append(row_id)

    def next(self) -> tuple[str, Asked]:
        kinds = (self._operation, self._raw, self._anywhere, self._websocket)
        return self.chance.choices(kinds, (90, 4, 4, 2))[0]()

    # --- what the document describes ---------------------------------------------------------

    def _operation(self) -> tuple[str, Asked]:
        path, item = self._one(sorted(self.document["paths"].items()))
        method = self._one(sorted(item.keys() & {"get", "post", "put", "patch", "delete"}))
        target = self._filled(path) + self._query(item[method])
        headers, body = self._headers(), b""
        kind = self._media(item[method])
        if kind is not None:
            body = self._file(headers) if path == "/v2/files" else self._body(item[method])
            headers.setdefault("Content-Type", "application/json")
        if self._now(40):
            method = self._one(["head", "options", "TRACE", "get", "post", "BREW", "x" * 40])
        if method == "delete" and path == "/v2/keys/{Id}" and self.credentials[0] in target:
            method = "get"  # otherwise no later request would be accepted
        asked = self._asked(method.upper(), target, headers, body)
        return target, Asked(asked, is_receipt=target.startswith(RECEIPTS))

    def _filled(self, path: str) -> str:
        if "{" not in path:
            return path
        kind = path.partition("/{")[0]
        known = self.known.get(kind, deque())
        if known and self._now(2):
            chosen = self._one(list(known))
        elif self._now(2):
            chosen = self._one(self.foreign)
        else:
            chosen = self._one([str(self._uuid()), self._text(), f"key:{self._key()}"])
        chosen = chosen.upper() if self._now(12) else chosen
        told = quote(chosen.encode("utf-8", "surrogatepass"), safe="")
        return "/".join(told if part.startswith("{") else part for part in path.split("/"))

    def _query(self, operation: Mapping[str, Any]) -> str:
        names = [one["name"] for one in operation.get("parameters", ()) if one.get("in") == "query"]
        if not names and not self._now(12):
            return ""
        if self._now(3):
            return ""
        chosen = self._one([*names, "page", "", self._text()])
        values = [self._text(), self.client, self._one(self.foreign), str(self._uuid())]
        said = f"{_quoted(chosen)}={_quoted(self._one(values))}"
        return f"?{said}" if not self._now(10) else f"?{said}&{said}"

    def _headers(self) -> dict[str, str]:
        headers = {"Host": "platform.example", "Authorization": _basic(*self.credentials)}
        if self._now(3):
            headers["Idempotency-Key"] = self._key()
        if self._now(25):
            wrong = [
                "Basic",
                "Basic !!",
                "Bearer x",
                _basic("pk_x", "y"),
                _basic("", ""),
                "x" * 2000,
            ]
            headers["Authorization"] = self._one(wrong)
        odd = {
            "If-Match": '"2026-09-01T05:30:00.000Z"',
            "If-None-Match": '"1", *',
            "Expect": "100-continue",
            "Content-Encoding": "gzip",
            "Accept": "x/\xff",
            "Content-Type": "text/plain",
            "X-Forwarded-For": "1, 2",
            "Origin": "null",
            "pfx": "eA==",
            "password": "x",
            "pac": "DEV123",
            "X-Long": "x" * 9000,
            "Connection": "close",
            "Upgrade": "h2c",
            "Range": "bytes=0-1",
            "Cookie": "a=b",
        }
        while self._now(4):
            name = self._one(sorted(odd))
            headers[name] = odd[name]
        return headers

    def _media(self, operation: Mapping[str, Any]) -> str | None:
        content = operation.get("requestBody", {}).get("content", {})
        return self._one(sorted(content)) if content else None

    def _body(self, operation: Mapping[str, Any]) -> bytes:
        if self._now(12):
            return bytes(self._one(_BROKEN))
        content = operation["requestBody"]["content"].get("application/json", {})
        examples = [one["value"] for one in content.get("examples", {}).values()]
        document: Any = dict(self._one(examples)) if examples else {}
        for code in ("sku", "ean"):
            document.pop(code, None)
        if "clientId" in document or self._now(2):
            document["clientId"] = self.client
        names = [*self._members(content.get("schema", {})), *document, "unknown"]
        while self._now(2):
            document[self._one(names)] = self._value(3)
        if self._now(6):
            document.pop(self._one([*document, ""]), None)
        if self._now(30):
            document = self._value(4)
        written = json.dumps(document).encode()
        return self._spoilt(written) if self._now(10) else written

    def _members(self, schema: Mapping[str, Any]) -> list[str]:
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        found = self.document["components"]["schemas"].get(name, {})
        return sorted(found.get("properties", {}))

    def _file(self, headers: dict[str, str]) -> bytes:
        content, kinds = self._one(self.pictures), ["image/png", "image/jpeg", "image/gif"]
        headers["Content-Type"] = "image/png" if not self._now(4) else self._one(kinds)
        return self._spoilt(content) if self._now(2) else content

    # --- what is no operation ------------------------------------------------------------------

    def _raw(self) -> tuple[str, Asked]:
        raw = self._one(_RAW)
        return "", Asked(self._spoilt(raw) if self._now(2) else raw, may_hang_up=True)

    def _anywhere(self) -> tuple[str, Asked]:
        roots = [
            "/",
            "/v2",
            "/v2//products",
            "/v2/products/",
            "/docs/..",
            "/pdf/",
            "/files/",
            "/v1/x",
        ]
        roots += [
            f"/{_quoted(self._text())}",
            f"/files/{self._uuid()}/64x64",
            "/v2/relay",
            "//",
            "/%2e",
        ]
        target = self._one(roots)
        asked = self._asked(self._one(["GET", "POST", "DELETE"]), target, self._headers(), b"")
        return target, Asked(asked)

    def _websocket(self) -> tuple[str, Asked]:
        headers = self._headers() | {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(self.chance.randbytes(16)).decode(),
        }
        head = self._asked("GET", self._one(["/v2/relay", "/v2/x"]), headers, None)
        said = self._one(
            [
                b'{"type":"hello","version":1,"clientId":"c","installId":"i"}',
                b'{"type":"answer","commandId":"c","attempt":1,"status":200,"body":"{}"}',
                b"{}",
                b"",
                self.chance.randbytes(30),
            ]
        )
        frame = bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said
        return "", Asked(head + (self._spoilt(frame) if self._now(2) else frame), may_hang_up=True)

    # --- parts -----------------------------------------------------------------------------------

    def _asked(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None
    ) -> bytes:
        lines = [f"{method} {target} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join((*lines, "", "")).encode("latin-1") + (body or b"")

    def _value(self, depth: int) -> Any:
        simple = [None, True, False, self._text(), self._one(_NUMBERS), self._one(self.foreign)]
        if depth == 0 or self._now(2):
            return self._one([*simple, *(list(one)[-1] for one in self.known.values() if one)])
        if self._now(2):
            return [self._value(depth - 1) for _ in range(self.chance.randrange(4))]
        names = ["name", "sku", "id", "taxRateLabel", "price", "quantity", self._text()]
        return {self._one(names): self._value(depth - 1) for _ in range(self.chance.randrange(4))}

    def _spoilt(self, content: bytes) -> bytes:
        made, at = bytearray(content), self.chance.randrange(len(content) + 1)
        match self.chance.randrange(3):
            case 0:
                del made[at:]
            case 1 if at < len(made):
                made[at] ^= 1 << self.chance.randrange(8)
            case _:
                made[at:at] = self.chance.randbytes(self.chance.randrange(1, 9))
        return bytes(made)

    def _key(self) -> str:
        drawn = [f"key-{self.chance.randrange(200):016}", "short", "x" * 65, "with space in it ok"]
        return self.chance.choices(drawn, (20, 1, 1, 1))[0]

    def _uuid(self) -> UUID:
        return UUID(int=self.chance.getrandbits(128), version=4)

    def _text(self) -> str:
        return str(self._one(_TEXTS))

    def _now(self, once_in: int) -> bool:
        return self.chance.randrange(once_in) == 0

    def _one(self, of: Sequence[Any]) -> Any:
        return of[self.chance.randrange(len(of))]


def _basic(key: str, secret: str) -> str:
    return f"Basic {base64.b64encode(f'{key}:{secret}'.encode()).decode()}"


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


class Connection:
    """A connection to the platform, opened again whenever it ends."""

    def __init__(self, host: str, port: int) -> None:
        self._place = host, port
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, asked: Asked) -> Answered:
        """Send a request and return the answer. Raises TimeoutError where the platform neither
        answers nor hangs up."""
        if not asked.may_hang_up:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._ask(asked)
        self.close()
        try:
            async with asyncio.timeout(_HALF_SECONDS):
                return await self._ask(asked)
        except TimeoutError:
            return Answered(0)
        finally:
            self.close()

    async def _ask(self, asked: Asked) -> Answered:
        if is_new := self._line is None:
            self._line = await asyncio.open_connection(*self._place, limit=2**26)
        assert self._line is not None
        reader, writer = self._line
        try:
            writer.write(asked.raw)
            if asked.may_hang_up:
                writer.write_eof()
            answered = await _answer(reader, is_head=asked.raw.startswith(b"HEAD "))
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            if is_new:
                return Answered(0)
            return await self._ask(asked)  # the request before had ended the connection
        if b"connection: close" in answered.head.lower():
            self.close()
        return answered

    def close(self) -> None:
        if self._line is not None:
            self._line[1].transport.abort()
            self._line = None


async def _answer(reader: asyncio.StreamReader, *, is_head: bool) -> Answered:
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    if status == 100:
        return await _answer(reader, is_head=is_head)
    told = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    if is_head or status in {101, 204, 304}:
        return Answered(status, head)
    if told.get(b"transfer-encoding") != b"chunked":
        return Answered(status, head, await reader.readexactly(int(told[b"content-length"])))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return Answered(status, head, b"".join(parts))
