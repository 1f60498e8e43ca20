#!/bin/sh
: > "$ARENA/ws/ran2"
# Without Holdfast the second run has the same key by itself.
export API_KEY="${API_KEY:-$(cat "$ARENA/outside/key")}"
exec python3 "$ARENA/ws/.attack/attack.py"
