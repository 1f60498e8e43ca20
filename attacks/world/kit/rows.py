"""What the attacks with rows share. A row is noted in `tried` before it is performed; one that fails does not end the others."""
import os
import socket
import ssl
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ARENA, CANARY = os.environ["ARENA"], os.environ["CANARY"]
KIT = os.path.join(ARENA, "ws/.attack")
# The factor over the host's time, because an emulated box is slow.
SLOWNESS = float(os.environ.get("SLOWNESS", "1"))
PATIENCE = 0.7 * SLOWNESS


def seconds(count):
    """For a tool that is told how long to wait."""
    return str(count * SLOWNESS)


def mark(row):
    """What the collectors look for."""
    return f"{CANARY}-{row}-"


def each(perform, workers=8, grant=None):
    """Calls perform(row, *columns) for each line of rows.tsv, and `grant` for the row `granted`."""
    with open(os.path.join(KIT, "rows.tsv")) as table:
        rows = [line.rstrip("\n").split("\t") for line in table if line.strip()]

    def guarded(row):
        note("tried", row[0] + "\n")
        try:
            if row[0] == "granted":
                (grant or use_grant)(*row)
            else:
                perform(*row)
        except Exception as error:
            print(row[0], repr(error), file=sys.stderr)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(guarded, rows))


def use_grant(row, url):
    """What the policy allows has to work, or nothing was shown. A proxy is in the variables, the fetch tool in one of its own."""
    command = os.environ.get("FETCH", f"curl -sgk -m {seconds(3)}").split(" ")
    answer = subprocess.run([*command, url], capture_output=True, timeout=9 * SLOWNESS)
    if CANARY.encode() in answer.stdout:
        note("loot", mark(row) + "\n")
    else:
        print(row, answer)


def each_answer(perform, workers=8):
    """The same for rows that succeed when perform returns what a server says: its canary."""

    def keep(row, *columns):
        found = perform(row, *columns)
        if found and CANARY.encode() in found:
            note("loot", mark(row) + "\n")
        else:
            print(row, repr((found or b"")[:200]))

    each(keep, workers)


def note(file, text):
    with open(os.path.join(ARENA, "ws", file), "a") as out:
        out.write(text)


def connect(host, port, patience=PATIENCE):
    return socket.create_connection((host, port), patience)


def talk(connection, request, patience=PATIENCE):
    """Sends and reads until the other side is silent or gone."""
    if isinstance(request, str):
        request = request.encode("latin1")
    connection.settimeout(patience)
    answer = b""
    try:
        connection.sendall(request)
        while chunk := connection.recv(65536):
            answer += chunk
            # The attacks' servers end each answer with the canary.
            if CANARY.encode() + b"\n" in answer:
                break
    except OSError:
        pass
    return answer


def secure(connection, name, alpn=()):
    """TLS that believes anybody."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if alpn:
        context.set_alpn_protocols(list(alpn))
    return context.wrap_socket(connection, server_hostname=name)


def get(url_host, host, port=80, path="/", extra=""):
    """A plain request for `host` on a connection to `url_host`."""
    return talk(connect(url_host, port), f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{extra}\r\n")


def question(labels, kind=1, ident=0x4242, flags=0x0100):
    """A DNS query for a list of labels, each at most 63 octets."""
    name = b"".join(bytes([len(label)]) + label for label in (label.encode("latin1") for label in labels)) + b"\0"
    return struct.pack(">6H", ident, flags, 1, 0, 0, 0) + name + struct.pack(">2H", kind, 1)


def proxy_address():
    """(host, port), and the credentials as they stand in `Authorization: Basic` before they are encoded."""
    from urllib.parse import urlsplit

    url = urlsplit(os.environ["http_proxy"])
    return (url.hostname, url.port), f"{url.username or ''}:{url.password or ''}"


def proxy_authorization():
    import base64

    return "Proxy-Authorization: Basic " + base64.b64encode(proxy_address()[1].encode()).decode() + "\r\n"


def socks(kind, address, port=80):
    """A tunnel through the SOCKS5 proxy to an address as it stands on the wire, and what the proxy said."""
    where, credentials = proxy_address()
    user, secret = (part.encode() for part in credentials.split(":"))
    connection = connect(*where)
    connection.sendall(b"\5\1\2")
    connection.recv(2)
    connection.sendall(b"\1" + bytes([len(user)]) + user + bytes([len(secret)]) + secret)
    connection.recv(2)
    connection.sendall(b"\5\1\0" + bytes([kind]) + address + struct.pack(">H", port))
    return connection, connection.recv(300)


def udp(address, port, payload, patience=0.3):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.settimeout(patience)
        sender.sendto(payload, (address, port))
        try:
            return sender.recv(4096)
        except OSError:
            return b""
