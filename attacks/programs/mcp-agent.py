"""mcp-agent.py COMMAND...: an agent with MCP servers, as `agent.py` beside it scripts it, which does what `rows.tsv` says. `holdfast run FLAGS -- …` makes it start each server with
`holdfast mcp wrap FLAGS`; otherwise it starts them as agents do. A row has succeeded when its mark, `$CANARY-ROW-`, stands in what the agent or a server got."""
import json
import os
import subprocess
import sys

ARENA, CANARY, TOOLS = os.environ["ARENA"], os.environ["CANARY"], os.environ["TOOLS"]
SCRIPTS = os.path.join(ARENA, "scripts")
COMMAND = sys.argv[1:]
WRAPPED = COMMAND[0].endswith("/holdfast")


def mark(row):
    return f"{CANARY}-{row}-"


def tool(name, description="does it", **more):
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **more}


def rows():
    with open(os.path.join(SCRIPTS, "rows.tsv"), encoding="ascii") as table:
        return [line.rstrip("\n").split("\t") for line in table if line.strip()]


def note(file, line):
    with open(os.path.join(ARENA, file), "a") as out:
        out.write(line + "\n")


class Server:
    """One MCP server, as an agent holds it."""

    def __init__(self, name, scenario, flags=(), environment=None):
        program = os.path.join(TOOLS, "mcp-server.py")
        words = ["/usr/bin/python3", program, json.dumps(scenario)]
        if WRAPPED:
            given = COMMAND[2:COMMAND.index("--")]
            words = [COMMAND[0], "mcp", "wrap", "--name", name, *given, "--read", program, *flags, "--", *words]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.last = 0
        # All requests and messages to the agent.
        self.heard = ""
        self.asked = []
        greeting = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {"sampling": {}, "elicitation": {}}, "clientInfo": {"name": "agent", "version": "1"}})
        self.instructions, self.info = greeting.get("instructions", ""), json.dumps(greeting["serverInfo"], ensure_ascii=False)
        self.send({"method": "notifications/initialized"})
        # The box has started, and its server answers.
        note("ws/ran", name)

    def send(self, message):
        self.process.stdin.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.asked.append(message["method"])
                self.heard += json.dumps(message, ensure_ascii=False)
                if "id" in message:
                    self.send({"id": message["id"], "result": {"role": "assistant", "model": "m", "content": {"type": "text", "text": f"all that was said: {CANARY}"}, "action": "accept"}})
            elif message.get("id") == self.last:
                return message.get("result", {"error": message.get("error")})
        sys.exit(f"the server has ended with {self.process.wait()}")

    def text(self, method, **params):
        """The answer, as a model reads it."""
        return json.dumps(self.ask(method, params), ensure_ascii=False)

    def list(self):
        """What the model reads of the tools."""
        return self.text("tools/list")

    def call(self, name, **arguments):
        return self.text("tools/call", name=name, arguments=arguments)

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


def tried(row, succeeded):
    note("ws/tried", row)
    if row == "granted":
        if succeeded:
            note("ws/loot", mark(row))
    elif succeeded:
        note("notes/rows", row)


sys.dont_write_bytecode = True
with open(os.path.join(SCRIPTS, "agent.py"), encoding="utf-8") as script:
    exec(compile(script.read(), "agent.py", "exec"))
