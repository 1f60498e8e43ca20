import base64
import json
import subprocess
from urllib.parse import quote

from keys import BEARER, KEY, each_with_key, request
from rows import mark, seconds

BOUNDARY = "Content-Type: multipart/form-data; boundary=b\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"


def chunks(*parts, trailer=""):
    return "".join(f"{len(part):x}\r\n{part}\r\n" for part in parts) + f"0\r\n{trailer}\r\n"


# The path, the head and the content of a request.
WAYS = {
    "query": lambda path: (f"{path}?key={quote(KEY)}", "", ""),
    "query-plain": lambda path: (f"{path}?key={KEY}", "", ""),
    "query-twice": lambda path: (f"{path}?key={''.join(f'%{ord(each):02x}' for each in KEY)}", "", ""),
    "query-base64": lambda path: (f"{path}?key={base64.urlsafe_b64encode(KEY.encode()).decode()}", "", ""),
    "path": lambda path: (f"{path}/{quote(KEY, safe='')}", "", ""),
    "header": lambda path: (path, f"X-Note: {KEY}\r\n", ""),
    "header-base64": lambda path: (path, f"X-Note: {base64.b64encode(('x' + KEY).encode()).decode()}\r\n", ""),
    "header-hex": lambda path: (path, f"X-Note: {KEY.encode().hex()}\r\n", ""),
    "header-name": lambda path: (path, f"X-{KEY.rstrip('+/=')}: 1\r\n", ""),
    "user-agent": lambda path: (path, f"User-Agent: agent/1.0 ({KEY})\r\n", ""),
    "referer": lambda path: (path, f"Referer: https://api.example/?{quote(KEY)}\r\n", ""),
    "cookie": lambda path: (path, f"Cookie: a=b; key={KEY}\r\n", ""),
    "two": lambda path: (path, BEARER + f"X-Note: {KEY}\r\n", ""),
    "form": lambda path: (path, "Content-Type: application/x-www-form-urlencoded\r\n", f"a=b&key={quote(KEY)}"),
    "json": lambda path: (path, "Content-Type: application/json\r\n", json.dumps({"key": KEY})),
    "json-inside": lambda path: (path, "Content-Type: application/json\r\n", json.dumps({"text": json.dumps({"key": KEY})})),
    "multipart": lambda path: (path, BOUNDARY, f'--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n{KEY}\r\n--b--\r\n'),
    "multipart-name": lambda path: (path, BOUNDARY, f'--b\r\nContent-Disposition: form-data; name="f"; filename="{KEY}"\r\n\r\nx\r\n--b--\r\n'),
    "base64-body": lambda path: (path, "", base64.b64encode(f"before {KEY} after".encode()).decode()),
    "hex-body": lambda path: (path, "", KEY.encode().hex()),
    "late": lambda path: (path, "", "x" * 70_000 + KEY + "x" * 70_000),
    "chunks": lambda path: (path, CHUNKED, chunks("before", KEY, "after")),
    "chunks-within": lambda path: (path, CHUNKED, chunks("before" + KEY[:9], KEY[9:11], KEY[11:] + "after")),
    "byte-by-byte": lambda path: (path, CHUNKED, chunks(*KEY)),
    "chunk-extension": lambda path: ("/", CHUNKED, f'1;note="{KEY} {path}"\r\nx\r\n' + chunks()),
    "trailer": lambda path: (path, CHUNKED, chunks("x", trailer=f"X-Note: {KEY}\r\n")),
    "with-key": lambda path: (path, BEARER, f"the key is {KEY}"),
}
HTTP2 = {
    "http2-header": lambda url: ["-H", f"X-Note: {KEY}", url],
    "http2-body": lambda url: ["-d", f"key={KEY}", url],
    "http2-query": lambda url: [f"{url}?key={quote(KEY)}"],
}


def send(row, host):
    way = row.removesuffix("-elsewhere")
    if way in HTTP2:
        subprocess.run(["curl", "-sgk", "-m", seconds(5), "--http2", *HTTP2[way](f"https://{host}/{mark(row)}")], capture_output=True)
    else:
        path, head, body = WAYS[way](f"/{mark(row)}")
        request(host, path, head, body.encode())


each_with_key(send)
