#!/bin/sh
: > "$ARENA/ws/ran"
cp -r packages .attack/fresh; mv -T packages .attack/away; mv -T .attack/fresh packages; echo "$CANARY" > packages/a/.vscode/tasks.json
