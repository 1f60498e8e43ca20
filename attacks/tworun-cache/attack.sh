#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > "$ARENA/home/.npm/_cacache/poison"
