import socket

from rows import each_answer, socks, talk


def ask(connection, host="evil.example"):
    return talk(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")


def tunnel(row, kind, address):
    match kind:
        case "4":
            wire = (1, socket.inet_pton(socket.AF_INET, address))
        case "6":
            wire = (4, socket.inet_pton(socket.AF_INET6, address))
        case _:
            wire = (3, bytes([len(address)]) + address.encode())
    connection, reply = socks(*wire, 8080)
    return ask(connection)


each_answer(tunnel)
