import socket
import subprocess

from keys import BEARER, each_with_key, tls
from rows import connect, mark, seconds, secure, talk

# Where it connects, what its hello says, and the head that follows; `@` is where the row's mark goes.
HEADS = {
    "host": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example"),
    "hello": ("evil.example", "api.example", "GET /@ HTTP/1.1\nHost: evil.example"),
    "hello-and-host": ("evil.example", "api.example", "GET /@ HTTP/1.1\nHost: api.example"),
    "hello-of-subdomain": ("evil.example", "x.api.example", "GET /@ HTTP/1.1\nHost: api.example"),
    "other-host": ("api.example", "api.example", "GET /@ HTTP/1.1\nHost: evil.example"),
    "other-hello": ("api.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example"),
    "other-hello-and-host": ("api.example", "evil.example", "GET /@ HTTP/1.1\nHost: evil.example"),
    "two-hosts": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example\nHost: evil.example"),
    "two-hosts-reverse": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: evil.example\nHost: api.example"),
    "absolute": ("evil.example", "evil.example", "GET https://api.example/@ HTTP/1.1\nHost: evil.example"),
    "absolute-both": ("evil.example", "evil.example", "GET https://api.example/@ HTTP/1.1\nHost: api.example"),
    "absolute-other": ("api.example", "api.example", "GET https://evil.example/@ HTTP/1.1\nHost: api.example"),
    "userinfo": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example@evil.example"),
    "userinfo-reverse": ("api.example", "api.example", "GET /@ HTTP/1.1\nHost: api.example@evil.example"),
    "port": ("api.example", "api.example", "GET /@ HTTP/1.1\nHost: api.example:8443"),
    "forwarded": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: api.example\nForwarded: host=api.example"),
    "fold": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example\n .evil.example"),
    "trailing-dot": ("evil.example", "evil.example", "GET /@ HTTP/1.1\nHost: api.example."),
}


def spoof(row):
    where, hello, head = HEADS[row]
    talk(tls(where, hello), head.replace("@", mark(row)).replace("\n", "\r\n") + f"\r\n{BEARER}Connection: close\r\n\r\n", 3)


def no_hello(row):
    """Without a name in the hello, to the address that the name has here."""
    address = socket.gethostbyname("evil.example")
    talk(secure(connect(address, 443, 3), None), f"GET /{mark(row)} HTTP/1.1\r\nHost: api.example\r\n{BEARER}Connection: close\r\n\r\n", 3)


def authority(row, where, name):
    """HTTP/2: curl takes `:authority` from the field Host."""
    subprocess.run(["curl", "-sk", "-m", seconds(4), "--http2", "-H", f"Host: {name}", "-H", BEARER.strip(), f"https://{where}/{mark(row)}"], capture_output=True)


def connect_to(row, where, name):
    subprocess.run(["curl", "-sk", "-m", seconds(4), "--connect-to", f"{name}:443:{where}:443", "-H", BEARER.strip(), f"https://{name}/{mark(row)}"], capture_output=True)


def perform(row, way="spoof", *columns):
    {"spoof": spoof, "no-hello": no_hello, "authority": authority, "connect-to": connect_to}[way](row, *columns)


each_with_key(perform)
