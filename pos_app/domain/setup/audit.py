"""The kinds of objects and acts in a platform's audit log."""

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
    """Keys and stores are MADE. Keys are FIRST_USED, ROTATED, REVOKED. Stores, prices and labels
    are CHANGED. All but keys are DELETED; products are RESTORED."""

    MADE = "made"
    FIRST_USED = "first_used"
    ROTATED = "rotated"
    REVOKED = "revoked"
    CHANGED = "changed"
    DELETED = "deleted"
    RESTORED = "restored"
