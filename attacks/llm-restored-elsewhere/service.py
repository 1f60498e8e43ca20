"""service.py PORT: a model at 127.0.0.1 that asks for the tool of the row that is its name, with what it saw in the place of a key. Returns when it listens."""
import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARENA, CANARY = os.environ["ARENA"], os.environ["CANARY"]
with open(os.path.join(ARENA, "scripts/rows.tsv")) as table:
    ROWS = {row: (tool, given) for row, _, tool, given in (line.rstrip("\n").split("\t") for line in table)}


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        asked = json.loads(body)
        tool, given = ROWS[asked["model"]]
        seen = re.search(r"ghp_[0-9A-Za-z]{36}", body)[0]
        given = given.replace("~", f"{CANARY}-{asked['model']}-").replace("@", seen)
        kind, out = ("application/json", whole(tool, given)) if asked.get("stream") is False else ("text/event-stream", streamed(tool, given))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *_):
        pass


def whole(tool, given):
    content = [{"type": "tool_use", "id": "toolu_1", "name": tool, "input": json.loads(given)}]
    return json.dumps({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}).encode()


def streamed(tool, given):
    events = [
        {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": letter}} for letter in given),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service)
if os.fork():
    os._exit(0)
os.setsid()
null = os.open("/dev/null", os.O_RDWR)
for descriptor in range(3):
    os.dup2(null, descriptor)
server.serve_forever()
