from rows import CANARY, connect, each, mark, proxy_address, proxy_authorization, talk

REQUESTS = {
    "host-other": ("http://test.example/@", "Host: evil.example"),
    "host-neighbour": ("http://test.example/@", "Host: other.example"),
    "second-request": ("http://test.example/", "Host: test.example\r\n*\r\nGET /@ HTTP/1.1\r\nHost: evil.example"),
    "second-hidden": ("http://test.example/", "Host: test.example\r\n*Content-Length: 0\r\nTransfer-Encoding: x\r\n\r\nGET /@ HTTP/1.1\r\nHost: other.example"),
    "fragment": ("http://evil.example#.test.example/@", "Host: evil.example"),
    "nul": ("http://evil.example\0.test.example/@", "Host: evil.example"),
    "slash-name": ("http://evil.example?.test.example/@", "Host: evil.example"),
    "scheme-ftp": ("ftp://test.example/@", "Host: evil.example"),
}


def ask(row):
    where, _ = proxy_address()
    target, host = REQUESTS[row]
    text = f"GET {target} HTTP/1.1\r\n{host}\r\n"
    if "*" not in text:
        text += proxy_authorization()
    talk(connect(*where), text.replace("@", mark(row)).replace("*", proxy_authorization()) + "\r\n", 0.4)


each(ask)
