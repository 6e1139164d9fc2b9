"""How many files this process may have open at once; each connection is one of them."""

from __future__ import annotations

import sys

_WISHED = 4096
"""More is not asked for: what walks over all numbers of files stays quick."""

if sys.platform == "win32":

    def raise_limit(wished: int = _WISHED) -> None:
        """There is none to raise."""

    def most_open_files() -> int:
        """Sockets are no files there, and none of what we open comes near the system's limit."""
        return sys.maxsize

else:
    import resource

    def raise_limit(wished: int = _WISHED) -> None:
        """Take as many as this user may have, up to what we could ever need."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wished = min(wished, _count(hard))
        if wished > _count(soft):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))

    def most_open_files() -> int:
        """The limit as it is now."""
        return _count(resource.getrlimit(resource.RLIMIT_NOFILE)[0])

    def _count(limit: int) -> int:
        return sys.maxsize if limit == resource.RLIM_INFINITY else limit
