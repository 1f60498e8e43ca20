#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/flip" create "$PWD/bsked" "$PWD/asked" 20000; rm -f bsked
