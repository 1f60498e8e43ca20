from rows import each_answer, socks, talk

NAMES = {
    "nul": b"evil.example\0.test.example",
    "cr": b"evil.example\r.test.example",
    "lf": b"evil.example\n.test.example",
    "crlf": b"evil.example\r\nX: y.test.example",
    "space": b"evil.example .test.example",
    "tab": b"evil.example\t.test.example",
    "slash": b"evil.example/.test.example",
    "hash": b"evil.example#.test.example",
    "question": b"evil.example?.test.example",
    "longest": b"evil.example\0" + b"x" * (255 - 26) + b".test.example",
    "address": b"93.184.216.66\0.test.example",
    "host-of-grant": b"127.0.0.1\0test.example",
}


def ask(connection, host="evil.example"):
    return talk(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")


def tunnel(row):
    name = NAMES[row]
    connection, reply = socks(3, bytes([len(name)]) + name, 8080)
    return ask(connection)


each_answer(tunnel)
