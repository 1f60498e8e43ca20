import time

from rows import connect, each, mark, talk


def tunnel(row, protocol):
    connection = connect("api.example", 80)
    connection.sendall(f"GET /public/x HTTP/1.1\r\nHost: api.example\r\nConnection: Upgrade\r\nUpgrade: {protocol}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    time.sleep(0.2)
    talk(connection, f"\x82\x20{mark(row)}\r\n\r\n", 0.3)


each(tunnel)
