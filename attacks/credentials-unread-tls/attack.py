from keys import BEARER, each_with_key, request, tls
from rows import mark


def ask(row, host, port):
    request(f"{host}:{port}", f"/v1/{mark(row)}", BEARER, connection=tls(host, port=int(port)))


each_with_key(ask)
