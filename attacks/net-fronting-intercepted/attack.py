from rows import connect, each, mark, talk

HEADS = {
    "other": ("/", "Host: evil.example"),
    "below": ("/", "Host: x.api.example"),
    "port": ("/", "Host: api.example:8080"),
    "userinfo": ("/", "Host: api.example@evil.example"),
    "userinfo-reverse": ("/", "Host: evil.example@api.example"),
    "two-hosts": ("/", "Host: api.example\r\nHost: evil.example"),
    "two-hosts-reverse": ("/", "Host: evil.example\r\nHost: api.example"),
    "absolute-target": ("http://evil.example/", "Host: api.example"),
    "absolute-both": ("http://evil.example/", "Host: evil.example"),
    "fold": ("/", "Host: api.example\r\n .evil.example"),
    "tab": ("/", "Host: api.example\t.evil.example"),
    "comma": ("/", "Host: api.example, evil.example"),
    "empty-then-other": ("/", "Host:\r\nHost: evil.example"),
    "path-in-host": ("/", "Host: api.example/../evil.example"),
    "no-host": ("/", "X-Forwarded-Host: evil.example"),
    "space-before-colon": ("/", "Host : evil.example\r\nHost: api.example"),
}


def ask(row):
    target, host = HEADS[row]
    talk(connect("api.example", 80), f"GET {target}public/{mark(row)} HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n")


each(ask)
