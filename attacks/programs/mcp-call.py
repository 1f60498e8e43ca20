"""mcp-call.py FILE COMMAND...: calls the tool `bash` of an MCP server with a command, and writes the text that a client has into FILE.
`holdfast run FLAGS -- COMMAND` is asked of `holdfast mcp FLAGS`; any other command of a plain server, which passes its output through."""
import json
import shlex
import subprocess
import sys

PLAIN = r"""
import json, subprocess, sys
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "plain", "version": "1"}}
    if message["method"] == "tools/call":
        printed = subprocess.run(["bash", "-c", message["params"]["arguments"]["command"]], capture_output=True).stdout
        result = {"content": [{"type": "text", "text": printed.decode("utf-8", "surrogateescape")}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def main(path, *words):
    if words[0].endswith("/holdfast"):
        end = words.index("--")
        server, command = [words[0], "mcp", *words[2:end]], words[end + 1:]
    else:
        server, command = [sys.executable, "-c", PLAIN], words
    with subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        ask(process, {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "attack", "version": "1"}}})
        answer = ask(process, {"id": 2, "method": "tools/call", "params": {"name": "bash", "arguments": {"command": shlex.join(command)}}})
        process.stdin.close()
    with open(path, "wb") as out:
        out.write("\n".join(part["text"] for part in answer["result"]["content"]).encode("utf-8", "surrogateescape"))


def ask(process, message):
    process.stdin.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    process.stdin.flush()
    for line in process.stdout:
        answer = json.loads(line)
        if answer.get("id") == message["id"]:
            return answer
    sys.exit("the server has ended")


main(*sys.argv[1:])
