"""Sends each row's request to the dashboard of `link`, with the pass that the link gave and what the row says otherwise."""
import http.client, json, os
from urllib.parse import urlsplit

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
link = urlsplit(open(f"{arena}/ws/link").read().strip())
token = json.dumps({"token": link.fragment})
own = {"host": link.netloc, "origin": f"http://{link.netloc}", "sec-fetch-site": "same-origin", "content-type": "application/json"}


def send(method, path, headers, body):
    connection = http.client.HTTPConnection("127.0.0.1", link.port, timeout=3)
    connection.request(method, path, body, {name: value.replace("PORT", str(link.port)) for name, value in headers.items() if value is not None})
    return connection.getresponse()


def body_of(method, path):
    if method == "GET":
        return None
    return token if path == "/api/enter" else json.dumps({"hash": "a" * 64, "decision": "once", "digest": "a" * 64})


entered = send("POST", "/api/enter", own, token)
pass_of_page = {"cookie": entered.getheader("set-cookie", "").split(";")[0], "holdfast-key": json.loads(entered.read())["key"]}
for line in open(f"{arena}/ws/.attack/rows.tsv"):
    row, said = line.rstrip("\n").split("\t")
    with open(f"{arena}/ws/tried", "a") as tried:
        tried.write(f"{row}\n")
    headers = {**own, **pass_of_page, **json.loads(said)}
    method, path = headers.pop("method", "GET"), headers.pop("path", "/api/events?from=0&count=50")
    answer = send(method, path, headers, body_of(method, path))
    # Anything but the refusal at the gate or the entrance is a way in, whatever comes of it.
    if answer.status != 403 and (row != "granted" or canary in answer.read().decode()):
        with open(f"{arena}/ws/loot", "a") as loot:
            loot.write(f"{canary}-{row}-\n")
