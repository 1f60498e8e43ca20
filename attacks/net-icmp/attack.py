import socket

from rows import each, mark


def ping(row, host, padding):
    (family, *_, address) = socket.getaddrinfo(host, 0)[0]
    six = family == socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM, 58 if six else 1) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sender.sendto(bytes([128 if six else 8, 0, 0, 0, 0, 0, 0, 1]) + mark(row).encode() + b"x" * int(padding), address)


each(ping)
