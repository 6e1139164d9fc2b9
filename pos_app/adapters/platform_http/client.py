"""A client of the platform's public API, which distinguishes the endings of a request.

One HTTP client, Basic authentication, no redirects, no proxy but the one in the settings. Source:
platform-contract.md 1–3; architecture.md, rule 11.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path

import httpx

from pos_app import errors, wire
from pos_app.adapters.closed_at_exit import ClosedAtExit
from pos_app.adapters.data_folder.disk import FolderDisk
from pos_app.adapters.platform_http.operations import OperationTable
from pos_app.adapters.secrets.secret import Secret
from pos_app.characters import one_line
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.safe_connection import nearby, needs_near, platform_fault
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import PlatformOperation, PlatformSettings
from pos_app.tls_faults import OF_CERTIFICATE, WORDS, tls_fault
from pos_app.wire.problem import NO_ROOM, Problem, problem_from_json
from pos_app.wire.receipt_paths import asked_of
from pos_app.wire.request_id import HEADER, short_request_id
from pos_app.wire.strict_json import MalformedJson, dumps, loads

CONNECT_SECONDS, READ_SECONDS = 10.0, 30.0
LIST_SECONDS = 900.0
"""The limit for a whole list, however slowly it comes; any other answer has a minute."""
ANSWER_SECONDS = 60.0
LARGEST_LIST = 1024**3
ROOM_LEFT = 512 * 1024**2
"""Bytes that no list takes: a receipt needs 64 MB, and the catalogue more than the list."""
LARGEST_ANSWER = 32 * 1024**2
_LONGEST_WORDS = 300
WEB_PAGE = "web_page"
"""The kind of an error where a web page answers at the platform's address."""
ELSEWHERE = f"{WEB_PAGE}.elsewhere"
"""The address redirects."""
UNTRUSTED, NOT_SAFE = "platform_untrusted", "platform_not_safe"
"""The platform's certificate is not trusted, or its encryption is not safe; `values["tls"]` has the
`TlsFault`."""
CLEAR_TEXT = "platform_clear_text"
"""Key and secret would go there without encryption."""
_MARK = b"\xef\xbb\xbf"
_READING = frozenset({"GET", "HEAD"})
_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True, slots=True)
class PlatformAnswer:
    """A complete answer. headers: names in small letters. text: "" where it was saved to a file."""

    status: int
    headers: Mapping[str, str]
    text: str = ""

    @property
    def is_success(self) -> bool:
        return self.status in (200, 201, 204)

    def document(self) -> object:
        """Return the parsed JSON. Raises MalformedJson."""
        return loads(self.text)

    def checked_document(self) -> object:
        """Return the parsed JSON. Raises Invalid on "answer"."""
        try:
            return self.document()
        except MalformedJson as error:
            raise errors.Invalid("no_json", field="answer", why=error) from error

    def listed(self) -> list[object]:
        """Return the living rows of a list as parsed JSON. Raises Invalid on "answer"."""
        listed = self.checked_document()
        if not isinstance(listed, list):
            raise errors.Invalid("no_list", field="answer")
        return [row for row in listed if not wire.row.is_gone(row)]

    def problem(self) -> Problem | None:
        """Return the error in the body, or None where the body has not the contract's form."""
        try:
            return problem_from_json(self.status, self.document())
        except MalformedJson:
            return None

    def words(self) -> str:
        problem = self.problem()
        if problem is not None:
            return one_line(problem.message, longest=_LONGEST_WORDS)
        with contextlib.suppress(MalformedJson):
            document = self.document()
            message = document.get("message") if isinstance(document, dict) else None
            if isinstance(message, str):
                return one_line(message, longest=_LONGEST_WORDS)
        return f"HTTP {self.status}"


