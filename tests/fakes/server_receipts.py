"""The port ServerReceipts without a server."""

from __future__ import annotations

from dataclasses import dataclass, field

from pos_app.errors import PosError, Refused
from pos_app.selling.server.ports import ShownReceipt


@dataclass
class ReceiptsInMemory:
    """shown: by id and by number. fault: is raised by each method."""

    shown: dict[str, ShownReceipt] = field(default_factory=dict)
    fault: PosError | None = None

    async def receipt(self, reference: str) -> ShownReceipt:
        if self.fault is not None:
            raise self.fault
        if reference.upper() in self.shown or reference in self.shown:
            return self.shown.get(reference) or self.shown[reference.upper()]
        raise Refused("Receipt not found", safe="Nothing was changed.")
