"""A bare HTTP server: it answers a body with the same body, by the library that serves the product.

python -m tests.bench.echo PORT
"""

from __future__ import annotations

import sys

import uvicorn
from starlette.types import Receive, Scope, Send


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    length = str(len(body)).encode()
    headers = [(b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


KEPT_SECONDS = 3600
"""The measured product may take so long between two echoes on one kept connection."""

if __name__ == "__main__":
    uvicorn.run(
        echo,
        port=int(sys.argv[1]),
        lifespan="off",
        log_level="error",
        http="h11",
        timeout_keep_alive=KEPT_SECONDS,
    )
