#!/bin/sh
set -eu
echo "$CANARY" > "$ARENA/outside/secret"
"$TOOLS/handle" name "$ARENA/outside/secret" > handle
