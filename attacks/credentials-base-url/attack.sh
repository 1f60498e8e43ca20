#!/bin/sh
: > "$ARENA/ws/ran"
export API_URL="${API_URL:-http://api.example/v1}"
exec python3 "$ARENA/ws/.attack/attack.py"
