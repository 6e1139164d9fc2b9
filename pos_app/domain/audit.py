"""What the audit log of a platform tells of: things, and what is done to them."""

from __future__ import annotations

from enum import StrEnum


class AuditKind(StrEnum):
    KEY = "key"
    STORE = "store"
    PRODUCT = "product"
    UNIT = "unit"
    CATEGORY = "category"
    CASHIER = "cashier"
    FILE = "file"
    CLIENT = "client"


class AuditAct(StrEnum):
    """Of keys, and of stores: MADE. Of keys: FIRST_USED, ROTATED, REVOKED. Of stores, prices and
    labels: CHANGED. Of all but keys: DELETED; of products: RESTORED."""

    MADE = "made"
    FIRST_USED = "first_used"
    ROTATED = "rotated"
    REVOKED = "revoked"
    CHANGED = "changed"
    DELETED = "deleted"
    RESTORED = "restored"
