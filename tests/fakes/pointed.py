"""The object behind a pointer that `ctypes.byref` made, for fakes of Windows' calls."""

from __future__ import annotations

import ctypes
from typing import Any, TypeVar

Data = TypeVar("Data", bound=Any)


def pointed(reference: Any, kind: type[Data]) -> Data:
    """The caller's own object, as the type that Windows documents."""
    seen: Data = ctypes.cast(reference, ctypes.POINTER(kind)).contents
    return seen
