#!/bin/sh
: > "$ARENA/ws/ran"
cd "$ARENA/ws"
exec python3 .attack/attack.py
