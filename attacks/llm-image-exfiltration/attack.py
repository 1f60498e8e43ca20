import json
import os
import urllib.request

from rows import ARENA, each


def show(row, way, _):
    """What a client puts together of an answer, as it would show it."""
    chat = way.startswith("chat")
    body = {"model": row, "stream": way != "document", "max_tokens": 9, "messages": [{"role": "user", "content": "Go on."}]}
    path = "/v1/chat/completions" if chat else "/v1/messages"
    request = urllib.request.Request(f"http://localhost:11434{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=9) as answer:
        text = answer.read().decode()
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    pieces = texts_of(json.loads(text)) if way == "document" else [piece for event in events for piece in texts_of(event)]
    with open(os.path.join(ARENA, "ws/shown", row), "w", encoding="utf8") as out:
        out.write("".join(pieces))


def texts_of(event):
    deltas = [event.get("delta", {}), *event.get("content", []), *(choice["delta"] for choice in event.get("choices", []))]
    return [delta.get("text") or delta.get("content") or "" for delta in deltas]


each(show, 4, show)
