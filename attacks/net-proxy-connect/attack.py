from rows import connect, each_answer, proxy_address, proxy_authorization, talk

TARGETS = {
    "literal": "93.184.216.66\0test.example:80",
    "literal-six": "2606:2800:220::66 test.example:80",
    "userinfo": "evil.example/@test.example:80",
    "nul": "evil.example\0.test.example:80",
    "space": "evil.example .test.example:80",
    "slash": "evil.example/.test.example:80",
    "hash": "evil.example#test.example:80",
    "line-end": "evil.example\r.test.example:80",
    "extra-port": "evil.example?:443test.example:80",
    "bracketed": "[2606:2800:220::66]/test.example:80",
    "tab-between": "evil.example\ttest.example:80",
    "host-field": "evil.example#.test.example:80",
}


def ask(connection, host="evil.example"):
    return talk(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")


def tunnel(row):
    where, _ = proxy_address()
    connection = connect(*where)
    connection.sendall(f"CONNECT {TARGETS[row]} HTTP/1.1\r\nHost: test.example:80\r\n{proxy_authorization()}\r\n".encode("latin1"))
    first = connection.recv(300)
    return ask(connection) if b" 200 " in first[:20] else first


each_answer(tunnel)
