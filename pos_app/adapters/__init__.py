"""Adapters connect everything foreign to the ports of the cores. Foreign exceptions end here."""

import sys

# httpx would load its command line, and with it click and rich: as much as all the rest of httpx.
# Without them it works as well.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
