"""The number of files that this process may have open at once; each connection is one of them."""

from __future__ import annotations

import sys

_WISHED = 4096
"""The highest wished limit, so that code which walks over all numbers of files stays quick."""

if sys.platform == "win32":

    def raise_limit(wished: int = _WISHED) -> None:
        """Do nothing: Windows has no limit to raise."""

    def most_open_files() -> int:
        """Return no limit: sockets are no files on Windows, and we open few files."""
        return sys.maxsize

else:
    import resource

    def raise_limit(wished: int = _WISHED) -> None:
        """Allow as many files as this user may have, at most `wished`."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wished = min(wished, _count(hard))
        if wished > _count(soft):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))

    def most_open_files() -> int:
        return _count(resource.getrlimit(resource.RLIMIT_NOFILE)[0])

    def _count(limit: int) -> int:
        return sys.maxsize if limit == resource.RLIM_INFINITY else limit
