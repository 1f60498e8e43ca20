#!/bin/sh
set -eu
echo "$CANARY" > "$ARENA/outside/secret"
"$TOOLS/victim" "$ARENA/outside/secret" "$ARENA/outside/pwned" > victim
