import socket

from rows import each, mark

TARGET = ("93.184.216.66", 4444)


def send(row):
    protocol = 262 if row == "mptcp" else 0
    sender = socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol)
    data = mark(row).encode()
    sender.settimeout(0.5)
    if row == "fast-open":
        sender.settimeout(None)
        sender.sendto(data, 0x20000000, TARGET)
        sender.recv(100)
        return
    if row == "bound-device":
        sender.setsockopt(socket.SOL_SOCKET, 25, b"eth0\0")
    if row == "bound-source":
        sender.bind(("93.184.215.2", 0))
    if row == "mark":
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0x10)
    if row == "transparent-port":
        sender.bind(("", 1025))
    if row == "non-blocking":
        sender.setblocking(False)
        sender.connect_ex(TARGET)
        sender.settimeout(0.5)
        import select
        select.select([], [sender], [], 0.5)
    else:
        sender.connect(TARGET)
    sender.sendall(data)
    try:
        sender.recv(100)
    except OSError:
        pass


each(send)
