#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p .vscode; echo "$CANARY" > .vscode/tasks.json
level=${1:-0}
if [ "$level" -lt 7 ]; then sh "$0" $((level + 1)); exit; fi
while :; do echo x >> "$ARENA/ws/beat"; sleep 0.05; done
