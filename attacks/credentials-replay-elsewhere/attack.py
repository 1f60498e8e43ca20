from keys import BEARER, each_with_key, request, tls
from rows import connect, mark, talk

# `@` is where the row's mark goes.


def ask(row, host, method, path):
    request(host, path.replace("@", mark(row)), BEARER, b"content" if method in ("POST", "PUT", "PATCH") else b"", method)


def clear(row, host, port):
    talk(connect(host, int(port)), f"GET /v1/{mark(row)} HTTP/1.1\r\nHost: {host}\r\n{BEARER}Connection: close\r\n\r\n", 2)


def other_port(row, host, port):
    request(f"{host}:{port}", f"/v1/{mark(row)}", BEARER, connection=tls(host, port=int(port)))


def send(row, way, *columns):
    {"ask": ask, "clear": clear, "port": other_port}[way](row, *columns)


each_with_key(send)
