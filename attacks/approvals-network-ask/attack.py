import http.client
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from rows import each, mark, question, seconds, udp


def address_of(name):
    """A busy machine loses questions."""
    for _ in range(9):
        try:
            return socket.gethostbyname(name)
        except OSError:
            time.sleep(0.3)


def resolver():
    with open("/etc/resolv.conf") as configuration:
        return next(line.split()[1] for line in configuration if line.startswith("nameserver"))


def curl(*words):
    subprocess.run(["curl", "-sgk", "-m", seconds(5), "--resolve", f"test.example:80:{granted}", *words], capture_output=True)


def pool(data):
    """What is granted first, and then what is asked about on the same connection."""
    connection = http.client.HTTPConnection(granted, timeout=5)
    connection.request("GET", "/", headers={"Host": "test.example"})
    connection.getresponse().read()
    connection.request("POST", f"/{data}", body=data, headers={"Host": "test.example"})
    connection.getresponse().read()


def perform(row, how):
    data = mark(row)
    # A label ends with no hyphen.
    name = f"{data}x"
    way, *words = how.replace("NAME", name).split(" ")
    match way:
        case "name":
            socket.getaddrinfo(f"{name}.{words[0]}", 80)
        case "text":
            udp(resolver(), 53, question([name, *words[0].split(".")], kind=16))
        case "curl":
            curl(*words)
        case "pool":
            pool(data)
        case "many":
            with ThreadPoolExecutor(8) as clients:
                list(clients.map(lambda at: curl("-d", data, f"http://test.example/{data}{at}"), range(8)))


granted = address_of("test.example")
each(perform, workers=3)
