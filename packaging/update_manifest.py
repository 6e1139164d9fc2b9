"""Makes the key with which releases are signed, and the signed manifest of a release.

    .venv/bin/python packaging/update_manifest.py new-key release.pem
    .venv/bin/python packaging/update_manifest.py sign release.pem --version 4.1.0 \
        --page https://example.rs/pos-app --notes sr-Cyrl=novo.txt --notes en=new.txt \
        --installer windows=dist/pos-app-4.1.0.exe@https://example.rs/pos-app-4.1.0.exe \
        --out manifest.json

`new-key` prints the public key, which the build lays into the program; the file it writes is the
secret.
"""

from __future__ import annotations

import argparse
import base64
import getpass
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from pos_app.errors import Invalid
from pos_app.wire import update_manifest


def new_key(path: Path, password: str) -> str:
    """Write a new private key, sealed with the password if there is one; returns its public key.

    Raises FileExistsError: a key that tills trust is not replaced.
    """
    key = Ed25519PrivateKey.generate()
    sealed: KeySerializationEncryption = (
        BestAvailableEncryption(password.encode()) if password else NoEncryption()
    )
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, sealed))
    return public_key(key)


def public_key(key: Ed25519PrivateKey) -> str:
    """32 bytes in base64, as `--update-key` of the build wants them."""
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def read_key(path: Path, password: str) -> Ed25519PrivateKey:
    """Raises SystemExit for a file that is no Ed25519 key, or a wrong password."""
    try:
        key = load_pem_private_key(path.read_bytes(), password.encode() or None)
    except (OSError, ValueError, TypeError) as error:
        raise SystemExit(f"{path}: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SystemExit(f"{path} is no Ed25519 key: make one with new-key")
    return key


def manifest(
    *,
    version: str,
    page: str,
    notes: Sequence[tuple[str, Path]],
    installers: Sequence[tuple[str, Path, str]],
) -> bytes:
    """The manifest's bytes. Raises Invalid for what a till would refuse."""
    members = {
        "product": "pos-app",
        "version": version,
        "publishedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "notes": {language: path.read_text("utf-8").strip() for language, path in notes},
        "page": page,
        "installers": {
            system: {
                "url": url,
                "size": path.stat().st_size,
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for system, path, url in installers
        },
    }
    content = json.dumps(members, ensure_ascii=False, sort_keys=True).encode()
    update_manifest.release_from_json(content)
    return content


def sign(key: Ed25519PrivateKey, content: bytes) -> bytes:
    """The signed manifest to publish. Raises Invalid for one that is too long for tills."""
    signed = update_manifest.signed_to_json(
        update_manifest.SignedManifest(content, key.sign(content))
    )
    if len(signed) > update_manifest.LARGEST:
        raise Invalid(
            f"the manifest has {len(signed)} bytes; a till reads {update_manifest.LARGEST}"
        )
    return signed


def _named_file(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals or not Path(path).is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=FILE of a file that is there")
    return name, Path(path)


def _installer(text: str) -> tuple[str, Path, str]:
    named, at, url = text.partition("@")
    if not at:
        raise argparse.ArgumentTypeError(f"{text!r} is no SYSTEM=FILE@URL")
    system, path = _named_file(named)
    return system, path, url


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--password", action="store_true", help="the key is sealed with one; it is asked for"
    )
    acts = parser.add_subparsers(dest="act", required=True)
    acts.add_parser("new-key", help="make a key").add_argument("key", type=Path)
    signing = acts.add_parser("sign", help="make the signed manifest of a release")
    signing.add_argument("key", type=Path)
    signing.add_argument("--version", required=True, metavar="X.Y.Z")
    signing.add_argument("--page", required=True, metavar="URL")
    signing.add_argument(
        "--notes", type=_named_file, action="append", required=True, metavar="LANGUAGE=FILE"
    )
    signing.add_argument(
        "--installer", type=_installer, action="append", default=[], metavar="SYSTEM=FILE@URL"
    )
    signing.add_argument("--out", type=Path, required=True, metavar="FILE")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    password = getpass.getpass("Password of the key: ") if given.password else ""
    if given.act == "new-key":
        try:
            print(new_key(given.key, password))
        except FileExistsError:
            print(f"{given.key} is there already: a key that tills trust is kept", file=sys.stderr)
            return 1
        return 0
    key = read_key(given.key, password)
    try:
        content = manifest(
            version=given.version, page=given.page, notes=given.notes, installers=given.installer
        )
        given.out.write_bytes(sign(key, content))
    except Invalid as error:
        print(f"{error.field}: {error.what}" if error.field else error.what, file=sys.stderr)
        return 1
    print(f"{given.out}: version {given.version}, for tills with the key {public_key(key)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
