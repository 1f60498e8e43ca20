"""model_service.py PORT: a server of models on the machine, at 127.0.0.1, started in the background; returns when it listens.

It speaks Anthropic's Messages and OpenAI's Chat Completions, streamed (and the first also whole, to who says so), notes what it was sent in `$ARENA/notes/service`, and says that each call took 600
tokens: Chat Completions only to who asks for it. What it says is `$ARENA/notes/replies/MODEL`, a piece on each line as JSON, or its canary. Models named `late-…` say it late.
"""
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARENA = os.environ["ARENA"]
TOKENS = {"input_tokens": 500, "output_tokens": 100}
log = open(os.path.join(ARENA, "notes/service"), "ab", 0)


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        log.write(body + b"\n")
        asked = json.loads(body)
        model = asked.get("model", "")
        if model.startswith("late-"):
            time.sleep(0.4)
        if asked.get("stream") is False:
            return self.answer_whole(model)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        say = say_chat if "chat/completions" in self.path else say_messages
        for event, data in say(pieces_for(model), asked):
            named = f"event: {event}\n" if event else ""
            self.wfile.write(f"{named}data: {data}\n\n".encode())
            self.wfile.flush()
            if model.startswith("late-"):
                time.sleep(0.1)

    def answer_whole(self, model):
        content = [{"type": "text", "text": "".join(pieces_for(model))}]
        body = json.dumps({"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": "end_turn", "usage": TOKENS}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def pieces_for(model):
    try:
        with open(os.path.join(ARENA, "notes/replies", os.path.basename(model))) as reply:
            return [json.loads(line) for line in reply]
    except OSError:
        return [os.environ["CANARY"], "\n"]


def say_messages(pieces, asked):
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model"), "content": [], "stop_reason": None, "usage": {**TOKENS, "output_tokens": 1}}
    events = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in pieces),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": TOKENS["output_tokens"]}},
        {"type": "message_stop"},
    ]
    return [(event["type"], json.dumps(event)) for event in events]


def say_chat(pieces, asked):
    chunks = [{"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    chunks.append({"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    if asked.get("stream_options", {}).get("include_usage"):
        chunks.append({"id": "a", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 500, "completion_tokens": 100, "total_tokens": 600}})
    return [(None, json.dumps(chunk)) for chunk in chunks] + [(None, "[DONE]")]


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service)
if os.fork():
    os._exit(0)
os.setsid()
null = os.open("/dev/null", os.O_RDWR)
for descriptor in range(3):
    os.dup2(null, descriptor)
server.serve_forever()
