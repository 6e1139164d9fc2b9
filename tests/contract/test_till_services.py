"""The till asks for methods of its ports, and the server reads them by those of its own table."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, get_type_hints

import pytest

from pos_app.documents.server_papers import ServerPapers
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.receipt.server_jobs import ServerJobs
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.local_api.port_routes import SERVICES, TillService
from pos_app.selling.server import ports
from pos_app.wire.port_calls import methods_of

TILLS: Mapping[str, type] = {
    "jobs": ServerJobs,
    "local_api": LocalApiService,
    "mail": MailSetupService,
    "papers": ServerPapers,
    "platform": ports.ServerPlatformSetup,
    "printers": PrinterSetupService,
    "processor": ports.ServerProcessorSetup,
    "receipts": ServerReceipts,
}
"""The ports of `adapters/api_client`, by service."""
ELSEWHERE = {("processor", "issue")}
"""Methods of these ports that the till does not ask for in this way."""


@pytest.mark.parametrize("served", SERVICES, ids=lambda served: served.name)
def test_both_sides_know_the_same_methods_arguments_and_results(served: TillService) -> None:
    port = TILLS[served.name]
    asked = {name for name in methods_of(port) if (served.name, name) not in ELSEWHERE}
    assert asked == set(methods_of(served.port))
    assert {name: types_of(port, name) for name in asked} == {
        name: types_of(served.port, name) for name in asked
    }
    assert {*served.reopening, *served.repeated} <= asked


def test_no_service_is_left_out() -> None:
    assert sorted(TILLS) == sorted(one.name for one in SERVICES)


def types_of(port: type, name: str) -> dict[str, tuple[Any, Any]]:
    method = getattr(port, name)
    hints, parameters = get_type_hints(method), signature(method).parameters
    return {
        one: (hint, parameters[one].default if one in parameters else None)
        for one, hint in hints.items()
    }
