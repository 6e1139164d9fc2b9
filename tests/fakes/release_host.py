"""An address of updates: real HTTP on the loopback, and a maker's key."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.scripts import script


def maker() -> ModuleType:
    return script("update_manifest")


class ReleaseHost:
    """files: the answers, by path. cut: by path, how many bytes of the file are really sent."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.files: dict[str, bytes] = {}
        self.cut: dict[str, int] = {}
        self.asked: list[str] = []
        self.key = Ed25519PrivateKey.generate()
        self._maker = maker()
        self._folder = folder

    @property
    def manifest_url(self) -> str:
        return f"{self.url}/manifest.json"

    @property
    def public_key(self) -> str:
        told: str = self._maker.public_key(self.key)
        return told

    def offer(
        self,
        version: str,
        installer: bytes = b"MZ installer",
        *,
        system: str = "windows",
        notes: Mapping[str, str] | None = None,
        key: Ed25519PrivateKey | None = None,
    ) -> None:
        """Put a release at the address, signed by the maker or by another key."""
        exe = self._folder / f"pos-app-{version}.exe"
        exe.write_bytes(installer)
        told = []
        for language, words in (notes or {"sr-Cyrl": "Ново.", "en": "New."}).items():
            path = self._folder / f"{language}.txt"
            path.write_text(words, "utf-8")
            told.append((language, path))
        content: bytes = self._maker.manifest(
            version=version,
            page=f"{self.url}/page",
            notes=told,
            installers=[(system, exe, f"{self.url}/{exe.name}")] if system else [],
        )
        self.files["/manifest.json"] = self._maker.sign(key or self.key, content)
        self.files[f"/{exe.name}"] = installer


@contextmanager
def release_host(folder: Path) -> Iterator[ReleaseHost]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host.asked.append(self.path)
            body = host.files.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write((body or b"")[: host.cut.get(self.path)])

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Write nothing to standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host = ReleaseHost(f"http://127.0.0.1:{server.server_port}", folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
