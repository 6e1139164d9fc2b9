"""UIDs of secure elements: eight characters, 0-9 and A-Z, created at the first start."""

from __future__ import annotations

import secrets
import string

_LETTERS = string.digits + string.ascii_uppercase
_LENGTH = 8
_VIRTUAL_SIGNERS = 3


def new_uid() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def first_facts() -> dict[str, str]:
    return {
        "uid": new_uid(),
        "serial": new_uid(),
        "signers": " ".join(new_uid() for _ in range(_VIRTUAL_SIGNERS)),
    }
