from rows import connect, each, mark, talk

each(lambda method: talk(connect("api.example", 80), f"{method} /public/{mark(method)} HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n", 0.4))
