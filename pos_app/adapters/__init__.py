"""Everything foreign, behind ports of the cores. Foreign exceptions stop here."""

import sys

# httpx would load a command line of its own, and with it click and what draws its pages: as much
# as all the rest of it. Where that can't be loaded it goes on without.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
