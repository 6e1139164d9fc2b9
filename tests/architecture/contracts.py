"""Import contracts for a house that is still being built.

import-linter's own kinds stop with an error when a room they name does not stand yet. These are
the same kinds, holding for the rooms that do. `test_contracts.py` breaks each contract once, so
that a misspelt room can't make one hold for ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from grimp import ImportGraph
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract, ContractCheck
from importlinter.domain.imports import ModuleExpression


class ForbiddenWhereBuilt(ForbiddenContract):
    """The kind "forbidden", for those of the named rooms that stand."""

    type_name = "forbidden_where_built"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """The verdict over all rooms that are in `graph`."""
        _narrow(self, "source_modules", graph)
        _narrow(self, "forbidden_modules", graph)
        return super().check(graph, verbose)


class ProtectedWhereBuilt(ProtectedContract):
    """The kind "protected", for those of the named rooms that stand."""

    type_name = "protected_where_built"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """The verdict over all rooms that are in `graph`."""
        _narrow(self, "protected_modules", graph)
        _narrow(self, "allowed_importers", graph)
        return super().check(graph, verbose)


def _narrow(contract: Contract, option: str, graph: ImportGraph) -> None:
    """Leave in an option of `contract` the rooms that stand; foreign packages always count.

    By name, since import-linter declares an option as its parser and fills it with the parsed set.
    """
    rooms: Iterable[ModuleExpression] = getattr(contract, option)
    standing = {
        room
        for room in rooms
        if not room.expression.startswith("pos_app.") or room.expression in graph.modules
    }
    setattr(contract, option, standing)
