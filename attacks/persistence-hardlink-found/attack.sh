#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > shared.json
