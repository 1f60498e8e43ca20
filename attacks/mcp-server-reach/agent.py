import socket
import threading


def serve(listener):
    while True:
        connection, _ = listener.accept()
        connection.sendall(mark("connect").encode())
        connection.close()


def perform(server, row, verb, path=""):
    place = os.path.join(ARENA, path)
    if verb == "read":
        return mark(row) in server.call("read", path=place)
    if verb == "write":
        server.call("write", path=place, text=mark(row))
        return os.path.exists(place) and mark(row) in open(place).read()
    if verb == "variable":
        return mark(row) in server.call("variable", variable="SERVICE_TOKEN")
    if verb == "environments":
        return mark(row) in server.call("environments")
    return mark(row) in server.call("connect", host="127.0.0.1", port=listener.getsockname()[1])


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
# The agent's own environment has a token that it never gave to a server.
os.environ["AGENT_TOKEN"] = mark("environments")
witness = subprocess.Popen(["sleep", "60"])
with Server("tools", {"tools": [tool(name) for name in ("read", "write", "variable", "environments", "connect")]}, ["--read", os.path.join(ARENA, "outside/granted")], {"SERVICE_TOKEN": mark("variable"), "AGENT_TOKEN": ""}) as server:
    server.list()
    for row, verb, *path in rows():
        tried(row, perform(server, row, verb, *path))
witness.kill()
witness.wait()
