from rows import connect, each, mark, talk

each(lambda row, address, port: talk(connect(address, int(port)), mark(row) + "\r\n\r\n", 0.2))