class PlatformClient(ClosedAtExit):
    """One platform, as the settings name it. Several threads may ask at the same time.

    Each request raises NotDelivered where surely nothing of it was written, OutcomeUnknown where no
    complete answer came. A web page, or a redirect to one, is no answer of a platform: a request
    that only reads then raises NotDelivered, any other OutcomeUnknown, with the kind WEB_PAGE.
    Answers of all statuses are returned.
    """

    def __init__(
        self,
        settings: PlatformSettings,
        secret: Secret,
        *,
        connect_seconds: float = CONNECT_SECONDS,
        read_seconds: float = READ_SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Set the client up. transport: the way to the platform, in place of the network. Raises
        SettingsBroken for certificates that can't be read."""
        self.base = settings.url
        self._clear_text = platform_fault(settings)
        self.operations = OperationTable(settings.operations)
        self._client = httpx.Client(
            auth=httpx.BasicAuth(settings.key, secret.reveal()),
            verify=(trust := _trust(settings)),
            transport=transport or _nearby(settings.url, trust),
            proxy=settings.proxy or None,
            timeout=httpx.Timeout(read_seconds, connect=connect_seconds),
            trust_env=False,
            follow_redirects=False,
            headers={"Accept": "application/json", "Accept-Encoding": "gzip"},
        )

    def close(self) -> None:
        self._client.close()

    def ask(
        self,
        name: PlatformOperation,
        resource_id: str = "",
        *,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> PlatformAnswer:
        sent_headers = {"Content-Type": "application/json"} if body is not None else {}
        request = self._client.build_request(
            self.operations.method(name),
            self.base + self.operations.path(name, resource_id),
            content=None if body is None else dumps(body),
            headers={**sent_headers, **(headers or {})},
        )
        return self._answer_to(request)

    def look_up(self, reference: str, *, client_id: str) -> PlatformAnswer:
        """Ask an application for a receipt, by number or id; the specification sets the path."""
        path = asked_of(reference, client_id=client_id)
        request = self._client.build_request("GET", self.base + path)
        return self._answer_to(request)

    def upload(self, name: str, content: bytes, kind: str) -> PlatformAnswer:
        """Send a file; the answer has its id. kind: its media type."""
        operation: PlatformOperation = "upload_file"
        request = self._client.build_request(
            self.operations.method(operation),
            self.base + self.operations.path(operation),
            files={"file": (name, content, kind)},
        )
        return self._answer_to(request)

    def save(
        self,
        name: PlatformOperation,
        into: Path,
        *,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        begins: Callable[[Mapping[str, str]], None] | None = None,
    ) -> PlatformAnswer:
        """Stream an answer of 200 into a file; any other answer is returned with its text. begins:
        called with the headers before the file is written.

        The file is whole or absent: it is written beside (`part_of`) and renamed. Raises OSError of
        the folder.
        """
        request = self._client.build_request(
            self.operations.method(name),
            self.base + self.operations.path(name),
            params=dict(query),
            headers=dict(headers),
        )
        with self._sent(request) as response:
            if response.status_code != httpx.codes.OK:
                return self._whole(response)
            pieces = _pieces(response, LARGEST_LIST, LIST_SECONDS)
            first = next(pieces, b"")
            self._check_page(response, first)  # a page must not be saved as a list
            if begins is not None:
                begins(_answer(response, b"").headers)
            part = part_of(into)
            with part.open("wb") as file:
                for piece in _with_room(part, chain([first], pieces)):
                    file.write(piece)
            part.replace(into)
            return _answer(response, b"")

    def fetch(self, address: str, *, most: int) -> bytes:
        """Read a file at an address that the platform listed; only the platform itself gets the
        key. Raises NotDelivered, OutcomeUnknown, Refused."""
        url = httpx.URL(self.base).join(address)
        auth = httpx.USE_CLIENT_DEFAULT if _origin(url) == _origin(httpx.URL(self.base)) else None
        request = self._client.build_request("GET", url, headers={"Accept": "*/*"})
        with self._sent(request, auth) as response:
            content = b"".join(_pieces(response, most, ANSWER_SECONDS))
            if response.status_code != httpx.codes.OK:
                raise refusal(_answer(response, b""))
            return content

    def _answer_to(self, request: httpx.Request) -> PlatformAnswer:
        with self._sent(request) as response:
            return self._whole(response)

    def _whole(self, response: httpx.Response) -> PlatformAnswer:
        content = b"".join(_pieces(response, LARGEST_ANSWER, ANSWER_SECONDS))
        self._check_page(response, content)
        return _answer(response, content)

    def _check_page(self, response: httpx.Response, content: bytes) -> None:
        """Raise where a network's log-in page, or a redirect to one, came in place of an answer.
        The first sign decides: the JSON of a careless platform may be called text/html too."""
        reads = response.request.method in _READING
        is_page = content.removeprefix(_MARK).lstrip().startswith(b"<")
        if not ((is_page and response.is_success) or (reads and _leads_away(response))):
            return
        place = response.headers.get("location", "") if response.is_redirect else ""
        if reads and place:
            place = one_line(place, longest=_LONGEST_WORDS)
            raise errors.NotDelivered(ELSEWHERE, base=self.base, place=place)
        if reads:
            raise errors.NotDelivered(WEB_PAGE, base=self.base)
        raise errors.OutcomeUnknown(WEB_PAGE, base=self.base)

    def _not_delivered(self, error: Exception) -> errors.NotDelivered:
        fault = tls_fault(error)
        if fault is None:
            return errors.NotDelivered("platform", base=self.base)
        kind, words = UNTRUSTED if fault in OF_CERTIFICATE else NOT_SAFE, WORDS[fault]
        return errors.NotDelivered(
            kind, base=self.base, why=words.why, cure=words.cure, tls=fault.value
        )

    @contextlib.contextmanager
    def _sent(
        self, request: httpx.Request, auth: httpx.Auth | object | None = httpx.USE_CLIENT_DEFAULT
    ) -> Iterator[httpx.Response]:
        if self._clear_text is not None and auth is httpx.USE_CLIENT_DEFAULT:
            raise errors.NotDelivered(f"{CLEAR_TEXT}.{self._clear_text}", base=self.base)
        request_id = request.headers[HEADER] = short_request_id()
        try:
            response = self._client.send(request, stream=True, auth=auth)  # type: ignore[arg-type]
            with contextlib.closing(response):
                yield response
        except _NOT_DELIVERED as error:
            raise self._not_delivered(error) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, _TooMuch) as error:
            raise errors.OutcomeUnknown(
                "platform.cut", request=request_id, base=self.base, fault=type(error).__name__
            ) from error


class _Nearby(httpx.BaseTransport):
    """Connects to a platform that has a name and no encryption: only to the addresses of the name
    that are on this computer or in a private network, one after the other until one answers,
    whatever the name leads to next time."""

    def __init__(self, url: str, trust: ssl.SSLContext) -> None:
        self._url, self._inner = url, httpx.HTTPTransport(verify=trust, trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        if _origin(url) != _origin(httpx.URL(self._url)):
            return self._inner.handle_request(request)
        try:
            found = socket.getaddrinfo(url.host, None, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpx.ConnectError(str(error), request=request) from error
        failed: httpx.TransportError | None = None
        for near in nearby(str(one[4][0]) for one in found):
            request.url = url.copy_with(host=near)  # the header Host stays the name
            try:
                return self._inner.handle_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:  # nothing was written
                failed = error
        raise failed or errors.NotDelivered(f"{CLEAR_TEXT}.name", base=self._url)

    def close(self) -> None:
        self._inner.close()


def _nearby(url: str, trust: ssl.SSLContext) -> httpx.BaseTransport | None:
    return _Nearby(url, trust) if needs_near(url) else None


def _leads_away(response: httpx.Response) -> bool:
    """Tell whether an answer redirects, or asks for a network's log-in."""
    status = response.status_code
    return status == httpx.codes.NETWORK_AUTHENTICATION_REQUIRED or (
        response.is_redirect and status != httpx.codes.NOT_MODIFIED
    )


_NOT_DELIVERED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.PoolTimeout,
)


def part_of(file: Path) -> Path:
    """Return the path of an answer while it comes in; a cut answer's part stays there."""
    return file.with_name(f"{file.name}.part")


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _with_room(part: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over the pieces for `part`. Raises DiskFull where receipts need the rest of the disk;
    nothing stays behind of an endless list."""
    disk = FolderDisk(part.parent)
    try:
        for piece in pieces:
            if disk.free_bytes() < ROOM_LEFT:
                raise errors.DiskFull("list_room")
            yield piece
    except (_TooMuch, errors.DiskFull):
        part.unlink(missing_ok=True)
        raise


class _TooMuch(Exception):
    """An answer is larger or slower than any sensible one."""


def _pieces(response: httpx.Response, most: int, seconds: float) -> Iterator[bytes]:
    """Iterate over the body, decoded. Raises _TooMuch."""
    until, size = time.monotonic() + seconds, 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > most or time.monotonic() > until:
            raise _TooMuch
        yield piece


def _answer(response: httpx.Response, content: bytes) -> PlatformAnswer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return PlatformAnswer(response.status_code, headers, content.decode("utf-8-sig", "replace"))


def refusal(answer: PlatformAnswer) -> errors.RemoteError:
    problem = answer.problem()
    if answer.status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return errors.OutcomeUnknown(
            "platform.fault", request=answer.headers.get(HEADER.lower(), ""), why=answer.words()
        )
    answer_class = problem.answer_class if problem is not None else AnswerClass.FIX
    if answer.status == httpx.codes.UNAUTHORIZED:
        return errors.Refused(
            "platform_key", reply_code=str(answer.status), answer_class=answer_class
        )
    return errors.Refused(
        _kind_of(answer.status, problem),
        reply_code=str(problem.code if problem is not None else answer.status),
        answer_class=answer_class,
        why=answer.words(),
    )


def _kind_of(status: int, problem: Problem | None) -> str:
    """Tell a platform that takes no more, and one whose disk is nearly full, from others."""
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return "platform_no_more"
    has_room = problem is None or problem.code != NO_ROOM.code
    return "platform" if has_room else "platform_no_room"


def _trust(settings: PlatformSettings) -> ssl.SSLContext:
    """Load the authorities, which takes 30 ms: an address without TLS needs none."""
    if settings.url.startswith("http://") and not settings.proxy.startswith("https://"):
        return _TRUSTS_NOBODY
    context = httpx.create_ssl_context(trust_env=False)
    if settings.ca_file:
        try:
            context.load_verify_locations(settings.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise errors.SettingsBroken(
                "value.ca", name="platform.ca_file", path="settings.toml", ca_file=settings.ca_file
            ) from error
    return context
