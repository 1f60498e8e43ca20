from rows import connect, each, mark, talk

each(lambda row, port: talk(connect("test.example", int(port)), mark(row) + "\r\n\r\n", 0.2))
