#!/bin/sh
: > "$ARENA/ws/ran"
export ANTHROPIC_BASE_URL="${ANTHROPIC_BASE_URL:-http://api.anthropic.com}"
exec python3 "$ARENA/ws/.attack/attack.py"
