"""A connection between a caller and a server that breaks as FAULTS say.

    python bad_line.py PORT FAULTS

FAULTS: one word for each connection that carries a POST, in order; those after the last are good.

good    all is carried; the server is reset where the caller closes before it has the answer
cut     the answer has begun to arrive, and both ends are reset
half    half of the request is carried, and both ends are reset
silent  the answer is not carried; once the caller has given up, the server is reset
taken   the whole answer is taken from the server, as a proxy takes it, and the caller is reset

Prints its address. `Host` becomes the server's own address, as a proxy makes it.
"""

import re
import select
import socket
import struct
import sys
import threading
from contextlib import suppress

SIZE = 1 << 16
RESET = struct.pack("ii", 1, 0)


def reset(end: socket.socket) -> None:
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    end.close()


def is_whole(told: bytes) -> bool:
    head, end, body = told.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(end) and len(body) >= (int(lengths[0].split(b":")[1]) if lengths else 0)


def whole_request(caller: socket.socket) -> bytes:
    """Head and body of the request that begins the connection; all bytes when the connection ends
    early."""
    told = b""
    while not is_whole(told):
        if not (more := caller.recv(SIZE)):
            break
        told += more
    return told


def carry_both(caller: socket.socket, server: socket.socket) -> None:
    """Carry the answer, and the end of each side, as a wire does.

    A program that closes before it has the whole answer no longer reads, so the server is reset. An
    answer that this line took for it would count as delivered.
    """
    answer = b""
    with suppress(OSError):
        while True:
            ready, _, _ = select.select([caller, server], [], [])
            if caller in ready:
                if told := caller.recv(SIZE):
                    server.sendall(told)
                    continue
                if not is_whole(answer):
                    break
            elif told := server.recv(SIZE):
                answer += told
                caller.sendall(told)
                continue
            caller.close()
            server.close()
            return
    reset(server)
    reset(caller)


def until_closed(end: socket.socket) -> None:
    with suppress(OSError):
        while end.recv(SIZE):
            pass


def whole_answer(server: socket.socket) -> None:
    """Read until the server has sent all that it sends for now."""
    server.recv(SIZE)
    server.settimeout(0.3)
    with suppress(TimeoutError):
        while server.recv(SIZE):
            pass


def serve(caller: socket.socket, port: int, faults: list[str], lock: threading.Lock) -> None:
    server = socket.create_connection(("127.0.0.1", port))
    name = f"Host: 127.0.0.1:{port}".encode()
    request = re.sub(rb"(?im)^host: [^\r]*", name, whole_request(caller), count=1)
    fault = "good"
    if request.startswith(b"POST"):
        with lock:
            fault = faults.pop(0) if faults else "good"
    if fault == "half":
        server.sendall(request[: len(request) // 2])
    else:
        server.sendall(request)
    if fault == "good":
        carry_both(caller, server)
        return
    if fault == "silent":
        until_closed(caller)
    elif fault == "cut":
        server.recv(1)
    elif fault == "taken":
        whole_answer(server)
        server.close()
        reset(caller)
        return
    reset(server)
    reset(caller)


def main(port: str, words: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    faults, lock = words.split(), threading.Lock()
    while True:
        caller, _ = listener.accept()
        threading.Thread(target=serve, args=(caller, int(port), faults, lock), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
