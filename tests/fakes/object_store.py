"""A bucket that speaks as much of S3 as the platform asks for: real HTTP, objects in memory.

Its faults are those of the real service, with the bodies that it answers them with.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

BUCKET = "slike"
DENIED, NO_BUCKET, SLOW_DOWN = (403, "AccessDenied"), (404, "NoSuchBucket"), (503, "SlowDown")
Fault = tuple[int, str]


@dataclass
class ObjectStore:
    """fault: the answer to each request. fault_of: the answer to requests of an object whose name
    ends with the key. put_seconds: how long a put takes. most: how many requests were at work at
    once."""

    address: str = ""
    objects: dict[str, bytes] = field(default_factory=dict)
    fault: Fault | None = None
    fault_of: dict[str, Fault] = field(default_factory=dict)
    put_seconds: float = 0.0
    most: int = 0
    at_work: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        with self.lock:
            self.at_work += 1
            self.most = max(self.most, self.at_work)
        try:
            return self._answer(method, target, body)
        finally:
            with self.lock:
                self.at_work -= 1

    def _answer(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        place = urlsplit(target)
        _, bucket, name = (*unquote(place.path).split("/", 2), "")[:3]
        ends = (one for end, one in self.fault_of.items() if name.endswith(end))
        fault = self.fault or next(ends, None)
        if fault is None and bucket != BUCKET:
            fault = NO_BUCKET
        if fault is not None:
            return fault[0], f"<Error><Code>{fault[1]}</Code></Error>".encode()
        if method == "POST":
            return 200, self._delete(body.decode())
        if not name:
            return 200, self._list(parse_qs(place.query).get("prefix", [""])[0])
        if method == "PUT":
            time.sleep(self.put_seconds)
            self.objects[name] = body
            return 200, b""
        if name not in self.objects:
            return 404, b"<Error><Code>NoSuchKey</Code></Error>"
        return 200, self.objects[name]

    def _delete(self, asked: str) -> bytes:
        names = re.findall("<Key>(.*?)</Key>", asked)
        for name in names:
            self.objects.pop(name, None)
        gone = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in names)
        return f"<DeleteResult>{gone}</DeleteResult>".encode()

    def _list(self, prefix: str) -> bytes:
        found = "".join(
            f"<Contents><Key>{name}</Key><LastModified>2026-09-01T05:30:00.000Z</LastModified>"
            f"<ETag>&quot;x&quot;</ETag><Size>{len(content)}</Size></Contents>"
            for name, content in self.objects.items()
            if name.startswith(prefix)
        )
        listed = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        return listed.encode()


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    store = ObjectStore()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65536  # an answer goes out at once

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, content = store.answer(self.command, self.path, body)
            self.send_response(status)
            self.send_header("ETag", '"x"')
            self.send_header("Last-Modified", "Tue, 01 Sep 2026 05:30:00 GMT")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = answer

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        store.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield store
        finally:
            server.shutdown()
            thread.join()
