import socket
import ssl
import time

from rows import connect, each, mark


def hello_for(name):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname=name)
    return session, incoming, outgoing


def records(hello, size):
    body = hello[5:]
    return [hello[:3] + len(part).to_bytes(2, "big") + part for part in (body[at : at + size] for at in range(0, len(body), size))]


def pieces(row, hello):
    match row:
        case "segments":
            return [hello[at : at + 1] for at in range(60)] + [hello[60:]]
        case "records":
            return [b"".join(records(hello, 50))]
        case "record-of-one":
            return [*records(hello, 1)[:6], b"".join(records(hello[:5] + hello[11:], 400))]
        case "late":
            return [hello[:30], None, hello[30:]]
        case "late-records":
            parts = records(hello, 70)
            return [parts[0], None, *parts[1:]]
        case "old-version":
            return [hello[:1] + b"\3\0" + hello[3:]]
    return [hello]


def front(row):
    session, incoming, outgoing = hello_for("EVIL.EXAMPLE" if row == "upper-case" else "evil.example")
    connection = connect("test.example", 443)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    for piece in pieces(row, outgoing.read()):
        if piece is None:
            time.sleep(0.3)
        else:
            connection.sendall(piece)
            time.sleep(0.002)
    while True:
        incoming.write(connection.recv(65536) or fail())
        try:
            session.do_handshake()
            break
        except ssl.SSLWantReadError:
            connection.sendall(outgoing.read())
    session.write(f"GET /{mark(row)} HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode())
    connection.sendall(outgoing.read())
    connection.recv(100)


def fail():
    raise ConnectionError("closed")


each(front)
