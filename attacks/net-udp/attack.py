import socket

from rows import each, mark


def send(row, host, port, how):
    (family, *_, address) = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0]
    data = mark(row).encode()
    with socket.socket(family, socket.SOCK_DGRAM, 136 if how == "lite" else 0) as sender:
        if how == "connect":
            sender.connect(address)
            sender.send(data)
        elif how == "sendmsg":
            sender.sendmsg([data], [], 0, address)
        else:
            sender.sendto(data, address)


each(send)
