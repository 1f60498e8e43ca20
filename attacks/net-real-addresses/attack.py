import socket

from rows import connect, each, mark, secure, talk

ADDRESS = socket.gethostbyname("test.example")


def send(row, port, name):
    connection = connect(ADDRESS, int(port))
    if name != "plain":
        connection = secure(connection, name)
    talk(connection, f"GET /{mark(row)} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n")


each(send)
