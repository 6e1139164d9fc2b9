"""The manifest that announces a release, and the signature over its bytes.

    {"manifest": "<base64 of the JSON below>", "signature": "<base64, Ed25519, of those bytes>"}

    {"product": "pos-app", "version": "4.1.0", "publishedAt": "2026-11-21T10:00:00Z",
     "notes": {"sr-Cyrl": "…", "en": "…"}, "page": "https://…",
     "installers": {"windows": {"url": "https://…", "size": 31457280, "sha256": "…"}}}

The bytes are signed, not their meaning: they are checked before they are read.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Literal

from pydantic import Field

from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.reading import Shape, read
from pos_app.wire.strict_json import dumps, loads

LARGEST = 256 * 1024
"""The most bytes of a manifest with its signature."""
LARGEST_INSTALLER = 1024**3

_Url = Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=2000)]
_Notes = Annotated[str, Field(min_length=1, max_length=4000)]


@dataclass(frozen=True, slots=True)
class SignedManifest:
    content: bytes
    signature: bytes


class _SignedShape(Shape):
    manifest: str
    signature: str


class _Installer(Shape):
    url: _Url
    size: Annotated[int, Field(ge=1, le=LARGEST_INSTALLER)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Manifest(Shape):
    product: Literal["pos-app"]
    version: str
    published_at: str
    notes: dict[Literal["sr-Cyrl", "sr-Latn", "en"], _Notes]
    page: _Url
    installers: dict[str, _Installer]


def signed_from_json(body: bytes) -> SignedManifest:
    """Read the file at the address. Raises Invalid, with the field, for a cut file or another
    shape."""
    document = read(_SignedShape, loads(body))
    return SignedManifest(
        _unpacked(document.manifest, "manifest"), _unpacked(document.signature, "signature")
    )


def signed_to_json(signed: SignedManifest) -> bytes:
    """The file to put at the address."""
    content, signature = (
        base64.b64encode(part).decode() for part in (signed.content, signed.signature)
    )
    return dumps({"manifest": content, "signature": signature})


def release_from_json(content: bytes) -> Release:
    """Read a manifest. Raises Invalid, with the field."""
    document = read(_Manifest, loads(content))
    return Release(
        Version.parse(document.version),
        from_text(document.published_at),
        {str(language): words for language, words in document.notes.items()},
        document.page,
        {
            system: InstallerFile(file.url, file.size, file.sha256)
            for system, file in document.installers.items()
        },
    )


def _unpacked(text: str, field: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid("no_base64", field=field) from error
