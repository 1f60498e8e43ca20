#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" >&9
