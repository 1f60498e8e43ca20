import time

from rows import CANARY, connect, each, get, mark, note


def hold(row):
    connections = [connect("127.0.0.1", 18080) for _ in range(8)]
    for connection in connections:
        if row != "silent":
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:18080\r\nX-A: b\r\n")
    time.sleep(0.2)
    if row == "drop-by-drop":
        for connection in connections:
            connection.sendall(b"X")
    # The other client; the server has to serve it although all slots are asked for.
    answer = get("127.0.0.1", "127.0.0.1:18080", 18080)
    if CANARY.encode() not in answer:
        note("loot", mark(row) + "\n")
    for connection in connections:
        connection.close()
    time.sleep(0.1)


each(hold, workers=1)
