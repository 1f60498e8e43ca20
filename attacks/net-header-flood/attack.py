from rows import connect, each, mark, talk

FLOODS = {
    "many-fields": "".join(f"X-{n}: {n}\r\n" for n in range(10_000)),
    "long-field": "Cookie: " + "x" * 1_000_000 + "\r\n",
    "long-name": "x" * 200_000 + ": y\r\n",
    "long-target": "",
    "long-host": "",
}


def flood(row):
    target = "y" * 200_000 if row == "long-target" else ""
    host = "api.example" + ("." * 100_000 if row == "long-host" else "")
    talk(connect("api.example", 80), f"GET /public/{target} HTTP/1.1\r\nHost: {host}\r\n{FLOODS[row]}X-Mark: {mark(row)}\r\nConnection: close\r\n\r\n")


each(flood)
