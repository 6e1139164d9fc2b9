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
    seconds_of: Mapping[str, float] = MappingProxyType({}),
    apart: Collection[str] = (),
    own: Mapping[str, Callable[..., Awaitable[Any]]] = MappingProxyType({}),
) -> P:
    """Return an object with the methods of the port. seconds: the time limit of a call; seconds_of:
    of the methods that have another. apart: the methods that are asked on a connection of their
    own. own: the methods that are carried out here."""

    def method(name: str) -> Callable[..., Awaitable[Any]]:
        async def asked_at(at: LocalApi, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
            await at.load()
            call, limit = wire.port_calls.call_of(port, name), seconds_of.get(name, seconds)
            body = call.asked(*given, **named)
            reply = await at.send(f"/till/{service}/{name}", body, seconds=limit)
            try:
                return call.result(checked(reply).body)
            except Invalid as error:
                raise no_sense(error) from error

        async def ask(*given: Any, **named: Any) -> Any:
            if name not in apart:
                return await asked_at(api, given, named)
            async with LocalApi(api.url, api.install) as alone:
                return await asked_at(alone, given, named)

        return ask

    names = [name for name in dir(port) if not name.startswith("_")]
    return cast("P", SimpleNamespace(**{name: own.get(name) or method(name) for name in names}))
