import socket

from rows import each, mark, question


def shout(row, group, port):
    query = question([mark(row) + "x", "local"])
    six = ":" in group
    with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as sender:
        if six:
            for index, _ in socket.if_nameindex():
                try:
                    sender.sendto(query, (group, int(port), 0, index))
                except OSError:
                    pass
        else:
            sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sender.sendto(query, (group, int(port)))


each(shout)
