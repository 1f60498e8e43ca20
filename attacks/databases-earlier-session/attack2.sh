#!/bin/sh
: > "$ARENA/ws/ran2"
exec python3 "$ARENA/ws/.attack/attack.py"
