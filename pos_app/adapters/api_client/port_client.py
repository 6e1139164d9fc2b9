"""The till's side of a port that its server carries out: each call is one HTTP exchange.

Each call raises Refused (with the server's text), NotDelivered or OutcomeUnknown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, TypeVar, cast

from pos_app import wire
from pos_app.adapters.api_client.exchange import LocalApi, checked, no_sense
from pos_app.errors import Invalid

P = TypeVar("P")


def port_client(
    port: Callable[..., P],
    api: LocalApi,
    service: str,
    *,
    seconds: float,
    longer: Mapping[str, float] = MappingProxyType({}),
    apart: Collection[str] = (),
    own: Mapping[str, Callable[..., Awaitable[Any]]] = MappingProxyType({}),
) -> P:
    """Return an object with the methods of the port. seconds: the time limit of a call; longer: of
    the methods that have another. apart: the methods that are asked on a connection of their own.
    own: the methods that are carried out here."""
    methods = {
        name: own.get(name)
        or _method(port, name, api, service, longer.get(name, seconds), apart=name in apart)
        for name in dir(port)
        if not name.startswith("_")
    }
    return cast("P", SimpleNamespace(**methods))


async def call(
    port: Callable[..., object],
    name: str,
    api: LocalApi,
    service: str,
    seconds: float,
    /,
    *given: Any,
    **named: Any,
) -> Any:
    """Ask for one method of a service, and return its result."""
    await api.load()
    asked = wire.port_calls.call_of(port, name)
    reply = await api.send(f"/till/{service}/{name}", asked.asked(*given, **named), seconds=seconds)
    try:
        return asked.result(checked(reply).body)
    except Invalid as error:
        raise no_sense(error) from error


def _method(
    port: Callable[..., object],
    name: str,
    api: LocalApi,
    service: str,
    seconds: float,
    *,
    apart: bool,
) -> Callable[..., Awaitable[Any]]:
    async def ask(*given: Any, **named: Any) -> Any:
        if not apart:
            return await call(port, name, api, service, seconds, *given, **named)
        async with LocalApi(api.url, api.install) as alone:
            return await call(port, name, alone, service, seconds, *given, **named)

    return ask
