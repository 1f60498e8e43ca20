#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/flip-name" .envrc 20000
