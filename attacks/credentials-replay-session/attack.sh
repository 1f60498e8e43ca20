#!/bin/sh
: > "$ARENA/ws/ran"
echo "${API_KEY:-$(cat "$ARENA/outside/key")}" > "$ARENA/ws/token"
