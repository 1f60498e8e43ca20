"""What the attacks on credentials share. `API_KEY` is a key without Holdfast, and what stands for one in a box."""
import os
import socket

from rows import SLOWNESS, each, mark, secure, talk

KEY = os.environ.get("API_KEY", "")
OTHER_KEY = os.environ.get("OTHER_KEY", KEY)
BEARER = f"Authorization: Bearer {KEY}\r\n"
PATIENCE = 3 * SLOWNESS


def each_with_key(perform, workers=4):
    """As `each`. The row `granted` sends the key where it belongs."""
    each(perform, workers, use_key)


def use_key(row):
    print(row, request("api.example", f"/v1/{mark(row)}", BEARER)[:200])


def tls(host, name=None, alpn=(), port=443):
    """A connection to `host` whose hello says `name`."""
    return secure(socket.create_connection((host, port), PATIENCE), name or host, alpn)


def request(host, path, head="", body=b"", method=None, connection=None):
    """One request in HTTP/1.1, and what came back. `head` has whole lines; a Content-Length is added to a body."""
    length = f"Content-Length: {len(body)}\r\n" if body and "ransfer-" not in head else ""
    start = f"{method or ('POST' if body else 'GET')} {path} HTTP/1.1\r\n"
    named = "" if "Host:" in head else f"Host: {host}\r\n"
    return talk(connection or tls(host), (start + named + head + length + "Connection: close\r\n\r\n").encode("latin1") + body, PATIENCE)

