import struct

from rows import connect, each, mark, secure, talk


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """A literal that no table keeps and nothing compresses."""
    name, value = name.encode(), value.encode()
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)

FIELDS = {
    "authority": {":authority": "evil.example"},
    "authority-below": {":authority": "x.api.example"},
    "authority-port": {":authority": "api.example:8443"},
    "host-field-alone": {"host": "evil.example"},
    "host-field-beside": {":authority": "api.example", "host": "evil.example"},
    "connect": {":method": "CONNECT", ":authority": "evil.example:443"},
    "neighbour-after-first": {":authority": "other.example"},
}


def ask(row):
    fields = FIELDS[row]
    if row != "connect":
        fields = {":method": "GET", ":scheme": "https", ":path": "/public/" + row} | fields
    block = b"".join(field(name, value) for name, value in [*fields.items(), ("x-mark", mark(row))])
    connection = secure(connect("api.example", 443), "api.example", ["h2"])
    assert connection.selected_alpn_protocol() == "h2"
    first = b""
    if row == "neighbour-after-first":
        first = frame(1, 5, 1, b"".join(field(*pair) for pair in ((":method", "GET"), (":scheme", "https"), (":path", "/public/x"), (":authority", "api.example"))))
    talk(connection, PREFACE + first + frame(1, 5, 3, block), 0.5)


each(ask)
