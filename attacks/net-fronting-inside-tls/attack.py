from rows import connect, each, mark, secure, talk


def front(row, name):
    talk(secure(connect("test.example", 443), "test.example"), f"GET /{mark(row)} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n")


each(front)
