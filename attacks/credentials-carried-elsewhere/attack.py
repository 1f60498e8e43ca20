import base64
import time

from keys import BEARER, KEY, tls
from rows import connect, each, mark, talk

UPGRADE = "GET /socket/@ HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


def raw(row, host, port, *parts):
    """The mark comes last: whoever has it has read the key before."""
    with connect(host, int(port), 3) as connection:
        for part in (*parts, f" {mark(row)}\n".encode()):
            connection.sendall(part)
            time.sleep(0.1)
        connection.settimeout(1)
        connection.recv(100)


def frame(payload, kind=0x81):
    """Masked with zeros, so that the log can be read."""
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) + len(payload).to_bytes(2, "big")
    return bytes([kind]) + length + bytes(4) + payload


def websocket(host, *frames, path=""):
    connection = tls(host, alpn=["http/1.1"])
    connection.settimeout(2)
    connection.sendall((UPGRADE.replace("@", path).format(host) + (BEARER if host == "api.example" else "") + "\r\n").encode())
    assert b" 101 " in connection.recv(4096)
    for each in frames:
        connection.sendall(each)
        time.sleep(0.1)
    connection.settimeout(1)
    connection.recv(100)


BYTES = KEY.encode()


def perform(row, way, host="", port=""):
    end = f" {mark(row)}".encode()
    text = {"text": BYTES, "base64": base64.b64encode(b"x" + BYTES), "hex": BYTES.hex().encode()}
    if way in text:
        raw(row, host, port, text[way])
    elif way == "split":
        raw(row, host, port, b"before " + BYTES[:5], BYTES[5:11], BYTES[11:])
    elif way == "late":
        raw(row, host, port, b"x" * 200_000, BYTES)
    elif way == "frame":
        websocket(host, frame(BYTES + end))
    elif way == "binary":
        websocket(host, frame(b"\0\1" + BYTES + end, 0x82))
    elif way == "fragments":
        websocket(host, frame(BYTES[:9], 0x01), frame(BYTES[9:] + end, 0x80))
    elif way == "ping":
        websocket(host, frame(BYTES + end, 0x89))
    elif way == "upgrade":
        talk(connect(host, 80, 3), (UPGRADE.format(host) + "\r\n").encode() + BYTES + end, 2)


each(perform, 4, lambda row: websocket("api.example", frame(b"carried through"), path=mark(row)))
