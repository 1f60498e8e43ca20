#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p .vscode; echo "$CANARY" > .vscode/tasks.json; sleep 0.5
