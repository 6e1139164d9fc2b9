"""The number of files that this process may have open at once; each connection is one of them."""

from __future__ import annotations

import sys

_WISHED = 4096
"""The highest limit that is asked for: code that walks over all numbers of files stays quick."""

if sys.platform == "win32":

    def raise_limit(wished: int = _WISHED) -> None:
        """Do nothing: Windows has no limit to raise."""

    def most_open_files() -> int:
        """Return no limit: sockets are no files there, and we open far fewer files than the system
        allows."""
        return sys.maxsize

else:
    import resource

    def raise_limit(wished: int = _WISHED) -> None:
        """Take as many as this user may have, up to the most that we could ever need."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wished = min(wished, _count(hard))
        if wished > _count(soft):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))

    def most_open_files() -> int:
        return _count(resource.getrlimit(resource.RLIMIT_NOFILE)[0])

    def _count(limit: int) -> int:
        return sys.maxsize if limit == resource.RLIM_INFINITY else limit
