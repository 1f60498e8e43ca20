import socket
import time

from rows import each


def join(row):
    if row == "igmp":
        member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.17.34.51") + bytes(4))
    else:
        member = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        for index, _ in socket.if_nameindex():
            member.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, socket.inet_pton(socket.AF_INET6, "ff0e::1122:3344") + index.to_bytes(4, "little"))
    time.sleep(0.3)


each(join)
