import ssl
import subprocess
import urllib.request

from keys import KEY, OTHER_KEY, each_with_key
from rows import mark, seconds

NODE = "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; const [url, name, value] = process.argv.slice(1); await fetch(url, { headers: { [name]: value } });"


def curl(*options):
    return lambda url, name, value: subprocess.run(["curl", "-sgk", "-m", seconds(8), *options, "-H", f"{name}: {value}", url], capture_output=True)


def python(url, name, value):
    context = ssl._create_unverified_context()
    urllib.request.urlopen(urllib.request.Request(url, headers={name: value}), timeout=5, context=context).read()


CLIENTS = {
    "curl": curl("-L", "--http1.1"),
    "curl-trusted": curl("--location-trusted", "--http1.1"),
    "curl-http2": curl("-L", "--http2"),
    "node": lambda *words: subprocess.run(["node", "--input-type=module", "-e", NODE, *words], capture_output=True),
    "python": python,
}


def follow(row, client, field, target):
    """The host that the key is good for sends everybody to `target`."""
    value = f"Bearer {KEY}" if field == "authorization" else OTHER_KEY
    url = target.replace("@", mark(row)).replace("%", "%25").replace("/", "%2f")
    CLIENTS[client](f"https://{'api' if field == 'authorization' else 'keys'}.example/to/{url}", field, value)


each_with_key(follow)
