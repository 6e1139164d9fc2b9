"""Checks the maker's signature of a manifest, and by the manifest the installer that it describes.

Source: updates.md.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pos_app.domain.setup.release import InstallerFile, Release
from pos_app.errors import Invalid, Refused
from pos_app.wire.update_manifest import release_from_json, signed_from_json


def signed_release(body: bytes, key: str) -> Release:
    """Return the release that a manifest offers, once the manifest's signature was checked. Raises
    Refused. key: as in `UpdateSource`."""
    try:
        signed = signed_from_json(body)
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key))
        public.verify(signed.signature, signed.content)
        return replace(release_from_json(signed.content), manifest=body)
    except InvalidSignature as error:
        raise Refused("update_unsigned") from error
    except Invalid as error:
        raise Refused("update_cut", why=error.what) from error


def is_whole(path: Path, file: InstallerFile) -> bool:
    """Tell whether the file is the one that the manifest describes."""
    try:
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
    except OSError:
        return False
