from rows import connect, each_answer, secure, talk


def ask(row):
    name = f"{row}.api.example"
    return talk(secure(connect(name, 443), name), f"GET / HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n")


each_answer(ask)
