import base64

from rows import connect, each_answer, proxy_address, talk

WHERE, CREDENTIALS = proxy_address()
USER, SECRET = CREDENTIALS.split(":")
GUESSES = {"empty": ":", "user-only": f"{USER}:", "wrong": f"{USER}:x", "prefix": CREDENTIALS[:-1], "longer": CREDENTIALS + "x", "other-case": CREDENTIALS.swapcase()}


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


def ask(row):
    connection = connect(*WHERE)
    if row.startswith("socks"):
        secret = {"socks-wrong": b"\1\1x\1x", "socks-empty": b"\1\0\0"}.get(row)
        connection.sendall(b"\5\1\2" if secret else b"\5\1\0")
        connection.recv(2)
        if secret:
            connection.sendall(secret)
            connection.recv(2)
        connection.sendall(b"\5\1\0\3\x0ctest.example\0\x50")
        connection.recv(10)
        return talk(connection, "GET / HTTP/1.1\r\nHost: test.example\r\nConnection: close\r\n\r\n")
    given = {"connect-wrong": basic("a:b"), "bearer": "Bearer " + SECRET[::-1], "not-encoded": "Basic a:b"}.get(row) or (basic(GUESSES[row]) if row in GUESSES else None)
    field = f"Proxy-Authorization: {given}\r\n" if given else ""
    if row.startswith("connect"):
        connection.sendall(f"CONNECT test.example:80 HTTP/1.1\r\nHost: test.example:80\r\n{field}\r\n".encode())
        connection.recv(300)
        return talk(connection, "GET / HTTP/1.1\r\nHost: test.example\r\nConnection: close\r\n\r\n")
    target = "http://a:b@test.example/" if row == "url-credentials" else "http://test.example/"
    return talk(connection, f"GET {target} HTTP/1.1\r\nHost: test.example\r\n{field}Connection: close\r\n\r\n")


each_answer(ask)
