"""postgres-impostor.py ROWS: what takes the place of a database, at the address of each row; returns when it listens.

It gets at passwords, proofs and statements by the means that the row names, and notes what it was told in `$ARENA/notes/heard`, with the mark
of the row where that was the password, a proof that it can guess the password by, or a statement.
"""
import base64
import os
import socket
import ssl
import struct
import sys
import threading

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
password = open(os.path.join(arena, "outside/password")).read().strip().encode()
heard = open(os.path.join(arena, "notes/heard"), "ab", 0)
TLS_REQUEST = 80877103


def packed(letter, *parts):
    body = b"".join(parts)
    return letter + struct.pack(">I", len(body) + 4) + body


def request(kind, rest=b""):
    return packed(b"R", struct.pack(">I", kind), rest)


def context_of(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(arena, f"outside/{name}.pem"))
    return context


class Impostor:
    def __init__(self, row, means):
        self.row, self.means = row, means

    def gained(self, what):
        heard.write(f"{canary}-{self.row}- ".encode() + what + b"\n")

    def exactly(self, count):
        data = b""
        while len(data) < count:
            chunk = self.client.recv(count - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def receive(self):
        letter, length = struct.unpack(">cI", self.exactly(5))
        return letter, self.exactly(length - 4)

    def serve(self, client):
        self.client = client
        try:
            self.begin()
            getattr(self, "by_" + self.means.replace("-", "_"), self.by_cleartext)()
            self.welcome()
        except (OSError, EOFError, struct.error, IndexError) as error:
            heard.write(f"{self.row} ended: {error!r}\n".encode())
        finally:
            self.client.close()

    def begin(self):
        (length,) = struct.unpack(">I", self.exactly(4))
        body = self.exactly(length - 4)
        if body[:4] != struct.pack(">I", TLS_REQUEST):
            return
        if self.means == "error":
            self.client.sendall(b"E")
        elif self.means.startswith("certificate-"):
            self.client.sendall(b"S")
            self.client = context_of(self.means.removeprefix("certificate-")).wrap_socket(self.client, server_side=True)
        else:
            self.client.sendall(b"N")
        self.begin()

    def by_cleartext(self):
        self.client.sendall(request(3))
        said = self.receive()[1].rstrip(b"\0")
        if said == password and self.row != "granted":
            self.gained(said)

    def challenge(self, rounds, nonce=None):
        """Up to the client's proof, which holds whatever is known of the password."""
        self.client.sendall(request(10, b"SCRAM-SHA-256\0\0"))
        first = self.receive()[1].split(b",,", 1)[1]
        own = nonce or first.split(b"r=", 1)[1] + b"impostor"
        self.client.sendall(request(11, b"r=%s,s=%s,i=%d" % (own, base64.b64encode(b"salt" * 4), rounds)))
        return self.receive()[1]

    def by_few_rounds(self):
        self.gained(self.challenge(1))

    def by_own_nonce(self):
        self.gained(self.challenge(4096, b"aW1wb3N0b3I="))

    def by_no_signature(self):
        self.challenge(4096)

    def by_wrong_signature(self):
        self.challenge(4096)
        self.client.sendall(request(12, b"v=" + base64.b64encode(bytes(32))))

    def welcome(self):
        """The client believes that it is in: what it asks is for someone else."""
        ready = packed(b"Z", b"I")
        self.client.sendall(request(0) + packed(b"S", b"server_version\x0015\0") + packed(b"K", bytes(8)) + ready)
        while True:
            letter, body = self.receive()
            if letter != b"Q":
                continue
            if b"is_superuser" in body:
                self.client.sendall(packed(b"C", b"SET\0") + packed(b"D", struct.pack(">hI", 1, 3), b"off"))
            elif self.row != "granted":
                self.gained(body)
            value = canary.encode()
            self.client.sendall(packed(b"D", struct.pack(">hI", 1, len(value)), value) + packed(b"C", b"SELECT 1\0") + ready)


def take(listener, row, means):
    while True:
        client = listener.accept()[0]
        client.settimeout(10)
        threading.Thread(target=Impostor(row, means).serve, args=(client,), daemon=True).start()


rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
listeners = [(socket.create_server((address, 5432)), row, means) for row, address, means in rows]
if os.fork() > 0:
    sys.exit(0)
for each in listeners:
    threading.Thread(target=take, args=each).start()
