"""service.py ADDRESS PORT [SLOTS]: an HTTP service of the machine, started in the background; returns when it listens.

It answers like the internet's servers and notes what it was sent in `$ARENA/notes/service`. With SLOTS it serves no more
connections at once, and never gives up on one.
"""
import os
import socket
import sys
import threading

address, port = sys.argv[1], int(sys.argv[2])
slots = threading.Semaphore(int(sys.argv[3])) if len(sys.argv) > 3 else None
canary = os.environ["CANARY"]
family = socket.AF_INET6 if ":" in address else socket.AF_INET
listener = socket.socket(family)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if family == socket.AF_INET6:
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
listener.bind((address, port))
listener.listen(64)
log = open(os.path.join(os.environ["ARENA"], "notes/service"), "ab", 0)


def serve(client):
    with client:
        head = b""
        while b"\r\n\r\n" not in head and (chunk := client.recv(4096)):
            log.write(chunk)
            head += chunk
        body = f"from the machine's {client.getsockname()[0]}: {canary}\n".encode()
        client.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def serve_in_slot(client):
    try:
        serve(client)
    except OSError:
        pass
    if slots:
        slots.release()


if os.fork():
    os._exit(0)
os.setsid()
null = os.open("/dev/null", os.O_RDWR)
for descriptor in range(3):
    os.dup2(null, descriptor)
while True:
    if slots:
        slots.acquire()
    threading.Thread(target=serve_in_slot, args=(listener.accept()[0],), daemon=True).start()
