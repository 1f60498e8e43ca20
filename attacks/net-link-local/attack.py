import socket

from rows import each, mark


def send(row, address):
    data = mark(row).encode()
    for index, name in socket.if_nameindex():
        try:
            if ":" in address:
                with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
                    sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
                    sender.sendto(data, (address, 4444, 0, index))
            else:
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                    sender.sendto(data, (address, 4444))
        except OSError as error:
            print(row, name, error)


each(send)
