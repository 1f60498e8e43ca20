#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" >> "$CASE"; rm -f "$CASE" && echo "$CANARY" > "$CASE"
