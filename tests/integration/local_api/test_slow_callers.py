"""A port that another program answers on, and an address that is not of this machine."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pos_app.adapters.http_server.serving import serve
from pos_app.errors import PortTaken, SettingsBroken
from tests.integration.local_api.wires import served


# --- addresses, a port that is taken, and the end ---
async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request.url.path)


APP = Starlette(routes=[Route("/hello", hello)])


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


async def start(port: int, host: str = "127.0.0.1") -> None:
    stop = asyncio.Event()
    await serve(APP, host=host, port=port, ready=lambda _: stop.set(), stop=stop)


# --- a port that is taken ----------------------------------------------------------------------
async def test_a_stranger_that_answers() -> None:
    answers: list[Response] = [
        JSONResponse({"service": "something else"}),
        JSONResponse(["pos-app-server"]),
        PlainTextResponse("pos-app-server"),
        PlainTextResponse("[" * 100_000),
    ]

    async def tell(request: Request) -> Response:
        return answers.pop()

    async with served(Starlette(routes=[Route("/health", tell)])) as url:
        while answers:
            with pytest.raises(PortTaken) as taken:
                await start(port_of(url))
            assert taken.value.values["by"] == "stranger"


@pytest.mark.parametrize("host", ["192.0.2.1", "name.invalid"])
async def test_an_address_that_is_not_ours(host: str) -> None:
    with pytest.raises(SettingsBroken, match=host):
        await start(0, host)
