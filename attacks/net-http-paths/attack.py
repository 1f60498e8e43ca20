from rows import connect, each, mark, talk

each(lambda row, path: talk(connect("api.example", 80), f"GET {path} HTTP/1.1\r\nHost: api.example\r\nX-Mark: {mark(row)}\r\nConnection: close\r\n\r\n", 0.4))
