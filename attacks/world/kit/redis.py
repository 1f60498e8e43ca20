"""Commands of Redis as bytes, and a connection that sends them. Source: https://redis.io/docs/latest/develop/reference/protocol-spec/"""
import os
import socket
from urllib.parse import urlsplit

from rows import SLOWNESS, secure

PATIENCE = 1 * SLOWNESS


def login():
    """(password, host, port) of `REDIS_URL`."""
    url = urlsplit(os.environ["REDIS_URL"])
    return url.password, url.hostname, url.port


def command(*words):
    data = [word.encode() for word in words]
    return b"*%d\r\n" % len(data) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in data)


def converse(host, port, *messages, tls=False):
    """Sends one message after the other and gives what is answered until there is nothing more. By TLS it believes anybody, and gives nothing where there is none."""
    answers = b""
    with socket.create_connection((host, port), PATIENCE) as plain:
        plain.settimeout(PATIENCE)
        try:
            connection = secure(plain, host) if tls else plain
        except OSError:
            return b""
        for message in messages:
            connection.sendall(message)
            try:
                answers += connection.recv(65536)
            except TimeoutError:
                pass
    return answers
