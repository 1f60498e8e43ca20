#!/bin/sh
: > "$ARENA/ws/ran"
exec python3 "$ARENA/ws/.attack/attack.py"
