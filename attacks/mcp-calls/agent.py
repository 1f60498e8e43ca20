SOURCES = os.path.join(ARENA, "outside/src")
READS = ["--read", os.path.join(ARENA, "outside")]
MAIL = {"tools": [tool("send")]}

with Server("files", {"tools": [tool("read")]}, READS) as files:
    files.list()
    tried("granted", mark("granted") in files.call("read", path=f"{SOURCES}/granted"))
    tried("denied-argument", mark("denied-argument") in files.call("read", path=f"{SOURCES}/key.pem"))
    tried("denied-list", mark("denied-list") in files.call("read", path=[f"{SOURCES}/granted", f"{SOURCES}/other.pem"]))
    tried("climbing", mark("climbing") in files.call("read", path=f"{SOURCES}/../climbing"))
    with Server("mail", MAIL) as mail:
        letter = files.call("read", path=f"{SOURCES}/note")
        tried("read-then-send", mark("read-then-send") in mail.call("send", text=letter))
        tried("read-then-resource", mark("read-then-resource") in json.dumps(mail.ask("resources/read", {"uri": letter})))
    with Server("mail", MAIL) as mail:
        tried("read-then-restart", mark("read-then-restart") in mail.call("send", text=letter))

with Server("tools", {"tools": [tool("sample"), tool("elicit")]}) as server:
    tried("sampling", CANARY in server.call("sample") or "sampling/createMessage" in server.asked)
    tried("elicitation", CANARY in server.call("elicit", message="your password") or "elicitation/create" in server.asked)
