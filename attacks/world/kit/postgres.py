"""A client of PostgreSQL that believes every server: it checks no certificate and no signature, and sends its password to who asks.

Source of the messages: PostgreSQL 15 documentation, 55.7. Of SCRAM: RFC 5802 and RFC 7677.
"""
import base64
import hashlib
import hmac
import os
import socket
import ssl
import struct
from urllib.parse import urlsplit

from rows import SLOWNESS

PATIENCE = 5 * SLOWNESS
TLS_REQUEST, CANCEL_REQUEST, VERSION = 80877103, 80877102, 196608


def login():
    """(user, password, host, port, database) of `DATABASE_URL`."""
    url = urlsplit(os.environ["DATABASE_URL"])
    return url.username, url.password, url.hostname, url.port, url.path[1:]


def packed(letter, *parts):
    body = b"".join(part if isinstance(part, bytes) else part.encode() + b"\0" for part in parts)
    return letter + struct.pack(">I", len(body) + 4) + body


class Refused(Exception):
    """What the server said, by the letters of its fields."""


class Session:
    def __init__(self, user, password, host, port, database, parameters=(), tls=False):
        self.user, self.password, self.key = user, password, b""
        self.socket = socket.create_connection((host, port), PATIENCE)
        if tls:
            self.begin_tls(host)
        pairs = {"user": user, "database": database, **dict(parameters)}
        self.socket.sendall(packed(b"", struct.pack(">I", VERSION), *(text for pair in pairs.items() for text in pair), b"\0"))
        self.authenticate()

    def begin_tls(self, host):
        """By TLS where the server has it, as it is with `sslmode=prefer`."""
        self.socket.sendall(packed(b"", struct.pack(">I", TLS_REQUEST)))
        if self.socket.recv(1) != b"S":
            return
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            self.socket = context.wrap_socket(self.socket, server_hostname=host)
        except ssl.SSLError:
            pass

    def exactly(self, count):
        data = b""
        while len(data) < count:
            chunk = self.socket.recv(count - len(data))
            if not chunk:
                raise EOFError("the server has ended the connection")
            data += chunk
        return data

    def receive(self):
        letter, length = struct.unpack(">cI", self.exactly(5))
        return letter, self.exactly(length - 4)

    def authenticate(self):
        scram = None
        while True:
            letter, body = self.receive()
            if letter == b"E":
                raise Refused(fields_of(body))
            if letter == b"K":
                self.key = body
            if letter == b"Z":
                return
            if letter != b"R":
                continue
            kind, rest = struct.unpack(">I", body[:4])[0], body[4:]
            if kind == 3:
                self.socket.sendall(packed(b"p", self.password))
            if kind == 10:
                scram = Scram(self.password)
                self.socket.sendall(packed(b"p", "SCRAM-SHA-256", struct.pack(">I", len(scram.first)), scram.first))
            if kind == 11:
                self.socket.sendall(packed(b"p", scram.answer(rest)))

    def query(self, sql):
        """One message of statements: the first value that came back, or None."""
        self.socket.sendall(packed(b"Q", sql))
        return self.answer()

    def batch(self, *statements):
        """Statements of the extended protocol, up to one Sync."""
        messages = [packed(b"P", "", sql, b"\0\0") + packed(b"B", "", "", bytes(6)) + packed(b"E", "", bytes(4)) for sql in statements]
        self.socket.sendall(b"".join(messages) + packed(b"S"))
        return self.answer()

    def copy(self, sql, data):
        self.socket.sendall(packed(b"Q", sql) + packed(b"d", data) + packed(b"c"))
        return self.answer()

    def answer(self):
        found, errors = None, []
        while True:
            letter, body = self.receive()
            if letter == b"D" and found is None:
                found = body[6:]
            if letter == b"E":
                errors.append(fields_of(body))
            if letter == b"W":
                raise Refused("replication has begun")
            if letter == b"Z":
                if errors:
                    print(errors)
                return found


def fields_of(body):
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part[:1] in (b"C", b"M", b"H")}


def cancel(host, port, key):
    """`key`: process ID and secret, as the server gave them."""
    with socket.create_connection((host, port), PATIENCE) as connection:
        connection.sendall(packed(b"", struct.pack(">I", CANCEL_REQUEST), key))
        connection.recv(1)


class Scram:
    def __init__(self, password):
        self.password, self.bare = password.encode(), b"n=,r=" + base64.b64encode(os.urandom(18))
        self.first = b"n,," + self.bare

    def answer(self, challenge):
        said = dict(part.split(b"=", 1) for part in challenge.split(b","))
        salted = hashlib.pbkdf2_hmac("sha256", self.password, base64.b64decode(said[b"s"]), int(said[b"i"]))
        key = hmac.digest(salted, b"Client Key", "sha256")
        last = b"c=biws,r=" + said[b"r"]
        signature = hmac.digest(hashlib.sha256(key).digest(), b",".join([self.bare, challenge, last]), "sha256")
        return last + b",p=" + base64.b64encode(bytes(left ^ right for left, right in zip(key, signature)))
