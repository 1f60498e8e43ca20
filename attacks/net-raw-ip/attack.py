import socket
import struct

from rows import each, mark


def send(row, protocol):
    six, number = protocol.startswith("6:"), int(protocol.split(":")[-1])
    data = b"\x80\0\0\0\0\0\0\0" + mark(row).encode()
    with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_RAW, number) as sender:
        if number == 255:
            header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(data), 1, 0, 64, 254, 0, socket.inet_aton("0.0.0.0"), socket.inet_aton("93.184.216.66"))
            data = header + data
        sender.sendto(data, ("2606:2800:220::66", 0) if six else ("93.184.216.66", 0))


each(send)
