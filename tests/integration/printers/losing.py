"""A connection to CUPS that loses some answers: the requests arrive, and are carried out."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.integration.printers.cups import Cups


@contextmanager
def losing(service: Cups, *lost: int) -> Iterator[str]:
    """Yield the socket of that connection. lost: numbers of the requests, counted from 0."""
    path = str(service.folder / "losing.sock")
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(path)
        listening.listen()
        work = threading.Thread(target=_serve, args=(listening, service.socket, lost))
        work.start()
        try:
            yield path
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            work.join()
            (service.folder / "losing.sock").unlink()


def _serve(listening: socket.socket, target: str, lost: tuple[int, ...]) -> None:
    number = 0
    while True:
        try:
            asking, _ = listening.accept()
        except OSError:  # the test is over
            return
        with asking, socket.socket(socket.AF_UNIX) as service:
            service.connect(target)
            _pass_on(asking, service, is_lost=number in lost)
        number += 1


def _pass_on(asking: socket.socket, service: socket.socket, *, is_lost: bool) -> None:
    """Copy until either side ends. A lost answer ends at its first byte."""
    other = {asking: service, service: asking}
    while True:
        for source in select.select([asking, service], [], [])[0]:
            part = source.recv(65536)
            if not part or (is_lost and source is service):
                return
            other[source].sendall(part)
