from rows import connect, each, mark, talk


def front(row, name):
    target, host = (name + mark(row), "evil.example") if row == "absolute" else ("/" + mark(row), name)
    talk(connect("test.example", 80), f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")


each(front)
