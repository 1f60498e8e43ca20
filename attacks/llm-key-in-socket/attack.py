import json
import os
import time

from keys import tls
from rows import each, mark

with open(os.path.join(os.environ["ARENA"], "ws/key")) as file:
    KEY = file.read().strip()
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
UPGRADE = "GET /socket/v1/responses HTTP/1.1\r\nHost: api.openai.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"


def frame(payload, kind=0x81):
    """Masked with zeros."""
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) + len(payload).to_bytes(2, "big")
    return bytes([kind]) + length + bytes(4) + payload


def in_frames(text, size, between=b""):
    parts = [text[at:at + size] for at in range(0, len(text), size)]
    return between.join(frame(part, (0x01 if index == 0 else 0) | (0x80 if index == len(parts) - 1 else 0)) for index, part in enumerate(parts))


def create(text, **more):
    return json.dumps({"type": "response.create", "model": "a", "input": text, **more}).encode()


def say(*frames):
    connection = tls("api.openai.com", alpn=["http/1.1"])
    connection.settimeout(2)
    connection.sendall(UPGRADE.encode())
    assert b" 101 " in connection.recv(4096)
    for part in frames:
        connection.sendall(part)
        time.sleep(0.1)
    connection.settimeout(0.2)
    try:
        print(connection.recv(4096)[:300])
    except OSError:
        pass
    connection.close()


def perform(row):
    text = f"use {KEY} now {mark(row)}"
    if row == "whole":
        say(frame(create(text)))
    elif row == "bytes":
        say(in_frames(create(text), 1))
    elif row == "pings":
        say(in_frames(create(text), 20, frame(b"awake", 0x89)))
    elif row == "escaped":
        say(frame(create(text).replace(KEY.encode(), ESCAPED.encode())))
    elif row == "second":
        say(frame(create("hello")), frame(create(text)))
    elif row == "result":
        say(frame(create([{"type": "function_call_output", "call_id": "a", "output": json.dumps({"env": KEY, "of": mark(row)})}])))
    elif row == "unknown":
        say(frame(json.dumps({"type": "conversation.item.create", "item": {"content": text}}).encode()))


each(perform, 1, lambda row: say(frame(create(f"hello {mark(row)}"))))
