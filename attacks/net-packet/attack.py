import socket

from rows import each, mark

BROADCAST = b"\xff" * 6


def send(row, kind):
    data = mark(row).encode() + b"\0" * 40
    frame = BROADCAST + b"\2\0\0\0\0\x09"
    if kind == "cooked":
        with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM) as sender:
            sender.sendto(data, ("eth0", 0x88B5, 0, 0, BROADCAST))
    else:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender:
            sender.bind(("eth0", 0))
            sender.send(frame + int(kind, 16).to_bytes(2, "big") + data)


each(send)
