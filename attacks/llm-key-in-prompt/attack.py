import json
import os
import sys

from keys import request

with open(os.path.join(os.environ["ARENA"], "ws/key")) as file:
    KEY = file.read().strip()
ESCAPED = "".join(f"\\u{ord(each):04x}" for each in KEY)

ANTHROPIC = ("api.anthropic.com", "/v1/messages", {
    "text": {"messages": [{"role": "user", "content": f"use {KEY} now"}]},
    "block": {"messages": [{"role": "user", "content": [{"type": "text", "text": f"use {KEY} now"}]}]},
    "result": {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": KEY}]}]}]},
    "input": {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "run", "input": {"env": {"deep": [KEY]}}}]}]},
    "system": {"system": f"The key is {KEY}.", "messages": []},
    "case": {"Messages": [{"role": "user", "Content": f"use {KEY} now"}]},
})
OPENAI = ("api.openai.com", "/v1/chat/completions", {
    "chat": {"messages": [{"role": "user", "content": f"use {KEY} now"}]},
    "arguments": {"messages": [{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "run", "arguments": json.dumps({"env": KEY})}}]}]},
})
RESPONSES = ("api.openai.com", "/v1/responses", {"instructions": {"instructions": KEY, "input": "hello"}, "output": {"input": [{"type": "function_call_output", "call_id": "a", "output": KEY}]}})
GEMINI = ("generativelanguage.googleapis.com", "/v1beta/models/a:generateContent", {"part": {"contents": [{"parts": [{"text": KEY}]}]}, "snake": {"system_instruction": {"parts": [{"text": KEY}]}, "contents": []}})

for host, path, bodies in (ANTHROPIC, OPENAI, RESPONSES, GEMINI):
    texts = {name: json.dumps({"model": "a", "max_tokens": 1, **body}) for name, body in bodies.items()}
    texts["escaped"] = texts[next(iter(texts))].replace(KEY, ESCAPED)
    texts["twice"] = '{"messages": [], ' + texts[next(iter(texts))][1:]
    for name, text in texts.items():
        try:
            answer = request(host, path, "Content-Type: application/json\r\n", text.encode())
            print(name, answer[:80])
        except Exception as error:
            print(name, repr(error), file=sys.stderr)
