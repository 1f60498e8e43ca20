"""redis-impostor.py ROWS: what takes the place of a Redis, at the address of each row; returns when it listens.

It shows the certificate that the row names, or none, believes every password, and notes what it was told in `$ARENA/notes/heard`, with the mark
of the row where the password was in it.
"""
import os
import socket
import ssl
import sys
import threading

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
password = open(os.path.join(arena, "outside/password")).read().strip().encode()
heard = open(os.path.join(arena, "notes/heard"), "ab", 0)


def serve(client, row, certificate):
    client.settimeout(5)
    try:
        if certificate != "none":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(os.path.join(arena, f"outside/{certificate}.pem"))
            client = context.wrap_socket(client, server_side=True)
        while told := client.recv(4096):
            if password in told and row != "granted":
                heard.write(f"{canary}-{row}- ".encode())
            heard.write(told.replace(b"\r\n", b" ") + b"\n")
            client.sendall(b"+OK\r\n" if b"AUTH" in told.upper() else f"+{canary}\r\n".encode())
    except OSError as error:
        heard.write(f"{row} ended: {error!r}\n".encode())
    client.close()


def take(listener, *row):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0], *row), daemon=True).start()


rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
listeners = [(socket.create_server((address, 6379)), row, certificate) for row, address, certificate in rows]
if os.fork() > 0:
    sys.exit(0)
for each in listeners:
    threading.Thread(target=take, args=each).start()
