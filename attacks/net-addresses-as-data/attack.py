import os
import socket

from rows import each, note


def knock(row):
    secret = os.urandom(6).hex()
    note(row, secret)
    address = "2606:2800:" + ":".join(secret[i : i + 4] for i in (0, 4, 8)) + "::1"
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM if row == "tcp" else socket.SOCK_DGRAM) as sender:
        sender.settimeout(3)
        sender.connect((address, 4444))
        sender.send(b"x")


each(knock)
