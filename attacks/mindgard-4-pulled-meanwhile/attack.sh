#!/bin/sh
: > "$ARENA/ws/ran"
until [ -e go ]; do sleep 0.05; done
exec python3 "$ARENA/ws/.attack/agent.py"
